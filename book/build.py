"""Builds the book: lays out the pages of docs/, the lessons, the examples and the API, and runs Sphinx on them.

    python book/build.py                     # the site, in build/site
    python book/build.py --no-live           # without Python in the browser, which needs `npm ci` in book/

The pages of docs/ are used as they are; only links that lead out of docs/ are changed to the pages that the site has.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.resources import files
from pathlib import Path

BOOK = Path(__file__).resolve().parent
ROOT = BOOK.parent
sys.path.insert(0, str(BOOK))

from api_pages import with_descriptions
from lesson_pages import index_of, lesson_pages

PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
STUDIO_NEEDS = ("markdown_it", "mdurl", "rich")
"""Packages that the studio imports; all are plain Python."""
_LINK = re.compile(r"\]\(\.\./([^)]+)\)")
_ITEM = re.compile(r"\]\(([\w-]+)\.md\)")
_LIVE = re.compile(r"<!-- live -->\n(.*?)(?:<!-- end -->\n|\Z)", re.DOTALL)
"""In a page of the book: what is true of a site with live cells."""
_SECTION = re.compile(r"<!-- (docs|README): (.+?) -->")


def main() -> int:
    parser = argparse.ArgumentParser(description="Build the documentation site.")
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "site", help="the directory of the site")
    parser.add_argument(
        "--work", type=Path, default=ROOT / "build" / "book", help="the directory for what is made on the way"
    )
    parser.add_argument("--no-live", action="store_true", help="without live cells")
    parser.add_argument(
        "--quick",
        action="store_true",
        help="without the parts of lessons that take seconds, and without the names of the Python interface beside its pages",
    )
    arguments = parser.parse_args()
    live = not arguments.no_live and has_pyodide()
    source = arguments.work / "source"
    lay_out(source, live=live, quick=arguments.quick)
    if live:
        add_python(source / "_static" / "live", arguments.work)
        add_studio(arguments.work / "extra" / "studio", source / "_static" / "live" / "studio")
    status = run_sphinx(source, arguments.work, arguments.out, live=live, quick=arguments.quick)
    if status == 0:
        print(f"{arguments.out / 'index.html'}")
    return status


def has_pyodide() -> bool:
    """Whether the packages of book/package.json are installed; says what the site lacks otherwise."""
    if (BOOK / "node_modules" / "pyodide" / PYODIDE[0]).exists():
        return True
    print("the site has no live cells: Pyodide is not installed, which needs Node (npm ci in book/)")
    return False


def run_sphinx(source: Path, work: Path, out: Path, *, live: bool, quick: bool) -> int:
    """Make HTML; any warning is an error.

    quick: list no names in tables of contents, which Sphinx copies for each page, and leave other processors to other programs:
    several processes take a sixth more of their time.
    """
    extra = ["-D", f"html_extra_path={work / 'extra'}"] if live else []
    extra += ["-D", "toc_object_entries=0", "-j", "1"] if quick else ["-j", "auto"]
    settings = [*extra, "-D", f"live={int(live)}", "-D", f"html_static_path={source / '_static'}"]
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-q", "-W", "--keep-going", "-c", BOOK, *settings]
    return subprocess.run([*map(str, command), "-d", str(work / "doctrees"), str(source), str(out)], check=False).returncode


# The pages.


def lay_out(source: Path, *, live: bool, quick: bool) -> None:
    """Write the sources of all pages; what has not changed is left alone, so that Sphinx need not read it again."""
    static = source / "_static"
    shutil.rmtree(static, ignore_errors=True)
    static.mkdir(parents=True)
    wanted = dict([*pages(live=live), *lessons(static, quick=quick)])
    for place, text in wanted.items():
        target = source / place
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or target.read_text("utf-8") != text:
            target.write_text(text, "utf-8")
    for path in list(source.rglob("*.md")):
        if path.relative_to(source).as_posix() not in wanted:
            path.unlink()
    shutil.copytree(ROOT / "docs" / "images", source / "images", dirs_exist_ok=True)
    for path in ROOT.glob("docs/*.json"):
        shutil.copy(path, source / path.name)
    for name in ("book.css", "questions.js"):
        shutil.copy(BOOK / name, static / name)


def pages(*, live: bool) -> Iterator[tuple[str, str]]:
    """The place and the text of each page; without live cells, without what is said about them."""
    for path in sorted(ROOT.glob("docs/*.md")):
        if path.name != "README.md":
            yield path.name, _LINK.sub(_within_site, path.read_text("utf-8"))
    for path in sorted([*BOOK.glob("*.md"), *BOOK.glob("api/*.md")]):
        text = path.read_text("utf-8")
        text = _SECTION.sub(_section, _LIVE.sub(r"\1" if live else "", text))
        if text.strip():
            yield path.relative_to(BOOK).as_posix(), with_descriptions(text)
    for path in sorted(ROOT.glob("examples/*.py")):
        yield f"examples/{path.stem}.md", example(path)
    for place, page in OTHERS.items():
        yield page, (ROOT / place).read_text("utf-8").replace("](docs/", "](")


OTHERS = {"benchmarks/README.md": "benchmarks.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
"""Pages that come from outside docs/, and their places in the site."""


def _within_site(link: re.Match[str]) -> str:
    target = OTHERS.get(link[1], re.sub(r"^(examples/.*)[.]py$", r"\1.md", link[1]))
    return f"]({target})"


def _section(wanted: re.Match[str]) -> str:
    """A section of docs/README.md as a list for the side bar, or one of README.md as it is."""
    place, title = wanted[1], wanted[2]
    text = (ROOT / ("docs/README.md" if place == "docs" else "README.md")).read_text("utf-8")
    section = text.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]
    return "\n".join(_ITEM.findall(section)) if place == "docs" else section.strip().replace("](docs/", "](")


def lessons(static: Path, *, quick: bool) -> Iterator[tuple[str, str]]:
    """The pages of the lessons, after the one that lists them."""
    pages = list(lesson_pages(static, quick=quick))
    yield "lessons/index.md", index_of([place for place, _ in pages])
    yield from pages


def example(path: Path) -> str:
    """The page of a program: what its docstring says, and the program."""
    code = path.read_text("utf-8")
    title, _, rest = code.split('"""', 2)[1].partition("\n")
    heading, _, words = title.rstrip(".").partition(": ")
    words = f"{words[:1].upper()}{words[1:]}." if words else ""
    about = "\n".join(filter(None, [words, rest.strip()]))
    return f"# {heading}\n\n{about}\n\n`examples/{path.name}`:\n\n```python\n{code}```\n"


# Python in the browser.


def add_python(live: Path, work: Path) -> None:
    """Write what a live cell needs: Pyodide, the wheel of this package, the examples, and the scripts."""
    shutil.copytree(BOOK / "live", live, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    (live / "pyodide").mkdir(exist_ok=True)
    for name in PYODIDE:
        shutil.copy(BOOK / "node_modules" / "pyodide" / name, live / "pyodide" / name)
    wheel = build_wheel(work / "wheel")
    shutil.copy(wheel, live / "bestfirst.whl")
    write_archive(live / "examples.zip", sorted(ROOT.glob("examples/*.*")))
    pyodide = json.loads((BOOK / "node_modules" / "pyodide" / "package.json").read_text("utf-8"))["version"]
    (live / "contents.json").write_text(json.dumps({"version": wheel.name.split("-")[1], "pyodide": pyodide}), "utf-8")


def add_studio(page: Path, live: Path) -> None:
    """Write the studio's page, and what its work needs: it is done in the browser."""
    shutil.copytree(str(files("bestfirst.studio") / "page"), page, dirs_exist_ok=True)
    index = page / "index.html"
    text = index.read_text("utf-8").replace('"/studio.', '"studio.')
    text = text.replace('<script src="studio.js">', '<script src="transport.js"></script>\n<script src="studio.js">')
    index.write_text(text, "utf-8")
    for name in ("transport.js", "worker.js"):
        shutil.copy(BOOK / "studio" / name, page / name)
    live.mkdir(exist_ok=True)
    shutil.copy(BOOK / "studio" / "serve.py", live / "serve.py")
    with zipfile.ZipFile(live / "packages.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for package in STUDIO_NEEDS:
            [place] = import_module(package).__path__
            for path in sorted(Path(place).rglob("*.py")):
                archive.write(path, Path(package) / path.relative_to(place))


def build_wheel(directory: Path) -> Path:
    """The wheel of this package."""
    shutil.rmtree(directory, ignore_errors=True)
    command = ["-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-build-isolation"]
    subprocess.run([sys.executable, *command, "--wheel-dir", str(directory), str(ROOT)], check=True)
    return next(directory.glob("*.whl"))


def write_archive(path: Path, files: Iterable[Path]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            archive.write(file, file.name)


if __name__ == "__main__":
    sys.exit(main())
