"""The .proto files say what every number is: its unit, its shape, and what a vector is relative to."""

import re
import unittest

from repository import files, text

OPTIONS = r"\[(?:[^\[\]]|\[[^\]]*\])*\]"  # some of them lists
FIELD = re.compile(rf"^\s*(?:optional\s+)?(repeated\s+)?([\w.]+)\s+(\w+)\s*=\s*(\d+)\s*({OPTIONS}\s*)?;\s*(?://\s*(.*))?$")
BLOCK = re.compile(r"^\s*(message|oneof|enum|extend)\s+([\w.]+)\s*\{(.*)$")
REAL = {"double", "float"}
NUMBER = REAL | {"sint32", "sint64", "fixed32", "fixed64", "uint32", "uint64"}
# At the end of a name, or before another unit, as in contacts_m_n.
UNIT = re.compile(r"_(s|us|m|mm|rad|deg|n|nm|nms|hz|kg|kgm2|mps|j|bytes)(_\w+)?$")


def fields(source):
    """(message, repeated, type, name, options and comment, comments above the message and field) of each field."""
    stack, above, found = [], "", []
    for line in source.splitlines():
        stripped = line.strip()
        block, field = BLOCK.match(line), FIELD.match(line)
        if stripped.startswith("//"):
            above += " " + stripped[2:]
            continue
        if block:
            if not block.group(3).strip().startswith("}"):
                stack.append((block.group(1), block.group(2), above))
        elif stripped.startswith("}"):
            stack.pop()
        elif field and stack and stack[-1][0] != "enum":
            messages = [name for kind, name, _ in stack if kind == "message"]
            notes = " ".join(note for _, _, note in stack) + above
            found.append((".".join(messages), bool(field.group(1)), field.group(2), field.group(3),
                          f'{field.group(5) or ""} {field.group(6) or ""}'.strip(), notes))
        above = ""
    return found


def faults(source):
    """What the fields of a .proto file leave unsaid, as lines of text."""
    found = []
    for message, repeated, kind, name, comment, notes in fields(source):
        said = f"{comment} {notes}".strip()
        where = f"{message}.{name}"
        if kind in REAL and not UNIT.search(name) and not said:
            found.append(f"{where}: neither a unit in its name nor a comment")
        if repeated and kind in NUMBER and not re.search(r"\[[^\]]+\]|\barray\b|[Ii]ds?\b|up to", said):
            found.append(f"{where}: a comment gives no shape, as in [3]")
        if kind in ("int32", "int64"):
            found.append(f"{where}: {kind} takes ten bytes when negative; use s{kind} or u{kind}")
    return found


class Protocol(unittest.TestCase):
    def setUp(self):
        self.sources = {p: text(p) for p in files(".proto", under="proto")}

    def test_has_fields_that_this_test_can_read(self):
        bare = [re.sub(r"//.*", "", source) for source in self.sources.values()]
        count = sum(len(fields(source)) for source in self.sources.values())
        declared = sum(len(re.findall(rf"=\s*\d+\s*(?:{OPTIONS}\s*)?;", source)) for source in bare)
        enums = sum(len(re.findall(r"=\s*\d+\s*;", body)) for source in bare
                    for body in re.findall(r"enum\s+\w+\s*\{([^}]*)\}", source))
        self.assertGreater(count, 100)
        self.assertEqual(count, declared - enums)

    def test_every_number_says_its_unit_and_every_array_its_shape(self):
        found = [f"{p}: {fault}" for p, source in self.sources.items() for fault in faults(source)]
        self.assertEqual(found, [])

    def test_vectors_say_their_frame(self):
        """A position, velocity or force is relative to something: a comment names the frame."""
        frame = re.compile(r"[Ww]orld|[Ff]rame|parent|child|link axes|relative|axis|\bx, y|extents")
        found = [f"{p}: {message}.{name}" for p, source in self.sources.items()
                 for message, repeated, kind, name, comment, notes in fields(source)
                 if repeated and kind in REAL and re.search(r"_(m|mps|n)(_\w+)?$", name)
                 and not frame.search(f"{comment} {notes} {self.header(source)}")]
        self.assertEqual(found, [])

    @staticmethod
    def header(source):
        """Comments before the first message hold for the whole file where they speak of frames."""
        top = source.split("message", 1)[0]
        return " ".join(line for line in top.splitlines() if line.startswith("// Frame"))

    def test_every_message_of_the_socket_and_of_the_api_is_told_of_in_the_documentation(self):
        documentation = text("docs/protocol.md")
        untold = []
        for name in ("wire.proto", "command.proto", "api.proto", "people.proto"):
            source = text(f"proto/promenade/v1/{name}")
            untold += [f"{name}: {message}" for message in re.findall(r"^message (\w+)", source, re.M)
                       if not re.search(rf"\b{message}\b", documentation)]
        self.assertEqual(untold, [])

    def test_faults_are_found(self):
        self.assertEqual(len(faults("message A {\n  double x = 1;\n}\n")), 1)
        self.assertEqual(len(faults("message A {\n  repeated double at_m = 1;\n}\n")), 1)
        self.assertEqual(len(faults("message A {\n  int32 n = 1;  // a count\n}\n")), 1)
        self.assertEqual(faults("message A {\n  double x_m = 1;\n  repeated double y_m = 2;  // [3]\n}"),
                         [])


if __name__ == "__main__":
    unittest.main()
