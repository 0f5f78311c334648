"""Nothing that was saved is lost by a kill at any moment."""

import json
import pathlib
import random
import signal
import tempfile
import threading
import time
import unittest

from harness import Server

KINDS = ("styles", "bodies")


class Saver(threading.Thread):
    """Saves as fast as the server answers, new names and new versions of old ones."""

    def __init__(self, server, kept, seed):
        super().__init__()
        self.server = server
        self.kept = kept  # (kind, name, version): the number that was saved
        self.random = random.Random(seed)
        self.acknowledged = 0
        self.failure = None

    def run(self):
        newest = {}
        for kind, name, version in self.kept:
            newest[kind, name] = max(version, newest.get((kind, name), 0))
        while True:
            kind, name = self.random.choice(KINDS), f"n{self.random.randrange(40)}"
            number = self.random.uniform(0.5, 2)
            content = {"lean_deg": number} if kind == "styles" else {
                "base": "human", "edit": {"scale": number}}
            based_on = newest.get((kind, name), 0)
            try:
                status, _, text = self.server.get(f"/api/v1/{kind}/{name}?version={based_on}",
                                                  method="PUT", body=json.dumps(content).encode())
            except (OSError, ValueError, EOFError):  # killed
                return
            except Exception as error:  # http.client's, of an answer that was cut off
                if type(error).__module__ != "http.client":
                    self.failure = repr(error)
                return
            if status == 409:
                # The last one before a kill was saved although nobody was told.
                newest[kind, name] = int(json.loads(text)["error"]["allowed"])
                continue
            if status != 200:
                self.failure = text
                return
            version = json.loads(text)["saved"]["version"]
            newest[kind, name] = version
            self.kept[kind, name, version] = number
            self.acknowledged += 1


def number_in(kind, record):
    definition = record["definition"]
    return definition["lean_deg"] if kind == "styles" else definition["edit"]["scale"]


class Kills(unittest.TestCase):
    def test_every_acknowledged_save_is_there_and_whole(self):
        random_moments = random.Random()
        kept = {}
        with tempfile.TemporaryDirectory() as directory:
            file = pathlib.Path(directory) / "promenade.db"
            for round_number in range(10):
                server = Server("--store", str(file))
                saver = Saver(server, kept, round_number)
                saver.start()
                time.sleep(random_moments.uniform(0.02, 0.6))
                server.process.send_signal(signal.SIGKILL)
                server.process.wait(10)
                saver.join(20)
                self.assertFalse(saver.is_alive())
                self.assertIsNone(saver.failure)
                server.process.stdout.close()
                server.log.close()
                self.check(str(file), kept)
            self.assertGreater(len(kept), 50, "too little was saved to show anything")

    def check(self, file, kept):
        # Thousands of versions are asked for as fast as one can.
        server = Server("--store", file, "--request-rate", "100000")
        try:
            for (kind, name, version), number in kept.items():
                status, _, text = server.get(f"/api/v1/{kind}/{name}?version={version}")
                self.assertEqual(status, 200, f"{kind}/{name} version {version} is gone: {text}")
                self.assertEqual(number_in(kind, json.loads(text)), number)
            for kind in KINDS:
                listed = json.loads(server.get(f"/api/v1/{kind}")[2])["entries"]
                in_force = {e["name"]: e["version"] for e in listed if not e["built_in"]}
                newest = {}
                for other, name, version in kept:
                    if other == kind:
                        newest[name] = max(version, newest.get(name, 0))
                for name, version in newest.items():
                    # One more may have been saved in the moment of a kill.
                    self.assertGreaterEqual(in_force.get(name, 0), version, f"{kind}/{name}")
        finally:
            server.stop()

    def test_a_file_that_cannot_be_used_is_named(self):
        with tempfile.TemporaryDirectory() as directory:
            file = pathlib.Path(directory) / "not.db"
            file.write_text("something else entirely " * 500)
            before = file.read_bytes()
            with self.assertRaisesRegex(AssertionError, r"not\.db.*--store"):
                Server("--store", str(file))
            self.assertEqual(file.read_bytes(), before)


if __name__ == "__main__":
    unittest.main()
