"""A long search in slices: run, inspect, resume."""

import bestfirst as bf

puzzle = bf.SlidingTile("14 1 9 6 4 8 12 5 7 2 3 _ 10 11 13 15", goal=range(16))
search = bf.Search(puzzle, "astar", heuristic="manhattan")
while search.run(bf.Limits(expansions=10_000)).status == "limit":
    print(f"{search.stats.expanded:,} expanded; no solution costs less than {search.lower_bound}")
print(search.solution)
