"""Systems from resampled training sets, by estimators, by commands, and the bundled example from end to end."""

from __future__ import annotations

import builtins
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nofluke.errors import InputError, MissingExtra
from nofluke.studies.calibration_study import calibration
from nofluke.studies.digits_example import synthesize_digits
from nofluke.studies.synthesis import Recipe, groups_of, recipe_of, resampled_rows, synthesize, synthesized
from nofluke.studies.training_command import synthesize_command
from nofluke.verbs.score import system_scores
from nofluke.words import studies as words


class Nearest:
    """One nearest neighbour; remembers what it was trained on."""

    seen: list[tuple[Any, ...]]

    def __init__(self, seen: list[Any]) -> None:
        self.seen = seen

    def __deepcopy__(self, memo: Any) -> Nearest:
        return Nearest(self.seen)

    def fit(self, x: np.ndarray, y: np.ndarray) -> None:
        self.x, self.y = x, y
        self.seen.append(tuple(x[:, 0]))

    def predict(self, x: np.ndarray) -> np.ndarray:
        return self.y[np.abs(x[:, :1] - self.x[:, 0]).argmin(axis=1)]


def data(n: int) -> tuple[np.ndarray, np.ndarray]:
    x = np.arange(n, dtype=float)[:, None]
    return x, (x[:, 0] > n / 2).astype(int)


def test_all_models_see_the_same_resampled_training_sets() -> None:
    first: list[Any] = []
    second: list[Any] = []
    scores = synthesize({"a": Nearest(first), "b": Nearest(second)}, data(40), data(20), sizes=[40, 10], systems=3)
    assert first == second
    assert [len(rows) for rows in first] == [40] * 3 + [10] * 3
    assert len(set(first)) == 6
    assert scores.systems[:2] == ("a 40 #1", "a 40 #2")
    assert groups_of(scores) == {name: name[0] for name in scores.systems}
    assert set(np.unique(scores.statistics)) <= {0.0, 1.0}


def test_rows_are_drawn_with_replacement_and_by_seed() -> None:
    recipe = Recipe("m", 1_000, 1)
    rows = resampled_rows(recipe, 1_000, 0)
    assert rows.min() >= 0
    assert rows.max() < 1_000
    # About 1 - 1/e of the rows are there at least once.
    assert 0.58 < len(np.unique(rows)) / 1_000 < 0.68
    assert np.array_equal(rows, resampled_rows(recipe, 1_000, 0))
    assert not np.array_equal(rows, resampled_rows(recipe, 1_000, 1))
    assert not np.array_equal(rows, resampled_rows(Recipe("m", 1_000, 2), 1_000, 0))


def test_systems_of_each_size_and_own_scores() -> None:
    scores = synthesize(
        {"m": Nearest([])},
        data(30),
        data(10),
        sizes=[30, 5],
        systems=[2, 1],
        score=lambda y, predicted: np.abs(y - predicted) + 0.5,
        metric="error",
        higher_is_better=False,
    )
    assert scores.systems == ("m 30 #1", "m 30 #2", "m 5 #1")
    assert scores.higher_is_better == {"error": False}
    assert float(scores.statistics.min()) >= 0.5


def test_progress_reaches_the_end() -> None:
    calls: list[tuple[int, int]] = []
    synthesize(
        {"m": Nearest([])}, data(10), data(5), systems=3, progress=lambda done, total: calls.append((done, total))
    )
    assert calls == [(1, 3), (2, 3), (3, 3)]


@pytest.mark.parametrize(
    "settings", [{"sizes": []}, {"sizes": [5, 5]}, {"systems": 0}, {"sizes": [5], "systems": [1, 2]}, {"sizes": [0]}]
)
def test_what_cannot_be_made_is_refused(settings: dict) -> None:
    with pytest.raises(InputError):
        synthesize({"m": Nearest([])}, data(10), data(5), **settings)


def test_scores_of_the_wrong_shape_are_refused() -> None:
    with pytest.raises(InputError, match="5 items"):
        synthesize({"m": Nearest([])}, data(10), data(5), score=lambda *_: [1.0])
    with pytest.raises(InputError, match="answers"):
        synthesize({"m": Nearest([])}, (data(10)[0], [1]), data(5))


def test_models_that_are_none_are_refused() -> None:
    with pytest.raises(InputError, match="'x', a object, has no fit"):
        synthesize({"x": object()}, data(10), data(5))

    class Lazy(Nearest):
        def __deepcopy__(self, memo: Any) -> Lazy:
            return Lazy(self.seen)

        def predict(self, x: np.ndarray) -> np.ndarray:
            return super().predict(x)[:1]

    with pytest.raises(InputError, match=r"answers of shape \(1,\), and those of the test set are \(5,\)"):
        synthesize({"m": Lazy([])}, data(10), data(5))


def test_the_record_repeats_what_was_made() -> None:
    scores = synthesize({"m": Nearest([])}, data(30), data(10), sizes=[30, 5], systems=[2, 1])
    study = synthesized(scores, {"seed": 0})
    assert words.headline(study) == "3 systems were made from 1 model and tested on 10 items."
    assert (study.settings["sizes"], study.settings["metric"]) == ((30, 5), "correct")
    assert "|sizes:30,5|metric:correct|seed:0|" in study.signature
    points = study.series["systems"]
    assert points.columns["training size"].tolist() == [30, 30, 5]
    assert points.columns["score"].tolist() == list(system_scores(scores).values())


def test_names_are_read_again() -> None:
    assert recipe_of(Recipe("a b", 12, 3).name) == Recipe("a b", 12, 3)
    with pytest.raises(InputError):
        recipe_of("some system")


SCRIPT = """import sys
train, test, output, length = sys.argv[1], sys.argv[2], sys.argv[3], len(sys.argv)
words = set(open(train, encoding="utf-8").read().split())
lines = open(test, encoding="utf-8").read().splitlines()
if "fail" in sys.argv[0] and len(words) < 9:
    sys.exit("too few words")
with open(output, "w", encoding="utf-8") as file:
    for line in lines:
        file.write(FORMAT)
"""


def script(folder: Path, name: str, form: str) -> str:
    path = folder / f"{name}.py"
    path.write_text(SCRIPT.replace("FORMAT", form), encoding="utf-8")
    return f'"{sys.executable}" "{path}" {{train}} {{test}} {{output}}'


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    train, test = tmp_path / "train.txt", tmp_path / "test.txt"
    train.write_text("".join(f"word{i}\n" for i in range(12)), encoding="utf-8")
    test.write_text("".join(f"word{i}\n" for i in range(0, 12, 2)), encoding="utf-8")
    return train, test


KNOWN = "f'{int(line in words)}\\n'"


def test_a_command_is_run_on_resampled_lines(files: tuple[Path, Path], tmp_path: Path) -> None:
    train, test = files
    commands = {"lookup": script(tmp_path, "lookup", KNOWN)}
    scores = synthesize_command(commands, [train], test, sizes=[12, 4], systems=2, keep=tmp_path / "kept", workers=2)
    values = system_scores(scores)
    lines = train.read_text(encoding="utf-8").splitlines()
    wanted = test.read_text(encoding="utf-8").splitlines()
    for name in scores.systems:
        rows = resampled_rows(recipe_of(name), 12, 0)
        seen = {lines[row] for row in rows}
        assert values[name] == pytest.approx(np.mean([word in seen for word in wanted]))
    assert (tmp_path / "kept" / "system0001" / "train1").read_text(encoding="utf-8").count("\n") == 12


def test_outputs_are_scored_against_gold(files: tuple[Path, Path], tmp_path: Path) -> None:
    train, test = files
    commands = {"copy": script(tmp_path, "copy", "(line if line in words else 'nothing') + '\\n'")}
    scores = synthesize_command(commands, [train], test, systems=2, metric="accuracy", gold=test)
    again = synthesize_command({"copy": script(tmp_path, "c", KNOWN)}, [train], test, systems=2)
    assert system_scores(scores) == pytest.approx(system_scores(again))


def test_commands_that_fail(files: tuple[Path, Path], tmp_path: Path) -> None:
    train, test = files
    commands = {"m": script(tmp_path, "fail", KNOWN)}
    with pytest.raises(InputError, match=r"3 of 6 commands failed.*too few words"):
        synthesize_command(commands, [train], test, sizes=[60, 3], systems=3)
    scores = synthesize_command(commands, [train], test, sizes=[60, 3], systems=3, failures="drop")
    assert len(scores.systems) == 3
    assert any("Left out: 3 of 6 systems" in str(note) for note in scores.notes)
    with pytest.raises(InputError, match="no place"):
        synthesize_command({"m": "run {train}"}, [train], test)
    with pytest.raises(InputError, match="No such file"):
        synthesize_command({"m": "no-such-program-here {train} {output}"}, [train], test, systems=1)


def test_an_output_of_an_earlier_run_is_no_output(files: tuple[Path, Path], tmp_path: Path) -> None:
    train, test = files
    kept = tmp_path / "kept"
    synthesize_command({"m": script(tmp_path, "ok", KNOWN)}, [train], test, systems=1, keep=kept)
    silent = f'"{sys.executable}" -c pass {{train}} {{output}}'
    with pytest.raises(InputError, match="wrote no output"):
        synthesize_command({"m": silent}, [train], test, systems=1, keep=kept)


def test_words_of_a_command_are_never_given_to_a_shell(files: tuple[Path, Path], tmp_path: Path) -> None:
    train, test = files
    spaced = tmp_path / "with space; touch evil"
    spaced.mkdir()
    synthesize_command({"m": script(tmp_path, "ok", KNOWN)}, [train], test, systems=1, keep=spaced)
    assert not (Path.cwd() / "evil").exists()


def test_parallel_training_files_stay_together(files: tuple[Path, Path], tmp_path: Path) -> None:
    train, test = files
    other = tmp_path / "other.txt"
    other.write_text("".join(f"label{i}\n" for i in range(12)), encoding="utf-8")
    line = script(tmp_path, "two", KNOWN).replace("{train}", "{train1}")
    synthesize_command({"m": line}, [train, other], test, systems=1, keep=tmp_path / "both")
    kept = tmp_path / "both" / "system0001"
    pairs = zip(*((kept / name).read_text(encoding="utf-8").split() for name in ("train1", "train2")), strict=True)
    assert all(word[4:] == label[5:] for word, label in pairs)
    (tmp_path / "short.txt").write_text("one\n", encoding="utf-8")
    with pytest.raises(InputError, match="belong together"):
        synthesize_command({"m": line}, [train, tmp_path / "short.txt"], test)


def test_the_example_without_scikit_learn(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.startswith("sklearn"):
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtra, match=r"nofluke\[studies\]"):
        synthesize_digits()


def test_the_example_from_end_to_end() -> None:
    pytest.importorskip("sklearn")
    scores = synthesize_digits(systems=4)
    study = synthesized(scores)
    assert len(scores.systems) == 36
    assert "overlap between" in words.sentences(study)[0]
    means = system_scores(scores)
    assert all(0.8 < value < 0.99 for value in means.values())
    # More training data make better systems, for each model.
    for model in set(groups_of(scores).values()):
        large, small = ([v for n, v in means.items() if n.startswith(f"{model} {size} ")] for size in (600, 150))
        assert min(large) > max(small)
    found = calibration(scores)
    share = found.tables["just significant"]["share"][0]
    assert 0.8 < share <= 1
