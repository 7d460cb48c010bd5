; python -m bestfirst.planning.examples depots --crates 6 --depots 3 --trucks 1 --seed 0
(define (problem depots-example)
  (:domain depots)
  (:objects
    depot1 depot2 depot3 - place
    truck1 - truck
    hoist1 hoist2 hoist3 - hoist
    pallet1 pallet2 pallet3 - pallet
    crate1 crate2 crate3 crate4 crate5 crate6 - crate
  )
  (:init
    (at hoist1 depot1)
    (at hoist2 depot2)
    (at hoist3 depot3)
    (available hoist1)
    (available hoist2)
    (available hoist3)
    (at truck1 depot2)
    (at pallet1 depot1)
    (at crate3 depot1)
    (at pallet2 depot2)
    (at crate4 depot2)
    (at crate6 depot2)
    (at crate1 depot2)
    (at pallet3 depot3)
    (at crate2 depot3)
    (at crate5 depot3)
    (on crate3 pallet1)
    (on crate4 pallet2)
    (on crate6 crate4)
    (on crate1 crate6)
    (on crate2 pallet3)
    (on crate5 crate2)
    (clear crate3)
    (clear crate1)
    (clear crate5)
  )
  (:goal (and
    (on crate3 pallet1)
    (on crate1 crate3)
    (on crate2 pallet2)
    (on crate5 crate2)
    (on crate6 pallet3)
    (on crate4 crate6)
  ))
)
