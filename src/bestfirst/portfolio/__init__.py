"""Anytime search on several workers: a portfolio of searches that share the best solution.

planning.py: which members (members.py)  ->  stages.py  <- messages -  team (local_team.py, ray_team.py)  <-  member_search.py
                                                |                                                              (a worker)
                                           knowledge.py (what all members have found and proved)
"""
