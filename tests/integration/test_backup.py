"""Backups of a server that runs and is under load, and what a restore makes of them."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading
import time
import unittest

from crashing import Commander, Watcher, came_back, replay
from harness import BINARY, SOURCE, Server
from test_store import Saver

DATA = ("--data", SOURCE / "server/data")
ENOSPC = 28


def program(*arguments, **environment):
    """(exit code, standard output, standard error) of a command; a busy machine may take long."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("PROMENADE_")}
    done = subprocess.run([BINARY, *map(str, arguments), *DATA], capture_output=True, text=True,
                          timeout=120, env={**clean, **environment})
    return done.returncode, done.stdout, done.stderr


class BackupCase(unittest.TestCase):
    guests = "operator"

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.at = pathlib.Path(self.folder.name)
        self.server = None
        self.tokens = self.at / "tokens.txt"
        self.tokens.write_text("admin admin-token-1 me\n")
        self.files = self.files_at(self.at / "one")

    def tearDown(self):
        self.kill()
        self.folder.cleanup()

    def files_at(self, place):
        return ("--store", place / "store.db", "--state-dir", place / "state",
                "--token-file", self.tokens)

    def start(self, *arguments, files=None, **options):
        self.server = Server(*(files or self.files), "--guest-role", self.guests, *arguments,
                             **options)
        return self.server

    def kill(self):
        if self.server and self.server.alive():
            self.server.process.kill()
            self.server.process.wait()
            self.server.process.stdout.close()
            self.server.last_log = self.server.log_text()
            self.server.log.close()

    def backup(self, name="backup", **environment):
        to = self.at / name
        code, out, err = program("backup", *self.files, "--to", to, **environment)
        self.assertEqual(code, 0, err)
        return to

    def verify(self, backup):
        code, out, err = program("backup", "--verify", backup)
        self.assertEqual(code, 0, err)
        return out

    def manifest(self, backup):
        return json.loads((backup / "manifest.json").read_text())


class UnderLoad(BackupCase):
    guests = "admin"  # whose saves have no limit

    def test_every_backup_is_whole_and_one_restored_is_what_was_there(self):
        self.start("--request-rate", "10000")
        kept = {}
        threads = [Commander(self.server, 1), Commander(self.server, 2), Saver(self.server, kept, 3),
                   Watcher(self.server)]
        for one in threads:
            one.start()
        backups, ticks, saved, times = [], [], [], []
        for i in range(4):
            time.sleep(1)
            ticks.append(int(self.server.state()["tick"]))
            saved.append(dict(kept))
            began = time.monotonic()
            backups.append(self.backup(f"b{i}"))
            times.append(time.monotonic() - began)
        self.kill()
        for one in threads:
            one.join()
        for one in threads[:3]:
            self.assertIsNone(one.failure)
        print(f"backups under load took {min(times):.2f} to {max(times):.2f} s")
        for backup, tick in zip(backups, ticks):
            self.verify(backup)
            room, = self.manifest(backup)["rooms"]
            self.assertGreaterEqual(int(room["tick"]), tick - 60, "within a second")
        # One of them into another place; saves answered before the backup are there.
        files = self.files_at(self.at / "two")
        code, out, err = program("restore", "--from", backups[-1], *files)
        self.assertEqual(code, 0, err)
        self.start("--paused", files=files)
        tick, hash_ = came_back(self.server)
        room, = self.manifest(backups[-1])["rooms"]
        self.assertGreaterEqual(tick, int(room["tick"]))
        self.assertLess(tick, int(room["tick"]) + 60)
        code, told, err = replay(backups[-1] / "state" / "main")
        self.assertEqual((code, told), (0, hash_), err)
        there = {(kind, entry["name"]): entry["version"] for kind in ("styles", "bodies")
                 for entry in json.loads(self.server.get(f"/api/v1/{kind}")[2])["entries"]}
        self.assertGreater(len(saved[-1]), 0)
        for kind, name, version in saved[-1]:
            self.assertGreaterEqual(there.get((kind, name), 0), version, (kind, name))

    def test_one_that_is_killed_leaves_nothing_under_its_name(self):
        self.start()
        self.server.wait_for_state(lambda s: int(s["tick"]) > 20)
        code, out, err = program("backup", *self.files, "--to", self.at / "whole")
        self.assertEqual(code, 0, err)
        for delay in (0.0, 0.005, 0.01, 0.02, 0.04, 0.08):
            to = self.at / "b"
            process = subprocess.Popen([BINARY, "backup", *map(str, self.files), "--to", to, *DATA],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(delay)
            process.kill()
            process.wait()
            if to.exists():
                self.verify(to)
                shutil.rmtree(to)
        self.verify(self.backup("after"))
        self.assertEqual(list(self.at.glob("*.backup-part")), [], "what was left is cleared away")


class Damage(BackupCase):
    def setUp(self):
        super().setUp()
        self.start()
        self.server.wait_for_state(lambda s: int(s["tick"]) > 20)
        self.assertEqual(self.server.get("/api/v1/styles/sly", method="PUT",
                                         body=b'{"lean_deg": 3}')[0], 200)

    def test_in_any_file_is_found_before_anything_is_changed(self):
        backup = self.backup()
        self.kill()
        state = sorted((self.at / "one" / "state").iterdir())
        for name in [file["path"] for file in self.manifest(backup)["files"]]:
            file = backup / name
            whole = file.read_bytes()
            for bytes_ in (whole[:-1], whole[:len(whole) // 2] + b"\0" + whole[len(whole) // 2 + 1:],
                           None):
                if bytes_ is None:
                    file.unlink()
                elif bytes_ == whole:
                    continue
                else:
                    file.write_bytes(bytes_)
                for command in (("backup", "--verify", backup),
                                ("restore", "--from", backup, *self.files)):
                    code, _, err = program(*command)
                    self.assertEqual(code, 1)
                    self.assertIn(name, err)
                file.write_bytes(whole)
        (backup / "manifest.json").write_text('{"format": 1, "files": [')
        self.assertEqual(program("backup", "--verify", backup)[0], 1)
        self.assertEqual(sorted((self.at / "one" / "state").iterdir()), state)

    def test_states_of_another_version_are_told(self):
        backup = self.backup()
        manifest = self.manifest(backup)
        manifest["rooms"][0]["version"] = "0.0.1"
        (backup / "manifest.json").write_text(json.dumps(manifest))
        code, _, err = program("backup", "--verify", backup)
        self.assertEqual(code, 1)
        self.assertIn("Promenade 0.0.1", err)

    def test_a_disk_that_is_full_is_told_and_leaves_nothing(self):
        switch = self.at / "faults"
        variables = {"LD_PRELOAD": os.environ["PROMENADE_FAULTS"],
                     "FAULTS_BELOW": str(self.at / "disk"), "FAULTS_WHILE": str(switch)}
        (self.at / "disk").mkdir()
        for call, every in (("write", 1), ("write", 3), ("fsync", 1), ("fsync", 2), ("open", 3),
                            ("rename", 1), ("rename", 3)):
            switch.write_text(f"{call} {every} {ENOSPC} 0")
            to = self.at / "disk" / "b"
            code, _, err = program("backup", *self.files, "--to", to, **variables)
            if code == 0:  # the store's own calls may have met the fault and repeated
                self.verify(to)
                shutil.rmtree(to)
                continue
            self.assertIn(str(self.at / "disk"), err)
            self.assertEqual(list((self.at / "disk").iterdir()), [], (call, every))
        switch.unlink()
        backup = self.backup("disk/b")
        self.verify(backup)
        # Nor does a restore change anything.
        target = self.at / "disk" / "target"
        files = self.files_at(target)
        self.assertEqual(program("restore", "--from", backup, *files)[0], 0)
        before = {p: p.read_bytes() for p in target.rglob("*") if p.is_file()}
        switch.write_text(f"write 1 {ENOSPC} 0")
        code, _, err = program("restore", "--from", backup, *files, **variables)
        self.assertEqual(code, 1)
        self.assertIn("No space left", err)
        after = {p: p.read_bytes() for p in target.rglob("*") if p.is_file()}
        self.assertEqual({p: b for p, b in after.items() if "lock" not in p.name},
                         {p: b for p, b in before.items() if "lock" not in p.name})


class Restore(BackupCase):
    def setUp(self):
        super().setUp()
        self.start("--paused")
        self.step(20)

    def step(self, ticks):
        admin = {"Authorization": "Bearer admin-token-1"}
        now = int(self.server.state()["tick"])
        self.assertEqual(self.server.post({"single_step": {"ticks": ticks}}, headers=admin)[0], 200)
        return self.server.wait_for_state(lambda s: int(s["tick"]) == now + ticks)

    def test_is_refused_while_a_server_runs_there(self):
        backup = self.backup()
        code, _, err = program("restore", "--from", backup, *self.files)
        self.assertEqual(code, 1)
        self.assertIn(f"in use by a running server, process {self.server.process.pid}", err)
        self.assertIn("--room", err)
        self.assertEqual(self.server.state()["tick"], "20")

    def test_sets_aside_what_was_there(self):
        then = self.server.state()
        backup = self.backup()
        self.assertEqual(self.server.get("/api/v1/styles/late", method="PUT", body=b"{}")[0], 200)
        later = self.step(30)
        self.server.stop()
        self.tokens.write_text("admin other-token-1\n")
        code, out, err = program("restore", "--from", backup, *self.files)
        self.assertEqual(code, 0, err)
        self.assertIn("room main at tick 20", out)
        self.assertIn("what was there before has before-", out)
        code, fresh, err = program("restore", "--from", backup, "--store", self.at / "new/s.db",
                                   "--state-dir", self.at / "new/state")
        self.assertEqual(code, 0, err)
        self.assertNotIn("before-", fresh, "nothing was there")
        self.assertIn("admin-token-1", self.tokens.read_text())
        aside, = (self.at / "one" / "state").glob("before-*")
        code, told, err = replay(aside)
        self.assertEqual((code, told), (0, later["state_hash"]), err)
        self.start("--paused")
        self.assertEqual(self.server.state()["state_hash"], then["state_hash"])
        self.assertEqual(self.server.get("/api/v1/styles/late")[0], 404)
        self.server.stop()
        # The store that was set aside is one.
        old, = (self.at / "one").glob("store.db.before-*Z")
        self.start("--paused", files=("--store", old, "--token-file", self.tokens))
        self.assertEqual(self.server.get("/api/v1/styles/late")[0], 200)

    def test_of_one_room_into_a_server_that_runs(self):
        then = self.server.state()
        backup = self.backup()
        self.step(30)
        to = ("--from", backup, "--room", "main", "--server", self.server.url)
        code, _, err = program("restore", *to)
        self.assertEqual(code, 1)
        self.assertIn("403", err)
        code, out, err = program("restore", *to, "--token", "admin-token-1")
        self.assertEqual(code, 0, err)
        self.assertIn(then["state_hash"], out)
        self.assertEqual(self.server.wait_for_state(lambda s: s["tick"] == "20")["state_hash"],
                         then["state_hash"])
        for wrong, text in ((("--room", "cellar"), "no journals of a room of that name"),
                            (("--room", "main", "--server", "ftp://x"), "http://HOST"),
                            (("--room", "main", "--server", "http://127.0.0.1:1"), "refused")):
            code, _, err = program("restore", "--from", backup, *wrong)
            self.assertEqual(code, 1)
            self.assertIn(text, err)

    def test_settings_of_serve_in_a_file_are_those_of_backup_and_restore(self):
        config = self.at / "promenade.toml"
        config.write_text(f'[serve]\nstore = "{self.at}/one/store.db"\n'
                          f'state-dir = "{self.at}/one/state"\nport = 1\n')
        code, out, err = program("--config", config, "backup", "--to", self.at / "b")
        self.assertEqual(code, 0, err)
        self.assertIn("room main: scene one, tick 20", out)
        self.assertIn("not included: a token file", out)
        code, out, _ = program("backup", "--verify", self.at / "b")
        self.assertEqual(code, 0)
        self.assertIn("not included: a token file", out)
        code, _, err = program("--config", config, "restore", "--from", self.at / "b")
        self.assertEqual(code, 1)
        self.assertIn("in use by a running server", err)

    def test_mistakes_are_told(self):
        backup = self.backup()
        for arguments, text in ((("--to", backup), "exists already"), ((), "--to"),
                                (("--to", self.tokens / "b"), "cannot be made"),
                                (("--verify", self.at / "no"), "manifest.json")):
            code, _, err = program("backup", *self.files, *arguments)
            self.assertEqual(code, 1, arguments)
            self.assertIn(text, err)
        for flag in ("--store", "--state-dir"):
            code, _, err = program("backup", flag, self.at / "none", "--to", self.at / "c")
            self.assertEqual(code, 1, flag)
            self.assertIn(str(self.at / "none"), err)
            self.assertIn(flag, err)
            self.assertFalse((self.at / "c").exists())
        code, _, err = program("restore", "--from", backup, "--room", "main", "--server",
                               "http://localhost:1")
        self.assertEqual(code, 1)
        self.assertRegex(err, "http://localhost:1: [A-Z][a-z ]+\n$")
        other = self.at / "other.db"
        other.write_bytes(b"not a database, though long enough to be looked at" * 40)
        code, _, err = program("backup", "--store", other, "--to", self.at / "c")
        self.assertEqual(code, 1)
        self.assertIn(str(other), err)
        self.assertFalse((self.at / "c").exists())


if __name__ == "__main__":
    unittest.main()
