; Discs are moved from peg to peg, never a larger one onto a smaller one.
(define (domain hanoi)
  (:requirements :strips :typing)
  (:types peg disc)
  (:predicates
    (smaller ?disc - disc ?below - object)
    (on ?disc - disc ?below - object)
    (clear ?top - object))

  (:action move
    :parameters (?disc - disc ?from ?to - object)
    :precondition (and (on ?disc ?from) (clear ?disc) (clear ?to) (smaller ?disc ?to))
    :effect (and (on ?disc ?to) (clear ?from)
      (not (on ?disc ?from)) (not (clear ?to)))))
