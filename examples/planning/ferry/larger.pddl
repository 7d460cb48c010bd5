; python -m bestfirst.planning.examples ferry --cars 7 --ports 4 --seed 0
(define (problem ferry-example)
  (:domain ferry)
  (:objects
    port1 port2 port3 port4 - port
    car1 car2 car3 car4 car5 car6 car7 - car
  )
  (:init
    (ferry-at port2)
    (at car1 port4)
    (at car2 port1)
    (at car3 port4)
    (at car4 port3)
    (at car5 port3)
    (at car6 port2)
    (at car7 port2)
  )
  (:goal (and
    (at car1 port2)
    (at car2 port2)
    (at car3 port2)
    (at car4 port2)
    (at car5 port4)
    (at car6 port3)
    (at car7 port4)
  ))
)
