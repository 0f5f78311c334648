"""What happens in a room outlives the process, however that ends and whatever the disk does."""

import json
import os
import pathlib
import random
import re
import tempfile
import time
import unittest

from crashing import Commander, Watcher, came_back, newest_segment, replay
from harness import SOURCE, Server, run

ROUNDS = int(os.environ.get("PROMENADE_CRASH_ROUNDS", "20"))
EACCES, EIO, ENOSPC, EROFS = 13, 5, 28, 30


class StateCase(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.directory = pathlib.Path(self.folder.name) / "state"
        self.server = None

    def tearDown(self):
        self.kill()
        self.folder.cleanup()

    def start(self, *arguments, **options):
        options.setdefault("scene", "one")
        self.server = Server("--state-dir", self.directory, *arguments, **options)
        return self.server

    def kill(self):
        if self.server and self.server.alive():
            self.server.process.kill()
            self.server.process.wait()
            self.server.process.stdout.close()
            self.server.last_log = self.server.log_text()
            self.server.log.close()

    def eventually(self, holds, seconds=20):
        deadline = time.monotonic() + seconds
        while not (found := holds()):
            self.assertLess(time.monotonic(), deadline, "it did not come\n" + self.server.log_text())
            time.sleep(0.05)
        return found

    def files(self):
        return sorted(path.name for path in self.directory.iterdir())

    def ids(self):
        state = self.server.state()
        return {one["id"] for kind in ("characters", "things") for one in state.get(kind, [])}


class Restart(StateCase):
    def test_goes_on_and_overwrites_nothing(self):
        for round_ in range(3):
            self.start("--paused")
            self.assertEqual(came_back(self.server) is not None, round_ > 0)
            self.assertEqual(self.server.state()["tick"], str(20 * round_))
            self.assertEqual(self.server.post({"single_step": {"ticks": 20}})[0], 200)
            before = self.server.wait_for_state(lambda s: int(s["tick"]) == 20 * (round_ + 1))
            self.server.stop()
        self.assertEqual([f for f in self.files() if f.endswith(".journal")],
                         [f"main.00000{n}.journal" for n in (1, 2, 3)])
        for what in ([self.directory], [self.directory / "main"],
                     sorted(self.directory.glob("main.*.journal")), [newest_segment(self.directory)]):
            code, told, err = replay(*what)
            self.assertEqual((code, told), (0, before["state_hash"]), err)

    def test_a_room_to_which_nothing_happens_is_back_within_half_a_second(self):
        self.start(scene="square")
        watcher = Watcher(self.server)
        watcher.start()
        self.eventually(lambda: watcher.tick > 130)  # more than one state was written
        self.kill()
        watcher.join()
        self.start("--paused", scene="square")
        self.assertGreaterEqual(came_back(self.server)[0], watcher.tick - 30)

    def test_a_scene_that_was_loaded_and_a_clock_that_was_set_are_there_again(self):
        self.start()
        self.assertEqual(self.server.post({"load_scene": {"scene": "push-lab"}})[0], 200)
        self.assertEqual(self.server.post({"pause": {}})[0], 200)
        before = self.server.wait_for_state(lambda s: s["paused"] and s["scene"] == "push-lab")
        self.kill()
        self.start()
        after = self.server.state()
        for key in ("scene", "tick", "state_hash", "paused"):
            self.assertEqual(after[key], before[key])

    def test_another_scene_or_version_starts_anew_and_says_so(self):
        self.start()
        self.server.wait_for_state(lambda s: int(s["tick"]) > 5)
        self.server.stop()
        self.start(scene="push-lab")
        self.assertIn('header.scene is "one", and the room has "push-lab"', self.server.log_text())
        self.assertEqual(self.server.state()["scene"], "push-lab")
        self.server.stop()
        newest = newest_segment(self.directory)
        newest.write_text(re.sub('"version":"', '"version":"0.', newest.read_text(), count=1))
        self.start(scene="push-lab")
        self.assertIsNone(came_back(self.server))
        self.assertIn("header.version", self.server.log_text())
        self.assertIn("starts from its scene", self.server.log_text())
        self.assertEqual(len(list(self.directory.glob("*.journal"))), 3, "all is kept")

    def test_a_checkpoint_is_put_into_a_room_that_records(self):
        self.start("--paused")
        path = "/api/v1/rooms/main/checkpoint"
        saved = self.server.get_bytes(path)
        before = self.server.state()["state_hash"]
        self.server.post({"single_step": {"ticks": 30}})
        self.server.wait_for_state(lambda s: int(s["tick"]) == 30)
        self.assertEqual(self.server.get(path, method="PUT", body=saved)[0], 200)
        self.server.wait_for_state(lambda s: s["state_hash"] == before)
        self.server.post({"single_step": {"ticks": 15}})
        last = self.server.wait_for_state(lambda s: int(s["tick"]) == 15)["state_hash"]
        self.kill()
        code, told, err = replay(self.directory)
        self.assertEqual((code, told), (0, last), err)
        self.assertIn("a checkpoint was put into the room", err)
        self.start()
        self.assertEqual(came_back(self.server), (15, last))

    def test_files_stay_within_their_limit_under_load(self):
        self.start("--journal-segment-mb", "1", "--journal-total-mb", "2")
        wave = {"follow_path": {"character": 1, "path": {
            "points": [{"x_m": i / 7, "y_m": 1 / (i + 1)} for i in range(250)]}}}
        text = json.dumps(wave)
        for _ in range(600):
            self.assertEqual(self.server.post(text)[0], 200)
        self.eventually(lambda: self.server.metric("promenade_journal_segment") >= 4)
        self.eventually(lambda: sum(p.stat().st_size for p in self.directory.iterdir()) < 4.5e6)
        self.assertGreaterEqual(len(list(self.directory.glob("*.journal"))), 2)
        self.kill()
        code, told, err = replay(self.directory / "main")
        self.assertEqual(code, 0, err)
        self.start()
        self.assertEqual(came_back(self.server)[1], told)

    def test_a_torn_last_line_is_told(self):
        self.start()
        self.server.wait_for_state(lambda s: int(s["tick"]) > 20)
        self.kill()
        path = newest_segment(self.directory)
        path.write_text(path.read_text() + '{"entry":{"tick":"99999","comm')
        code, told, err = replay(path)
        self.assertEqual(code, 0, err)
        self.assertIn("cut off", err)
        self.start()
        self.assertEqual(came_back(self.server)[1], told)
        self.assertIn("cut off", self.server.log_text())

    def test_a_damaged_journal_is_a_warning_that_says_what_is_left_out(self):
        self.start()
        for _ in range(3):
            self.assertEqual(self.server.post({"stop": {"character": 1}})[0], 200)
        self.kill()
        path = newest_segment(self.directory)
        lines = path.read_text().splitlines(keepends=True)
        commands = [i for i, line in enumerate(lines) if '"entry"' in line]
        lines[commands[0]] = '{"entry": nonsense}\n'
        path.write_text("".join(lines))
        for state in self.directory.glob("main.*.at-*.checkpoint"):
            state.unlink()  # which would come after the damage
        self.start("--paused")
        warnings = [line for line in self.server.log_text().splitlines() if " warning room main" in line]
        self.assertEqual(len(warnings), 1, warnings)
        self.assertRegex(warnings[0], rf"{path}:{commands[0] + 1}:.*; left out: "
                                      rf"{len(lines) - commands[0]} lines after tick \d+, to tick \d+, "
                                      "2 commands of them can be read")

    def test_a_room_that_begins_anew_is_a_warning_that_says_what_is_left_out(self):
        self.start()
        self.assertEqual(self.server.post({"stop": {"character": 1}})[0], 200)
        self.server.stop()
        path = newest_segment(self.directory)
        self.start(scene="push-lab")
        self.assertRegex(self.server.log_text(),
                         r" warning room main: starts from its scene; left out: ticks 0 to \d+ with 1 "
                         rf"commands, which are still in {path}")


class StartsThatComeToNothing(StateCase):
    def test_leave_out_the_lines_and_lose_no_file(self):
        self.start(scene="square")
        self.eventually(lambda: list(self.directory.glob("main.*.at-*.checkpoint")), 90)
        self.assertEqual(self.server.post({"pause": {}})[0], 200)
        before = self.server.wait_for_state(lambda s: s["paused"])
        self.kill()
        for _ in range(2):  # paused, so that nothing is recorded
            self.start(scene="square")
            self.assertEqual(came_back(self.server)[1], before["state_hash"])
            self.assertNotIn("without", self.server.get("/readyz")[2])
            self.kill()
        self.start(scene="square")
        self.assertIn("2 starts in a row ended before the room had recorded anything; leaves out "
                      "the lines after its last state", self.server.log_text())
        self.assertIn("room main was started without the lines after its last state",
                      self.server.get("/readyz")[2])
        tick, _ = came_back(self.server)
        self.assertLessEqual(tick, int(before["tick"]))
        aside, = (self.directory / "left-out").iterdir()
        code, told, err = replay(aside / "main")
        self.assertEqual((code, told), (0, before["state_hash"]), err)
        self.eventually(lambda: int(self.server.state()["tick"]) > tick + 30)
        self.kill()
        self.start("--paused", scene="square")  # something was recorded: this is the first again
        self.assertNotIn("without", self.server.get("/readyz")[2])
        self.assertGreaterEqual(came_back(self.server)[0], tick)

    def test_that_end_in_order_do_not_count(self):
        self.start()
        self.server.wait_for_state(lambda s: int(s["tick"]) > 20)
        self.server.stop()
        for _ in range(4):
            self.start("--paused")
            tick = came_back(self.server)[0]
            self.server.stop()
        self.assertGreater(tick, 20)
        self.assertEqual([f for f in self.files() if "starts" in f or "first" in f], [])
        # Nor do those that fail before a room ticks: the port is taken, so the server ends.
        other = Server()
        try:
            for _ in range(4):
                code, _, err = run("serve", "--data", SOURCE / "server/data", "--scene", "one",
                                   "--state-dir", self.directory, "--port", str(other.port))
                self.assertEqual(code, 1, err)
                self.assertNotIn("leaves out", err)
        finally:
            other.stop()


class Sharing(StateCase):
    def test_a_directory_has_one_server(self):
        self.start()
        data = ("--data", SOURCE / "server/data", "--port", "0", "--scene", "one")
        code, out, err = run("serve", *data, "--state-dir", self.directory)
        self.assertEqual((code, out), (1, ""))
        self.assertIn(str(self.directory), err)
        self.assertIn(f"process {self.server.process.pid}", err)
        self.kill()
        self.start()  # the lock went with the process

    def test_a_directory_that_cannot_be_is_named(self):
        file = pathlib.Path(self.folder.name) / "file"
        file.write_text("")
        code, _, err = run("serve", "--data", SOURCE / "server/data", "--state-dir", file)
        self.assertEqual(code, 1)
        self.assertIn(str(file), err)

    def test_two_servers_on_one_store_are_told(self):
        store = pathlib.Path(self.folder.name) / "store.db"
        self.start("--store", store)
        self.assertNotIn("another server", self.server.log_text())
        other = Server("--store", store)
        try:
            self.assertIn(f"also in use by another server, process {self.server.process.pid}",
                          other.log_text())
        finally:
            other.stop()


class Kill(StateCase):
    def test_at_any_moment_loses_nothing_that_was_answered(self):
        chance = random.Random(int(os.environ.get("PROMENADE_CRASH_SEED", "1")))
        answered, lost_ticks, times = 0, [], []
        mine = [set(), set(), set()]
        for round_ in range(ROUNDS):
            self.start()
            commanders = [Commander(self.server, chance.random(), m) for m in mine]
            watcher = Watcher(self.server)
            for one in (*commanders, watcher):
                one.start()
            time.sleep(chance.uniform(0.05, 1.2))
            self.kill()
            for one in (*commanders, watcher):
                one.join()
            self.assertEqual([c.failure for c in commanders if c.failure], [])
            code, told, err = replay(newest_segment(self.directory))
            self.assertEqual(code, 0, err)
            began = time.monotonic()
            self.start("--paused")
            times.append(time.monotonic() - began)
            tick, hash_ = came_back(self.server)
            self.assertEqual(hash_, told, "what the journal leads to")
            self.assertGreaterEqual(tick, watcher.tick - 60, "within a second")
            lost_ticks.append(max(0, watcher.tick - tick))
            here = self.ids()
            for c in commanders:
                self.assertLessEqual(c.here, here, "what was made is there")
                self.assertFalse(c.gone & here, "what was removed is not")
                c.here |= c.doubtful & here
                answered += c.answered
            mine = [c.here for c in commanders]
            self.server.post({"resume": {}})
            self.server.stop()
            self.assertNotIn("differs from the recorded one", self.server.last_log)
        lost_ticks.sort()
        print(f"{ROUNDS} kills, {answered} commands answered, none lost; behind the last frame seen: "
              f"median {lost_ticks[ROUNDS // 2]}, worst {lost_ticks[-1]} ticks; start: "
              f"median {sorted(times)[ROUNDS // 2]:.2f} s, worst {max(times):.2f} s")


class Disk(StateCase):
    """With a layer below the server whose calls fail: see faults.cpp."""

    def setUp(self):
        super().setUp()
        self.switch = pathlib.Path(self.folder.name) / "faults"
        self.variables = {"LD_PRELOAD": os.environ["PROMENADE_FAULTS"],
                          "FAULTS_BELOW": str(self.directory), "FAULTS_WHILE": str(self.switch)}

    def fail(self, call, every, error, milliseconds=0):
        new = self.switch.with_suffix(".new")
        new.write_text(f"{call} {every} {error} {milliseconds}")
        new.rename(self.switch)

    def failing(self):
        return self.server.metric("promenade_journal_failing") == 1

    def spawn(self):
        status, answer = self.server.post({"spawn": {"body": "human"}})
        self.assertEqual(status, 200, answer)
        return answer["ack"]["character"]

    def check_all_there(self, ids):
        """After a kill and on a sound disk."""
        self.kill()
        self.start("--paused")
        self.assertIsNotNone(came_back(self.server), self.server.log_text())
        self.assertLessEqual(ids, self.ids())

    def test_that_fails_at_every_nth_call_loses_nothing(self):
        for call, every in (("write", 2), ("write", 3), ("write", 7), ("fsync", 2), ("fsync", 3),
                            ("open", 2), ("open", 3), ("rename", 2), ("any", 2), ("any", 5)):
            with self.subTest(call=call, every=every):
                self.directory = pathlib.Path(self.folder.name) / f"{call}{every}"
                self.variables["FAULTS_BELOW"] = str(self.directory)
                self.start("--journal-segment-mb", "1", variables=self.variables)
                self.fail(call, every, EIO)
                ids = {self.spawn() for _ in range(20)}
                if self.server.metric("promenade_journal_lost_total") > 0:
                    self.assertIn("cannot be written", self.server.log_text())
                    # Commands that were answered while it failed are safe once it works.
                    self.switch.unlink()
                    self.eventually(lambda: not self.failing())
                self.check_all_there(ids)
                self.kill()
                self.switch.unlink(missing_ok=True)

    def test_that_is_full_or_read_only_is_told_and_catches_up(self):
        for error, text in ((ENOSPC, "No space left"), (EROFS, "Read-only")):
            with self.subTest(text):
                self.directory = pathlib.Path(self.folder.name) / text.split()[0]
                self.variables["FAULTS_BELOW"] = str(self.directory)
                self.start(variables=self.variables)
                self.fail("any", 1, error)
                ids = {self.spawn() for _ in range(5)}  # answered all the same
                self.assertTrue(self.eventually(self.failing))
                self.assertIn(text, self.server.log_text())
                status, _, ready = self.server.get("/readyz")
                self.assertEqual((status, ready), (200, "ready\nroom main is not being recorded\n"))
                self.switch.unlink()
                self.eventually(lambda: not self.failing())
                self.assertIn("the journal is written again", self.server.log_text())
                self.assertGreater(self.server.metric("promenade_journal_lost_total"), 0)
                more = self.spawn()
                code, _, err = replay(self.directory / "main")
                self.assertEqual(code, 0, err)
                self.assertIn("lines before it could not be written", err)
                self.check_all_there(ids | {more})
                self.kill()

    def test_that_takes_lines_but_no_state_is_told_as_such(self):
        self.start("--max-load", "0", scene="hundred", variables=self.variables)
        self.fail("rename", 1, ENOSPC)  # only states are written under another name first
        metric = "promenade_journal_state_failing"
        self.eventually(lambda: self.server.metric(metric) == 1, 90)
        self.assertFalse(self.failing())
        self.assertEqual(self.server.get("/readyz")[2],
                         "ready\nroom main is recorded, but its newest state cannot be written, so a "
                         "restart will take longer\n")
        made = self.spawn()
        self.switch.unlink()
        self.eventually(lambda: self.server.metric(metric) == 0, 90)
        self.assertEqual(self.server.metric("promenade_journal_lost_total"), 0)
        self.kill()
        self.start("--paused", scene="hundred")
        self.assertIn(made, self.ids())

    def test_that_is_slow_holds_nobody_up_for_long(self):
        self.start(variables=self.variables)
        self.fail("write", 1, 0, 4000)
        began = time.monotonic()
        ids = {self.spawn() for _ in range(5)}
        took = time.monotonic() - began
        self.assertLess(took, 12, "five writes of 4 s would be 20")
        self.assertIn("has taken more than a second", self.server.log_text())
        tick = int(self.server.state()["tick"])
        self.server.wait_for_state(lambda s: int(s["tick"]) > tick + 30)
        self.switch.unlink()
        self.eventually(lambda: not self.failing(), 30)
        self.check_all_there(ids)

    def test_that_is_slow_to_sync_holds_no_answer_up(self):
        self.start(variables=self.variables)
        self.fail("fsync", 1, 0, 3000)
        time.sleep(1)  # a sync is under way
        began = time.monotonic()
        ids = {self.spawn() for _ in range(10)}
        self.assertLess(time.monotonic() - began, 3)
        self.switch.unlink()
        self.check_all_there(ids)

    def test_that_fails_at_the_start_is_an_error(self):
        self.directory.mkdir()
        self.fail("any", 1, EACCES)
        with self.assertRaises(AssertionError) as raised:
            self.start(variables=self.variables)
        self.assertIn("Permission denied", str(raised.exception))
        self.assertIn(str(self.directory), str(raised.exception))


if __name__ == "__main__":
    unittest.main()
