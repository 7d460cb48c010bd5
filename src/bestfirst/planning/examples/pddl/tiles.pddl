; Tiles slide into the blank cell of a board, as in the 8-puzzle.
(define (domain tiles)
  (:requirements :strips :typing)
  (:types tile cell)
  (:predicates
    (beside ?one ?other - cell)
    (at ?tile - tile ?cell - cell)
    (blank ?cell - cell))

  (:action slide
    :parameters (?tile - tile ?from ?to - cell)
    :precondition (and (at ?tile ?from) (blank ?to) (beside ?from ?to))
    :effect (and (at ?tile ?to) (blank ?from)
      (not (at ?tile ?from)) (not (blank ?to)))))
