"""The commands about pattern databases, as a user meets them."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

import bestfirst as bf
from bestfirst.cli.app import run
from bestfirst.cli.instances import read_instance
from bestfirst.cli.pdb import EXAMPLES
from bestfirst.domains import DOMAINS
from bestfirst.errors import InputError
from bestfirst.patterns.building.work_files import new_hashed_table
from bestfirst.patterns.database import PatternDatabase
from bestfirst.patterns.storage.files import writing_to

Captured = pytest.CaptureFixture[str]
BUILD = ["pdb", "build", "sliding-tile", "--size", "3x3", "--pattern", "4-4"]


@pytest.fixture(autouse=True)
def own_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("BESTFIRST_DATA", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")
    return tmp_path


@pytest.mark.slow
def test_databases_are_built_listed_shown_verified_and_removed(capsys: Captured) -> None:
    """From nothing to nothing."""
    assert run(["pdb", "list"]) == 0
    assert capsys.readouterr().out.startswith("no pattern databases in ")
    assert run(BUILD) == 0
    out = capsys.readouterr().out
    assert re.search(
        r"size 3x3, tiles 0 1 2 5, blank 8: 3,024 entries, 3.0 KiB on disk; to build it: 8.3 KiB of memory, about [\d.e-]+ s",
        out,
    )
    assert re.search(r"patterntiles-\w{16}: 3,024 entries, mean distance 9.1032", out)
    assert run(["pdb", "list", "--json"]) == 0
    listed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["state"] for one in listed] == ["ready", "ready"]
    assert run(["pdb", "list"]) == 0
    assert capsys.readouterr().out.count("ready") == 2
    name = listed[0]["name"]
    assert run([*BUILD, "--compress"]) == 0
    capsys.readouterr()
    assert run(["pdb", "info", name]) == 0
    shown = capsys.readouterr().out
    assert "entries    3,024, 1.6 KiB, differences from the manhattan distance in 4 bits each" in shown
    assert "5,520 abstract states\ndistances  mean 8.9239, maximum 14" in shown
    assert run(["pdb", "verify", name]) == 0
    assert re.search(r"the checksum is correct, and so are [\d,]+ recomputed entries", capsys.readouterr().out)
    assert run(["pdb", "info", name, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["schema"], shown["command"], shown["problem"]) == ("bestfirst/1", "pdb info", "PatternTiles")
    assert (shown["name"], shown["entries"], len(shown["levels"])) == (name, 3024, 15)
    assert run(["pdb", "verify", name, "--json"]) == 0
    verified = json.loads(capsys.readouterr().out)
    assert (verified["command"], verified["name"], verified["checksum_is_right"]) == ("pdb verify", name, True)
    assert verified["compared"] > 100
    assert run(["pdb", "remove", name]) == 0
    assert re.fullmatch(rf"removed {name}, \d\.\d KiB\n", capsys.readouterr().out)
    assert run(["pdb", "info", name]) == 2
    assert f"no pattern database is called '{name}'; did you mean" in capsys.readouterr().err


def test_what_a_build_takes_can_be_asked_alone(capsys: Captured, own_data: Path) -> None:
    """Nothing is built then."""
    assert run([*BUILD, "--dry-run"]) == 0
    assert capsys.readouterr().out.count("3,024 entries") == 2
    assert not list(own_data.iterdir())


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["sliding-tile", "--size", "3x3"], "no pattern is given"),
        (
            ["sliding-tile", "--pattern", "4-4"],
            'add any instance (only its goal matters): bestfirst pdb build sliding-tile "2 8 3 1 6 4 7 _ 5" or --size 3x3',
        ),
        (["foo", "--pattern", "4-4"], "no domain is called 'foo'"),
        (
            ["water-jugs", "--pattern", "2"],
            "water-jugs has no named pattern databases; domains that have some: sliding-tile, pancake, ",
        ),
        (["water-jugs", "3 5", "--goal", "4", "--pattern", "2"], "water-jugs has no named pattern databases"),
        (["sliding-tile", "--size", "3x3", "--pattern", "4-4", "--memory", "9"], "but the limit is 9 bytes"),
        (
            ["sliding-tile", "--size", "3x3", "--pattern", "4-4", "--threads", "0"],
            "threads is 0; use a whole number from 1",
        ),
    ],
)
def test_what_cannot_be_built_is_refused(arguments: list[str], why: str, capsys: Captured) -> None:
    """With the reason, and exit code 2."""
    assert run(["pdb", "build", *arguments]) == 2
    assert why in capsys.readouterr().err


def test_a_command_is_refused_as_a_whole(capsys: Captured, own_data: Path) -> None:
    """Where its last table takes too much, the first is not built; asking what it takes is refused as the build is."""
    for rest in (["--memory", "100KB", "--dry-run"], ["--memory", "100KB"]):
        assert run(["pdb", "build", "sliding-tile", "--size", "4x3", "--pattern", "3-8", *rest]) == 2
        assert "of memory while it is built, but the limit is 97.7 KiB; use a pattern of" in capsys.readouterr().err
        assert not list(own_data.iterdir())


def test_what_is_there_is_not_built_again(capsys: Captured) -> None:
    """That is said, and no cost; compressing it is said too. A table that two patterns share is named once."""
    build = ["pdb", "build", "towers-of-hanoi", "6", "--pegs", "4", "--pattern", "3-3"]
    assert run(build) == 0
    first = capsys.readouterr().out
    assert first.count("to build it") == 1
    assert run(build) == 0
    again = capsys.readouterr().out
    assert re.fullmatch(r"discs 3, .*: already built: hanoipattern-\w+: 64 entries, mean distance \S+\n", again)
    assert run([*build, "--compress"]) == 0
    assert "already built; compression" in capsys.readouterr().out
    assert run([*build, "--compress"]) == 0
    assert capsys.readouterr().out == again


@pytest.mark.parametrize(
    "domain", [name for name, one in DOMAINS.items() if one.abstractions is not bf.Problem.abstractions]
)
def test_the_instances_that_are_shown_can_be_read(domain: str) -> None:
    """Of every domain with databases by name there is one."""
    text = shlex.split(EXAMPLES[domain].partition(" or ")[0])
    assert read_instance(domain, text[0], dict(zip([word[2:] for word in text[1::2]], text[2::2], strict=True)))


def test_a_damaged_database_is_listed_as_such_and_built_anew(capsys: Captured, own_data: Path) -> None:
    """The message of a search says how; --rebuild does it."""
    run(BUILD)
    for path in own_data.iterdir():
        (path / "table.npy").write_bytes(b"nothing")
    capsys.readouterr()
    run(["pdb", "list"])
    assert "damaged" in capsys.readouterr().out
    (path / "header.json").write_text(json.dumps({"format": "bestfirst pattern database", "version": 1}))
    assert run(["pdb", "list"]) == 0
    assert "damaged" in capsys.readouterr().out
    (path / "table.npy").unlink()
    for command in ("info", "verify"):
        assert run(["pdb", command, path.name]) == 2
        assert f"the pattern database '{path.name}' cannot be used" in capsys.readouterr().err
    solve = ["solve", "sliding-tile", "1 2 3 4 5 6 _ 7 8", "--heuristic", "pdb:4-4"]
    assert run(solve) == 2
    assert "rebuild it with 'bestfirst pdb build --rebuild'" in capsys.readouterr().err
    assert run([*BUILD, "--rebuild"]) == 0
    assert run(solve) == 0


def test_a_link_to_a_database_is_removed_without_the_database(capsys: Captured, own_data: Path, tmp_path: Path) -> None:
    """It lies elsewhere, perhaps for others."""
    run(BUILD)
    path = sorted(own_data.iterdir())[0]
    elsewhere = path.rename(tmp_path / "elsewhere")
    path.symlink_to(elsewhere)
    assert run(["pdb", "remove", path.name]) == 0
    assert not path.is_symlink() and (elsewhere / "table.npy").exists()
    assert capsys.readouterr().err == ""


def test_an_empty_directory_name_is_refused(capsys: Captured) -> None:
    """As a variable without a value gives it; nothing is written into the current directory."""
    assert run([*BUILD, "--data", ""]) == 2
    assert "data is empty" in capsys.readouterr().err


def test_what_is_left_of_a_database_can_be_removed(capsys: Captured, own_data: Path) -> None:
    """By the name that the message of a search says, whatever of its files is gone."""
    run(BUILD)
    for names in (["table.npy"], ["header.json"], ["table.npy", "header.json"]):
        path = sorted(own_data.iterdir())[0]
        for name in names:
            (path / name).unlink()
        capsys.readouterr()
        assert run(["solve", "sliding-tile", "1 2 3 4 5 6 _ 7 8", "--heuristic", "pdb:4-4"]) == 2
        assert f"or remove it: bestfirst pdb remove {path.name}\n" in capsys.readouterr().err
        assert run(["pdb", "remove", path.name]) == 0
        assert not path.exists()
        assert run(BUILD) == 0


def test_a_directory_with_other_files_is_not_removed(capsys: Captured, own_data: Path) -> None:
    """They are no part of a database, although its name may be that of one."""
    run(BUILD)
    path = sorted(own_data.iterdir())[0]
    (path / "notes.txt").write_text("keep me")
    capsys.readouterr()
    assert run(["pdb", "remove", path.name]) == 2
    assert "contains 'notes.txt', which is not part of a database; move it elsewhere first" in capsys.readouterr().err
    assert (path / "notes.txt").read_text() == "keep me" and (path / "table.npy").exists()
    (path / "notes.txt").unlink()
    assert run(["pdb", "remove", path.name]) == 0


def test_ctrl_c_before_the_build_is_begun_is_told_as_after_it(
    capsys: Captured, own_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While it is measured what a build takes, say; where nothing is to be built, nothing goes on."""

    def press(*_given: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(PatternDatabase, "cost", press)
    assert run(BUILD) == 130
    assert capsys.readouterr().err == "interrupted; repeat the command to resume the build\n"
    assert run([*BUILD, "--dry-run"]) == 130
    assert capsys.readouterr().err == "error: interrupted\n"
    assert not list(own_data.iterdir())


def test_the_list_fits_names_that_can_be_copied(capsys: Captured, own_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a narrow screen too, with what is damaged and what is not finished; the reason is told below, without breaks."""
    monkeypatch.setenv("COLUMNS", "40")
    assert run(BUILD) == 0
    first, second = sorted(own_data.iterdir())
    (first / "header.json").write_text("[" * 100_000)
    (own_data / f"{second.name}.building").mkdir()
    (own_data / "a file.building").touch()
    capsys.readouterr()
    assert run(["pdb", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert re.search(rf"^{first.name} .* damaged", lines[1])
    assert any(re.search(rf"^{second.name} .*3,024 .* KiB +ready", line) for line in lines)
    assert any(re.search(rf"^{second.name}.building .*not finished", line) for line in lines)
    assert any(
        re.search(rf"^the pattern database '{first.name}' .* bestfirst pdb remove {first.name}$", line) for line in lines
    )
    assert run(["pdb", "list", "--json"]) == 0
    listed = {one["name"]: one for one in map(json.loads, capsys.readouterr().out.splitlines())}
    assert [listed[name]["state"] for name in (first.name, second.name)] == ["damaged", "ready"]
    assert listed[second.name]["bytes"] > 3024
    assert "a file.building" not in listed
    assert run(["pdb", "info", f"{second.name}.building"]) == 2
    assert "is not finished; repeat its 'bestfirst pdb build' command" in capsys.readouterr().err
    assert run(["pdb", "remove", "nothing"]) == 2
    assert capsys.readouterr().err == "error: no pattern database is called 'nothing'; see 'bestfirst pdb list'\n"


@pytest.mark.slow
def test_no_build_gives_the_same_search_whatever_databases_there_are(capsys: Captured, own_data: Path) -> None:
    """It takes none of them without --heuristic; with a name it looks in those that are there."""
    board = ["solve", "sliding-tile", "8 6 7 2 5 4 3 _ 1", "--size", "3x3", "--json", "--no-build"]
    assert run([*board, "--algorithm", "idastar"]) == 0
    first = json.loads(capsys.readouterr().out)
    assert (first["heuristic"], first["cost"]) == ("linear-conflict", 31)
    assert not list(own_data.iterdir())
    assert run(["pdb", "build", "sliding-tile", "--size", "3x3", "--pattern", "8"]) == 0
    capsys.readouterr()
    assert run([*board, "--algorithm", "idastar"]) == 0
    second = json.loads(capsys.readouterr().out)
    assert {**second["stats"], "seconds": 0} == {**first["stats"], "seconds": 0}
    assert run([*board, "--heuristic", "pdb:8"]) == 0
    assert json.loads(capsys.readouterr().out)["stats"]["expanded"] == 31
    assert run(["solve", "sliding-tile", "1 2 3 4 5 6 _ 7 8", "-H", "pdb:3-5", "--no-build"]) == 2
    assert "does not exist, and building is forbidden; omit --no-build" in capsys.readouterr().err


def test_other_puzzles_have_databases_by_name_too(capsys: Captured) -> None:
    """Built ahead, and found by the search that names one."""
    assert run(["pdb", "build", "towers-of-hanoi", "5", "--pegs", "4", "--pattern", "4-1"]) == 0
    told = capsys.readouterr().out
    assert "discs 4, pegs 4, goal 4 4 4 4: 256 entries" in told
    assert run(["pdb", "verify", *re.findall(r"hanoipattern-\w+", told)[:1]]) == 0
    assert "and so are 456 recomputed entries" in capsys.readouterr().out
    solve = ["solve", "towers-of-hanoi", "5", "--pegs", "4", "--json", "--heuristic", "pdb:4-1"]
    assert run([*solve, "--no-build"]) == 0
    assert json.loads(capsys.readouterr().out)["cost"] == 13


def test_the_databases_of_a_dual_look_up_are_those_of_the_pattern(capsys: Captured) -> None:
    """So its name is one to build, too."""
    assert run(["pdb", "build", "pancake", "3 1 4 2 5", "--pattern", "3-2/dual", "--dry-run"]) == 0
    assert "pancakes 5, places 0 1 2: 60 entries" in capsys.readouterr().out


def test_the_list_of_heuristics_says_who_has_databases(capsys: Captured) -> None:
    """By name, and what that stands for."""
    assert run(["list", "heuristics"]) == 0
    shown = capsys.readouterr().out
    assert shown.count("\npdb:...") == 7
    assert "For pdb:full: the cube itself. Pattern databases; admissible." in shown


def test_an_easy_board_needs_no_database(capsys: Captured, own_data: Path) -> None:
    """It is solved by the usual heuristic before one is thought of."""
    assert run(["solve", "sliding-tile", "1 2 3 4 5 6 7 8 9 10 11 12 13 _ 14 15", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["heuristic"] == "manhattan"
    assert not list(own_data.iterdir())


@pytest.mark.parametrize("size", ["99999x99999", "6x6", "9" * 5_000 + "x3"])
def test_a_board_that_is_too_large_for_databases_is_refused_at_once(size: str, capsys: Captured) -> None:
    """Before a board of so many cells is made."""
    assert run(["pdb", "build", "sliding-tile", "--size", size, "--pattern", "4-4"]) == 2
    err = capsys.readouterr().err
    assert "support up to 30" in err or "write rows x columns" in err


@pytest.mark.filterwarnings("ignore:compiled code cannot be cached")
@pytest.mark.parametrize("pattern", ["new_table", "new_hashed_table"])
def test_a_disk_that_is_full_is_told_with_the_directory(pattern: str, capsys: Captured, own_data: Path) -> None:
    """By the command as bad input; by the library as an InputError."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, before[1]))
    try:
        if pattern == "new_table":
            assert run(BUILD) == 2
        else:
            with pytest.raises(InputError, match="cannot be stored in") as caught, writing_to(own_data):
                new_hashed_table(own_data / "working.npy", 1 << 12, 2)
            assert str(own_data) in str(caught.value)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    if pattern == "new_table":
        err = capsys.readouterr().err
        assert "cannot be stored in" in err and own_data.name in err
    assert not list(own_data.rglob("*.npy"))


def test_without_a_home_directory_databases_need_a_place(
    capsys: Captured, own_data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which the error says how to give; where --data gives it, no home is asked for."""

    def no_home(*_: object) -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("BESTFIRST_DATA", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", no_home)
    assert run(["pdb", "list"]) == 2
    assert "set BESTFIRST_DATA" in capsys.readouterr().err
    assert run([*BUILD, "--data", str(own_data)]) == 0
    assert run(["pdb", "list", "--data", str(own_data)]) == 0
