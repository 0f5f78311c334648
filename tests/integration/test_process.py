"""The program as seen by the one who starts it: settings, start, exit codes, stopping."""

import asyncio
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest

from harness import SOURCE, Server, close_code, joined, run


class Settings(unittest.TestCase):
    def test_help_shows_defaults_ranges_and_variables(self):
        code, out, _ = run("serve", "--help")
        self.assertEqual(code, 0)
        for part in ("--port", "8080", "0 to 65535", "PROMENADE_PORT", "--guest-role", "admin",
                     "--data", "--web-root", "--max-connections", "--token", "--config", "--host",
                     "PROMENADE_HOST", "--trusted-proxy", "--request-rate"):
            self.assertIn(part, out)
        for command, part in (("serve", "PROMENADE_TICK_RATE"), ("run", "PROMENADE_RUN_SECONDS"),
                              ("replay", "PROMENADE_REPLAY_THREADS"),
                              ("bench", "PROMENADE_BENCH_ONLY"),
                              ("report", "PROMENADE_REPORT_FILM_BODY")):
            code, out, _ = run(command, "--help")
            options = re.findall(r"^  (?:-\w,)?--(?!help)[\w-]+.*(?:\n {10}.*)*", out, re.MULTILINE)
            self.assertGreater(len(options), 3)
            for option in options:
                self.assertIn("PROMENADE_", option, f"of {command}")
            self.assertIn(part, out)
            self.assertIn("else from the environment variable", out)
            self.assertEqual("every row holds" in out, command in ("bench", "report"), out)
        code, out, _ = run("--version")
        self.assertEqual((code, out.split()[0]), (0, "promenade"))

    def test_bad_ones_are_named_with_what_is_allowed(self):
        for arguments, parts in (
                (["--port", "70000"], ["--port", "70000", "65535"]),
                (["--tick-rate", "ten"], ["--tick-rate", "ten", "1000"]),
                (["--guest-role", "king"], ["--guest-role", "king", "viewer"]),
                (["--room", "x"], ["--room", "ID:SCENE"]),
                (["--scene", "moon"], ["moon", "plaza"]),
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

    def test_broken_bodies_and_styles_are_named_with_file_line_and_key(self):
        human, child, stroll = "creatures/human.json", "creatures/child.json", "styles/stroll.json"
        spine = '"parent": "pelvis", "child": "lower_back"'
        for file, old, new, key, parts in (
                (human, '"mass_kg": 12.9', '"mass_kg": -12.9', "links[0].mass_kg",
                 ["-12.9", "> 0 kg"]),
                (human, '"mass_kg": 12.9', '"mas_kg": 12.9', "links[0].mas_kg",
                 ["unknown key", "mass_kg"]),
                (human, spine, spine.replace("lower_back", "tail"), "joints[0].child",
                 ['"tail"', "a link's name"]),
                (child, '"base": "human"', '"base": "child"', "base", ["cycle", "child -> child"]),
                (child, '"link": "head"', '"link": "beak"', "edit.links[0].link",
                 ['"beak"', 'a link of "human"']),
                (stroll, '"speed_mps"', '"sped_mps"', "sped_mps", ["unknown key", "speed_mps"])):
            with self.subTest(file=file, new=new):
                line, err = self.refusal_of(file, old, new)
                for part in (f"{file}:{line}: {key}: ", *parts):
                    self.assertIn(part, err)

    def test_a_cycle_of_joints_is_told_with_its_links(self):
        spine = '"parent": "pelvis", "child": "lower_back"'
        line, err = self.refusal_of("creatures/human.json", spine, spine.replace("pelvis", "torso"))
        # Named at the joint that closes it, the next in the file: torso hangs on lower_back.
        for part in (f"creatures/human.json:{line + 4}: joints[1].parent: ", "cycle",
                     "lower_back -> torso -> lower_back"):
            self.assertIn(part, err)

    def test_a_link_that_is_left_out_is_named_where_it_is_wanted(self):
        file = "creatures/human.json"
        text = (SOURCE / "server/data" / file).read_text()
        toes = re.search(r',\s*\{"name": "right_toes", "mass_kg".*\n.*\}\]\}', text).group(0)
        self.assertEqual(toes.count('"name"'), 1)
        _, err = self.refusal_of(file, toes, "")
        before = text.replace(toes, "").split('"child": "right_toes"')[0]
        line, joint = before.count("\n") + 1, before.count('"child"')
        for part in (f"{file}:{line}: joints[{joint}].child: ", '"right_toes"', "a link's name"):
            self.assertIn(part, err)

    def refusal_of(self, file, old, new):
        """The line of the change, and the one line that is told where data has it."""
        with tempfile.TemporaryDirectory() as directory:
            shutil.copytree(SOURCE / "server/data", directory, dirs_exist_ok=True)
            path = pathlib.Path(directory) / file
            text = path.read_text()
            self.assertEqual(text.count(old), 1, old)
            path.write_text(text.replace(old, new))
            code, out, err = run("serve", "--data", directory, "--port", "0")
        self.assertEqual((code, out), (1, ""))
        self.assertEqual(len(err.strip().splitlines()), 1, err)
        return text[:text.index(old)].count("\n") + 1, err

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
            self.assertIn(f"{file.name}:4: serve.prot: unknown key", err)

    def test_mistakes_in_a_file_are_named_with_file_line_and_key(self):
        for text, place, parts in (
                ('# a comment\n\n[serve]\nport = 70000\n', "4: serve.port: ", ["70000", "65535"]),
                ('[serve]\nscene = "one"\nroom = "a:one,a:two"\n', "3: serve.room: ", ["twice"]),
                ('[serve]\nport = 0\ntick-rate = "many"\n', "3: serve.tick-rate: ", ["1000"]),
                ('[serve]\ngarbage\n', "2: serve.garbage: ", ["unknown key"]),
                ('[serve]\nstate_dir = "a"\n', "2: serve.state_dir: ", ["did you mean state-dir?"]),
                ('[server]\nport = 1\n', "1: [server]: ", ["unknown section", "serve?", "restore"]),
                ('[[serve]]\n', "1: [[serve]]: ", ["[serve]"]),
                ('\n[serve\nport = 1\n', "2: [serve: ", ["[serve]"]),
                ('[serve] port = 1\n', "1: [serve] port = 1: ", ["follows the section"]),
                ('[serve]\nisolate = maybe\n', "2: serve.isolate: ", ["maybe", "true or false"]),
                ('[serve]\nport = 1\nport = 2\n', "3: serve.port: ", ["line 2", "once"]),
                ('[serve]\nscene = "one\n', "2: serve.scene: ", ["no closing one"]),
                ('[serve]\norigin = "example.org"\n', "2: serve.origin: ", ["http://HOST"]),
                ('[serve]\nroom = ["a:one", "b"]\n', "2: serve.room: ", ["ID:SCENE"]),
                ('[serve]\nroom = [\n  "a:one",\n  "b:one"]\n', "2: serve.room: ", ["one line"])):
            with self.subTest(text), tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
                file.write(text)
                file.flush()
                code, out, err = run("serve", "--data", SOURCE / "server/data", "--config", file.name)
                self.assertEqual((code, out), (1, ""))
                for part in (f"{file.name}:{place}", *parts):
                    self.assertIn(part, err)

    def test_what_the_command_line_says_is_not_the_files_mistake(self):
        with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
            file.write("[serve]\nport = 70000\n")
            file.flush()
            _, _, err = run("serve", "--config", file.name, "--port", "99999")
            self.assertIn("--port: 99999", err)
            self.assertNotIn("serve.port", err)
            Server("--config", file.name).stop()  # --port of the command line wins


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


if __name__ == "__main__":
    unittest.main()
