; A walk with a bag: costs, constants, a negative precondition, a conditional effect and an equality.
(define (domain errands)
  (:requirements :typing :equality :negative-preconditions :conditional-effects :action-costs)
  (:types shop - place thing place - object)
  (:constants home - place)
  (:predicates (at ?where - place) (packed ?what - thing) (is-at ?what - thing ?where - place) (tired))
  (:functions (total-cost) - number (minutes ?from ?to - place) - number)
  (:action walk
    :parameters (?from ?to - place)
    :precondition (and (at ?from) (not (= ?from ?to)) (not (tired)))
    :effect (and (not (at ?from)) (at ?to) (increase (total-cost) (minutes ?from ?to))
                 (forall (?what - thing)
                   (when (packed ?what) (and (not (is-at ?what ?from)) (is-at ?what ?to))))))
  (:action pack
    :parameters (?what - thing ?where - shop)
    :precondition (and (at ?where) (is-at ?what ?where))
    :effect (and (packed ?what) (increase (total-cost) 1))))
