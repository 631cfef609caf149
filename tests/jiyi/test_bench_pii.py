"""`jiyi bench pii`: what is measured, printed and refused, and what holds of Jiyi's own files."""

from __future__ import annotations

import ipaddress
import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import typer
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from bench.make_pii import write
from jiyi.cli.bench.pii import OWN, pii
from jiyi.cli.failures import CommandError
from jiyi.evals.own_files import own_files
from jiyi.evals.pii import misses, report
from jiyi.evals.pii_file import Labelled, Span, read_pii_file
from jiyi.reading.said import FormatError
from memory.digits import has_resident_check, is_account, only_digits, passes_luhn

SURE = ("email", "phone", "national_id", "bank_card", "iban", "ip")


def case(text: str, *spans: tuple[int, int, str]) -> Labelled:
    return Labelled(lang="en", text=text, spans=tuple(Span(*span) for span in spans))


def finder(*spans: tuple[int, int, str]) -> Any:
    return lambda text: [Span(*span) for span in spans]


def file_of(folder: Path, *rows: object, name: str = "tiny.pii.jsonl") -> Path:
    path = folder / name
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    return path


def run(*args: str | Path) -> Any:
    app = typer.Typer()
    app.command()(pii)
    return CliRunner().invoke(app, [str(arg) for arg in args])


def test_a_span_counts_as_found_when_each_of_its_characters_is_replaced() -> None:
    labelled = case("call 555 0195 now", (5, 13, "phone"))
    assert report([labelled], finder((5, 9, "phone"), (9, 13, "ip")))["types"]["phone"] == {
        "precision": 1.0,
        "recall": 1.0,
        "n": 1,
    }
    assert report([labelled], finder((5, 12, "phone")))["types"]["phone"]["recall"] == 0.0


def test_a_replaced_span_is_right_where_it_touches_what_is_labelled_as_anything_but_a_person() -> None:
    labelled = case("Ada 4111 Bob", (0, 3, "person"), (4, 8, "bank_card"))
    found = report([labelled], finder((4, 8, "national_id"), (9, 12, "phone"), (0, 3, "phone")))["types"]
    assert found["national_id"] == {"precision": 1.0, "recall": None, "n": 0}
    assert found["phone"]["precision"] == 0.0
    assert found["bank_card"] == {"precision": None, "recall": 1.0, "n": 1}
    assert found["person"] == {"precision": None, "recall": 1.0, "n": 1}


def test_over_redaction_is_the_share_of_replaced_characters_outside_of_labels() -> None:
    assert report([case("0123456789", (0, 5, "ip"))], finder((3, 6, "ip")))["over_redaction"] == pytest.approx(1 / 5)
    assert report([case("0123")], finder())["over_redaction"] == 0.0
    assert report([case("0123", (0, 4, "ip"))], finder((0, 4, "ip")))["over_redaction"] == 0.0


@given(st.text(min_size=1), st.data())
def test_replacing_everything_finds_all_and_replacing_nothing_finds_none(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    labelled = case(text, (start, len(text), "phone"))
    everything = report([labelled], finder((0, len(text), "phone")))
    assert everything["types"]["phone"] == {"precision": 1.0, "recall": 1.0, "n": 1}
    assert everything["over_redaction"] == float(start > 0)
    assert report([labelled], finder()) == {
        "types": {"phone": {"precision": None, "recall": 0.0, "n": 1}},
        "over_redaction": 0.0,
    }


def test_json_is_one_document_by_file_and_type(tmp_path: Path) -> None:
    path = file_of(
        tmp_path,
        {"lang": "zh", "text": "手机13900139000", "spans": [[2, 13, "phone"]]},
        {"lang": "en", "text": "Ada has order 12", "spans": [[0, 3, "person"]]},
    )
    done = run(path, "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout) == {
        "files": {
            "tiny": {
                "types": {
                    "person": {"precision": None, "recall": 0.0, "n": 1},
                    "phone": {"precision": 1.0, "recall": 1.0, "n": 1},
                },
                "over_redaction": 0.0,
            }
        }
    }


def test_for_people_there_is_a_table(tmp_path: Path) -> None:
    done = run(file_of(tmp_path, {"lang": "en", "text": "call (415) 555-0132", "spans": [[5, 19, "phone"]]}))
    lines = [line.split() for line in done.stdout.splitlines()]
    assert lines[0] == ["precision", "recall", "n"]
    assert ["phone", "1.000", "1.000", "1"] in lines
    assert ["replaced", "outside", "0.00%"] in lines


@pytest.mark.parametrize(
    "row",
    [
        {"lang": "en", "text": "a"},
        {"lang": "en", "text": "a", "spans": [[0, 2, "ip"]]},
        {"lang": "en", "text": "a", "spans": [[1, 1, "ip"]]},
        {"lang": "en", "text": "a", "spans": [[0, 1]]},
        {"lang": "en", "text": "a", "spans": [[0, True, "ip"]]},
        {"lang": "en", "text": "a", "spans": [[0, 1, 7]]},
        {"lang": "en", "spans": []},
        ["a"],
    ],
)
def test_a_line_that_cannot_be_understood_is_told(tmp_path: Path, row: object) -> None:
    path = file_of(tmp_path, {"lang": "en", "text": "fine", "spans": []}, row)
    with pytest.raises(FormatError, match="line 2"):
        read_pii_file(path)
    assert isinstance(run(path).exception, CommandError)


def test_positions_count_what_is_visible(tmp_path: Path) -> None:
    path = file_of(tmp_path, {"lang": "zh", "text": "打\u200b139\u200b00139000吧", "spans": [[2, 14, "phone"]]})
    (read,) = read_pii_file(path)
    assert [read.text[span.start : span.end] for span in read.spans] == ["13900139000"]


CHECKS: dict[str, Callable[[str], bool]] = {
    "bank_card": lambda value: passes_luhn(only_digits(value)),
    "iban": is_account,
    "ip": lambda value: ipaddress.ip_address(value).version in (4, 6),
    "national_id": lambda value: has_resident_check(only_digits(value)),
}


def own(name: str) -> Sequence[Labelled]:
    return read_pii_file(own_files(f"own-{name}.pii.jsonl")[0])


@pytest.mark.parametrize(("name", "least"), [("generated", 220), ("benign", 300), ("secrets", 80), ("various", 60)])
def test_the_own_files_hold_both_languages_in_like_parts(name: str, least: int) -> None:
    languages = Counter(one.lang for one in own(name))
    assert languages.total() >= least
    assert min(languages["zh"], languages["en"]) >= 0.35 * languages.total()


def test_what_was_generated_has_right_check_digits() -> None:
    labelled = [(kind, one.text[start:end]) for one in own("generated") for start, end, kind in one.spans]
    assert {kind for kind, _ in labelled} == set(CHECKS)
    assert [value for kind, value in labelled if not CHECKS[kind](value)] == []


def test_the_generated_files_are_what_their_script_writes(tmp_path: Path) -> None:
    write(tmp_path)
    for path in own_files("own-generated.pii.jsonl", "own-benign.pii.jsonl"):
        assert (tmp_path / path.name).read_text("utf-8") == path.read_text("utf-8")


def test_nothing_is_labelled_in_benign_texts() -> None:
    assert not any(one.spans for one in own("benign"))


def test_of_the_own_files_nothing_that_is_sure_is_missed() -> None:
    for name in ("generated", "various", "secrets"):
        types = report(own(name))["types"]
        for kind in (*SURE, "secret"):
            assert types.get(kind, {"recall": 1.0})["recall"] >= 0.99, (name, kind)
            assert types.get(kind, {"precision": 1.0})["precision"] >= 0.98, (name, kind)


def test_of_benign_texts_hardly_anything_is_replaced() -> None:
    assert report(own("benign"))["over_redaction"] <= 0.01
    assert [one.text for one in own("various") if misses(one) != ([], [])] == []


def test_jiyis_own_files_are_measured_where_none_is_given() -> None:
    done = run("--json")
    assert list(json.loads(done.stdout)["files"]) == [name.partition(".")[0] for name in OWN]
