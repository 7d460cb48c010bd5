"""The machine code of the operations of arithmetic.py: Python's meaning in 64 bits, or a stop. Importing it registers them."""

from bestfirst.compiled.compiler.operations import arrays, comparison, division, exactness, functions, integers, tuples, wide

__all__ = ["arrays", "comparison", "division", "exactness", "functions", "integers", "tuples", "wide"]
