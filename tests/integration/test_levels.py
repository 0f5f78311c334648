"""How many characters are in full physics, as the server decides by load and by what is seen: in the journal, and off where
a run must repeat."""

import asyncio
import pathlib
import tempfile
import unittest

from crashing import newest_segment, replay
from harness import Server, joined

SCENE = "crossing"
CAMERA = {"forward": [-1, 0, -0.1], "height_rad": 0.56, "aspect": 1.8}


class Levels(unittest.IsolatedAsyncioTestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.directory = pathlib.Path(folder.name)

    def start(self, *arguments):
        server = Server(*arguments, scene=SCENE)
        self.addCleanup(lambda: server.alive() and server.stop())
        return server

    async def look(self, server, x, seconds=1.6):
        """Somebody looks from there for long enough for the server to tell the room three times."""
        async with joined(server) as viewer:
            await viewer.send(viewpoint={"eye_m": [x, 0, 2], **CAMERA})
            await asyncio.sleep(seconds)

    async def run_of_a_second(self, x, *arguments):
        """The state's hash after 60 ticks that are stepped singly while somebody looks from there."""
        server = self.start("--paused", *arguments)
        async with joined(server) as viewer:
            await viewer.send(viewpoint={"eye_m": [x, 0, 2], **CAMERA})
            await asyncio.sleep(1.2)
            await viewer.command(single_step={"ticks": 60})
            state = await asyncio.to_thread(server.wait_for_state, lambda s: int(s["tick"]) >= 60)
        server.stop()
        return state["state_hash"]

    async def test_are_in_the_journal_whoever_sent_them(self):
        server = self.start("--state-dir", self.directory)
        await self.look(server, 12)
        await self.look(server, -12)
        server.stop()
        self.assertIn("set_detail", newest_segment(self.directory).read_text())
        code, told, err = replay(self.directory / "main")
        self.assertEqual(code, 0, told + err)

    async def test_are_not_sent_where_they_are_fixed(self):
        server = self.start("--state-dir", self.directory, "--fixed-levels")
        await self.look(server, 12)
        await self.look(server, -12)
        server.stop()
        self.assertNotIn("set_detail", newest_segment(self.directory).read_text())

    async def test_fixed_ones_give_the_same_run_whoever_looks(self):
        fixed = [await self.run_of_a_second(x, "--fixed-levels") for x in (12, -12)]
        self.assertEqual(fixed[0], fixed[1])
        free = [await self.run_of_a_second(x) for x in (12, -12)]
        self.assertNotEqual(free[0], free[1])


if __name__ == "__main__":
    unittest.main()
