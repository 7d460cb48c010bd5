"""Pattern databases: tables of exact distances in abstract problems, built, stored, and used as heuristics."""

from bestfirst.patterns.combination import additive, largest
from bestfirst.patterns.database import PatternDatabase
from bestfirst.patterns.policy import Policy, database_policy
from bestfirst.patterns.storage.files import DamagedDatabaseError

__all__ = ["DamagedDatabaseError", "PatternDatabase", "Policy", "additive", "database_policy", "largest"]
