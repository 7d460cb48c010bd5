; python -m bestfirst.planning.examples satellite --satellites 1 --instruments 2 --images 4 --directions 5 --seed 0
(define (problem satellite-example)
  (:domain satellite)
  (:objects
    satellite1 - satellite
    i1 i2 - instrument
    colour infrared radar - mode
    direction1 direction2 direction3 direction4 direction5 - direction
  )
  (:init
    (on-board i1 satellite1)
    (on-board i2 satellite1)
    (supports i1 colour)
    (supports i1 infrared)
    (supports i2 infrared)
    (supports i2 radar)
    (calibrates-at i1 direction3)
    (calibrates-at i2 direction2)
    (points satellite1 direction1)
    (power-available satellite1)
  )
  (:goal (and
    (have-image direction4 radar)
    (have-image direction3 colour)
    (have-image direction2 radar)
    (have-image direction5 colour)
  ))
)
