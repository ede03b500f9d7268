"""What a reader waits for goes before simulations, and those are not put off for ever."""

from __future__ import annotations

from nofluke.web.line import Line


def test_quick_jobs_pass_long_ones_and_each_kind_keeps_its_order() -> None:
    line = Line({"curve 1", "curve 2"})
    for job in ("curve 1", "a", "curve 2", "b", "c", "d"):
        line.put(job)
    assert [line.get_nowait() for _ in range(6)] == ["a", "b", "c", "curve 1", "d", "curve 2"]
    assert line.empty()


def test_a_long_job_alone_is_taken_at_once() -> None:
    line = Line({"curve"})
    line.put("curve")
    line.put(None)
    assert {line.get_nowait(), line.get_nowait()} == {"curve", None}
