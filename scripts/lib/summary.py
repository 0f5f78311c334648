#!/usr/bin/env python3
"""Adds up the suites that scripts/test ran and prints one line for each and one for all.

Usage: summary.py RESULTS_DIR NAME:STATUS:SECONDS...

A suite that left RESULTS_DIR/NAME.xml (JUnit) counts its cases; one whose log has a line "ok NAME" or
"FAIL NAME" for each case, indented, counts those; any other counts as one. A suite that exited with
an error and yet names no failed case counts one failure: it did not get to its end. Failed cases, with
the end of what they said, come last but one, so that the end of a long log says what to look at.
"""

import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

LINES_OF_A_CASE = 20
LINE = re.compile(r"^ +(ok|FAIL) +(.*(?:\n {8}.*)?)", re.M)


def from_junit(path):
    """Counts the cases of a JUnit file: (passed, names of failed, skipped)."""
    passed, failed, skipped = 0, [], 0
    for case in ElementTree.parse(path).iter("testcase"):
        # CTest says status="fail" and status="notrun" or "disabled"; others nest an element.
        status = case.get("status", "")
        if case.find("failure") is not None or case.find("error") is not None or status == "fail":
            output = (case.findtext("system-out") or "").strip().splitlines()[-LINES_OF_A_CASE:]
            failed.append("\n        ".join([case.get("name", "?"), *output]))
        elif case.find("skipped") is not None or status in ("notrun", "disabled"):
            skipped += 1
        else:
            passed += 1
    return passed, failed, skipped


def count(results, name, status):
    """(passed, names of failed, skipped) of one suite."""
    junit, log = results / f"{name}.xml", results / f"{name}.log"
    counts = None
    if junit.exists():
        try:
            counts = from_junit(junit)
        except ElementTree.ParseError:
            counts = (0, [f"{junit.name} cannot be read"], 0)
    elif log.exists():
        found = LINE.findall(log.read_text(errors="replace"))
        if found:
            failed = [text for result, text in found if result == "FAIL"]
            counts = (len(found) - len(failed), failed, 0)
    passed, failed, skipped = counts or (0 if status else 1, [], 0)
    if status and not failed:
        failed = [f"it ended with exit status {status}; see build/results/{name}.log"]
    return passed, failed, skipped


def main(arguments):
    results, rows = Path(arguments[0]), []
    for suite in arguments[1:]:
        name, status, seconds = suite.split(":")
        rows.append((name, *count(results, name, int(status)), seconds))
    print()
    for name, passed, failed, skipped, seconds in rows:
        print(
            f"  {name:<10}{passed:>6} passed {len(failed):>4} failed {skipped:>4} skipped {seconds:>6} s"
        )
    for name, _, failed, _, _ in rows:
        for case in failed:
            print(f"  failed in {name}: {case}")
    passed, skipped = (sum(row[i] for row in rows) for i in (1, 3))
    failed = sum(len(row[2]) for row in rows)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
