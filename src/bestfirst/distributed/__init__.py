"""One search on many workers: processes of this machine, or of a Ray cluster.

driver.py  <- events -  crew (local_crew.py, ray_crew.py)  <- results -  worker.py: part_search.py
   |       - commands ->                                    - jobs ->
scheduler.py (no clock, no input or output)  <-  simulation.py (the same scheduler on a virtual clock)
"""
