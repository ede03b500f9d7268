"""Five hundred broken uploads and requests: each gets an answer in 4xx with a message, and the server still serves."""

from __future__ import annotations

import gzip
import random
from collections.abc import Iterator

import httpx
import pytest

import nofluke as nf
from nofluke.web.requests import BY_ACTION

GOOD = ("item,new,old\n" + "".join(f"q{i},{(i * 7) % 11 / 10},{(i * 5) % 9 / 10}\n" for i in range(30))).encode()
NASTY = (
    b"",
    b"\x00" * 100,
    b"\xff\xfe\x00",
    b"PAR1 this is no parquet file",
    b"PK\x03\x04 nor a zip",
    b"\x1f\x8b\x08\x00 nor gzip",
    b"{",
    b'{"a": }\n',
    b"[1, 2",
    b"null",
    b"a,b\n" + b"9" * 400 + b",1\n",
    b"a,b\nNaN,1\n",
    b"a,b\ninf,1\n",
    b"a,b\n1e999,1\n",
    b"a,b\n" + b"x" * 200_000 + b",1\n",
    b"a,b\n1,2,3\n4\n",
    b"'; DROP TABLE jobs; --,b\nx,y\n",
    "a,b\n١,٢\n½,x\n".encode(),
    b'a,b\n"unclosed,1\n2,3\n',
    b"<script>alert(1)</script>,b\nyes,no\n",
    gzip.compress(b"a,b\nx,y\n"),
)
VALUES = (None, -1, 1e308, "", "x" * 600, [], {}, [[]], True, "../../etc/passwd", "\u0000", {"a": {"b": {}}})


def truncated(draw: random.Random) -> bytes:
    content = bytearray(GOOD)
    for _ in range(draw.randint(1, 12)):
        content[draw.randrange(len(content))] = draw.randrange(256)
    return bytes(content[: draw.randrange(len(content))])


def uploads() -> Iterator[bytes]:
    draw = random.Random(20)
    yield from NASTY
    for _ in range(180):
        yield truncated(draw)


def bodies() -> Iterator[tuple[str, object]]:
    draw = random.Random(21)
    actions = [action for action in BY_ACTION if action != "inspect"]  # it answers for broken files too
    for i in range(300):
        action = actions[i % len(actions)]
        fields = list(BY_ACTION[action].model_fields)
        chosen = draw.sample(fields, k=min(len(fields), 1 + i % 3))
        yield action, {name: draw.choice(VALUES) for name in chosen}


def refusal(answer: httpx.Response) -> str:
    """The message of a request that is refused, and nothing where it was answered otherwise or broke the server."""
    if not 400 <= answer.status_code < 500 or answer.json()["ok"] is not False:
        return ""
    message = str(answer.json()["errors"][0]["message"])
    return "" if "something went wrong inside" in message else message


def test_broken_files_are_answered_in_words(client: httpx.Client) -> None:
    seen = 0
    for i, content in enumerate(uploads()):
        sent = client.post("/api/uploads", files={"file": (f"../{i}\u202e<b>.csv", content)})
        if sent.status_code != 201:
            assert refusal(sent), (sent.status_code, sent.text[:300])
            seen += 1
            continue
        upload = {"upload": sent.json()["upload"]["id"]}
        action = ("compare", "rank", "replicate", "agree")[i % 4]
        part = {"replicate": {"p_table": upload}, "agree": {"ratings": upload}}.get(
            action, {"data": {"files": [upload]}}
        )
        answer = client.post(f"/api/{action}", json=part)
        if answer.status_code == 200:
            continue  # some damaged files are still a sound table
        assert refusal(answer), (answer.status_code, answer.text[:300])
        seen += 1
    assert seen > 100
    still = client.post("/api/compare", json={"data": {"files": [{"text": GOOD.decode()}]}})
    assert (
        still.json()["result"]["test"]["p_value"]
        == nf.compare(*zip(*[(((i * 7) % 11) / 10, ((i * 5) % 9) / 10) for i in range(30)], strict=True)).test.p_value
    )


def test_broken_requests_are_answered_in_words(client: httpx.Client) -> None:
    for action, body in bodies():
        answer = client.post(f"/api/{action}", json=body)
        assert refusal(answer), (answer.status_code, answer.text[:300])


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"\xff\xff", b"null", b'"text"', b"[" * 100_000, b'{"data": ' * 5_000, b"1e999"],
    ids=lambda content: repr(content[:12]),
)
@pytest.mark.parametrize("kind", ["application/json", "text/plain", "multipart/form-data; boundary=x", ""])
def test_bodies_that_are_no_json(client: httpx.Client, content: bytes, kind: str) -> None:
    answer = client.post("/api/compare", content=content, headers={"Content-Type": kind} if kind else {})
    assert refusal(answer), (answer.status_code, answer.text[:300])


@pytest.mark.parametrize("path", ["/", "/compare", "/rank", "/replicate", "/agree", "/history", "/history/delete"])
def test_broken_forms_are_answered_in_words(client: httpx.Client, path: str) -> None:
    for data in ({}, {"example": "nothing"}, {"text": "\x00"}, {"alpha": "x", "text": "1 2\n3 4"}, {"file": "text"}):
        answer = client.post(path, data=data, headers={"Accept": "application/json"})
        assert answer.status_code in (303, 400, 422), (path, data, answer.status_code, answer.text[:200])
        if answer.status_code == 303:
            assert client.get(answer.headers["location"], follow_redirects=True).status_code in (200, 422)


def test_broken_changes_are_answered_in_words(client: httpx.Client) -> None:
    begun = client.post("/", data={"example": "questions"}, headers={"Accept": "text/html"})
    job = begun.headers["location"].rpartition("/")[2]
    for form in (
        {"unit": "x"},
        {"unit": "-1"},
        {"alpha": "nan"},
        {"method": "nothing"},
        {"method": "wilcoxon", "fields_of": "wilcoxon", "option_zeros": "no such"},
        {"alternative": "\u0000"},
        {"a": "x" * 900},
        {"column": "<script>", "role": "item", "guessed": ""},
        {"column": ["x", "y"], "role": "item"},
        {"missing": "perhaps"},
        {"unit_statistic": "mode"},
        {"question": "rank", "baseline": "<script>"},
        {"score_by": "nothing"},
    ):
        for path in (f"/jobs/{job}/change", "/jobs/none/change"):
            answer = client.post(path, data=form, headers={"Accept": "text/html"}, follow_redirects=True)
            assert answer.status_code in (200, 404, 422), (path, form, answer.text[:300])
            assert "<script>" not in answer.text


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": ""},
        {"Host": "["},
        {"Host": "127.0.0.1:99999999999"},
        {"Origin": "http://[::1"},
        {"Content-Length": "9" * 30},
        {"Cookie": "nofluke_token=\u00e9"},
        {"Authorization": "Bearer \u00e9"},
        {"Content-Type": "multipart/form-data"},
        {"Content-Type": "application/json; charset=utf-99"},
    ],
    ids=str,
)
def test_odd_headers_are_answered(client: httpx.Client, headers: dict[str, str]) -> None:
    try:
        odd = {name: value.encode("utf-8") for name, value in headers.items()}
        answer = client.post("/api/correct", content=b"{", headers=odd)  # type: ignore[arg-type]
    except httpx.TransportError:
        return  # the protocol itself refuses it
    assert 400 <= answer.status_code < 500
