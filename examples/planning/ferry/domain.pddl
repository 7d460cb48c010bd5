; A ferry carries one car at a time between ports. That it is not loaded is a negative precondition.
(define (domain ferry)
  (:requirements :strips :typing :equality :negative-preconditions)
  (:types port car)
  (:predicates
    (ferry-at ?port - port)
    (at ?car - car ?port - port)
    (on-board ?car - car)
    (loaded))

  (:action sail
    :parameters (?from ?to - port)
    :precondition (and (ferry-at ?from) (not (= ?from ?to)))
    :effect (and (ferry-at ?to) (not (ferry-at ?from))))

  (:action board
    :parameters (?car - car ?port - port)
    :precondition (and (at ?car ?port) (ferry-at ?port) (not (loaded)))
    :effect (and (on-board ?car) (loaded) (not (at ?car ?port))))

  (:action debark
    :parameters (?car - car ?port - port)
    :precondition (and (on-board ?car) (ferry-at ?port))
    :effect (and (at ?car ?port) (not (on-board ?car)) (not (loaded)))))
