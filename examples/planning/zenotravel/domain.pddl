; Aeroplanes take people to other cities: slowly for one level of fuel, or fast for two.
(define (domain zenotravel)
  (:requirements :strips :typing)
  (:types
    city level thing - object
    aeroplane person - thing)
  (:predicates
    (at ?thing - thing ?city - city)
    (in ?person - person ?aeroplane - aeroplane)
    (fuel ?aeroplane - aeroplane ?level - level)
    (one-less ?less ?more - level))

  (:action board
    :parameters (?person - person ?aeroplane - aeroplane ?city - city)
    :precondition (and (at ?person ?city) (at ?aeroplane ?city))
    :effect (and (in ?person ?aeroplane) (not (at ?person ?city))))

  (:action leave
    :parameters (?person - person ?aeroplane - aeroplane ?city - city)
    :precondition (and (in ?person ?aeroplane) (at ?aeroplane ?city))
    :effect (and (at ?person ?city) (not (in ?person ?aeroplane))))

  (:action fly
    :parameters (?aeroplane - aeroplane ?from ?to - city ?before ?after - level)
    :precondition (and (at ?aeroplane ?from) (fuel ?aeroplane ?before) (one-less ?after ?before))
    :effect (and (at ?aeroplane ?to) (fuel ?aeroplane ?after)
      (not (at ?aeroplane ?from)) (not (fuel ?aeroplane ?before))))

  (:action zoom
    :parameters (?aeroplane - aeroplane ?from ?to - city ?before ?between ?after - level)
    :precondition (and (at ?aeroplane ?from) (fuel ?aeroplane ?before)
      (one-less ?between ?before) (one-less ?after ?between))
    :effect (and (at ?aeroplane ?to) (fuel ?aeroplane ?after)
      (not (at ?aeroplane ?from)) (not (fuel ?aeroplane ?before))))

  (:action refuel
    :parameters (?aeroplane - aeroplane ?city - city ?before ?after - level)
    :precondition (and (at ?aeroplane ?city) (fuel ?aeroplane ?before) (one-less ?before ?after))
    :effect (and (fuel ?aeroplane ?after) (not (fuel ?aeroplane ?before)))))
