; A robot on a grid visits every cell.
(define (domain visitall)
  (:requirements :strips :typing)
  (:types cell)
  (:predicates
    (beside ?one ?other - cell)
    (robot-at ?cell - cell)
    (visited ?cell - cell))

  (:action move
    :parameters (?from ?to - cell)
    :precondition (and (robot-at ?from) (beside ?from ?to))
    :effect (and (robot-at ?to) (visited ?to) (not (robot-at ?from)))))
