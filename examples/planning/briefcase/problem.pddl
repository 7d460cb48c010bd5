; python -m bestfirst.planning.examples briefcase --items 4 --places 3 --seed 0
(define (problem briefcase-example)
  (:domain briefcase)
  (:objects
    place1 place2 place3 - place
    item1 item2 item3 item4 - item
  )
  (:init
    (case-at place1)
    (at item1 place2)
    (at item2 place1)
    (at item3 place3)
    (at item4 place2)
  )
  (:goal (and
    (case-at place1)
    (at item1 place3)
    (at item2 place2)
    (at item3 place2)
    (at item4 place3)
  ))
)
