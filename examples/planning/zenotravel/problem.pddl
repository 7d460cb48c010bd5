; python -m bestfirst.planning.examples zenotravel --people 3 --aeroplanes 2 --cities 3 --levels 3 --seed 0
(define (problem zenotravel-example)
  (:domain zenotravel)
  (:objects
    person1 person2 person3 - person
    plane1 plane2 - aeroplane
    city1 city2 city3 - city
    level-0 level-1 level-2 - level
  )
  (:init
    (one-less level-0 level-1)
    (one-less level-1 level-2)
    (at plane1 city2)
    (at plane2 city2)
    (fuel plane1 level-1)
    (fuel plane2 level-2)
    (at person1 city2)
    (at person2 city2)
    (at person3 city1)
  )
  (:goal (and
    (at person1 city3)
    (at person2 city3)
    (at person3 city3)
  ))
)
