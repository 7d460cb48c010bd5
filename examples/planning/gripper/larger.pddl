; python -m bestfirst.planning.examples gripper --balls 9 --seed 0
(define (problem gripper-example)
  (:domain gripper)
  (:objects
    here there - room
    ball1 ball2 ball3 ball4 ball5 ball6 ball7 ball8 ball9 - ball
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
    (in ball6 here)
    (in ball7 here)
    (in ball8 here)
    (in ball9 here)
  )
  (:goal (and
    (in ball1 there)
    (in ball2 there)
    (in ball3 there)
    (in ball4 there)
    (in ball5 there)
    (in ball6 there)
    (in ball7 there)
    (in ball8 there)
    (in ball9 there)
  ))
)
