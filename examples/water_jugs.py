"""A custom problem: measure 4 litres with a 5-litre and a 3-litre jug."""

import bestfirst as bf


class Jugs(bf.Problem):
    """State: the litres in the 5-litre and the 3-litre jug."""

    initial = (0, 0)

    def is_goal(self, state):
        return 4 in state

    def successors(self, state):
        five, three = state
        yield "fill the 5", (5, three), 1
        yield "fill the 3", (five, 3), 1
        yield "empty the 5", (0, three), 1
        yield "empty the 3", (five, 0), 1
        poured = min(five, 3 - three)
        yield "pour 5 into 3", (five - poured, three + poured), 1
        poured = min(three, 5 - five)
        yield "pour 3 into 5", (five + poured, three - poured), 1


solution = bf.solve(Jugs())
print(solution)
for action, state in solution:
    print(f"{action:14} {state}")
