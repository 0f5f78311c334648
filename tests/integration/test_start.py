"""The first seconds: the port is open while the rooms are made, and says how far they are."""

import json
import pathlib
import shutil
import tempfile
import time
import unittest

from harness import SLOWNESS, SOURCE, Server, connected, wire
from promenade.v1 import command_pb2


def data_of_its_own(directory):
    """A data directory with people of whom nobody has measured how they walk."""
    data = pathlib.Path(directory) / "data"
    shutil.copytree(SOURCE / "server/data", data)
    for path in (data / "styles").glob("*.json"):
        style = json.loads(path.read_text())
        style["description"] = style.get("description", "") + f" {time.time()}"
        path.write_text(json.dumps(style))
    return data


class Start(unittest.IsolatedAsyncioTestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.data = data_of_its_own(self.directory.name)

    def serve(self, *arguments, wait=False, store=":memory:"):
        server = Server("--data", self.data, "--max-load", "0", *arguments, scene="plaza", wait=wait,
                        variables={"PROMENADE_STORE": str(store)})
        self.addCleanup(lambda: server.alive() and server.stop())
        return server

    async def test_whoever_comes_before_the_room_is_made_is_told_how_far_it_is_and_gets_in(self):
        server = self.serve()
        self.assertEqual(server.get("/healthz")[0], 200)
        status, _, text = server.get("/readyz")
        self.assertEqual(status, 503)
        self.assertRegex(text, r"room main is being made: ")
        status, headers, text = server.get("/api/v1/rooms/main/state")
        self.assertEqual((status, headers["Retry-After"]), (503, "1"))
        self.assertIn("the room main is being made", json.loads(text)["error"]["message"])
        async with connected(server) as viewer:
            await viewer.send(join=wire.Join(client="test"))
            pushed = await viewer.send(command=command_pb2.Command(resume={}))  # without waiting for hello
            notice = await viewer.until("event")
            self.assertRegex(notice.text, r"The room main is being made: .*%")
            hello = await viewer.until("hello", timeout=60)
            self.assertEqual(hello.room, "main")
            answer = await viewer.until("ack", "error", timeout=60)
            self.assertEqual(answer.seq, pushed)
            await viewer.until("frame", timeout=60)
        self.assertEqual(server.get("/readyz")[0], 200)
        self.assertGreater(len(server.state()["characters"]), 500)

    def test_an_unknown_room_is_none_that_is_being_made(self):
        server = self.serve()
        self.assertEqual(server.get("/api/v1/rooms/nowhere/state")[0], 404)

    def test_a_server_stops_while_it_makes_rooms(self):
        server = self.serve()
        self.assertEqual(server.get("/readyz")[0], 503)
        took, code = server.stop()
        self.assertEqual(code, 0)
        self.assertLess(took, 6 * SLOWNESS)

    def test_gaits_that_were_measured_are_found_at_the_next_start(self):
        store = pathlib.Path(self.directory.name) / "kept" / "promenade.db"
        for arguments in ([], ["--isolate"]):
            with self.subTest(arguments=arguments):
                self.serve(*arguments, wait=True, store=store).stop()
                kept = {p.name: p.read_bytes() for p in (store.parent / "gaits").iterdir()}
                self.assertEqual(len(kept), 30)
        # One is damaged, and comes again, as it was.
        name = sorted(kept)[0]
        damaged = bytearray(kept[name])
        damaged[len(damaged) // 2] ^= 1
        (store.parent / "gaits" / name).write_bytes(damaged)
        self.serve(wait=True, store=store).stop()
        self.assertEqual({p.name: p.read_bytes() for p in (store.parent / "gaits").iterdir()}, kept)


if __name__ == "__main__":
    unittest.main()
