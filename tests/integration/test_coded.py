"""Frames coded for a viewer's camera: only for viewers that ask, small, none missing, and refused for a nonsensical camera."""

import asyncio
import math
import time

from harness import SLOWNESS, ServerTestCase, joined
from promenade.v1 import wire_pb2 as wire
from test_wire import narrow_viewer

CAMERA = {"eye_m": [12, 0, 2], "forward": [-1, 0, -0.1], "height_rad": 0.56, "aspect": 1.8}
KEY = 1  # of the first byte of Frame.coded


class Coded(ServerTestCase):
    scene = "hundred"

    async def coded(self, viewer, accept=lambda coded: True):
        frame = await viewer.until("frame", accept=lambda frame: frame.coded and accept(frame.coded))
        self.assertFalse(frame.root_position or frame.joint or frame.flags)
        return frame

    async def test_only_for_who_asks_and_until_they_ask_no_more(self):
        async with joined(self.server) as viewer, joined(self.server) as other:
            self.assertIn("coded-2", viewer.last("hello").capabilities)
            whole = await viewer.until("frame")
            self.assertEqual((len(whole.flags), whole.coded), (100, b""))
            await viewer.send(viewpoint=CAMERA)
            first = await self.coded(viewer)
            self.assertTrue(first.coded[0] & KEY)
            sequence = first.coded[1]
            for _ in range(30):
                frame = await self.coded(viewer)
                sequence = (sequence + 1) % 256
                self.assertEqual(frame.coded[:2], bytes([0, sequence]))
                self.assertLess(len(frame.coded), len(whole.SerializeToString()) / 2)
            self.assertEqual(len((await other.until("frame")).flags), 100)
            await viewer.send(viewpoint={"key": True, **CAMERA})
            await self.coded(viewer, accept=lambda coded: coded[0] & KEY)
            await viewer.send(viewpoint={})
            await viewer.until("frame", accept=lambda frame: len(frame.flags) == 100)

    async def test_a_slow_connection_misses_none_of_those_that_were_made(self):
        viewer = await narrow_viewer(self.server)
        try:
            await viewer.send(viewpoint=CAMERA)
            frame = await self.coded(viewer)
            sequence = frame.coded[1]
            deadline = time.monotonic() + 12 * SLOWNESS
            pause = 1.5  # s, without reading; longer from round to round, for a server that makes few frames a second
            while frame.dropped <= 10:
                self.assertLess(time.monotonic(), deadline, "the connection was never slow")
                await asyncio.sleep(pause)
                pause *= 2
                for _ in range(10):
                    frame = await self.coded(viewer)
                    sequence = (sequence + 1) % 256
                    self.assertEqual(frame.coded[1], sequence)
        finally:
            await viewer.socket.close()

    async def test_nonsense_is_refused_and_changes_nothing(self):
        async with joined(self.server) as viewer:
            wrong = {
                "viewpoint.eye_m": {"eye_m": [1, 2]},
                "viewpoint.eye_m[1]": {"eye_m": [1, math.nan, 2]},
                "viewpoint.forward": {"forward": [0, 0, 0]},
                "viewpoint.forward[2]": {"forward": [1, 0, math.inf]},
                "viewpoint.height_rad": {"height_rad": 3.5},
                "viewpoint.aspect": {"aspect": -1},
            }
            for field, values in wrong.items():
                error = await viewer.ask(viewpoint={**CAMERA, **values})
                self.assertIsInstance(error, wire.Error, field)
                self.assertEqual((error.code, error.field), (wire.INVALID, field))
                self.assertEqual((await viewer.until("frame")).coded, b"")

    async def test_a_camera_that_moves_all_the_time_is_slowed_down(self):
        async with joined(self.server) as viewer:
            for _ in range(90):
                await viewer.send(viewpoint=CAMERA)
            error = await viewer.until("error")
            self.assertEqual((error.code, error.field), (wire.RATE_LIMITED, "viewpoint"))
            await self.coded(viewer)
