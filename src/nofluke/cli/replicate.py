"""nofluke replicate."""

# Without `from __future__ import annotations`: the help of --example is built where the function is defined.

import dataclasses
from collections.abc import Callable
from typing import Annotated, Any

from nofluke.cli.command_line import refuse_unused, remember_source, tell
from nofluke.cli.inputs import chosen_part, read_table, told_to
from nofluke.cli.options import Inputs, Output, Settings, option_names, takes
from nofluke.cli.output import check_output, write
from nofluke.cli.p_inputs import are_p_values, hold, holds_p_values, p_values_of
from nofluke.errors import InputError
from nofluke.option_groups import AVERAGING, ReadingPValues
from nofluke.options import Opt
from nofluke.progress import progress_bar


def command() -> Callable[..., None]:
    """Build the command, with the options of all registered tests."""

    from nofluke.registry import TESTS
    from nofluke.verbs.examples import EXAMPLES
    from nofluke.verbs.replicate import replicate as verb

    *names, last = EXAMPLES

    @takes(Inputs, Output, Settings, verb=verb, methods=TESTS, without=("delta", "confidence_level", *AVERAGING))
    def replicate(
        inputs: Inputs,
        output: Output,
        asked: dict[str, Any],
        example: Annotated[
            str | None,
            Opt(f"A published table instead of a file: {', '.join(names)} or {last}."),
        ] = None,
    ) -> None:
        """On how many datasets is A better than B, and on which?"""
        import nofluke as nf
        from nofluke.types import PValues

        check_output(output)
        one_sided = asked["sided"].startswith(("one", "1"))
        data = _data(inputs, example, asked.pop("printed", None), quiet=output.quiet, one_sided=one_sided)
        _refuse_unused(data, from_example=example is not None)
        if isinstance(data, PValues):
            # Options of the tests that were given are passed on, and refused.
            asked.pop("seed")
        else:
            asked |= {"a": inputs.a, "b": inputs.b, **chosen_part(inputs)}
            for name in AVERAGING:
                del asked[name]
        with progress_bar("testing", quiet=output.quiet) as progress:
            result = nf.replicate(data, progress=progress, **asked)
        write(result, output)

    return replicate


def _data(inputs: Inputs, example: str | None, printed: int | None, *, quiet: bool, one_sided: bool) -> Any:
    """Find out whether p-values or scores were given, and read them."""
    files = inputs.files or []
    own = {
        field.name: getattr(inputs, field.name)
        for field in dataclasses.fields(ReadingPValues)
        if field.name != "printed"
    }
    reading = ReadingPValues(**own, printed=printed)
    if example is not None or not files or are_p_values(files):
        return p_values_of(files, example, reading, quiet=quiet, one_sided=one_sided)
    if len(files) > 1 or inputs.gold:
        return _several(inputs, quiet=quiet)
    source = hold(files[0]) if "=" not in files[0] else files[0]
    if "p_value" in (inputs.columns or {}) or holds_p_values(source):
        return p_values_of(files, None, reading, source=source, quiet=quiet, one_sided=one_sided)
    return read_table(inputs, quiet=quiet, source=source)


def _several(inputs: Inputs, *, quiet: bool) -> Any:
    """Several files are the systems of one table or, when each holds two systems, one dataset each."""
    files = inputs.files or []
    if not inputs.gold and not any("=" in name for name in files):
        from nofluke.readers.file_names import names_of

        try:
            alone = [read_table(dataclasses.replace(inputs, files=[name]), quiet=True) for name in files]
        except InputError:
            alone = []
        if alone and all(len(scores.systems) > 1 and len(scores.datasets) == 1 for scores in alone):
            import nofluke as nf
            from nofluke.words.sources import scores_lines

            tell([line for scores in alone for line in scores_lines(scores)], quiet=quiet)
            names = tuple(names_of(files))
            remember_source("datasets", files, told_to(nf.read, inputs), systems=names)
            return dict(zip(names, alone, strict=True))
    return read_table(inputs, quiet=quiet)


def _refuse_unused(data: Any, *, from_example: bool) -> None:
    from nofluke.types import PValues

    if not isinstance(data, PValues):
        refuse_unused(("sided", "printed"), "p-values are computed here, none were given")
        return
    of_tables = {"files"} if from_example else {"files", "a", "b", "higher_is_better", "columns"}
    of_scores = [name for name in option_names(Inputs) if name not in of_tables]
    refuse_unused([*of_scores, "seed"], "p-values were given, and no scores")
