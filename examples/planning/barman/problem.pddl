; python -m bestfirst.planning.examples barman --cocktails 1 --ingredients 3 --seed 0
(define (problem barman-example)
  (:domain barman)
  (:objects
    left right - hand
    l0 l1 l2 - level
    shaker1 - shaker
    shot1 shot2 - shot
    ingredient1 ingredient2 ingredient3 - ingredient
    cocktail1 - cocktail
  )
  (:init
    (= (total-cost) 0)
    (one-less l0 l1)
    (one-less l1 l2)
    (hand-empty left)
    (hand-empty right)
    (on-table shaker1)
    (clean shaker1)
    (empty shaker1)
    (on-table shot1)
    (clean shot1)
    (empty shot1)
    (on-table shot2)
    (clean shot2)
    (empty shot2)
    (empty-level shaker1 l0)
    (shaker-level shaker1 l0)
    (first-part cocktail1 ingredient2)
    (second-part cocktail1 ingredient3)
  )
  (:goal (and
    (contains shot1 cocktail1)
  ))
  (:metric minimize (total-cost))
)
