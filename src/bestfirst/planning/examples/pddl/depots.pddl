; Trucks carry crates between depots, where hoists stack them on pallets and on each other.
(define (domain depots)
  (:requirements :strips :typing)
  (:types
    place thing - object
    truck hoist surface - thing
    pallet crate - surface)
  (:predicates
    (at ?thing - thing ?place - place)
    (on ?crate - crate ?surface - surface)
    (in ?crate - crate ?truck - truck)
    (clear ?surface - surface)
    (available ?hoist - hoist)
    (lifting ?hoist - hoist ?crate - crate))

  (:action drive
    :parameters (?truck - truck ?from ?to - place)
    :precondition (at ?truck ?from)
    :effect (and (at ?truck ?to) (not (at ?truck ?from))))

  (:action lift
    :parameters (?hoist - hoist ?crate - crate ?surface - surface ?place - place)
    :precondition (and (at ?hoist ?place) (available ?hoist)
      (at ?crate ?place) (on ?crate ?surface) (clear ?crate))
    :effect (and (lifting ?hoist ?crate) (clear ?surface)
      (not (at ?crate ?place)) (not (on ?crate ?surface))
      (not (clear ?crate)) (not (available ?hoist))))

  (:action drop
    :parameters (?hoist - hoist ?crate - crate ?surface - surface ?place - place)
    :precondition (and (at ?hoist ?place) (lifting ?hoist ?crate)
      (at ?surface ?place) (clear ?surface))
    :effect (and (available ?hoist) (at ?crate ?place) (on ?crate ?surface) (clear ?crate)
      (not (lifting ?hoist ?crate)) (not (clear ?surface))))

  (:action load
    :parameters (?hoist - hoist ?crate - crate ?truck - truck ?place - place)
    :precondition (and (at ?hoist ?place) (lifting ?hoist ?crate) (at ?truck ?place))
    :effect (and (in ?crate ?truck) (available ?hoist) (not (lifting ?hoist ?crate))))

  (:action unload
    :parameters (?hoist - hoist ?crate - crate ?truck - truck ?place - place)
    :precondition (and (at ?hoist ?place) (available ?hoist) (at ?truck ?place) (in ?crate ?truck))
    :effect (and (lifting ?hoist ?crate) (not (in ?crate ?truck)) (not (available ?hoist)))))
