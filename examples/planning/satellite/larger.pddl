; python -m bestfirst.planning.examples satellite --satellites 2 --instruments 2 --images 7 --directions 8 --seed 0
(define (problem satellite-example)
  (:domain satellite)
  (:objects
    satellite1 satellite2 - satellite
    i1 i2 i3 i4 - instrument
    colour infrared radar - mode
    direction1 direction2 direction3 direction4 direction5 direction6 direction7 direction8 - direction
  )
  (:init
    (on-board i1 satellite1)
    (on-board i2 satellite2)
    (on-board i3 satellite1)
    (on-board i4 satellite2)
    (supports i1 colour)
    (supports i1 infrared)
    (supports i2 infrared)
    (supports i2 radar)
    (supports i3 infrared)
    (supports i3 radar)
    (supports i4 colour)
    (supports i4 radar)
    (calibrates-at i1 direction2)
    (calibrates-at i2 direction6)
    (calibrates-at i3 direction7)
    (calibrates-at i4 direction6)
    (points satellite1 direction4)
    (points satellite2 direction8)
    (power-available satellite1)
    (power-available satellite2)
  )
  (:goal (and
    (have-image direction3 infrared)
    (have-image direction8 colour)
    (have-image direction2 radar)
    (have-image direction1 colour)
    (have-image direction7 radar)
    (have-image direction4 infrared)
    (have-image direction5 infrared)
  ))
)
