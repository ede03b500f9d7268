"""What `score` says where no metric is named: the one that fits, or that there is nothing to score."""

from __future__ import annotations

from pathlib import Path

from support.command_line import nofluke


def said(folder: Path, text: str, *more: str) -> str:
    (folder / "t.csv").write_text(text)
    run = nofluke("score", "t.csv", *more, cwd=folder)
    assert run.code == 2
    return " ".join(run.err.split())


def test_gold_beside_outputs_brings_a_metric(tmp_path: Path) -> None:
    rows = "".join(f"q{i},{'xy'[i % 2]},{'xy'[i % 3 % 2]},x\n" for i in range(9))
    assert "--metric accuracy" in said(tmp_path, "item,gold,A,B\n" + rows)
    assert nofluke("score", "t.csv", "--metric", "accuracy", cwd=tmp_path).code == 0


def test_scores_are_compared(tmp_path: Path) -> None:
    told = said(tmp_path, "item,A,B\n" + "".join(f"q{i},{i % 7},{i % 5}\n" for i in range(9)))
    assert "these are scores already" in told
    assert "nofluke compare FILE" in told
    assert nofluke("compare", "t.csv", cwd=tmp_path).code == 0


def test_lines_with_gold_need_a_metric(tmp_path: Path) -> None:
    assert "--metric bleu" in said(tmp_path, "a b\nc d\n", "--gold", "t.csv")


def test_a_square_of_p_values_holds_no_items(tmp_path: Path) -> None:
    names = ("x", "y", "z")
    text = (
        ","
        + ",".join(names)
        + "\n"
        + "".join(f"{a},{','.join('' if a == b else '0.01' for b in names)}\n" for a in names)
    )
    (tmp_path / "p.csv").write_text(text)
    for command in ("compare", "rank"):
        run = nofluke(command, "p.csv", cwd=tmp_path)
        assert run.code == 2
        assert "nofluke correct FILE" in " ".join(run.err.split())
    assert nofluke("correct", "p.csv", cwd=tmp_path).code == 0


def test_where_no_item_has_all_scores_systems_that_share_items_are_named(tmp_path: Path) -> None:
    gaps = {"A": range(20), "B": range(18), "C": range(2, 20), "D": range(20, 30)}
    rows = ["item,A,B,C,D"] + [
        ",".join([f"q{i}", *(str((i * k) % 7) if i in has else "" for k, has in enumerate(gaps.values(), 2))])
        for i in range(30)
    ]
    (tmp_path / "t.csv").write_text("\n".join(rows) + "\n")
    run = nofluke("rank", "t.csv", "--missing", "drop", cwd=tmp_path)
    assert "3 have 16 items in common: --systems A,B,C --missing drop." in " ".join(run.err.split())
    assert nofluke("rank", "t.csv", "--missing", "drop", "--systems", "A,B,C", cwd=tmp_path).code == 0


def test_a_metric_that_the_scores_hold_is_one_to_look_at(tmp_path: Path) -> None:
    rows = "".join(f"q{i},{name},{metric},{i % 7}\n" for i in range(9) for name in "AB" for metric in ("m1", "m2"))
    (tmp_path / "t.csv").write_text("item,system,metric,score\n" + rows)
    run = nofluke("score", "t.csv", "--interval", cwd=tmp_path)
    assert "--metric m1" in " ".join(run.err.split())
    run = nofluke("score", "t.csv", "--interval", "--metric", "m1", cwd=tmp_path)
    assert run.code == 0
    assert "by m1" in run.out
