"""Rooms in processes of their own: one that crashes, hangs or takes too much memory takes nobody along."""

import asyncio
import contextlib
import os
import pathlib
import re
import signal
import tempfile
import threading
import time
import unittest

from crashing import replay
from harness import Server, joined, run


def alive(pid):
    with contextlib.suppress(OSError):
        stat = pathlib.Path(f"/proc/{pid}/stat").read_text()
        return stat.rsplit(")", 1)[1].split()[0] not in "ZX"
    return False


class Spectator:
    """A viewer of one room: when its frames came, and of which ticks they were."""

    def __init__(self, server, room):
        self.server, self.room = server, room
        self.frames = []  # (monotonic s, tick)
        self.notices = []
        self.leaving = False

    async def __aenter__(self):
        self.task = asyncio.create_task(self.watch())
        await self.until(lambda: len(self.frames) > 3)
        return self

    async def __aexit__(self, *_):
        self.leaving = True
        await self.task

    async def watch(self):
        async with joined(self.server, room=self.room) as viewer:
            while not self.leaving:
                kind, message = await viewer.receive(30)
                if kind == "frame":
                    self.frames.append((time.monotonic(), message.tick))
                elif kind == "event":
                    self.notices.append(message.text)

    async def until(self, holds, seconds=30):
        deadline = time.monotonic() + seconds
        while not holds():
            if self.task.done():
                self.task.result()
            assert time.monotonic() < deadline, f"room {self.room}: it did not come\n" + self.server.log_text()
            await asyncio.sleep(0.02)

    def gap(self, since=0.0, until=float("inf")):
        """The longest time between two frames."""
        times = [t for t, _ in self.frames if since <= t <= until]
        return max((b - a for a, b in zip(times, times[1:])), default=0.0)


class Builder(threading.Thread):
    """Spawns things in a room, one after the other; knows which were acknowledged."""

    def __init__(self, server, room):
        super().__init__()
        self.server, self.room = server, room
        self.made, self.refused, self.stopping = [], [], False

    def run(self):
        while not self.stopping:
            status, answer = self.server.post({"spawn_thing": {"thing": "ball"}}, room=self.room)
            if status == 200:
                self.made.append(answer["ack"]["character"])
                time.sleep(0.01)
            else:
                self.refused.append((status, answer))
                time.sleep(0.05)

    def stop(self):
        self.stopping = True
        self.join()


class IsolationCase(unittest.IsolatedAsyncioTestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.state_dir = pathlib.Path(folder.name) / "state"
        self.server = None

    def start(self, *arguments, state=True, **options):
        kept = ["--state-dir", self.state_dir] if state else []
        self.server = Server("--isolate", *kept, *arguments, **options)
        self.addCleanup(self.stop)
        return self.server

    def stop(self):
        if self.server.alive():
            self.server.stop()

    def eventually(self, holds, seconds=30):
        deadline = time.monotonic() + seconds
        while not (found := holds()):
            self.assertLess(time.monotonic(), deadline, "it did not come\n" + self.server.log_text())
            time.sleep(0.02)
        return found

    def successor(self, before, room="main", seconds=30):
        """The process that follows `before`."""
        def another():
            now = self.server.room_process(room)
            return now if now and now != before else None
        return self.eventually(another, seconds)

    def restarts(self, cause, room="main"):
        text = self.server.get("/metrics")[2]
        label = rf'promenade_room_restarts_total{{room="{room}",cause="{cause}"}} (\d+)'
        return int(re.search(label, text).group(1))


class OneOfTwoRooms(IsolationCase):
    async def test_a_killed_room_comes_back_and_the_other_notices_nothing(self):
        server = self.start("--room", "left:one,right:one")
        self.assertNotEqual(server.room_process("left"), server.room_process("right"))
        async with Spectator(server, "left") as left, Spectator(server, "right") as right:
            builder = Builder(server, "left")
            builder.start()
            await left.until(lambda: len(builder.made) > 20)
            quiet = right.gap()
            last_tick = left.frames[-1][1]
            killed = time.monotonic()
            os.kill(server.room_process("left"), signal.SIGABRT)  # which no sanitizer takes
            await left.until(lambda: left.frames[-1][0] > killed + 0.1 and left.notices)
            back = next(t for t, _ in left.frames if t > killed + 0.05)
            back_tick = next(tick for t, tick in left.frames if t > killed + 0.05)
            more = len(builder.made)
            await left.until(lambda: len(builder.made) > more + 3)
            await asyncio.to_thread(builder.stop)
            other = right.gap(killed - 0.5)
        print(f"back after {back - killed:.2f} s, {last_tick - back_tick} ticks older; "
              f"the other room's longest gap {other:.3f} s, {quiet:.3f} s before")
        # As long as without a kill, where the machine is slow.
        self.assertLess(other, max(0.2, 3 * quiet))
        self.assertGreaterEqual(back_tick, last_tick - 60)
        self.assertIn("signal 6", left.notices[0])
        self.assertEqual(right.notices, [])
        there = {one["id"] for one in server.state("left")["things"]}
        self.assertLessEqual(set(builder.made), there, "what was acknowledged is there")
        for status, answer in builder.refused:
            self.assertEqual(status, 503, answer)
        self.assertEqual(self.restarts("crash", "left"), 1)
        self.assertEqual(self.restarts("crash", "right"), 0)
        self.assertIn("killed by signal 6", server.log_text())

    async def test_a_room_that_hangs_is_killed_and_comes_back(self):
        server = self.start("--room", "left:one,right:one", "--room-hang-timeout", "2")
        async with Spectator(server, "left") as left, Spectator(server, "right") as right:
            process = server.room_process("left")
            stopped = time.monotonic()
            os.kill(process, signal.SIGSTOP)
            status, answer = await asyncio.to_thread(
                server.post, {"spawn_thing": {"thing": "ball"}}, "left")
            self.assertEqual(status, 503, answer)
            self.assertIn("started again", str(answer))
            await left.until(lambda: left.notices)
            self.assertIn("sign of life", left.notices[0])
            count = len(left.frames)
            await left.until(lambda: len(left.frames) > count + 10)
            self.assertGreater(len([1 for t, _ in right.frames if t > stopped]), 20)
        self.assertFalse(alive(process))
        self.assertEqual((self.restarts("hang", "left"), self.restarts("hang", "right")), (1, 0))


class OneRoom(IsolationCase):
    def test_without_a_journal_a_room_begins_anew(self):
        server = self.start(state=False)
        made = server.post({"spawn": {"body": "human"}})[1]["ack"]["character"]
        server.wait_for_state(lambda s: any(c["id"] == made for c in s["characters"]))
        process = server.room_process()
        os.kill(process, signal.SIGKILL)
        self.successor(process)
        server.wait_for_state(lambda s: all(c["id"] != made for c in s["characters"]))

    def test_too_much_memory_is_told_and_ends_the_process_alone(self):
        server = self.start(state=False)
        used = server.metric("promenade_room_resident_memory_bytes") / 2**20
        server.stop()
        # A hundred people take 5 MB more than one; any budget of work takes them, however busy the machine.
        server = self.start("--room-memory-mb", int(used) + 3, "--max-load", "0", state=False)
        process = server.room_process()
        # Its process may be ended while the scene is made beside the one that is there, or after it was loaded.
        self.assertIn(server.post({"load_scene": {"scene": "hundred"}})[0], (200, 503))
        self.successor(process)
        self.assertIn("MB of memory", server.log_text())
        self.assertEqual(self.restarts("memory"), 1)
        server.wait_for_state(lambda s: s["scene"] == "one")

    def test_a_limit_of_memory_below_what_a_room_needs_is_an_error_of_the_start(self):
        code, _, err = run("serve", "--port", "0", "--isolate", "--room-memory-mb", "1")
        self.assertEqual(code, 1)
        self.assertIn('room "main"', err)
        self.assertIn("MB of memory, above the 1 it may", err)

    def test_what_crashes_at_every_start_goes_on_from_less_and_keeps_the_files(self):
        server = self.start()
        made = server.post({"spawn": {"body": "human"}})[1]["ack"]["character"]
        self.assertEqual(server.post({"pause": {}})[0], 200)  # so that nothing is recorded from now on
        for _ in range(3):
            process = server.room_process()
            os.kill(process, signal.SIGKILL)
            self.successor(process)
            # Not before it has come up: one that is killed earlier has not failed at its state.
            self.eventually(lambda: server.get("/readyz")[0] == 200)
        self.assertIn("leaves out the lines after its last state", server.log_text())
        self.assertIn("room main was started without the lines", server.get("/readyz")[2])
        server.wait_for_state(lambda s: all(c["id"] != made for c in s["characters"]))
        self.assertTrue(list((self.state_dir / "left-out").glob("*/main.*.journal")))

    def test_a_room_that_is_down_is_named_by_readyz(self):
        server = self.start()
        for start in range(3):  # the third start waits for a second
            process = server.room_process()
            os.kill(process, signal.SIGKILL)
            if start < 2:
                self.successor(process)
                self.eventually(lambda: server.get("/readyz")[0] == 200)
        status, _, text = self.eventually(
            lambda: (answer := server.get("/readyz"))[0] == 503 and answer)
        self.assertIn("room main is being started again: its process killed by signal 9", text)
        self.eventually(lambda: server.get("/readyz")[0] == 200)

    def test_no_process_outlives_a_server_that_is_killed(self):
        server = self.start()
        process = server.room_process()
        server.process.kill()
        server.process.wait()
        server.process.stdout.close()
        self.eventually(lambda: not alive(process))

    def test_a_stopped_server_has_closed_its_journals(self):
        server = self.start()
        server.wait_for_state(lambda s: int(s["tick"]) > 20)
        process = server.room_process()
        seconds, code = server.stop()
        self.assertEqual(code, 0)
        self.assertFalse(alive(process))
        newest = sorted(self.state_dir.glob("main.*.journal"))[-1]
        self.assertIn('"end"', newest.read_text().splitlines()[-1])
        code, _, err = replay(newest)
        self.assertEqual(code, 0, err)

    def test_a_room_process_has_the_room_in_its_arguments(self):
        server = self.start("--room", "main:one", "--room", "a-room-with-a-long-name:one")
        for room in ("main", "a-room-with-a-long-name"):
            process = server.room_process(room)
            arguments = pathlib.Path(f"/proc/{process}/cmdline").read_bytes().decode().split("\0")
            self.assertEqual(arguments, ["promenade", "room-process", room, ""])

    def test_a_room_that_goes_on_is_no_warning(self):
        server = self.start()
        process = server.room_process()
        os.kill(process, signal.SIGKILL)
        self.successor(process)
        self.eventually(lambda: server.log_text().count("goes on at tick") >= 2)
        lines = [line for line in server.log_text().splitlines() if "room main: " in line]
        levels = [(re.search(" (info|warning) room", line).group(1), "killed by signal 9" in line)
                  for line in lines if "goes on at" in line or "killed by" in line]
        self.assertIn(("warning", True), levels)
        self.assertNotIn(("warning", False), levels)

    def test_a_room_process_is_nothing_to_start_by_hand(self):
        code, _, err = run("room-process")
        self.assertEqual(code, 1)
        self.assertIn("--isolate", err)
