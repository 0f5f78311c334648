"""A disk without room: a server starts on it, says what it cannot do, and does it once there is room."""

import contextlib
import errno
import json
import os
import pathlib
import subprocess
import tempfile
import time
import unittest

from harness import SLOWNESS, Server

ADMIN = {"Authorization": "Bearer admin-token-1"}


class Disk:
    """What both kinds of disk have in common: `self.below` is on it, full() and room() say how it is."""

    isolated = ()

    def serve(self):
        server = Server("--store", self.below / "store/promenade.db", "--state-dir", self.below / "state",
                        "--audit-log", self.below / "audit.json", "--token", "admin:admin-token-1", "--guest-role",
                        "viewer", *self.isolated, variables=self.variables)
        self.addCleanup(lambda: server.alive() and server.stop())
        return server

    def ask(self, server, method, path, body=None):
        status, _, text = server.get(f"/api/v1/{path}", ADMIN, method, body)
        return status, json.loads(text)

    def put(self, server, name, version=0):
        return self.ask(server, "PUT", f"styles/{name}?version={version}", b'{"lean_deg": 3}')

    def wait_for(self, holds, what):
        deadline = time.monotonic() + 15 * SLOWNESS
        while not holds():
            self.assertLess(time.monotonic(), deadline, what)
            time.sleep(0.2)

    def check_full(self, server, *known):
        """It serves, and says what it cannot."""
        self.assertEqual(server.get("/healthz")[0], 200)
        # A process of a room tells how its journal does with its next state.
        self.wait_for(lambda: "room main is not being recorded" in server.get("/readyz")[2], "the journal seems well")
        status, _, ready = server.get("/readyz")
        self.assertEqual(status, 200, ready)
        self.assertIn("nothing can be saved", ready)
        self.assertEqual(server.metric("promenade_store_closed"), 1)
        self.assertEqual(server.metric("promenade_journal_failing"), 1)
        for name in known:
            self.assertEqual(self.ask(server, "GET", f"styles/{name}")[0], 200, name)
        for method, path, body in (("PUT", "styles/new?version=0", b"{}"), ("POST", "invitations", b'{"role": "viewer"}'),
                                   *(("DELETE", f"styles/{name}", None) for name in known)):
            status, answer = self.ask(server, method, path, body)
            error = answer["error"]
            self.assertEqual((status, error["code"], error["field"]), (503, "BUSY", "store"), answer)
            self.assertIn("no room", error["message"])
        tick = int(server.state()["tick"])
        server.wait_for_state(lambda state: int(state["tick"]) > tick)
        self.assertEqual(server.post({"set_velocity": {"character": 1, "x_mps": 0.5}}, headers=ADMIN)[0], 200)

    def check_room(self, server):
        """All is as on any other disk."""
        self.wait_for(lambda: server.get("/readyz")[2] == "ready\n", "the server does not see that there is room")
        self.assertEqual(server.metric("promenade_store_closed"), 0)
        self.assertEqual(self.put(server, "new")[0], 200)

    def test_a_server_starts_on_a_disk_that_has_become_full(self):
        server = self.serve()
        self.assertEqual(self.put(server, "kept")[0], 200)
        before = int(server.state()["tick"])
        server.stop()
        with self.full():
            server = self.serve()
            self.assertGreaterEqual(int(server.state()["tick"]), before, "the room goes on from where it was")
            self.check_full(server, "kept")
        self.check_room(server)
        self.assertEqual(self.put(server, "kept", 1)[0], 200)
        last = int(server.state()["tick"])
        server.stop()
        server = self.serve()
        self.assertEqual(self.ask(server, "GET", "styles/new")[0], 200)
        self.assertEqual(self.ask(server, "GET", "styles/kept")[1]["info"]["version"], 2)
        self.assertGreaterEqual(int(server.state()["tick"]), last)

    def test_a_server_starts_for_the_first_time_on_a_full_disk(self):
        with self.full():
            server = self.serve()
            self.check_full(server)
        self.check_room(server)
        last = int(server.state()["tick"])
        server.stop()
        server = self.serve()
        self.assertEqual(self.ask(server, "GET", "styles/new")[0], 200)
        self.assertGreaterEqual(int(server.state()["tick"]), last)


class Refusing(Disk, unittest.TestCase):
    """No file can be opened for writing: each fails as on a full disk, or as on one that may only be read."""

    error = errno.ENOSPC

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.below = pathlib.Path(directory.name) / "below"
        self.below.mkdir()
        self.switch = pathlib.Path(directory.name) / "faults"
        self.variables = {"LD_PRELOAD": os.environ["PROMENADE_FAULTS"], "FAULTS_BELOW": f"{self.below}/st",
                          "FAULTS_WHILE": str(self.switch)}

    @contextlib.contextmanager
    def full(self):
        self.switch.write_text(f"any 1 {self.error} 0")
        yield
        self.switch.unlink()


class ReadOnly(Refusing):
    error = errno.EROFS


class Isolated(Refusing):
    isolated = ("--isolate",)


def may_mount():
    if os.geteuid() != 0:
        return False
    with tempfile.TemporaryDirectory() as directory:
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", directory], capture_output=True).returncode:
            return False
        subprocess.run(["umount", directory], check=True)
    return True


@unittest.skipUnless(may_mount(), "only root can mount a small disk")
class Full(Disk, unittest.TestCase):
    """A real one of 4 MB."""

    variables = {}

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.below = pathlib.Path(directory.name)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", self.below], check=True)
        self.addCleanup(lambda: subprocess.run(["umount", self.below], check=True))

    @contextlib.contextmanager
    def full(self):
        filler = self.below / "filler"
        with open(filler, "wb", buffering=0) as file, contextlib.suppress(OSError):
            while True:
                file.write(bytes(4096))
        yield
        filler.unlink()


if __name__ == "__main__":
    unittest.main()
