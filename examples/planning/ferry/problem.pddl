; python -m bestfirst.planning.examples ferry --cars 4 --ports 3 --seed 0
(define (problem ferry-example)
  (:domain ferry)
  (:objects
    port1 port2 port3 - port
    car1 car2 car3 car4 - car
  )
  (:init
    (ferry-at port2)
    (at car1 port2)
    (at car2 port1)
    (at car3 port3)
    (at car4 port2)
  )
  (:goal (and
    (at car1 port3)
    (at car2 port2)
    (at car3 port2)
    (at car4 port3)
  ))
)
