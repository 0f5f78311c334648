"""The example client of the documentation runs, and does what it says."""

import asyncio
import os
import re
import sys
import unittest

from harness import SOURCE, ServerTestCase

EXAMPLE = SOURCE / "docs/examples/client.py"


class Example(ServerTestCase):
    def test_is_short(self):
        code = re.sub(r'^""".*?"""\n', "", EXAMPLE.read_text(), flags=re.DOTALL)
        self.assertLessEqual(len([line for line in code.splitlines() if line.strip()]), 15)

    async def test_prints_positions_and_sends_the_character_walking(self):
        client = await asyncio.create_subprocess_exec(
            sys.executable, str(EXAMPLE), f"ws://localhost:{self.server.port}/ws",
            stdout=asyncio.subprocess.PIPE, env=os.environ)
        try:
            line = (await asyncio.wait_for(client.stdout.readline(), 10)).decode()
            self.assertRegex(line, r"^x -?\d+ mm, y -?\d+ mm, z \d+ mm$")
            for _ in range(10):
                await asyncio.wait_for(client.stdout.readline(), 5)
            self.assertAlmostEqual(self.server.state()["characters"][0]["desired_velocity_mps"][0],
                                   0.8, places=6)
        finally:
            client.kill()
            await client.wait()


if __name__ == "__main__":
    unittest.main()
