"""What Python has and compiled code does not, with what to write instead."""

from __future__ import annotations

import ast

REMEDIES: dict[type[ast.AST], str] = {
    ast.List: "a list in an expression; write name = [...] first, or use a tuple",
    ast.Dict: "a dict; use a NumPy array on self",
    ast.Set: "a set; use the bits of an int",
    ast.ListComp: "a list comprehension; use a for loop",
    ast.SetComp: "a set comprehension; use a for loop and the bits of an int",
    ast.DictComp: "a dict comprehension; use a NumPy array on self",
    ast.GeneratorExp: "a generator expression outside any, all, sum, min and max; use a for loop",
    ast.Lambda: "a lambda; write the expression where it is used",
    ast.FunctionDef: "a function inside a method; inline it, or put it at module level",
    ast.Yield: "yield; step returns one (legal, next_state, cost)",
    ast.YieldFrom: "yield; step returns one (legal, next_state, cost)",
    ast.Await: "await; methods are ordinary functions",
    ast.JoinedStr: "a string; use numbers instead",
    ast.Try: "try; test for the error case first",
    ast.With: "with; write the statements without it",
    ast.Starred: "a starred expression; write the arguments one by one",
    ast.Delete: "del of an element; create a new state instead",
    ast.Global: "global; keep data on self, set in __init__",
    ast.Nonlocal: "nonlocal; keep data on self, set in __init__",
    ast.ClassDef: "a class inside a method; put it at module level",
    ast.Slice: "a slice; use a for loop over the indices",
    ast.MatMult: "@; use a for loop",
    ast.Match: "match; use if and elif",
    ast.Import: "import; import at the top of the module",
    ast.ImportFrom: "import; import at the top of the module",
    ast.Is: "is; compare with ==",
    ast.IsNot: "is not; compare with !=",
}
