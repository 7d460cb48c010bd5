; python -m bestfirst.planning.examples gripper --balls 5 --seed 0
(define (problem gripper-example)
  (:domain gripper)
  (:objects
    here there - room
    ball1 ball2 ball3 ball4 ball5 - ball
    left right - gripper
  )
  (:init
    (robot-in here)
    (free left)
    (free right)
    (in ball1 here)
    (in ball2 here)
    (in ball3 here)
    (in ball4 here)
    (in ball5 here)
  )
  (:goal (and
    (in ball1 there)
    (in ball2 there)
    (in ball3 there)
    (in ball4 there)
    (in ball5 there)
  ))
)
