; A keeper pushes boxes to their places. A push costs 1, a step costs nothing.
(define (domain sokoban)
  (:requirements :strips :typing :action-costs)
  (:types cell direction)
  (:predicates
    (next ?cell ?neighbour - cell ?direction - direction)
    (keeper-at ?cell - cell)
    (box-at ?cell - cell)
    (empty ?cell - cell))
  (:functions (total-cost) - number)

  (:action step
    :parameters (?from ?to - cell ?direction - direction)
    :precondition (and (keeper-at ?from) (next ?from ?to ?direction) (empty ?to))
    :effect (and (keeper-at ?to) (empty ?from)
      (not (keeper-at ?from)) (not (empty ?to))
      (increase (total-cost) 0)))

  (:action push
    :parameters (?from ?to ?beyond - cell ?direction - direction)
    :precondition (and (keeper-at ?from) (next ?from ?to ?direction) (box-at ?to)
      (next ?to ?beyond ?direction) (empty ?beyond))
    :effect (and (keeper-at ?to) (empty ?from) (box-at ?beyond)
      (not (keeper-at ?from)) (not (box-at ?to)) (not (empty ?beyond))
      (increase (total-cost) 1))))
