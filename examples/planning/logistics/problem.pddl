; python -m bestfirst.planning.examples logistics --packages 3 --cities 2 --places 2 --aeroplanes 1 --seed 0
(define (problem logistics-example)
  (:domain logistics)
  (:objects
    c1 c2 - city
    c1-airport c2-airport - airport
    c1-p1 c2-p1 - place
    truck1 truck2 - truck
    plane1 - aeroplane
    package1 package2 package3 - package
  )
  (:init
    (in-city c1-airport c1)
    (in-city c1-p1 c1)
    (in-city c2-airport c2)
    (in-city c2-p1 c2)
    (at truck1 c1-p1)
    (at truck2 c2-p1)
    (at plane1 c2-airport)
    (at package1 c2-p1)
    (at package2 c2-p1)
    (at package3 c1-airport)
  )
  (:goal (and
    (at package1 c1-p1)
    (at package2 c2-airport)
    (at package3 c2-airport)
  ))
)
