"""From a command to the frame that shows its effect."""

import unittest

from harness import ServerTestCase
from latency import measure, quantile


class Latency(ServerTestCase):
    scene = "square"
    threads = 2

    async def test_command_to_frame_takes_less_than_120_ms(self):
        times = await measure(self.server, 60)
        print(f"command to frame: p50 {1000 * quantile(times, 0.5):.0f} ms, "
              f"p95 {1000 * quantile(times, 0.95):.0f} ms")
        self.assertLess(quantile(times, 0.95), 0.120)


if __name__ == "__main__":
    unittest.main()
