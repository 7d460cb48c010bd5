; Packages are taken to other cities: by truck within a city, by aeroplane from airport to airport.
(define (domain logistics)
  (:requirements :strips :typing)
  (:types
    city place thing - object
    airport - place
    vehicle package - thing
    truck aeroplane - vehicle)
  (:predicates
    (at ?thing - thing ?place - place)
    (in ?package - package ?vehicle - vehicle)
    (in-city ?place - place ?city - city))

  (:action load
    :parameters (?package - package ?vehicle - vehicle ?place - place)
    :precondition (and (at ?package ?place) (at ?vehicle ?place))
    :effect (and (in ?package ?vehicle) (not (at ?package ?place))))

  (:action unload
    :parameters (?package - package ?vehicle - vehicle ?place - place)
    :precondition (and (in ?package ?vehicle) (at ?vehicle ?place))
    :effect (and (at ?package ?place) (not (in ?package ?vehicle))))

  (:action drive
    :parameters (?truck - truck ?from ?to - place ?city - city)
    :precondition (and (at ?truck ?from) (in-city ?from ?city) (in-city ?to ?city))
    :effect (and (at ?truck ?to) (not (at ?truck ?from))))

  (:action fly
    :parameters (?aeroplane - aeroplane ?from ?to - airport)
    :precondition (at ?aeroplane ?from)
    :effect (and (at ?aeroplane ?to) (not (at ?aeroplane ?from)))))
