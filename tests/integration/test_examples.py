"""The programs of docs/examples do what the documentation says of them."""

import asyncio
import json
import os
import re
import subprocess
import sys
import unittest

from harness import BINARY, SLOWNESS, SOURCE, ServerTestCase

EXAMPLES = SOURCE / "docs/examples"


def run(name, *arguments):
    """An example that ends by itself."""
    interpreter = "sh" if name.endswith(".sh") else sys.executable
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PROMENADE_")}
    environment |= {"PROMENADE_DATA": str(SOURCE / "server/data"), "no_proxy": "localhost"}
    return subprocess.run([interpreter, EXAMPLES / name, *arguments], capture_output=True, text=True,
                          timeout=60 * SLOWNESS, env=environment)


def printed(name, *arguments):
    """Its lines."""
    done = run(name, *arguments)
    if done.returncode != 0:
        raise AssertionError(f"{name} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout.splitlines()


def numbers(line):
    return [float(text) for text in re.findall(r"-?\d+\.\d+", line)]


class Ladder(unittest.TestCase):
    def test_every_program_is_run_here(self):
        programs = {p.name for p in EXAMPLES.iterdir() if p.suffix in (".py", ".sh")}
        tests = (SOURCE / "tests/integration/test_examples.py").read_text()
        self.assertEqual({name for name in programs if f'"{name}"' not in tests}, set())
        self.assertEqual(len(programs), 8)

    def test_the_socket_is_followed_in_few_lines(self):
        """README shows this one whole."""
        source = (EXAMPLES / "04_follow_frames.py").read_text()
        code = re.sub(r'^""".*?"""\n', "", source, flags=re.DOTALL)
        self.assertLessEqual(len([line for line in code.splitlines() if line.strip()]), 15)

    def test_a_run_is_read_from_its_table(self):
        lines = printed("01_run_and_read.py", BINARY)
        self.assertEqual(len(lines), 11)  # at 0, 1, ... 10 s
        self.assertRegex(lines[0], r"^ +0 s: human standing, x 0\.00 m")
        walked, speed = numbers(lines[-1])
        self.assertGreater(walked, 4)
        self.assertGreater(speed, 0.5)


class WithAServer(ServerTestCase):
    # In a run of its own each, in the same room: they meet what the others left behind.
    def test_curl_spawns_pushes_and_is_refused(self):
        lines = printed("02_commands.sh", self.server.url)
        self.assertIn('"name":"square"', lines)
        acks = [json.loads(line)["ack"] for line in lines if line.startswith('{"ack"')]
        self.assertEqual([sorted(ack) for ack in acks], [["character", "tick"], ["tick"]])
        self.assertEqual(json.loads(lines[-1])["error"]["field"], "push.force_n[1]")

    def test_a_character_is_steered_stopped_goes_limp_and_gets_up(self):
        *way, stands, limp, walks = printed("03_steer.py", self.server.url)
        self.assertEqual((stands, walks), ("it stands still", "it walks again"))
        self.assertGreater(numbers(way[-1])[1] - numbers(way[0])[1], 1)
        self.assertLess(numbers(limp)[0], 0.4)

    def test_every_command_is_taken(self):
        lines = printed("09_every_command.sh", self.server.url)
        asked, answers = lines[::2], [json.loads(line) for line in lines[1::2]]
        self.assertEqual([(a, b) for a, b in zip(asked, answers) if "ack" not in b], [])
        source = (EXAMPLES / "09_every_command.sh").read_text()
        proto = (SOURCE / "proto/promenade/v1/command.proto").read_text()
        kinds = re.findall(r"(\w+) = \d+;", re.search(r"oneof kind {(.*?)}", proto, re.DOTALL)[1])
        self.assertGreater(len(kinds), 20)
        self.assertEqual([kind for kind in kinds if f'{{"{kind}": {{' not in source], [])
        self.server.wait_for_state(lambda state: state["scene"] == "one")

    async def test_the_socket_gives_positions_and_sends_the_character_walking(self):
        client = await asyncio.create_subprocess_exec(
            sys.executable, str(EXAMPLES / "04_follow_frames.py"),
            f"ws://localhost:{self.server.port}/ws", stdout=asyncio.subprocess.PIPE, env=os.environ)
        try:
            for _ in range(10):
                line = (await asyncio.wait_for(client.stdout.readline(), 10)).decode()
                self.assertRegex(line, r"x -?\d+ mm, y -?\d+ mm, z \d+ mm$")
            self.assertAlmostEqual(self.server.state()["characters"][0]["desired_velocity_mps"][0],
                                   0.8, places=6)
        finally:
            client.kill()
            await client.wait()

    def test_things_are_dragged_tied_gripped_and_released(self):
        lain, dragged, tied, gripped, released = map(numbers, printed("05_things.py", self.server.url))
        for place in (lain, released):
            self.assertAlmostEqual(place[0], 0.15, delta=0.02)  # half a crate of 0.3 m
            self.assertAlmostEqual(place[1], 0.11, delta=0.02)  # the radius of the ball
        self.assertAlmostEqual(dragged[0], 1.5, delta=0.15)
        self.assertAlmostEqual(tied[0], 1.5, delta=0.02)
        self.assertAlmostEqual(gripped[0], 1.2, delta=0.15)
        self.server.wait_for_state(lambda state: not state.get("things"))  # both are removed

    def test_bodies_of_ones_own_are_saved_spawned_and_stand(self):
        for version in (1, 2):
            lines = printed("06_own_bodies.py", self.server.url)
            self.assertEqual(lines[0], f"saved nodder, version {version}")
            self.assertEqual(lines[1], "['nodder holding']")
            self.assertRegex(lines[2], "^..dumbbell (asleep|awake)..$")

    def test_a_saved_state_goes_on_in_another_process(self):
        lines = printed("07_save_and_restore.sh", BINARY, self.server.url)
        self.assertRegex(lines[1], "^[0-9a-f]{16}$")
        self.assertEqual(lines[1], lines[2])
        self.assertRegex(lines[4], "^[0-9a-f]{16}$")
        self.assertIn("tick", json.loads(lines[6])["ack"])


class WhereGuestsMayOnlyWatch(ServerTestCase):
    arguments = ("--guest-role", "viewer")

    def test_the_first_refusal_ends_a_script_with_the_reason_of_the_server(self):
        for name in ("02_commands.sh", "09_every_command.sh"):
            with self.subTest(name):
                done = run(name, self.server.url)
                self.assertEqual(done.returncode, 1, done.stdout)
                told = done.stderr.splitlines()
                self.assertEqual(len(told), 1, done.stderr)
                self.assertIn('the server refused {"spawn"', told[0])
                self.assertIn("FORBIDDEN", told[0])


if __name__ == "__main__":
    unittest.main()
