"""What Python has and compiled code does not, with what to write instead."""

from __future__ import annotations

import ast

REMEDIES: dict[type[ast.AST], str] = {
    ast.List: "a list in an expression; write 'name = [...]' first, or use a tuple",
    ast.Dict: "a dict; use a NumPy array on self",
    ast.Set: "a set; use the bits of an int",
    ast.ListComp: "a list comprehension; use a for loop",
    ast.SetComp: "a set comprehension; use a for loop and the bits of an int",
    ast.DictComp: "a dict comprehension; use a NumPy array on self",
    ast.GeneratorExp: "a generator expression outside any, all, sum, min and max; use a for loop",
    ast.Lambda: "a lambda; write the expression where it is used",
    ast.FunctionDef: "a function inside a method; inline it, or put it at module level",
    ast.Yield: "'yield'; return one result",
    ast.YieldFrom: "'yield'; return one result",
    ast.Await: "'await'; write the method without it",
    ast.JoinedStr: "a string; use numbers instead",
    ast.Try: "a try statement; test for the error case first",
    ast.With: "a with statement; write its statements without it",
    ast.Starred: "a starred expression; write the arguments one by one",
    ast.Delete: "a del statement for an element; create a new state instead",
    ast.Global: "a global statement; keep data on self, set in __init__",
    ast.Nonlocal: "a nonlocal statement; keep data on self, set in __init__",
    ast.ClassDef: "a class inside a method; put it at module level",
    ast.Slice: "a slice; use a for loop over the indices",
    ast.MatMult: "the operator '@'; use a for loop",
    ast.Match: "a match statement; use if and elif",
    ast.Import: "an import statement; import at the top of the module",
    ast.ImportFrom: "an import statement; import at the top of the module",
    ast.Is: "'is'; compare with '=='",
    ast.IsNot: "'is not'; compare with '!='",
}
