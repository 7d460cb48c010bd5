"""Live cells: marks the blocks of Python that a page can run, gives these pages the script, and all pages their policy.

The reference engine runs them, in the browser; so a block that needs NumPy, or a file of the reader, is only shown.
"""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

LIVE_PAGES = {
    "index",
    "try",
    "algorithms",
    "choosing-an-algorithm",
    "domains",
    "enumeration",
    "game-reference",
    "games",
    "getting-started",
    "heuristics",
    "limits",
    "maps",
    "own-game",
    "own-problem",
    "replanning",
    "solutions",
    "task-in-python",
    "viewer",
}
"""Pages whose Python runs; those of examples/ do too."""
_NEEDS_MORE = re.compile(
    r"pdb:|PatternDatabase|\.domain\(\)|\bcheck\(|engine=\"compiled\"|\.save\(\"\w+\"\)|Cube|Network|from_file|scenarios|jump_points|directory="
)
"""In a block: databases, the compiled engine, a saved search, classes made of arrays, files."""
_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')
_INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)


def is_live(page: str, code: str) -> bool:
    """Whether a block of Python of a page can run in the browser."""
    return (page in LIVE_PAGES or page.startswith("examples/")) and _NEEDS_MORE.search(code) is None


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_config_value("live", False, "env")
    app.connect("doctree-read", _mark)
    app.connect("html-page-context", _add_script)
    app.connect("build-finished", _add_policies)
    return {"parallel_read_safe": True}


def _mark(app: Sphinx, doctree: nodes.document) -> None:
    if app.config.live:
        for block in doctree.findall(nodes.literal_block):
            if block.get("language") == "python" and is_live(app.env.docname, block.astext()):
                block["classes"].append("live")


def _add_script(app: Sphinx, _page: str, _template: str, _context: dict[str, Any], doctree: nodes.document | None) -> None:
    if doctree is not None and any("live" in block["classes"] for block in doctree.findall(nodes.literal_block)):
        app.add_js_file("live/cells.js", type="module")
    if doctree is not None and any('class="question"' in node.astext() for node in doctree.findall(nodes.raw)):
        app.add_js_file("questions.js")


def _add_policies(app: Sphinx, error: Exception | None) -> None:
    """Forbid each page to load anything from elsewhere, and all scripts that the site does not consist of."""
    if error is None and app.builder.format == "html":
        viewer = (files("bestfirst.viewer") / "viewer.js").read_text("utf-8")
        for page in Path(app.outdir).rglob("*.html"):
            text = _POLICY.sub("", page.read_text("utf-8"))  # a page that was not built again has one
            scripts = sorted({_hash(script) for script in [viewer, *_INLINE.findall(text)]})
            policy = (
                f"default-src 'self'; script-src 'self' 'wasm-unsafe-eval' {' '.join(scripts)}; style-src 'self' "
                "'unsafe-inline'; img-src 'self' data: blob:; base-uri 'none'; form-action 'self'; object-src 'none'"
            )
            meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
            page.write_text(text.replace('<meta charset="utf-8">', f'<meta charset="utf-8">{meta}', 1), "utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode('ascii')}'"
