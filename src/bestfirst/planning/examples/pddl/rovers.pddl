; Rovers on a planet analyse soil and rock, take images, and send the data to the lander.
(define (domain rovers)
  (:requirements :strips :typing)
  (:types rover waypoint store camera mode lander objective)
  (:predicates
    (at ?rover - rover ?waypoint - waypoint)
    (lander-at ?lander - lander ?waypoint - waypoint)
    (can-traverse ?rover - rover ?from ?to - waypoint)
    (visible ?from ?to - waypoint)
    (equipped-for-soil ?rover - rover)
    (equipped-for-rock ?rover - rover)
    (equipped-for-images ?rover - rover)
    (store-of ?store - store ?rover - rover)
    (store-empty ?store - store)
    (store-full ?store - store)
    (soil-at ?waypoint - waypoint)
    (rock-at ?waypoint - waypoint)
    (has-soil-analysis ?rover - rover ?waypoint - waypoint)
    (has-rock-analysis ?rover - rover ?waypoint - waypoint)
    (camera-of ?camera - camera ?rover - rover)
    (camera-supports ?camera - camera ?mode - mode)
    (calibrates-on ?camera - camera ?objective - objective)
    (calibrated ?camera - camera)
    (visible-from ?objective - objective ?waypoint - waypoint)
    (has-image ?rover - rover ?objective - objective ?mode - mode)
    (sent-soil ?waypoint - waypoint)
    (sent-rock ?waypoint - waypoint)
    (sent-image ?objective - objective ?mode - mode))

  (:action drive
    :parameters (?rover - rover ?from ?to - waypoint)
    :precondition (and (at ?rover ?from) (can-traverse ?rover ?from ?to) (visible ?from ?to))
    :effect (and (at ?rover ?to) (not (at ?rover ?from))))

  (:action sample-soil
    :parameters (?rover - rover ?store - store ?waypoint - waypoint)
    :precondition (and (at ?rover ?waypoint) (soil-at ?waypoint) (equipped-for-soil ?rover)
      (store-of ?store ?rover) (store-empty ?store))
    :effect (and (has-soil-analysis ?rover ?waypoint) (store-full ?store)
      (not (store-empty ?store)) (not (soil-at ?waypoint))))

  (:action sample-rock
    :parameters (?rover - rover ?store - store ?waypoint - waypoint)
    :precondition (and (at ?rover ?waypoint) (rock-at ?waypoint) (equipped-for-rock ?rover)
      (store-of ?store ?rover) (store-empty ?store))
    :effect (and (has-rock-analysis ?rover ?waypoint) (store-full ?store)
      (not (store-empty ?store)) (not (rock-at ?waypoint))))

  (:action empty-store
    :parameters (?rover - rover ?store - store)
    :precondition (and (store-of ?store ?rover) (store-full ?store))
    :effect (and (store-empty ?store) (not (store-full ?store))))

  (:action calibrate
    :parameters (?rover - rover ?camera - camera ?objective - objective ?waypoint - waypoint)
    :precondition (and (equipped-for-images ?rover) (camera-of ?camera ?rover)
      (calibrates-on ?camera ?objective) (at ?rover ?waypoint) (visible-from ?objective ?waypoint))
    :effect (calibrated ?camera))

  (:action take-image
    :parameters (?rover - rover ?waypoint - waypoint ?objective - objective ?camera - camera ?mode - mode)
    :precondition (and (equipped-for-images ?rover) (camera-of ?camera ?rover) (camera-supports ?camera ?mode)
      (calibrated ?camera) (at ?rover ?waypoint) (visible-from ?objective ?waypoint))
    :effect (and (has-image ?rover ?objective ?mode) (not (calibrated ?camera))))

  (:action send-soil
    :parameters (?rover - rover ?lander - lander ?sample ?from ?to - waypoint)
    :precondition (and (has-soil-analysis ?rover ?sample) (at ?rover ?from)
      (lander-at ?lander ?to) (visible ?from ?to))
    :effect (sent-soil ?sample))

  (:action send-rock
    :parameters (?rover - rover ?lander - lander ?sample ?from ?to - waypoint)
    :precondition (and (has-rock-analysis ?rover ?sample) (at ?rover ?from)
      (lander-at ?lander ?to) (visible ?from ?to))
    :effect (sent-rock ?sample))

  (:action send-image
    :parameters (?rover - rover ?lander - lander ?objective - objective ?mode - mode ?from ?to - waypoint)
    :precondition (and (has-image ?rover ?objective ?mode) (at ?rover ?from)
      (lander-at ?lander ?to) (visible ?from ?to))
    :effect (sent-image ?objective ?mode)))
