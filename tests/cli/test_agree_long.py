"""A long table of ratings under other names: the advice works as it is given."""

from __future__ import annotations

import re
from pathlib import Path

from support.command_line import nofluke


def test_the_advice_works(tmp_path: Path) -> None:
    table = tmp_path / "long.csv"
    rows = [f"s{i},{who},{'xy'[(i + (who == 'bo' and i == 3)) % 2]}\n" for i in range(8) for who in ("al", "bo")]
    table.write_text("sid,who,tag\n" + "".join(rows))
    told = nofluke("agree", str(table))
    advice = re.search(r"--columns\s+(item=sid,annotator=who,label=tag)", told.err + told.out)
    assert advice, told.err
    followed = nofluke("agree", str(table), "--columns", advice[1])
    assert followed.code == 0, followed.err
    wide = tmp_path / "wide.csv"
    wide.write_text("al,bo,cy\n" + "x,x,y\ny,y,y\nx,x,x\ny,x,y\n")
    assert "label=" not in nofluke("agree", str(wide)).err
