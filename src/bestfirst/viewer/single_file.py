"""The frame of a page that is a single file: its policy forbids the browser to load anything else."""

from __future__ import annotations

from html import escape

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; {policy}">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
{body}
</body>
</html>
"""


def single_file(title: str, *, policy: str, style: str, body: str) -> str:
    """A page of HTML. title: as text. policy: what the page may use of its own, as a Content-Security-Policy."""
    return _PAGE.format(policy=policy, title=escape(title), style=style, body=body)
