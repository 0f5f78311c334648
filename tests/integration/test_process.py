"""The program as the one who starts it sees it: settings, start, exit codes, stopping."""

import asyncio
import os
import pathlib
import re
import signal
import socket
import subprocess
import tempfile
import time
import unittest

from harness import BINARY, SOURCE, Server, close_code, joined


def run(*arguments, **environment):
    """(exit code, standard output, standard error) of the program that ends by itself."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("PROMENADE_")}
    done = subprocess.run([BINARY, *map(str, arguments)], capture_output=True, text=True,
                          timeout=20, env={"PROMENADE_STORE": ":memory:", **clean, **environment})
    return done.returncode, done.stdout, done.stderr


class Settings(unittest.TestCase):
    def test_help_shows_defaults_ranges_and_variables(self):
        code, out, _ = run("serve", "--help")
        self.assertEqual(code, 0)
        for part in ("--port", "8080", "[0 - 65535]", "PROMENADE_PORT", "--guest-role", "admin",
                     "--data", "--web-root", "--max-connections", "--token", "--config"):
            self.assertIn(part, out)
        code, out, _ = run("--version")
        self.assertEqual((code, out.split()[0]), (0, "promenade"))

    def test_bad_ones_are_named_with_what_is_allowed(self):
        for arguments, parts in (
                (["--port", "70000"], ["--port", "70000", "65535"]),
                (["--tick-rate", "ten"], ["--tick-rate", "ten", "1000"]),
                (["--guest-role", "king"], ["--guest-role", "king", "viewer"]),
                (["--room", "x"], ["--room", "ID:SCENE"]),
                (["--scene", "moon"], ["moon", "square"]),
                (["--data", "/nowhere"], ["--data", "/nowhere"]),
                (["--address", "nowhere"], ["nowhere", "IP address"]),
                (["--frobnicate"], ["--frobnicate"]),
                (["--config", "/nowhere.toml"], ["/nowhere.toml"])):
            with self.subTest(arguments=arguments):
                data = [] if "--data" in arguments else ["--data", SOURCE / "server/data"]
                code, out, err = run("serve", *data, *arguments)
                self.assertEqual((code, out), (1, ""))
                for part in parts:
                    self.assertIn(part, err)
        code, _, err = run("serve", PROMENADE_PORT="99999")
        self.assertEqual(code, 1)
        self.assertIn("65535", err)
        self.assertEqual(run()[0], 1, "a subcommand is needed")

    def test_port_in_use_is_one_line(self):
        with socket.create_server(("127.0.0.1", 0)) as other:
            port = other.getsockname()[1]
            code, out, err = run("serve", "--scene", "one", "--port", port, "--log-level", "off",
                                 "--data", SOURCE / "server/data")
        self.assertEqual((code, out), (1, ""))
        self.assertEqual(len(err.strip().splitlines()), 1, err)
        self.assertIn(str(port), err)
        self.assertIn("in use", err)

    def test_broken_data_is_named_with_file_line_and_key(self):
        with tempfile.TemporaryDirectory() as directory:
            subprocess.run(["cp", "-r", SOURCE / "server/data", directory], check=True)
            scene = pathlib.Path(directory) / "data/scenes/one.json"
            scene.write_text('{\n  "name": "one",\n  "gravity": 3\n}\n')
            code, _, err = run("serve", "--data", f"{directory}/data", "--port", "0")
        self.assertEqual(code, 1)
        self.assertIn("one.json:3", err)
        self.assertIn("gravity", err)

    def test_come_from_a_file_too(self):
        with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
            file.write('[serve]\nguest-role = "viewer"\nscene = "bodies"\n')
            file.flush()
            server = Server("--config", file.name)  # --scene of the command line wins
            try:
                self.assertEqual(server.state()["scene"], "one")
                self.assertEqual(server.post({"pause": {}})[0], 403)
            finally:
                server.stop()
            file.write("prot = 3\n")
            file.flush()
            code, _, err = run("serve", "--config", file.name)
            self.assertEqual(code, 1)
            self.assertIn("prot", err)


class Stopping(unittest.IsolatedAsyncioTestCase):
    async def test_is_quick_and_tells_the_viewers(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            server = Server()
            async with joined(server) as one, joined(server) as two:
                await one.until("frame")
                stopping = asyncio.to_thread(server.stop, number)
                (seconds, code), closed, _ = await asyncio.gather(
                    stopping, close_code(one), close_code(two))
            self.assertEqual(code, 0)
            self.assertLess(seconds, 2)
            self.assertEqual(closed[0], 1001)

    async def test_does_not_wait_for_those_who_do_not_answer(self):
        server = Server()
        idle = [await asyncio.open_connection("127.0.0.1", server.port) for _ in range(20)]
        seconds, code = await asyncio.to_thread(server.stop)
        for _, writer in idle:
            writer.close()
        self.assertEqual(code, 0)
        self.assertLess(seconds, 2)

    def test_frees_the_port(self):
        first = Server()
        first.stop()
        second = Server(port=str(first.port))
        second.stop()
        self.assertEqual(first.port, second.port)


class Journal(unittest.TestCase):
    def test_is_written_where_it_was_asked_for(self):
        with tempfile.TemporaryDirectory() as directory:
            server = Server("--journal-dir", directory)
            self.assertEqual(server.post({"stop": {"character": 1}})[0], 200)
            server.stop()
            self.assertGreater((pathlib.Path(directory) / "main.journal").stat().st_size, 0)


if __name__ == "__main__":
    unittest.main()
