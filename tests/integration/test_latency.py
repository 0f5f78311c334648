"""From a command to the frame that shows its effect."""

import statistics
import unittest

from harness import ServerTestCase
from latency import measure, quantile

LIMIT_S = 0.120
ROUNDS = 3
COMMANDS = 30  # a round


class Latency(ServerTestCase):
    scene = "square"
    threads = 2

    async def test_command_to_frame_takes_less_than_120_ms(self):
        # The median of the rounds counts: a round in which others had the machine does not decide,
        # and neither does a lucky one.
        rounds = []
        for _ in range(ROUNDS):
            times = await measure(self.server, COMMANDS)
            rounds.append(quantile(times, 0.95))
            print(f"command to frame: p50 {1000 * quantile(times, 0.5):.0f} ms, "
                  f"p95 {1000 * rounds[-1]:.0f} ms")
        median = statistics.median(rounds)
        print(f"p95 of {ROUNDS} rounds: median {1000 * median:.0f} ms, "
              f"worst {1000 * max(rounds):.0f} ms")
        self.assertLess(median, LIMIT_S)


if __name__ == "__main__":
    unittest.main()
