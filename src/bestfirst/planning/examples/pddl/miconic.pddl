; A lift takes each passenger from one floor to another.
(define (domain miconic)
  (:requirements :strips :typing)
  (:types passenger floor)
  (:predicates
    (above ?lower ?upper - floor)
    (waits-at ?passenger - passenger ?floor - floor)
    (goes-to ?passenger - passenger ?floor - floor)
    (boarded ?passenger - passenger)
    (served ?passenger - passenger)
    (lift-at ?floor - floor))

  (:action up
    :parameters (?from ?to - floor)
    :precondition (and (lift-at ?from) (above ?from ?to))
    :effect (and (lift-at ?to) (not (lift-at ?from))))

  (:action down
    :parameters (?from ?to - floor)
    :precondition (and (lift-at ?from) (above ?to ?from))
    :effect (and (lift-at ?to) (not (lift-at ?from))))

  (:action board
    :parameters (?floor - floor ?passenger - passenger)
    :precondition (and (lift-at ?floor) (waits-at ?passenger ?floor))
    :effect (boarded ?passenger))

  (:action depart
    :parameters (?floor - floor ?passenger - passenger)
    :precondition (and (lift-at ?floor) (goes-to ?passenger ?floor) (boarded ?passenger))
    :effect (and (served ?passenger) (not (boarded ?passenger)))))
