; python -m bestfirst.planning.examples depots --crates 4 --depots 2 --trucks 1 --seed 0
(define (problem depots-example)
  (:domain depots)
  (:objects
    depot1 depot2 - place
    truck1 - truck
    hoist1 hoist2 - hoist
    pallet1 pallet2 - pallet
    crate1 crate2 crate3 crate4 - crate
  )
  (:init
    (at hoist1 depot1)
    (at hoist2 depot2)
    (available hoist1)
    (available hoist2)
    (at truck1 depot1)
    (at pallet1 depot1)
    (at pallet2 depot2)
    (at crate4 depot2)
    (at crate2 depot2)
    (at crate1 depot2)
    (at crate3 depot2)
    (on crate4 pallet2)
    (on crate2 crate4)
    (on crate1 crate2)
    (on crate3 crate1)
    (clear pallet1)
    (clear crate3)
  )
  (:goal (and
    (on crate4 pallet1)
    (on crate1 crate4)
    (on crate3 pallet2)
    (on crate2 crate3)
  ))
)
