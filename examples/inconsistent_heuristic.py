"""An admissible but inconsistent heuristic: A* reopens a closed node."""

import bestfirst as bf

roads = {"S": [("A", 1), ("B", 1)], "A": [("C", 2)], "B": [("C", 4)], "C": [("G", 3)], "G": []}
estimates = {"S": 5, "A": 5, "B": 0, "C": 1, "G": 0}


def lopsided(city):
    return estimates[city]


problem = bf.Problem.of(
    "S",
    lambda city: [(f"to {to}", to, length) for to, length in roads[city]],
    lambda city: city == "G",
)
solution = bf.solve(problem, "astar", bf.Heuristic(lopsided, "lopsided", admissible=True))
print(solution, "through", " ".join(solution.states))
print("reopened:", solution.stats.reopened)
for warning in solution.warnings:
    print("warning:", warning)
print(bf.audit(problem, lopsided))
