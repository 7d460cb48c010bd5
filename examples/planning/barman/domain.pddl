; A barman mixes cocktails of two ingredients in a shaker. Filling a shot costs 10, other actions cost 1.
(define (domain barman)
  (:requirements :strips :typing :action-costs)
  (:types
    hand level beverage container - object
    ingredient cocktail - beverage
    shot shaker - container)
  (:predicates
    (on-table ?container - container)
    (holding ?hand - hand ?container - container)
    (hand-empty ?hand - hand)
    (empty ?container - container)
    (clean ?container - container)
    (contains ?container - container ?beverage - beverage)
    (used ?container - container ?beverage - beverage)
    (unshaken ?shaker - shaker)
    (shaken ?shaker - shaker)
    (shaker-level ?shaker - shaker ?level - level)
    (one-less ?less ?more - level)
    (empty-level ?shaker - shaker ?level - level)
    (first-part ?cocktail - cocktail ?ingredient - ingredient)
    (second-part ?cocktail - cocktail ?ingredient - ingredient))
  (:functions (total-cost) - number)

  (:action grasp
    :parameters (?hand - hand ?container - container)
    :precondition (and (on-table ?container) (hand-empty ?hand))
    :effect (and (holding ?hand ?container)
      (not (on-table ?container)) (not (hand-empty ?hand))
      (increase (total-cost) 1)))

  (:action put-down
    :parameters (?hand - hand ?container - container)
    :precondition (holding ?hand ?container)
    :effect (and (on-table ?container) (hand-empty ?hand)
      (not (holding ?hand ?container))
      (increase (total-cost) 1)))

  (:action fill-shot
    :parameters (?shot - shot ?ingredient - ingredient ?hand ?other - hand)
    :precondition (and (holding ?hand ?shot) (hand-empty ?other) (empty ?shot) (clean ?shot))
    :effect (and (contains ?shot ?ingredient) (used ?shot ?ingredient)
      (not (empty ?shot)) (not (clean ?shot))
      (increase (total-cost) 10)))

  (:action refill-shot
    :parameters (?shot - shot ?ingredient - ingredient ?hand ?other - hand)
    :precondition (and (holding ?hand ?shot) (hand-empty ?other) (empty ?shot) (used ?shot ?ingredient))
    :effect (and (contains ?shot ?ingredient) (not (empty ?shot))
      (increase (total-cost) 10)))

  (:action empty-shot
    :parameters (?hand - hand ?shot - shot ?beverage - beverage)
    :precondition (and (holding ?hand ?shot) (contains ?shot ?beverage))
    :effect (and (empty ?shot) (not (contains ?shot ?beverage))
      (increase (total-cost) 1)))

  (:action clean-shot
    :parameters (?shot - shot ?beverage - beverage ?hand ?other - hand)
    :precondition (and (holding ?hand ?shot) (hand-empty ?other) (empty ?shot) (used ?shot ?beverage))
    :effect (and (clean ?shot) (not (used ?shot ?beverage))
      (increase (total-cost) 1)))

  (:action pour-into-clean-shaker
    :parameters (?shot - shot ?ingredient - ingredient ?shaker - shaker ?hand - hand ?before ?after - level)
    :precondition (and (holding ?hand ?shot) (contains ?shot ?ingredient) (empty ?shaker) (clean ?shaker)
      (shaker-level ?shaker ?before) (one-less ?before ?after))
    :effect (and (contains ?shaker ?ingredient) (empty ?shot) (unshaken ?shaker) (shaker-level ?shaker ?after)
      (not (contains ?shot ?ingredient)) (not (empty ?shaker)) (not (clean ?shaker))
      (not (shaker-level ?shaker ?before))
      (increase (total-cost) 1)))

  (:action pour-into-used-shaker
    :parameters (?shot - shot ?ingredient - ingredient ?shaker - shaker ?hand - hand ?before ?after - level)
    :precondition (and (holding ?hand ?shot) (contains ?shot ?ingredient) (unshaken ?shaker)
      (shaker-level ?shaker ?before) (one-less ?before ?after))
    :effect (and (contains ?shaker ?ingredient) (empty ?shot) (shaker-level ?shaker ?after)
      (not (contains ?shot ?ingredient)) (not (shaker-level ?shaker ?before))
      (increase (total-cost) 1)))

  (:action shake
    :parameters (?cocktail - cocktail ?first ?second - ingredient ?shaker - shaker ?hand ?other - hand)
    :precondition (and (holding ?hand ?shaker) (hand-empty ?other) (unshaken ?shaker)
      (contains ?shaker ?first) (contains ?shaker ?second)
      (first-part ?cocktail ?first) (second-part ?cocktail ?second))
    :effect (and (contains ?shaker ?cocktail) (shaken ?shaker)
      (not (unshaken ?shaker)) (not (contains ?shaker ?first)) (not (contains ?shaker ?second))
      (increase (total-cost) 1)))

  (:action pour-into-shot
    :parameters (?cocktail - cocktail ?shot - shot ?hand - hand ?shaker - shaker ?before ?after - level)
    :precondition (and (holding ?hand ?shaker) (shaken ?shaker) (contains ?shaker ?cocktail)
      (empty ?shot) (clean ?shot) (shaker-level ?shaker ?before) (one-less ?after ?before))
    :effect (and (contains ?shot ?cocktail) (used ?shot ?cocktail) (shaker-level ?shaker ?after)
      (not (empty ?shot)) (not (clean ?shot)) (not (shaker-level ?shaker ?before))
      (increase (total-cost) 1)))

  (:action empty-shaker
    :parameters (?cocktail - cocktail ?hand - hand ?shaker - shaker ?before ?after - level)
    :precondition (and (holding ?hand ?shaker) (shaken ?shaker) (contains ?shaker ?cocktail)
      (shaker-level ?shaker ?before) (empty-level ?shaker ?after))
    :effect (and (empty ?shaker) (shaker-level ?shaker ?after)
      (not (shaken ?shaker)) (not (contains ?shaker ?cocktail)) (not (shaker-level ?shaker ?before))
      (increase (total-cost) 1)))

  (:action clean-shaker
    :parameters (?hand ?other - hand ?shaker - shaker)
    :precondition (and (holding ?hand ?shaker) (hand-empty ?other) (empty ?shaker))
    :effect (and (clean ?shaker)
      (increase (total-cost) 1))))
