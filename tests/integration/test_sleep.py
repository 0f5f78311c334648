"""A room that nobody watches uses no processor, and is there at once when somebody comes."""

import asyncio
import time
import unittest

from harness import ServerTestCase, joined


class Sleep(ServerTestCase):
    arguments = ("--sleep-after", "1", "--room", "main:square,two:square,three:square")

    def asleep(self, rooms=3):
        deadline = time.monotonic() + 20
        while self.server.metric("promenade_asleep") < rooms:
            self.assertLess(time.monotonic(), deadline, "the rooms do not fall asleep")
            time.sleep(0.1)

    def tick(self):
        """Without a request for the state, which would wake the room."""
        return self.server.metric("promenade_ticks_total")

    async def test_uses_no_processor_and_is_ready(self):
        self.asleep()
        ticks, used = self.tick(), self.server.metric("process_cpu_seconds_total")
        await asyncio.sleep(6)
        self.assertEqual(self.tick(), ticks)
        share = (self.server.metric("process_cpu_seconds_total") - used) / 6
        print(f"three sleeping rooms use {100 * share:.2f} % of a core")
        self.assertLess(share, 0.05)
        self.assertEqual(self.server.get("/readyz")[0], 200)

    async def test_ends_for_a_viewer_who_sees_it_go_on_where_it_was(self):
        self.asleep()
        before = self.tick()
        async with joined(self.server) as viewer:
            first = await viewer.until("frame")
            self.assertFalse(first.paused)
            later = await viewer.until("frame", accept=lambda f: f.tick >= first.tick + 60)
            self.assertFalse(later.paused)
            self.assertGreater(self.tick(), before + 50)
            self.assertEqual(self.server.metric("promenade_asleep"), 2, "the others sleep on")
            await asyncio.sleep(2)  # longer than it takes to fall asleep unwatched
            self.assertEqual(self.server.metric("promenade_asleep"), 2)
        self.asleep()

    async def test_ends_for_commands_and_for_who_asks_for_the_state(self):
        self.asleep()
        status, answer = self.server.post({"stop": {"character": 1}})
        self.assertEqual(status, 200, answer)
        self.assertEqual(self.server.metric("promenade_asleep"), 2)
        self.asleep()
        tick = int(self.server.state("two")["tick"])
        self.server.wait_for_state(lambda s: int(s["tick"]) > tick + 20, "two")
        self.asleep()

    async def test_does_not_change_what_is_told_of_the_clock(self):
        self.server.post({"set_time_scale": {"scale": 0.5}})
        self.asleep()
        async with joined(self.server) as viewer:
            await asyncio.sleep(2)
            frame = await viewer.until("frame", accept=lambda f: 0 < f.real_time_factor)
            await viewer.until("frame", accept=lambda f: 0.3 < f.real_time_factor < 0.6)
            self.assertAlmostEqual(frame.time_scale, 0.5)
        self.server.post({"set_time_scale": {"scale": 1}})


if __name__ == "__main__":
    unittest.main()
