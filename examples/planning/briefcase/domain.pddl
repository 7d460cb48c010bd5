; A briefcase is moved, and with it all that it holds: a conditional effect.
(define (domain briefcase)
  (:requirements :strips :typing :equality :negative-preconditions :conditional-effects)
  (:types place item)
  (:predicates
    (case-at ?place - place)
    (at ?item - item ?place - place)
    (in ?item - item))

  (:action move
    :parameters (?from ?to - place)
    :precondition (and (case-at ?from) (not (= ?from ?to)))
    :effect (and (case-at ?to) (not (case-at ?from))
      (forall (?item - item)
        (when (in ?item) (and (at ?item ?to) (not (at ?item ?from)))))))

  (:action put-in
    :parameters (?item - item ?place - place)
    :precondition (and (at ?item ?place) (case-at ?place) (not (in ?item)))
    :effect (in ?item))

  (:action take-out
    :parameters (?item - item)
    :precondition (in ?item)
    :effect (not (in ?item))))
