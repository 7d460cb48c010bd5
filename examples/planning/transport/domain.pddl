; Trucks of limited capacity deliver packages. A drive costs the length of the road, other actions cost 1.
(define (domain transport)
  (:requirements :strips :typing :action-costs)
  (:types
    place thing capacity - object
    truck package - thing)
  (:predicates
    (road ?from ?to - place)
    (at ?thing - thing ?place - place)
    (in ?package - package ?truck - truck)
    (room ?truck - truck ?capacity - capacity)
    (one-less ?less ?more - capacity))
  (:functions
    (length ?from ?to - place) - number
    (total-cost) - number)

  (:action drive
    :parameters (?truck - truck ?from ?to - place)
    :precondition (and (at ?truck ?from) (road ?from ?to))
    :effect (and (at ?truck ?to) (not (at ?truck ?from))
      (increase (total-cost) (length ?from ?to))))

  (:action pick-up
    :parameters (?truck - truck ?place - place ?package - package ?less ?more - capacity)
    :precondition (and (at ?truck ?place) (at ?package ?place)
      (one-less ?less ?more) (room ?truck ?more))
    :effect (and (in ?package ?truck) (room ?truck ?less)
      (not (at ?package ?place)) (not (room ?truck ?more))
      (increase (total-cost) 1)))

  (:action drop
    :parameters (?truck - truck ?place - place ?package - package ?less ?more - capacity)
    :precondition (and (at ?truck ?place) (in ?package ?truck)
      (one-less ?less ?more) (room ?truck ?less))
    :effect (and (at ?package ?place) (room ?truck ?more)
      (not (in ?package ?truck)) (not (room ?truck ?less))
      (increase (total-cost) 1))))
