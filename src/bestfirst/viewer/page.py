"""One HTML file that shows recordings: it needs no other file and no network."""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<noscript>This page needs JavaScript; switch it on.</noscript>
<div id="bestfirst-viewer"></div>
<script type="text/plain" id="bestfirst-recordings">{data}</script>
<script>{script}</script>
</body>
</html>
"""


def page_of(recordings: Sequence[dict[str, Any]]) -> str:
    """The page that shows one recording, or two side by side. Scripts other than the viewer, and all requests, are forbidden."""
    viewer = files("bestfirst.viewer")
    script, style = ((viewer / f"viewer.{suffix}").read_text("utf-8") for suffix in ("js", "css"))
    written = json.dumps(list(recordings), separators=(",", ":")).encode()
    first = recordings[0]
    return _PAGE.format(
        policy=f"default-src 'none'; script-src {_hash(script)}; style-src {_hash(style)}; img-src data:",
        title=escape(f"{first['algorithm']} on {first['problem']} {first['instance']}"[:200]),
        style=style,
        data=b64encode(gzip.compress(written, compresslevel=6, mtime=0)).decode("ascii"),
        script=script,
    )


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode('ascii')}'"
