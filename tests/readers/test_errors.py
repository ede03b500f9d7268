"""Every problem has one clear message: what, where, how to fix it. The wording is fixed here."""

from __future__ import annotations

import gzip
import os

import pytest

from nofluke.errors import InputError
from nofluke.readers.sniff import format_names
from nofluke.verbs.read import read

JSON_FLAT = "  fix: write flat objects, and numbers of at most 15 digits."
JSON_SHAPES = (
    '  fix: give an array of objects, [{"item": 1, "A": 0.5, "B": 0.4}, ...], one object per line, or equally long '
    'lists, {"A": [0.5, ...], "B": [0.4, ...]}.'
)

WIDE = "item,A,B\nq1,0.5,0.4\nq2,0.7,0.9\n"

MESSAGES = {
    "text in a number column": (
        "item,A,B\nq1,0.5,0.4\nq2,N/A,0.9\nq3,1,1\nq4,-,1\n",
        {},
        "scores.csv line 3, column 'A': 'N/A' is not a number. 2 of 4 rows are like this.\n"
        "  fix: leave the cell empty where a score is missing (null in JSON).",
    ),
    "one word among numbers": (
        "item,A,B\nq1,0.5,0.4\nq2,good,0.9\nq3,1,1\n",
        {},
        "scores.csv line 3, column 'A': 'good' is not a number.\n"
        "  fix: write a number, or leave the cell empty where a score is missing.",
    ),
    "NaN": (
        "item,A,B\nq1,NaN,0.4\nq2,0.1,0.9\n",
        {},
        "scores.csv line 2, column 'A': 'NaN' is not a number.\n"
        "  fix: leave the cell empty where a score is missing (null in JSON).",
    ),
    "infinity": (
        "item,A,B\nq1,1,0.4\nq2,-inf,0.9\n",
        {},
        "scores.csv line 3, column 'A': '-inf' is not a finite number.\n"
        "  fix: every score is a finite number; leave missing scores empty.",
    ),
    "too large": (
        "item,A,B\nq1,1e999,0.4\nq2,1,0.9\n",
        {},
        "scores.csv line 2, column 'A': '1e999' is not a finite number.\n"
        "  fix: every score is a finite number; leave missing scores empty.",
    ),
    "decimal comma": (
        "item;A;B\nq1;0,5;0,4\nq2;0,7;0,9\n",
        {},
        "scores.csv line 2, column 'A': '0,5' is not a number. 2 of 2 rows are like this.\n"
        "  fix: use a decimal point: '0.5'; between ; or tabs: sed 's/,/./g' FILE > NEW.",
    ),
    "decimal comma between spaces": (
        "0,5 0,4\n0,7 0,9\n",
        {},
        "scores.csv line 1, column 'column 1': '0,5' is not a number. 2 of 2 rows are like this.\n"
        "  fix: use a decimal point: '0.5'; between ; or tabs: sed 's/,/./g' FILE > NEW.",
    ),
    "percent": (
        "item,A,B\nq1,45%,40\nq2,50%,60\n",
        {},
        "scores.csv line 2, column 'A': '45%' is not a number. 2 of 2 rows are like this.\n"
        "  fix: leave the percent sign out: '45'.",
    ),
    "percent in some cells": (
        "item,A,B\nq1,45%,0.4\nq2,0.5,0.6\n",
        {},
        "scores.csv line 2, column 'A': '45%' is not a number.\n"
        "  fix: write all scores on one scale, without percent signs: some cells have one, and others have none.",
    ),
    "ragged short": (
        "item,A,B\nq1,0.5\nq2,0.7,0.9\n",
        {},
        "scores.csv line 2: 2 fields, and the header has 3 (separated by ',').\n"
        "  fix: give every row 3 fields; write a cell that contains the delimiter in quotation marks.",
    ),
    "ragged long": (
        "item\tA\tB\nq1\t1\t2\nq2\t1\t2\t3\nq3\t1\n",
        {},
        "scores.csv line 3: 4 fields, and the header has 3 (separated by a tab). 2 of 3 rows are like this.\n"
        "  fix: give every row 3 fields; write a cell that contains the delimiter in quotation marks.",
    ),
    "ragged spaces": (
        "0.5 0.4\n0.3\n",
        {},
        "scores.csv line 2: 1 field, and the first line has 2 (separated by spaces).\n  fix: give every row 2 fields.",
    ),
    "quote not closed": (
        'item,A,B\nq1,0.5,0.4\n"q2,0.7\n',
        {},
        "scores.csv line 3: a quoted cell is not closed.\n  fix: close the quotation mark, or remove it.",
    ),
    "quote in the wrong place": (
        'item,A,B\n"q1"x,0.5,0.4\n"q2,2",0.7,1\n',
        {},
        "scores.csv line 2: the line is not valid CSV (',' expected after '\"').\n"
        '  fix: write a quote inside a cell as "".',
    ),
    "empty": (
        "",
        {},
        "scores.csv: the file is empty.\n  fix: check what wrote it, or give another file.",
    ),
    "blank": (
        "\n \n\n",
        {},
        "scores.csv: the file is empty.\n  fix: check what wrote it, or give another file.",
    ),
    "header only": (
        "item,A,B\n",
        {},
        "scores.csv line 1: there is only a header, and no rows.\n  fix: add rows of scores.",
    ),
    "one column": (
        "0.5\n0.4\n",
        {},
        "scores.csv: the file has one column, and two systems are compared.\n"
        "  fix: give a second file with the scores of the other system, or a file with a column for each system.",
    ),
    "one column of text": (
        "Hello there\nthis is a line of text\n",
        {},
        "scores.csv: the only column, 'Hello there', does not hold numbers.\n"
        "  fix: write one number per line, or separate columns by a comma, tab, semicolon, | or spaces; if these are "
        "outputs, score them against a gold standard: nf.score('bleu', outputs, gold).",
    ),
    "unusual delimiter": (
        "item:A:B\nq1:0.5:0.4\nq2:0.7:0.9\n",
        {},
        "scores.csv: the only column, 'item:A:B', does not hold numbers.\n"
        "  fix: write one number per line, or separate columns by a comma, tab, semicolon, | or spaces; if these are "
        "outputs, score them against a gold standard: nf.score(NAME, outputs, gold).",
    ),
    "predictions": (
        "item,gold,A,B\n1,yes,no,yes\n2,no,no,yes\n",
        {},
        "scores.csv: no column holds scores of a system; 'gold' is gold, and 'A', 'B' are outputs.\n"
        "  fix: score them by a metric: nf.score('accuracy', FILE); nf.methods('metric') lists all.",
    ),
    "numbers beside gold": (
        "item,gold,A,B\n1,1,0,1\n2,0,0,1\n",
        {},
        "scores.csv: 'gold' is named like gold: are 'A', 'B' outputs to be scored by it, or scores?\n"
        "  fix: for outputs name a metric: nf.score('accuracy', FILE); for scores name them: columns={'score': 'A,B'}, "
        "or leave gold out: columns={'ignore': 'gold'}.",
    ),
    "labels": (
        "item,A,B\n1,no,yes\n2,no,yes\n",
        {},
        "scores.csv: no column holds the scores of a system: 'item', 'A', 'B'.\n"
        "  fix: give numbers, one column for each system (or the columns item, system, score); labels and texts must "
        "be scored against a gold standard first (1 for right, 0 for wrong).",
    ),
    "unknown column": (
        WIDE,
        {"item": "itme"},
        "scores.csv: there is no column 'itme'.\n  fix: did you mean 'item'? choose one of: item, A, B.",
    ),
    "unknown score": (
        WIDE,
        {"score": ["A", "C"]},
        "scores.csv: there is no column 'C'.\n  fix: choose one of: item, A, B.",
    ),
    "column twice": (
        WIDE,
        {"item": "A", "score": "A"},
        "scores.csv: column 'A' is named as item and as score.\n  fix: give every role its own column.",
    ),
    "two for one role": (
        WIDE,
        {"system": ["A", "B"]},
        "scores.csv: system is one column, and 2 were named.\n  fix: name one system column.",
    ),
    "column named twice": (
        "item,A,A,B,B\nq1,1,2,3,4\n",
        {},
        "scores.csv line 1: the header names more than one column 'A', 'B'.\n  fix: give every column its own name.",
    ),
    "two system columns": (
        "item,system,model,score\nq1,a,b,1\n",
        {},
        "scores.csv: 2 columns could be the system: 'system', 'model'.\n  fix: name one: columns={'system': 'system'}.",
    ),
    "two dataset columns": (
        "item,task,subset,A,B\nq1,a,b,1,2\n",
        {},
        "scores.csv: 2 columns could be the dataset: 'task', 'subset'.\n"
        "  fix: name one: columns={'dataset': 'task'}, or both: columns={'dataset': 'task,subset'}.",
    ),
    "two score columns": (
        "item,system,raw,z\nq1,a,1,2\n",
        {},
        "scores.csv: 2 columns could be the score: 'raw', 'z'.\n"
        "  fix: name one: columns={'score': 'raw'}, or both: columns={'score': 'raw,z'} with metric='raw'.",
    ),
    "long without item": (
        "system,score\nA,1\nB,2\nA,3\nB,4\n",
        {},
        "scores.csv: there is a system column and no item column, so scores of two systems cannot be matched.\n"
        "  fix: add a column called item that says what each score belongs to.",
    ),
    "long without score": (
        "item,system,text\nq,A,good\n",
        {},
        "scores.csv: there is no column of scores.\n"
        "  fix: name it: columns={'score': NAME}; columns: 'item', 'system', 'text'.",
    ),
    "metric column and several score columns": (
        "item,system,metric,x,y\nq,A,f1,1,2\n",
        {"score": "x,y"},
        "scores.csv: there is a metric column, 'metric', and more than one score column: x, y.\n"
        "  fix: name one score column, or leave the metric column out.",
    ),
    "empty label": (
        "item,system,score\nq1,A,1\n,A,2\n,B,2\n",
        {},
        "scores.csv line 3, column 'item': the label is empty. 2 of 3 rows are like this.\n"
        "  fix: fill it in: it says what the score belongs to.",
    ),
    "json broken": (
        '{"item": 1, "A": 1, "B": 2}\n{"item": 2, "A": 1, "B" 2}\n',
        {},
        "scores.csv line 2, character 25: the line is not valid JSON: Expecting ':' delimiter.\n"
        "  fix: write one complete JSON object per line.",
    ),
    "json truncated": (
        '{"item": 1, "A": 1, "B": 2}\n{"item": 2, "A": 1\n',
        {},
        "scores.csv line 2, character 19: the line is not valid JSON: Expecting ',' delimiter.\n"
        "  fix: write one complete JSON object per line.",
    ),
    "json not object": (
        '{"item": 1, "A": 1, "B": 2}\n17\n',
        {},
        "scores.csv line 2: the line is 17, not an object.\n"
        '  fix: write one object per line, such as {"item": 1, "A": 0.5, "B": 0.4} (jq -c ".[]" FILE splits an array).',
    ),
    "json array of arrays": (
        "[[1, 2], [3, 4]]\n",
        {},
        "scores.csv line 1: the array holds an array, not an object.\n" + JSON_SHAPES,
    ),
    "json array with a number": (
        '[\n{"item": 1, "A": 1, "B": 2},\n7\n]\n',
        {},
        "scores.csv line 3: the array holds 7, not an object.\n" + JSON_SHAPES,
    ),
    "json array without end": (
        '[{"item": 1, "A": 1, "B": 2},\n{"item": 2, "A": 1\n',
        {},
        "scores.csv line 3: the file is not valid JSON: Expecting ',' delimiter.\n" + JSON_SHAPES,
    ),
    "json object": (
        '{\n "results": {"a": 1},\n "x": 2\n}\n',
        {},
        "scores.csv: the file is one JSON object (its keys: 'results', 'x'), and not a table.\n" + JSON_SHAPES,
    ),
    "json array and more": (
        '[{"item": 1, "A": 1, "B": 2}]\n{"item": 2}\n',
        {},
        "scores.csv line 2: there is more after the end of the array.\n" + JSON_SHAPES,
    ),
    "json mixed": (
        '{"item": 1, "A": 1, "B": 2}\n{"item": 2, "A": 1}\n{"item": 3, "A": 1}\n',
        {},
        "scores.csv line 2, column 'B': there is no 'B' in this object. 2 of 3 rows are like this.\n"
        "  fix: write null where a score is missing.",
    ),
    "json mixed label": (
        '{"item": 1, "A": 1, "B": 2}\n{"A": 1, "B":2}\n',
        {},
        "scores.csv line 2, column 'item': the label is empty.\n  fix: fill it in: it says what the score belongs to.",
    ),
    "json nan": (
        '{"item": 1, "A": NaN, "B": 2}\n',
        {},
        "scores.csv line 1: NaN is not a number.\n  fix: write null where a score is missing; every score is finite.",
    ),
    "json inf": (
        '{"item": 1, "A": 1, "B": -Infinity}\n',
        {},
        "scores.csv line 1: -Infinity is not a number.\n"
        "  fix: write null where a score is missing; every score is finite.",
    ),
    "json quoted number": (
        '{"item": 1, "system": "A", "score": "0.5"}\n',
        {},
        "scores.csv line 1, column 'score': '0.5' is text, not a number.\n  fix: write numbers without quotes.",
    ),
    "json nested label": (
        '{"item": [1], "A": 1, "B": 2}\n',
        {},
        "scores.csv line 1, column 'item': [1] is not a label.\n"
        "  fix: a label is text or a number; take another column for this role.",
    ),
    "json key twice": (
        '{"item": 1, "A": 1, "A": 2}\n',
        {},
        "scores.csv line 1: the key 'A' is there more than once.\n  fix: give every value its own key.",
    ),
    "json number too large": (
        '{"item": 1, "A": 1e999, "B": 2}\n',
        {},
        "scores.csv line 1, column 'A': inf is not a finite number.\n"
        "  fix: every score is a finite number; leave missing scores empty.",
    ),
    "json nested deep": (
        '{"a":' * 100_000,
        {},
        "scores.csv: the file is nested too deep.\n" + JSON_FLAT,
    ),
    "json number without end": (
        '{"item": 1, "A": ' + "9" * 5000 + ', "B": 2}',
        {},
        "scores.csv line 1: the line holds a number of too many digits.\n" + JSON_FLAT,
    ),
    "json array with a number without end": (
        '[{"item": 1, "A": 1, "B": 2},\n{"item": 2, "A": ' + "9" * 5000 + ', "B": 2}]',
        {},
        "scores.csv line 2: the array holds a number of too many digits.\n" + JSON_FLAT,
    ),
    "json array nested deep": (
        "[" + '{"a":' * 100_000,
        {},
        "scores.csv line 1: the array is nested too deep.\n" + JSON_FLAT,
    ),
    "json array with half a character": (
        '[{"item": "ok \\ud83d\\ude00", "A": 1, "B": 2},\n{"item": "\\ud83d", "A": 1, "B": 2}]',
        {},
        "scores.csv line 2: the array holds half of a surrogate pair, which is no character.\n"
        "  fix: write the file anew as UTF-8; a character beyond \\uffff is two \\u escapes or none.",
    ),
    "json table with half a character": (
        '{\n"columns": ["item", "A", "B"], "data": [["\\udc00", 1, 2]]}',
        {},
        "scores.csv: the file holds half of a surrogate pair, which is no character.\n"
        "  fix: write the file anew as UTF-8; a character beyond \\uffff is two \\u escapes or none.",
    ),
    "json table broken": (
        '{\n"columns": ["item", "A", "B"],\n"data": [[1, 1 2]]}',
        {},
        "scores.csv line 3: the file is not valid JSON: Expecting ',' delimiter.\n" + JSON_SHAPES,
    ),
    "no json": (
        "item,A,B\n1,2,3\n",
        {"format": "json"},
        "scores.csv line 1: the file is not JSON.\n" + JSON_SHAPES,
    ),
    "json no keys": (
        "{}\n",
        {},
        'scores.csv: the objects have no keys.\n  fix: write {"item": 1, "A": 0.5, "B": 0.4}.',
    ),
    "binary": (
        b"item,A\n\x00\x01",
        {},
        "scores.csv line 2: the file is binary, not text (it holds a NUL byte).\n  fix: give UTF-8 text.",
    ),
    "latin-1": (
        b"item,A,B\nq1,1,2\nq\xe9,1,2\n",
        {},
        "scores.csv line 3: byte 0xe9 is not UTF-8 text.\n"
        "  fix: save the file as UTF-8 (iconv -f LATIN1 -t UTF-8 IN > OUT).",
    ),
    "utf-16": (
        b"\xff\xfe" + WIDE.encode("utf-16-le"),
        {},
        "scores.csv: the file is UTF-16 text.\n  fix: save it as UTF-8 (iconv -f UTF-16 -t UTF-8 IN > OUT).",
    ),
    "gzip cut short": (
        gzip.compress(WIDE.encode() * 50, mtime=0)[:-20],
        {},
        "scores.csv: the gzip file ends too early.\n  fix: copy or download it again (gzip -t FILE checks it).",
    ),
    "gzip damaged": (
        b"\x1f\x8b\x08\x00zzzzzzzzzzzzzzz",
        {},
        "scores.csv: the gzip file ends too early.\n  fix: copy or download it again (gzip -t FILE checks it).",
    ),
    "zip": (
        b"PK\x03\x04xxxx",
        {},
        "scores.csv: the file is a zip archive.\n  fix: unpack it; files packed with gzip are read as they are.",
    ),
    "parquet damaged": (
        b"PAR1xxxxxxxxxxxxxxxxPAR1",
        {},
        "scores.csv: the Parquet file cannot be read (Footer length error in file 'scores.csv').\n"
        "  fix: write or copy the file again.",
    ),
    "unknown format": (
        WIDE,
        {"format": "cvs"},
        f"there is no format 'cvs'.\n  fix: did you mean 'csv'? choose one of: auto, {', '.join(format_names())}.",
    ),
    "a second file in place of a format": (
        WIDE,
        {"format": __file__},
        f"{__file__!r} is a file where the name of a format is meant.\n"
        "  fix: give several files as a list: nf.read([FILE, FILE]).",
    ),
    "wrong format named": (
        WIDE,
        {"format": "tsv"},
        "scores.csv: the only column, 'item,A,B', does not hold numbers.\n"
        "  fix: write one number per line, or separate columns by a comma, tab, semicolon, | or spaces; if these are "
        "outputs, score them against a gold standard: nf.score(NAME, outputs, gold).",
    ),
    "huge cell": (
        "item,A,B\nq1,1,2\n" + "x" * 140_000 + ",1,2\n",
        {},
        "scores.csv line 3: a cell is longer than 131,072 characters.\n"
        "  fix: check that quotation marks are closed, or leave that column out.",
    ),
    "missing header": (
        "seg1,0.5,0.4\nseg2,0.7,oops\nseg3,1,1\n",
        {},
        "scores.csv line 2, column 'column 3': 'oops' is not a number.\n"
        "  fix: write a number, or leave the cell empty where a score is missing.",
    ),
    "underscore in a number": (
        "item;A;B\nq1;1_000;3\nq2;1;2\n",
        {},
        "scores.csv line 2, column 'A': '1_000' is not a number.\n"
        "  fix: write a number, or leave the cell empty where a score is missing.",
    ),
}


def message_of(source, **options):
    with pytest.raises(InputError) as caught:
        read(source, **options)
    return str(caught.value)


@pytest.mark.parametrize(("content", "options", "message"), MESSAGES.values(), ids=MESSAGES.keys())
def test_message(tmp_path, monkeypatch, content, options, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scores.csv").write_bytes(content if isinstance(content, bytes) else content.encode())
    assert message_of("scores.csv", **options) == message


def test_a_column_with_few_numbers_is_left_out_and_said(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("item,A,B,C\nq1,0.5,0.4,1\nq2,bad,0.9,1\nq3,worse,1,1\n")
    scores = read(path)
    assert scores.systems == ("B", "C")
    assert list(map(str, scores.sources[0].notes)) == ["Columns not used: 'A' (1 of its 3 cells are numbers)."]


def test_a_missing_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scores.csv").write_text(WIDE)
    assert message_of("score.csv") == "score.csv: the file does not exist.\n  fix: did you mean 'scores.csv'?"
    assert message_of("zzz") == "zzz: the file does not exist.\n  fix: check the path."
    assert message_of("no/such.csv") == (
        "no/such.csv: the file does not exist, nor does its folder.\n  fix: check the path."
    )
    assert message_of("A=score.csv") == "score.csv: the file does not exist.\n  fix: did you mean 'scores.csv'?"
    assert message_of("scores.csv/x") == (
        "scores.csv/x: the file cannot be read: Not a directory.\n  fix: check the path."
    )
    assert message_of("a\0b") == "a\\x00b: the file cannot be read: a name holds no NUL byte.\n  fix: check the path."


def test_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs").mkdir()
    assert message_of("runs") == (
        "runs: this is a folder, and no log of an evaluation harness was found in it.\n"
        "  fix: give files; this folder holds none."
    )
    (tmp_path / "runs" / "a.txt").write_text(WIDE)
    assert (
        message_of("runs")
        == "runs: this is a folder, and no log of an evaluation harness was found in it.\n  fix: give its files: a.txt."
    )


def test_no_permission(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "scores.csv").write_text(WIDE)

    def refuse(*_args, **_kwargs):
        raise PermissionError(13, "Permission denied")

    # Not by chmod: the superuser may read everything.
    monkeypatch.setattr("pathlib.Path.open", refuse)
    monkeypatch.setattr("pathlib.Path.read_bytes", refuse)
    assert message_of("scores.csv") == (
        "scores.csv: you may not read this file.\n  fix: change its permissions (chmod u+r FILE)."
    )


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe_is_read_once(tmp_path):
    import threading

    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=lambda: path.write_text(WIDE))
    writer.start()
    scores = read(path)
    writer.join()
    assert scores.systems == ("A", "B")
