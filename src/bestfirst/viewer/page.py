"""One HTML file that shows recordings: it needs no other file and no network."""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from collections.abc import Sequence
from hashlib import sha256
from importlib.resources import files
from typing import Any

from bestfirst.viewer.single_file import single_file

_BODY = """<noscript>This page needs JavaScript; switch it on.</noscript>
<div id="bestfirst-viewer"></div>
<script type="text/plain" id="bestfirst-recordings">{data}</script>
<script>{script}</script>"""


def page_of(recordings: Sequence[dict[str, Any]]) -> str:
    """The page that shows one recording, or two side by side. Scripts other than the viewer, and all requests, are forbidden."""
    viewer = files("bestfirst.viewer")
    script, style = ((viewer / f"viewer.{suffix}").read_text("utf-8") for suffix in ("js", "css"))
    written = json.dumps(list(recordings), separators=(",", ":")).encode()
    first = recordings[0]
    return single_file(
        f"{first['algorithm']} on {first['problem']} {first['instance']}"[:200],
        policy=f"script-src {_hash(script)}; style-src {_hash(style)}; img-src data:",
        style=style,
        body=_BODY.format(data=b64encode(gzip.compress(written, compresslevel=6, mtime=0)).decode("ascii"), script=script),
    )


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode('ascii')}'"
