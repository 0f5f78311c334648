"""The first seconds: the port is open while the rooms are made, and says how far they are."""

import errno
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import unittest
from unittest import mock

from harness import BINARY, SLOWNESS, SOURCE, Server, connected, wire
from promenade.v1 import command_pb2

MEASURED = "gaits, as no tables of them were kept"
ADMIN = {"Authorization": "Bearer the-secret"}


def data_of_its_own(directory):
    """A data directory with people whose walk was not measured yet."""
    data = pathlib.Path(directory) / "data"
    shutil.copytree(SOURCE / "server/data", data)
    for path in (data / "styles").glob("*.json"):
        style = json.loads(path.read_text())
        style["description"] = style.get("description", "") + f" {time.time()}"
        path.write_text(json.dumps(style))
    return data


def few_people_of(data, *styles):
    """Leaves these styles and one scene, in which a light person walks in each of them."""
    path = data / "scenes" / "one.json"
    scene = json.loads(path.read_text())
    person = scene["characters"][0] | {"controller": "pendulum"}
    scene["characters"] = [person | {"style": style, "position_m": [0, 2 * i]} for i, style in enumerate(styles)]
    path.write_text(json.dumps(scene))
    for path in (data / "scenes").glob("*.json"):
        if path.stem != "one":
            path.unlink()
    for path in (data / "styles").glob("*.json"):
        if path.stem not in styles:
            path.unlink()


class Start(unittest.IsolatedAsyncioTestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.path = pathlib.Path(self.directory.name)
        self.data = data_of_its_own(self.path)
        self.store = self.path / "kept" / "promenade.db"
        self.gaits = self.store.parent / "gaits"

    def serve(self, *arguments, wait=False, store=":memory:", scene="plaza", **variables):
        server = Server(*arguments, scene=scene, threads=2, wait=wait, data=self.data,
                        variables={"PROMENADE_STORE": str(store), **variables})
        self.addCleanup(lambda: server.alive() and server.stop())
        return server

    def log_of_a_start(self, *arguments, **options):
        """Of the scene that few people are in."""
        server = self.serve(*arguments, wait=True, scene="one", **options)
        self.assertEqual(server.get("/readyz")[0], 200)
        server.stop()
        return server.log_text()

    async def check_waiting(self, *arguments):
        server = self.serve(*arguments)
        self.assertEqual(server.get("/healthz")[0], 200)
        status, _, text = server.get("/readyz")
        self.assertEqual(status, 503)
        self.assertRegex(text, r"room main is being made: ")
        status, headers, text = server.get("/api/v1/rooms/main/state")
        self.assertEqual((status, headers["Retry-After"]), (503, "1"))
        self.assertIn("the room main is being made", json.loads(text)["error"]["message"])
        self.assertEqual(server.get("/api/v1/rooms/nowhere/state")[0], 404)
        rooms = json.loads(server.get("/api/v1/rooms")[2])["rooms"]
        self.assertEqual([(room["id"], room["making"]["scene"]) for room in rooms], [("main", "plaza")])
        async with connected(server) as viewer:
            await viewer.send(join=wire.Join(client="test"))
            pushed = await viewer.send(command=command_pb2.Command(resume={}))  # without waiting for hello
            making = await viewer.until("making")
            self.assertEqual((making.scene, making.first), ("plaza", True))
            asked = await viewer.send(ping=wire.Ping(client_time_us=5))
            pong = await viewer.until("pong")
            self.assertEqual(pong.seq, asked, "it is answered while the room is made")
            shares = [making.share]
            while True:
                message = await viewer.until("making", "hello", timeout=60)
                if isinstance(message, wire.Hello):
                    break
                shares.append(message.share)
            self.assertEqual(shares, sorted(shares))
            self.assertGreater(shares[-1], 0.2)
            self.assertEqual(message.room, "main")
            answer = await viewer.until("ack", "error", timeout=60)
            self.assertEqual(answer.seq, pushed)
            await viewer.until("frame", timeout=60)
        self.assertEqual(server.get("/readyz")[0], 200)
        server.wait_for_state(lambda state: len(state["characters"]) > 0)
        server.stop()
        self.assertIn(MEASURED, server.log_text())

    async def test_whoever_comes_before_the_room_is_made_is_told_how_far_it_is_and_gets_in(self):
        await self.check_waiting()

    async def test_so_in_a_process_of_its_own_with_nowhere_to_keep_a_table(self):
        await self.check_waiting("--isolate")

    def test_a_server_stops_while_it_makes_rooms(self):
        for arguments in ([], ["--isolate"]):
            with self.subTest(arguments=arguments):
                server = self.serve(*arguments)
                self.assertEqual(server.get("/readyz")[0], 503)
                took, code = server.stop()
                self.assertEqual(code, 0)
                self.assertLess(took, 3 * SLOWNESS)

    def test_gaits_that_were_measured_are_found_at_the_next_start(self):
        few_people_of(self.data, "normal", "march", "crouch", "proud", "tiptoe", "stroll")
        self.assertIn(MEASURED, self.log_of_a_start(store=self.store))
        kept = {p.name: p.read_bytes() for p in self.gaits.iterdir()}
        self.assertEqual(len(kept), 6)
        self.assertNotIn(MEASURED, self.log_of_a_start(store=self.store))
        self.assertNotIn(MEASURED, self.log_of_a_start("--isolate", store=self.store))
        # Some are damaged, and come again, as they were: by a bit, cut off, of another format, no files at all.
        names = sorted(kept)
        damaged = bytearray(kept[names[0]])
        damaged[len(damaged) // 2] ^= 1
        (self.gaits / names[0]).write_bytes(damaged)
        (self.gaits / names[1]).write_bytes(kept[names[1]][:1000])
        (self.gaits / names[2]).write_bytes(b"\x02" + kept[names[2]][1:])
        (self.gaits / names[3]).write_bytes(kept[names[4]])
        (self.gaits / names[5]).write_bytes(b"")
        self.assertIn(f"measured 5 {MEASURED}", self.log_of_a_start("--isolate", store=self.store))
        self.assertEqual({p.name: p.read_bytes() for p in self.gaits.iterdir()}, kept)

    def test_no_trouble_with_what_is_kept_keeps_a_server_from_its_start(self):
        few_people_of(self.data, "normal", "march")
        self.store.parent.mkdir()
        self.gaits.write_text("a file where the directory would be")
        for arguments in ([], ["--isolate"]):
            with self.subTest(arguments=arguments):
                self.assertIn(MEASURED, self.log_of_a_start(*arguments, store=self.store))
        self.gaits.unlink()
        # A full disk, and one that may only be read, below the directory of the gaits.
        self.gaits.mkdir()
        faults = self.path / "faults"
        for error in (errno.ENOSPC, errno.EROFS):
            with self.subTest(error=error):
                faults.write_text(f"any 1 {error} 0")
                self.assertIn(MEASURED, self.log_of_a_start(
                    store=self.store, LD_PRELOAD=os.environ["PROMENADE_FAULTS"], FAULTS_BELOW=str(self.gaits),
                    FAULTS_WHILE=str(faults)))
                self.assertEqual(list(self.gaits.iterdir()), [])

    def test_tables_of_an_installation_are_made_once_and_found_by_its_servers(self):
        few_people_of(self.data, "normal")
        program = self.path / "bin" / "promenade"
        program.parent.mkdir()
        shutil.copy(BINARY, program)
        gaits = self.path / "share" / "promenade" / "gaits"

        def make(out):
            return subprocess.run([program, "gaits", "--out", out, "--threads", "2", "--data", self.data],
                                  capture_output=True, text=True, timeout=60 * SLOWNESS)

        with mock.patch("harness.BINARY", program):
            self.assertIn("measured 1 gait,", self.log_of_a_start())
            made = make(gaits)
            self.assertEqual(made.returncode, 0, made.stderr)
            count = len(list(gaits.iterdir()))
            self.assertIn(f"{count} gaits in {gaits}, {count} of them measured now", made.stdout)
            (gaits / "of-another-program.gait").write_text("old")
            self.assertIn(f"{count} gaits in {gaits}, 0 of them measured now", make(gaits).stdout)
            self.assertEqual(len(list(gaits.iterdir())), count)
            for arguments in ([], ["--isolate"]):
                with self.subTest(arguments=arguments):
                    self.assertNotIn("measured", self.log_of_a_start(*arguments))
            refused = make(program)
            self.assertEqual(refused.returncode, 1)
            self.assertIn(f"could not be written to {program}", refused.stderr)

    def test_a_room_is_for_whom_it_was_configured_from_the_first_moment_on(self):
        arguments = ["--guest-role", "viewer", "--token", "admin:the-secret",
                     "--room", "main:one", "--room", "hidden:plaza"]
        server = self.serve(*arguments, wait=True, store=self.store, scene="one")
        change = json.dumps({"byLink": True, "title": "Behind a link"})
        self.assertEqual(server.get("/api/v1/rooms/hidden", ADMIN, "PUT", change.encode())[0], 200)
        server.stop()
        shutil.rmtree(self.gaits)
        server = self.serve(*arguments, store=self.store, scene="one")
        text = server.get("/readyz")[2]
        self.assertIn("is being made", text)
        self.assertNotIn("hidden", text)
        self.assertIn("room hidden is being made", server.get("/readyz", ADMIN)[2])
        self.assertNotIn("hidden", server.get("/api/v1/rooms")[2])
        self.assertIn("Behind a link", server.get("/api/v1/rooms", ADMIN)[2])
        server.wait_until_made()
        self.assertNotIn("hidden", server.get("/api/v1/rooms")[2])


if __name__ == "__main__":
    unittest.main()
