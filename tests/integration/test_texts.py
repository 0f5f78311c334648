"""Every kind of file that a person gives is text in UTF-8: what else it is is told, with file and line."""

import json
import pathlib
import shutil
import tempfile
import unittest

from harness import SOURCE, run

# (what is wrong, how it is made of good text, what is told, in which line). LINES stands for the number of the last.
FAULTS = (
    ("UTF-16", lambda text: text.encode("utf-16"), "the text is UTF-16", 1),
    ("UTF-16 without a mark", lambda text: text.encode("utf-16-le"), "the text is UTF-16", 1),
    ("UTF-32", lambda text: text.encode("utf-32"), "the text is UTF-32", 1),
    ("lone CR", lambda text: text.replace("\n", "\r").encode() + b"\r\r", "a carriage return (CR) without", 1),
    ("a NUL", lambda text: text.encode().replace(b"\n", b"\n\0", 1), "a NUL byte", 2),
    ("Latin-1", lambda text: text.encode().replace(b"\n", b"\n\xe4", 1), "byte 228 is not UTF-8", 2),
)


class Texts(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = pathlib.Path(directory.name)

    def check(self, path, arguments, whole=True):
        """Lays a file down with each fault, and with a mark and with CR LF, which are none.
        whole: the good file ends the command with exit code 0."""
        good = path.read_text()
        self.assertIn("\n", good[:-1])
        for name, bytes_of, told, line in FAULTS:
            with self.subTest(file=path.name, fault=name):
                path.write_bytes(bytes_of(good))
                code, out, err = run(*arguments)
                self.assertEqual(code, 1)
                self.assertIn(f"{path}:{line}: {told}", (out + err).replace("the token file ", ""))
                self.assertNotIn("\0", out + err)
        path.write_bytes(good.encode())
        asked = run(*arguments)
        if whole:
            self.assertEqual(asked[0], 0, asked)
        for name, text in (("a mark", b"\xef\xbb\xbf" + good.encode()), ("CR LF", good.replace("\n", "\r\n").encode())):
            with self.subTest(file=path.name, allowed=name):
                path.write_bytes(text)
                self.assertEqual(run(*arguments)[0], asked[0])
        path.write_bytes(good.encode())

    def data(self):
        copy = self.directory / "data"
        if not copy.exists():
            shutil.copytree(SOURCE / "server/data", copy)
        return copy

    def test_settings(self):
        path = self.directory / "settings.toml"
        path.write_text("# of a test\n[run]\nseconds = 0.1\n")
        self.check(path, ("--config", path, "run", "one", "--hash", "--data", SOURCE / "server/data"))

    def test_tokens(self):
        path = self.directory / "tokens"
        path.write_text("# of a test\nadmin open-sesame\n")
        for command in (("token", "new", "viewer", "--file", path),):
            self.check(path, command)
            path.write_text("# of a test\nadmin open-sesame\n")

    def test_tokens_of_a_server(self):
        path = self.directory / "tokens"
        path.write_text("# of a test\nadmin open-sesame\n")
        path.chmod(0o600)
        self.check(path, ("doctor", "--port", "0", "--scene", "one", "--token-file", path, "--data",
                          SOURCE / "server/data"))

    def test_data(self):
        data = self.data()
        for path in ("creatures/child.json", "things/crate.json", "styles/march.json", "scenes/one.json",
                     "controllers/gbwc.json"):
            self.check(data / path, ("run", "one", "--seconds", "0.1", "--data", data))

    def test_reference(self):
        data = self.data()
        self.check(data / "reference/walk.json", ("report", "walk", "--only", "none*", "--data", data), whole=False)

    def test_commands(self):
        path = self.directory / "commands.jsonl"
        stop = json.dumps({"at_s": 0.01, "command": {"stop": {"character": 1}}})
        path.write_text(f"{stop}\n{stop}\n")
        self.check(path, ("run", "one", "--seconds", "0.1", "--commands", path, "--data", SOURCE / "server/data"))

    def test_objectives(self):
        path = self.directory / "speed.json"
        path.write_text((SOURCE / "server/data/objectives/speed.json").read_text())
        # A log that is there ends the command before it searches.
        log = self.directory / "taken.log"
        log.write_text("")
        self.check(path, ("search", "gbwc", "--objective", path, "--log", log, "--data", SOURCE / "server/data"),
                   whole=False)

    def test_logs_of_searches(self):
        path = self.directory / "search.log"
        path.write_text(json.dumps({"start": {"family": "gbwc"}}) + "\n"
                        + json.dumps({"generation": {"generation": 0}}) + "\n")
        self.check(path, ("search", "gbwc", "--resume", path, "--data", SOURCE / "server/data"), whole=False)

    def test_journals(self):
        path = self.directory / "run.journal"
        code, _, err = run("run", "one", "--seconds", "0.1", "--journal", path, "--data", SOURCE / "server/data")
        self.assertEqual((code, err), (0, ""))
        good = path.read_text()
        for name, bytes_of, told, line in FAULTS:
            if line != 1:  # zeros behind the first line are what a power cut leaves, which is told as such
                continue
            with self.subTest(fault=name):
                path.write_bytes(bytes_of(good))
                code, _, err = run("replay", path, "--data", SOURCE / "server/data")
                self.assertEqual(code, 1)
                self.assertIn(f"{path}:{line}: {told}", err)
        for text in (b"\xef\xbb\xbf" + good.encode(), good.replace("\n", "\r\n").encode()):
            path.write_bytes(text)
            self.assertEqual(run("replay", path, "--data", SOURCE / "server/data")[0], 0)


if __name__ == "__main__":
    unittest.main()
