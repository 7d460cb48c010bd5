; python -m bestfirst.planning.examples zenotravel --people 5 --aeroplanes 2 --cities 4 --levels 4 --seed 0
(define (problem zenotravel-example)
  (:domain zenotravel)
  (:objects
    person1 person2 person3 person4 person5 - person
    plane1 plane2 - aeroplane
    city1 city2 city3 city4 - city
    level-0 level-1 level-2 level-3 - level
  )
  (:init
    (one-less level-0 level-1)
    (one-less level-1 level-2)
    (one-less level-2 level-3)
    (at plane1 city2)
    (at plane2 city2)
    (fuel plane1 level-2)
    (fuel plane2 level-1)
    (at person1 city4)
    (at person2 city4)
    (at person3 city1)
    (at person4 city3)
    (at person5 city4)
  )
  (:goal (and
    (at person1 city2)
    (at person2 city2)
    (at person3 city3)
    (at person4 city2)
    (at person5 city3)
  ))
)
