"""Whatever becomes of a log on its way, nofluke reads it or says what is wrong: never a traceback."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import nofluke as nf
from nofluke.errors import NoflukeError
from readers.test_junit import case, suite
from readers.test_log_nodes import logs as more_logs
from readers.test_promptfoo import result
from support.logs import inspect, lm_eval, sample

JUNK = (
    b"null",
    b"[]",
    b"{}",
    b'"x"',
    b"1e999",
    b"NaN",
    b"-1",
    b"true",
    b"[[]]",
    b'{"a": 1}',
    b"\xff",
    b"\0",
    b"9" * 30,
)
ROUNDS = 60


def logs(folder: Path) -> dict[str, Path]:
    """One log of every format."""
    lm_eval(folder / "lm", {"arc": [{"acc": 1.0, "bleu": ["a b", "a c"], "f1": [0, 1]}] * 3})
    written = {"samples": next((folder / "lm").glob("samples*")), "results": next((folder / "lm").glob("results*"))}
    samples = [sample(at, "C", epoch, metadata={"p": "x"}) for at in range(3) for epoch in (1, 2)]
    written |= {form: inspect(folder / "inspect" / f"log.{form}", samples) for form in ("json", "eval")}
    written["junit"] = folder / "x.xml"
    written["junit"].write_text(
        f'<?xml version="1.0"?><testsuites>{suite(case("t"), case("u", "<failure/>"))}</testsuites>'
    )
    written["promptfoo"] = folder / "eval.jsonl"
    written["promptfoo"].write_text("\n".join(json.dumps(result(at, 1.0)) for at in range(3)))
    written["table"] = folder / "t.json"
    columns = ["id", "question", "prediction", "correct"]
    written["table"].write_text(json.dumps({"columns": columns, "data": [["a", "Q?", "x", 1], ["b", "R?", "y", 0]]}))
    return written | more_logs(folder)


def damaged(data: bytes, rng: random.Random) -> bytes:
    """Cut, overwrite, or put another value behind a colon."""
    at = rng.randrange(len(data) or 1)
    way = rng.random()
    if way < 0.2:
        return data[:at]
    if way < 0.4:
        return data[:at] + rng.choice(JUNK) + data[at + rng.randint(0, 30) :]
    if way < 0.5 and data:
        return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
    start = data.find(b":", at) + 1
    end = min((place for mark in b",}]" if (place := data.find(bytes([mark]), start)) > 0), default=start)
    return data[:start] + b" " + rng.choice(JUNK) + data[end:]


@pytest.mark.parametrize(
    "kind",
    [
        *("samples", "results", "json", "eval", "junit", "promptfoo", "table"),
        *("deepeval", "helm", "openai_evals", "swebench", "every_eval_ever", "lighteval"),
    ],
)
def test_damaged_logs_are_read_or_refused(kind: str, tmp_path: Path) -> None:
    path = logs(tmp_path)[kind]
    whole, rng = path.read_bytes(), random.Random(kind)
    refused = 0
    for _ in range(ROUNDS):
        path.write_bytes(damaged(damaged(whole, rng), rng))
        try:
            nf.read(path.parent if kind == "results" else path)
        except NoflukeError:
            refused += 1
    assert refused > ROUNDS // 20
