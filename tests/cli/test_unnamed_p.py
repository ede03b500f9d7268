"""A table whose column of p-values is not known by its name: the advice works as it is given."""

from __future__ import annotations

from pathlib import Path

from support.command_line import nofluke


def test_the_advice_works(tmp_path: Path) -> None:
    table = tmp_path / "podd.csv"
    table.write_text("lang,pval_ttest,A,B\nde,.01,.5,.4\nfr,.3,.2,.1\n")
    told = nofluke("replicate", str(table))
    assert told.code != 0
    assert "--columns p_value=NAME" in " ".join(told.err.split())
    followed = nofluke("replicate", str(table), "--columns", "p_value=pval_ttest")
    assert followed.code == 0, followed.err
