; Satellites turn, and take images with instruments that need power and calibration.
(define (domain satellite)
  (:requirements :strips :typing)
  (:types satellite instrument mode direction)
  (:predicates
    (on-board ?instrument - instrument ?satellite - satellite)
    (supports ?instrument - instrument ?mode - mode)
    (calibrates-at ?instrument - instrument ?direction - direction)
    (points ?satellite - satellite ?direction - direction)
    (power-available ?satellite - satellite)
    (powered ?instrument - instrument)
    (calibrated ?instrument - instrument)
    (have-image ?direction - direction ?mode - mode))

  (:action turn
    :parameters (?satellite - satellite ?to ?from - direction)
    :precondition (points ?satellite ?from)
    :effect (and (points ?satellite ?to) (not (points ?satellite ?from))))

  (:action switch-on
    :parameters (?instrument - instrument ?satellite - satellite)
    :precondition (and (on-board ?instrument ?satellite) (power-available ?satellite))
    :effect (and (powered ?instrument)
      (not (calibrated ?instrument)) (not (power-available ?satellite))))

  (:action switch-off
    :parameters (?instrument - instrument ?satellite - satellite)
    :precondition (and (on-board ?instrument ?satellite) (powered ?instrument))
    :effect (and (power-available ?satellite) (not (powered ?instrument))))

  (:action calibrate
    :parameters (?satellite - satellite ?instrument - instrument ?direction - direction)
    :precondition (and (on-board ?instrument ?satellite) (powered ?instrument)
      (calibrates-at ?instrument ?direction) (points ?satellite ?direction))
    :effect (calibrated ?instrument))

  (:action take-image
    :parameters (?satellite - satellite ?direction - direction ?instrument - instrument ?mode - mode)
    :precondition (and (on-board ?instrument ?satellite) (supports ?instrument ?mode)
      (powered ?instrument) (calibrated ?instrument) (points ?satellite ?direction))
    :effect (have-image ?direction ?mode)))
