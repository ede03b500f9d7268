"""Advice in the words of the pages: the library speaks of options of the command line, a page has fields."""

from __future__ import annotations

import re

_NAME = r"[\w\-]+"
# What the library advises -> what that is on a page; the first that fit are taken, in this order.
_ON_PAGES: tuple[tuple[str, str], ...] = (
    (
        r"name both: --a NAME --b NAME on the command line, scores\.pair\(a, b\) in Python; nofluke rank FILE "
        r"\(nf\.rank\) compares all",
        "choose both under System A and System B; the page Many systems compares all",
    ),
    (
        r"; in rank, test each pair on its own items with --missing pairwise",
        ', or choose "each pair on its own items" on the page Many systems',
    ),
    (
        r"use nofluke test FILE --method (\w+) \(nf\.test in Python\), or leave the method to compare",
        "choose another test",
    ),
    (
        r"nofluke agree FILE \(nf\.agree in Python\); if ('.*?') names systems and ('.*?') holds scores, "
        r"--columns system=.*?,score=[^,]*?(?=\.?$)",
        r"use the page Annotators; if \1 names systems and \2 holds scores, say so under Columns",
    ),
    (r"nofluke agree FILE \(nf\.agree in Python\)", "use the page Annotators"),
    (r"say --columns ignore=[^\s;]+", "leave that column out of the file"),
    (r"leave gold out: --columns ignore=\S+?(?=\.?$)", "leave gold out of the file"),
    (r"for scores name them: --columns score=\S+?(?=,? or)", "for scores name them under Columns"),
    (r"[,;] or name it: --columns p_value=NAME \(columns=.*? in Python\)", ""),
    (
        r"(score them by|for outputs name) a metric: --metric (\w+) \(nf\.score\(.*?\) in Python\)"
        r"(?:; nofluke methods --kind metric lists all)?",
        r'for outputs give the file under "outputs and gold answers", with the metric \2',
    ),
    (r"say --higher-is-better or --lower-is-better \(higher_is_better=\.\.\.\)", "choose the direction in the form"),
    (r"say --higher-is-better \(higher_is_better=True\)", "choose that higher is better"),
    (r"name the system of each file: A=FILE B=FILE on the command line, nf\.read\(.*?\) in Python", "name each system"),
    (r"; --input-format lines takes every line as it is", ""),
    (r", as --a and --b", ", as System A and System B"),
    (r" \(--a NAME --b NAME\)", ""),
    (r": (?:--columns score=NAME,NAME \()?--a NAME --b NAME(?: in replicate\))?", " under System A and System B"),
    (r"--(?:columns annotator=|annotators )A,B", "the field Annotators"),
    (r"(?:annotator=|annotators=\('A', 'B'\))(?:,| or) the field", "the field"),
    (r"; annotator= in Python", ""),
    (r"with --missing drop(?: \(missing='drop'\))?", 'by choosing "leave out" in the form'),
    (r"say --missing (\S+) \(missing=.*? in read_ratings\)", r"write \1 into the field for missing ratings"),
    (r"\(--missing (\S+) on the command line\)", "(the form has a field for missing ratings)"),
    (r"\(missing=, --missing\)", "(the form has a field for missing ratings)"),
    (r"with --no-clusters \(clusters=False\)", 'by "take items as independent"'),
    (r"with (?:--low and --high|low= and high= \(--low, --high\))", "as smallest and largest possible score"),
    (r"categories=\(.*?\) in Python, --categories (\S+) on the command line", r"\1"),
    (rf" \({_NAME}=[^()]*? in Python\)", ""),
    (rf": --columns (\w+)={_NAME}", r" as the column of the \1"),
    (r" \(--columns [^()]*\)", " under Columns"),
    (rf"--columns (\w+)={_NAME}", r"the column of the \1"),
    (r" \([^()]*--[a-z][^()]*\)", ""),
    (r"leave --(\w+) out", r"leave the field for the \1 empty"),
    (r"--([a-z][\w-]*) (?:NAME|FILE)\b(?: \(\w+=\.\.\.\))?", r"the field for \1"),
    (r"use nofluke compare for", "use the page Two systems for"),
    (
        r"labels and texts must be scored against a gold standard first \(1 for right, 0 for wrong\)",
        'labels and texts belong into "outputs and gold answers" on the first page: a file for each system, and one '
        "with the gold answers",
    ),
)


def on_pages(advice: str) -> str:
    """The advice as a page can give it, beginning like a sentence."""
    for pattern, words in _ON_PAGES:
        advice = re.sub(pattern, words, advice)
    if "nofluke " not in advice:  # what is left are plain options, unless a whole command is advised
        advice = re.sub(r"--(?=[a-z])", "", advice)
    return advice[:1].upper() + advice[1:]
