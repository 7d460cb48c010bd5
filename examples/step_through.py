"""Step through A*: every event of a search, with its numbers."""

import bestfirst as bf

puzzle = bf.SlidingTile("1 3 4 / 8 _ 2 / 7 6 5", goal="1 2 3 / 8 _ 4 / 7 6 5")
search = bf.Search(puzzle, "astar", heuristic="manhattan")
for event in search:
    print(event)
print(search.solution)
