"""Finds the functions and lambdas of C++ sources, and counts their lines.

It reads tokens, not types: what a brace opens follows from the tokens of the statement before it. That is enough for
code of this repository, which clang-format lays out and which has no macros that open braces.
"""

import re
from dataclasses import dataclass, field

TOKEN = re.compile(r"""
    (?P<skip>      //[^\n]* | /\*.*?\*/ | ^[ \t]*\#(?:\\\n|[^\n])* | \s+ )
  | (?P<raw>       R"(?P<mark>[^\s()\\]{0,16})\(.*?\)(?P=mark)" )
  | (?P<string>    "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*' )
  | (?P<number>    \.?\d(?:'?[\w.]|(?<=[eEpP])[+-])* )
  | (?P<word>      [A-Za-z_]\w* )
  | (?P<other>     -> | :: | [=!]= | . )
""", re.X | re.S | re.M)
CONTROL = {"if", "for", "while", "switch", "do", "else", "try", "catch"}
SCOPES = {"namespace", "class", "struct", "union", "enum", "extern"}
# What may stand between a function's parameters and its body.
QUALIFIERS = {"const", "noexcept", "override", "final", "mutable", "constexpr", "&"}
CLOSED_BY = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True)
class Function:
    head: str  # its first line
    line: int  # number of that line, from 1
    lines: int  # from the first line to the one with the closing brace


@dataclass(frozen=True)
class Item:
    """A token, or a pair of brackets with all that is in it."""
    text: str  # of brackets the opening one
    line: int
    is_word: bool = False
    attribute: bool = False  # [[...]]


@dataclass
class Frame:
    """Brackets that are open."""
    bracket: str
    kind: str  # "scope": file, namespace, class; "body": of a function; "value": all others
    line: int
    starts_at: int | None = None  # line of the function whose body this is
    statement: list = field(default_factory=list)


def without_template(items):
    """A statement without template <...> in front."""
    while items and items[0].text == "template":
        depth = 0
        for i, item in enumerate(items):
            depth += (item.text == "<") - (item.text == ">")
            if depth == 0 and item.text == ">":
                break
        items = items[i + 1:]
    return items


def lambda_before(items):
    """The [] of the lambda whose body begins behind the items, if one does."""
    for i in range(len(items) - 1, -1, -1):
        item = items[i]
        if item.text in ("{", "=", ":", "?"):
            return None
        if item.text != "[" or item.attribute:
            continue
        before = items[i - 1] if i > 0 else None
        subscript = before and (before.text in ("(", "[") or (before.is_word and before.text != "return"))
        return None if subscript else item
    return None


def is_body(items):
    """Whether a brace behind the items of a statement in a scope opens the body of a function."""
    parameters = next((i for i, item in enumerate(items) if item.text == "("), None)
    words = [item.text for item in items]
    if parameters is None or ("=" in words and "operator" not in words):
        return False
    after = items[parameters + 1:]
    if any(item.text == ":" for item in after):  # a constructor's initialisers
        return items[-1].text in ("(", "{")
    if any(item.text == "->" for item in after):
        return True
    while items[-1].text in QUALIFIERS:
        items = items[:-1]
    return items[-1].text == "("


def opens(frame):
    """What a brace opens that follows the statement of the frame: its kind, and a function's first line."""
    items = without_template(frame.statement)
    if found := lambda_before(items):
        return "body", found.line
    if any(item.text == "requires" for item in items[-2:]):
        return "scope", None
    if frame.kind == "scope":
        words = {item.text for item in items if item.is_word}
        if is_body(items):
            return "body", frame.statement[0].line
        return ("scope" if not items or words & SCOPES else "value"), None
    if frame.kind == "body":
        if not items or items[0].text in CONTROL:
            return "body", None
        words = [item.text for item in items if item.text not in ("const", "static", "constexpr")]
        if words[0] in SCOPES and "=" not in words:
            return "scope", None
    return "value", None


def functions(source):
    """Functions and lambdas with a body, in the order of their closing braces. ValueError: cannot read the source."""
    rows = source.split("\n")
    stack = [Frame("", "scope", 1)]
    line = 1
    for token in TOKEN.finditer(source):
        here, text = line, token.group()
        line += text.count("\n")
        if token.lastgroup == "skip":
            continue
        frame = stack[-1]
        statement = frame.statement
        if text in CLOSED_BY:
            kind, starts_at = opens(frame) if text == "{" else ("value", None)
            stack.append(Frame(text, kind, here, starts_at))
        elif text in CLOSED_BY.values():
            if CLOSED_BY.get(frame.bracket) != text:
                raise ValueError(f"line {here}: {text} without its beginning")
            stack.pop()
            outer = stack[-1].statement
            attribute = frame.bracket == "[" and [item.text for item in statement] == ["["]
            outer.append(Item(frame.bracket, frame.line, attribute=attribute))
            if frame.starts_at is not None:
                yield Function(rows[frame.starts_at - 1].strip(), frame.starts_at, here - frame.starts_at + 1)
            # A lambda or a value may be followed by more of its statement.
            of_lambda = frame.starts_at is not None and lambda_before(without_template(outer[:-1]))
            if frame.kind in ("body", "scope") and not of_lambda:
                outer.clear()
        elif text == ";":
            if frame.bracket == "{" and frame.kind == "value":
                raise ValueError(f"line {frame.line}: a value with statements in it, so it is none")
            statement.clear()
        elif text == ":" and statement and (
                statement[0].text in ("case", "default", "public", "protected", "private")):
            statement.clear()
        else:
            statement.append(Item(text, here, is_word=token.lastgroup == "word"))
    if len(stack) > 1:
        raise ValueError(f"line {stack[-1].line}: {stack[-1].bracket} without its end")
