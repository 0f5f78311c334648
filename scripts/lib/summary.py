#!/usr/bin/env python3
"""Adds up the suites that scripts/test ran and prints one line for each and one for all.

Usage: summary.py RESULTS_DIR NAME:STATUS:SECONDS...

A suite that left RESULTS_DIR/NAME.xml (JUnit) counts its cases; one whose log has a line "ok NAME" or
"FAIL NAME" for each case, indented, counts those; any other counts as one. A suite that exited with
an error and yet names no failed case counts one failure: it did not get to its end.
"""

import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

LINE = re.compile(r"^ +(ok|FAIL) ", re.M)


def from_junit(path):
    """Counts the cases of a JUnit file: (passed, failed, skipped)."""
    passed = failed = skipped = 0
    for case in ElementTree.parse(path).iter("testcase"):
        # CTest says status="fail" and status="notrun" or "disabled"; others nest an element.
        status = case.get("status", "")
        if case.find("failure") is not None or case.find("error") is not None or status == "fail":
            failed += 1
        elif case.find("skipped") is not None or status in ("notrun", "disabled"):
            skipped += 1
        else:
            passed += 1
    return passed, failed, skipped


def count(results, name, status):
    """(passed, failed, skipped) of one suite."""
    junit, log = results / f"{name}.xml", results / f"{name}.log"
    counts = None
    if junit.exists():
        try:
            counts = from_junit(junit)
        except ElementTree.ParseError:
            counts = (0, 1, 0)
    elif log.exists():
        found = LINE.findall(log.read_text(errors="replace"))
        if found:
            counts = (found.count("ok"), found.count("FAIL"), 0)
    passed, failed, skipped = counts or (0 if status else 1, 0, 0)
    return passed, max(failed, 1) if status else failed, skipped


def main(arguments):
    results, rows = Path(arguments[0]), []
    for suite in arguments[1:]:
        name, status, seconds = suite.split(":")
        rows.append((name, *count(results, name, int(status)), seconds))
    print()
    for name, passed, failed, skipped, seconds in rows:
        print(f"  {name:<10}{passed:>6} passed {failed:>4} failed {skipped:>4} skipped {seconds:>6} s")
    passed, failed, skipped = (sum(row[i] for row in rows) for i in (1, 2, 3))
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
