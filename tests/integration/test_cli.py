"""`promenade run` and `promenade replay` as README tells of them: files in, files and hashes out."""

import csv
import json
import pathlib
import shutil
import tempfile
import time
import unittest

from harness import SLOWNESS, SOURCE, Server, run

DATA = ("--data", SOURCE / "server/data")


class Cli(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = pathlib.Path(directory.name)

    def commands(self, *lines):
        path = self.directory / "commands.jsonl"
        path.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n"
                                for line in lines))
        return path

    def hash_of(self, *arguments, **environment):
        code, out, err = run(*arguments, "--hash", *DATA, **environment)
        self.assertEqual((code, err), (0, ""), arguments)
        self.assertRegex(out, r"^[0-9a-f]{16}\n$")
        return out.strip()

    def refusal_of(self, *arguments, **environment):
        code, out, err = run(*arguments, *DATA, **environment)
        self.assertEqual((code, out), (1, ""), arguments)
        return err

    def last_hash_in(self, journal):
        return json.loads(journal.read_text().splitlines()[-1])["mark"]["state_hash"]


class Run(Cli):
    push = {"at_s": 0.5, "command": {"push": {"character": 1, "force_n": [0, 200, 0],
                                              "duration_s": 0.1}}}
    stop = {"at_s": 1, "command": {"stop": {"character": 1}}}

    def test_the_same_commands_give_the_same_hash(self):
        commands = self.commands(self.push, "", self.stop)
        asked = ("run", "one", "--seconds", "2", "--commands", commands)
        one = self.hash_of(*asked)
        self.assertEqual(self.hash_of(*asked, "--threads", "2"), one)
        self.assertNotEqual(self.hash_of("run", "one", "--seconds", "2"), one)
        self.assertNotEqual(self.hash_of(*asked, "--seed", "9"), one)

    def test_csv_has_a_row_for_each_character_and_tick(self):
        path = self.directory / "rows.csv"
        self.hash_of("run", "push-lab", "--seconds", "1", "--csv", path, "--csv-every", "6")
        with path.open() as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([int(row["tick"]) for row in rows], list(range(0, 61, 6)))
        for row in rows:
            self.assertEqual(row["id"], "1")
            self.assertAlmostEqual(float(row["time_s"]), int(row["tick"]) / 60, places=5)
            self.assertIn(row["state"], ("standing", "walking"))
            self.assertGreater(float(row["z_m"]), 0.5)
            self.assertNotIn(None, row.values())

    def test_settings_come_from_a_file_and_the_environment_too(self):
        one = self.hash_of("run", "one", "--seconds", "1")
        self.assertEqual(self.hash_of("run", "one", PROMENADE_RUN_SECONDS="1"), one)
        self.assertEqual(self.hash_of("run", "one", "--seconds", "1", PROMENADE_RUN_SECONDS="9",
                                      PROMENADE_SEED="5"), one, "a flag wins; that is serve's seed")
        file = self.directory / "settings.toml"
        file.write_text("[run]\nseconds = 1\n")
        self.assertEqual(self.hash_of("run", "one", "--config", file, PROMENADE_RUN_SECONDS="9"), one)
        self.assertIn("--seconds: -1 is not allowed", self.refusal_of("run", "one", PROMENADE_RUN_SECONDS="-1"))

    def test_wrong_input_is_one_line_and_exit_code_1(self):
        bad_force = {"at_s": 1, "command": {"push": {"character": 1, "force_n": [0, 1e9, 0],
                                                     "duration_s": 0.1}}}
        for line, parts in (
                ("{", []),
                ({"at_s": 1, "command": {"jump": {}}}, ["command.jump", "unknown key"]),
                ({"at_s": -1, "command": {"stop": {"character": 1}}}, ["at_s", "0 s or later"]),
                (bad_force, ["command.push.force_n[1]"])):
            with self.subTest(line=line):
                commands = self.commands(self.push, line)
                err = self.refusal_of("run", "one", "--seconds", "2", "--commands", commands)
                self.assertEqual(len(err.strip().splitlines()), 1, err)
                for part in (f"{commands}:2", *parts):
                    self.assertIn(part, err)
        err = self.refusal_of("run", "moon")
        self.assertEqual(len(err.strip().splitlines()), 1, err)
        self.assertIn("moon", err)

    def test_whole_numbers_are_asked_for_in_every_command(self):
        for command, option, most in (
                (("run", "one"), "--seed", 2**64 - 1), (("run", "one"), "--threads", 64),
                (("run", "one"), "--csv-every", 100000), (("replay", __file__), "--threads", 64),
                (("report", "coros2010"), "--seed", 1000000), (("report", "coros2010"), "--seeds", 1000),
                (("report", "coros2010"), "--threads", 256), (("bench",), "--threads", 64),
                (("serve",), "--seed", 2**64 - 1), (("serve",), "--port", 65535)):
            for value in ("-4", "2.5", "1e3", "many", str(most + 1)):
                with self.subTest(command=command, option=option, value=value):
                    err = self.refusal_of(*command, option, value)
                    self.assertRegex(err, f"^promenade: {option}: {value} is not allowed, must be "
                                          f"a whole number from [01] to {most}\n")

    def test_a_number_with_zeros_in_front_and_a_missing_one_are_told_as_such(self):
        self.assertIn(f"--seed: 007 is not allowed, must be a whole number from 0 to {2**64 - 1}, "
                      "without zeros in front\n", self.refusal_of("run", "one", "--seed", "007"))
        self.assertTrue(self.refusal_of("run", "one", "--seed", "099999999999999999999")
                        .splitlines()[0].endswith(f" to {2**64 - 1}"))
        self.assertEqual(run("run", "one", *DATA, "--seed"),
                         (1, "", "promenade: --seed: a value is missing\nTry promenade run --help\n"))

    def test_a_run_ends_with_a_line_for_each_character(self):
        _, out, _ = run("run", "one", "--seconds", "0.1", *DATA)
        self.assertRegex(out.splitlines()[0], r" x real time, 1 character, \d+ threads?$")
        commands = self.commands({"at_s": 0, "command": {"spawn": {"body": "planar_biped"}}})
        _, out, _ = run("run", "one", "--seconds", "0.1", "--commands", commands, *DATA)
        lines = out.splitlines()
        self.assertRegex(lines[0], r" x real time, 2 characters, \d+ threads?$")
        table = lines[-4:-1]
        self.assertEqual(table[2].split()[1:3], ["planar_biped", "-"])
        self.assertEqual({line.find(word) for line, word in zip(table, ("style", "normal", "- "))},
                         {20}, out)

    def test_commands_to_the_clock_are_refused(self):
        for command in ({"pause": {}}, {"resume": {}}, {"single_step": {"ticks": 3}},
                        {"set_time_scale": {"scale": 2}}):
            commands = self.commands(self.push, {"at_s": 1, "command": command})
            err = self.refusal_of("run", "one", "--seconds", "2", "--commands", commands)
            for part in (f"{commands}:2: command", "no clock", *command):
                self.assertIn(part, err)
            self.assertEqual(len(err.strip().splitlines()), 1, err)

    def test_a_command_that_is_refused_in_the_run_is_told_and_ends_it_with_exit_code_1(self):
        commands = self.commands(self.stop, {"at_s": 0.5, "command": {"stop": {"character": 7}}})
        code, out, err = run("run", "one", "--seconds", "2", "--commands", commands, "--hash", *DATA)
        self.assertEqual(code, 1)
        for part in (f"{commands}:2", "0.500 s", "stop.character"):
            self.assertIn(part, err)
        self.assertEqual(out.strip(), self.hash_of("run", "one", "--seconds", "2", "--commands",
                                                   self.commands(self.stop)))


    def test_what_leaves_the_world_is_counted(self):
        """The scene's ball is put back, a crate that a command made is removed."""
        crate = {"spawn_thing": {"thing": "crate", "position_m": [0, 9, -30]}}
        away = {"place": {"character": 2, "position_m": [0, 0, -30]}}
        commands = self.commands({"at_s": 0.1, "command": crate}, {"at_s": 0.1, "command": away})
        asked = ("run", "kick", "--seconds", "0.5", *DATA)
        code, out, err = run(*asked, "--commands", commands)
        self.assertEqual((code, err), (0, ""))
        self.assertIn("\nleft the world: 1 put back, 1 removed\n", out)
        self.assertNotIn("left the world", run(*asked)[1])


class Checkpoint(Cli):
    def test_a_restored_run_ends_as_the_one_that_was_not_stopped(self):
        """Saved, the process gone, restored in another with other threads, 16 s on."""
        state, later = self.directory / "state", self.directory / "later"
        self.hash_of("run", "push-lab", "--seconds", "4", "--save", state)
        restored = self.hash_of("run", "push-lab", "--seconds", "16", "--restore", state,
                                "--threads", "2", "--save", later)
        self.assertEqual(self.hash_of("run", "push-lab", "--seconds", "20"), restored)
        self.assertEqual(self.hash_of("run", "push-lab", "--seconds", "0", "--restore", later), restored)

    def test_whatever_goes_on_goes_on(self):
        """Things asleep, tied, gripped and dragged, a character that lies, edits and other controllers;
        commands after the restoring."""
        crate = {"spawn_thing": {"thing": "crate", "position_m": [1.5, 0]}}
        ball = {"spawn_thing": {"thing": "ball", "position_m": [3, 1]}}
        spring = {"kind": "SPRING", "a": {"id": 2}, "b": {"id": 3}, "length_m": 1,
                  "stiffness_npm": 200}
        shove = {"character": 1, "link": "torso", "force_n": [0, 2500, 0], "duration_s": 0.3}
        edit = {"name": "mine", "base": "human", "edit": {"scale": 1.1}}
        went_on = [
            ("one", 4, [(0, crate), (0, ball)]),
            ("one", 1, [(0, crate), (0, ball), (0.1, {"tie": {"tie": spring}}),
                        (0.2, {"grip": {"a": {"id": 1, "link": "torso"}, "b": {"id": 2}}}),
                        (0.8, {"drag": {"character": 3, "target_m": [3, 1, 2]}})]),
            ("one", 2, [(0.5, {"push": shove})]),
            ("one", 2, [(0.5, {"set_velocity": {"character": 1, "x_mps": 0.7}}),
                        (1, {"set_body": {"character": 1, "definition": edit}}),
                        (1.5, {"set_style": {"character": 1, "definition": {"name": "my"}}})]),
            ("zoo", 2, [(0.5, {"set_controller": {"character": 6, "controller": "limp"}}),
                        (1, {"set_controller": {"character": 12, "controller": "limp"}}),
                        (1.5, {"set_controller": {"character": 6, "controller": "hold"}})]),
            ("ground", 3, [])]
        for scene, seconds, before in went_on:
            with self.subTest(scene=scene, before=before):
                self.check_goes_on(scene, seconds, before)

    def check_goes_on(self, scene, seconds, before):
        after = [(1, {"push": {"character": 1, "link": "", "force_n": [60, 40, 0]}}),
                 (2, {"spawn": {"body": "child", "position_m": [8, 8]}})]

        def lines(timed):
            return self.commands(*({"at_s": at, "command": command} for at, command in timed))
        state = self.directory / "state"
        self.hash_of("run", scene, "--seconds", seconds, "--commands", lines(before),
                     "--threads", "2", "--save", state)
        restored = self.hash_of("run", scene, "--seconds", "5", "--restore", state,
                                "--commands", lines(after))
        both = before + [(at + seconds, command) for at, command in after]
        self.assertEqual(self.hash_of("run", scene, "--seconds", seconds + 5, "--commands",
                                      lines(both)), restored)

    def test_a_state_of_other_data_is_refused(self):
        """Also where the difference is none that the scene would show."""
        state, data = self.directory / "state", self.directory / "data"
        self.hash_of("run", "one", "--seconds", "1", "--save", state)
        shutil.copytree(SOURCE / "server/data", data)
        with (data / "styles" / "march.json").open("a") as file:
            file.write("\n")
        code, out, err = run("run", "one", "--restore", state, "--data", data)
        self.assertEqual((code, out), (1, ""))
        self.assertIn("checkpoint.data_digest is", err)
        self.assertEqual(err.count("\n"), 1, err)

    def test_what_cannot_be_restored_is_one_line_and_exit_code_1(self):
        state = self.directory / "state"
        self.hash_of("run", "one", "--seconds", "1", "--save", state)
        whole = state.read_bytes()
        middle = len(whole) // 2
        damaged = whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1:]
        cut = [("one", whole[:size], "cut short") for size in (0, 1, 9, 12, middle, len(whole) - 1)]
        for scene, content, said in (*cut, ("one", damaged, "damaged"),
                                     ("one", b"not a state", "cut short"),
                                     ("one", whole + whole, "one state and nothing else"),
                                     ("square", whole, 'scene: "one" is not allowed')):
            state.write_bytes(content)
            line = self.refusal_of("run", scene, "--restore", state)
            self.assertIn(said, line)
            self.assertEqual(line.count("\n"), 1, line)

    def test_toys_have_the_same_bits_in_a_run_and_in_a_room(self):
        """All gaits that ship, side by side: with 1 and 2 threads, saved and restored, and in a server's room."""
        gaits = sorted((SOURCE / "server/data/gaits").glob("*.json"))
        self.assertGreater(len(gaits), 10)
        orders = [{"remove": {"character": 1}}]
        for i, path in enumerate(gaits):
            gait, toy = json.loads(path.read_text()), i + 2
            orders += [{"spawn": {"body": gait["creature"], "controller": "posegraph", "position_m": [0, 2 * i]}},
                       {"set_gait": {"character": toy, "gait": gait["name"]}},
                       {"set_velocity": {"character": toy, "x_mps": 1, "frame": "CHARACTER"}}]
        commands, state = self.commands(*({"at_s": 0, "command": order} for order in orders)), self.directory / "half"
        whole = ("run", "one", "--seconds", "20", "--commands", commands)
        told = self.hash_of(*whole)
        self.assertEqual(self.hash_of(*whole, "--threads", "2"), told)
        self.hash_of("run", "one", "--seconds", "10", "--commands", commands, "--save", state)
        self.assertEqual(self.hash_of("run", "one", "--seconds", "10", "--restore", state, "--threads", "2"), told)
        server = Server("--paused", scene="one", threads=2)
        self.addCleanup(server.stop)
        for order in orders:
            status, text = server.post(order)[:2]
            self.assertEqual(status, 200, text)
        for tick in (600, 1200):
            self.assertEqual(server.post({"single_step": {"ticks": 600}})[0], 200)
            deadline = time.monotonic() + 60 * SLOWNESS
            while int((now := server.state())["tick"]) < tick:
                self.assertLess(time.monotonic(), deadline, now["tick"])
                time.sleep(0.1)
        self.assertEqual(now["state_hash"], told)

    def test_a_server_gives_its_state_and_takes_it_back(self):
        server = Server("--paused", "--guest-role", "viewer", "--token", "admin:key-of-the-room", scene="one")
        self.addCleanup(server.stop)
        admin = {"Authorization": "Bearer key-of-the-room"}
        path = "/api/v1/rooms/main/checkpoint"
        self.assertEqual(server.get(path)[0], 403)
        status, headers, _ = server.get(path, admin, "HEAD")
        self.assertEqual((status, headers["Content-Type"]), (200, "application/x-protobuf"))
        saved = server.get_bytes(path, admin)
        before = server.state()["state_hash"]
        server.post({"push": {"character": 1, "force_n": [0, 300, 0]}}, headers=admin)
        server.post({"single_step": {"ticks": 60}}, headers=admin)
        server.wait_for_state(lambda state: state["tick"] == "60")
        status, _, text = server.get(path, admin, "PUT", saved)
        self.assertEqual(status, 200, text)
        server.wait_for_state(lambda state: state["state_hash"] == before)
        self.assertEqual(server.get(path, None, "PUT", saved)[0], 403)
        status, _, text = server.get(path, admin, "PUT", saved[:-1])
        self.assertEqual(status, 400, text)
        self.assertEqual(server.state()["state_hash"], before)
        self.assertEqual(server.get(path, admin, "POST", saved)[0], 405)


class Replay(Cli):
    def test_a_servers_journal_replays_to_its_last_hash(self):
        server = Server("--state-dir", self.directory, "--paused", scene="one")
        try:
            for command in ({"set_velocity": {"character": 1, "x_mps": 0.6, "frame": "WORLD"}},
                            {"single_step": {"ticks": 60}},
                            {"push": {"character": 1, "force_n": [0, 200, 0], "duration_s": 0.1}},
                            {"single_step": {"ticks": 60}},
                            {"set_style": {"character": 1, "style": "march"}},
                            {"single_step": {"ticks": 60}}):
                self.assertEqual(server.post(command)[0], 200, command)
            told = server.wait_for_state(lambda state: int(state["tick"]) == 180)["state_hash"]
        finally:
            server.stop()
        journal = self.directory / "main.000001.journal"
        self.assertEqual(self.last_hash_in(journal), told)
        for threads in (1, 2):
            self.assertEqual(self.hash_of("replay", journal, "--threads", threads), told)

    def test_a_runs_journal_replays_to_its_hash(self):
        journal = self.directory / "run.journal"
        commands = self.commands(Run.push, Run.stop)
        told = self.hash_of("run", "one", "--seconds", "2", "--commands", commands, "--journal",
                            journal)
        self.assertEqual(self.hash_of("replay", journal), told)
        lines = journal.read_text().splitlines()
        wrong = lines[-1].replace(told, "0123456789abcdef")
        journal.write_text("\n".join([*lines[:-1], wrong]) + "\n")
        code, _, err = run("replay", journal, *DATA)
        self.assertEqual(code, 1)
        self.assertIn("differs", err)

    def test_a_run_that_goes_on_from_a_state_replays_too(self):
        state, journal = self.directory / "state", self.directory / "on.journal"
        self.hash_of("run", "one", "--seconds", "1", "--save", state)
        told = self.hash_of("run", "one", "--seconds", "1", "--restore", state, "--journal", journal)
        self.assertEqual(self.hash_of("replay", journal), told)

    def test_what_is_no_journal_is_one_line_and_exit_code_1(self):
        self.assertIn("/nowhere", self.refusal_of("replay", "/nowhere"))
        path = self.directory / "a.journal"
        for text in ("", "{}\n", "not JSON\n"):
            path.write_text(text)
            err = self.refusal_of("replay", path)
            self.assertEqual(len(err.strip().splitlines()), 1, err)
            self.assertIn(str(path), err)


class Doctor(Cli):
    def test_a_server_that_could_start_is_well(self):
        store = self.directory / "new" / "store.db"
        code, out, err = run("doctor", "--port", "0", "--store", store, *DATA)
        self.assertEqual((code, err), (0, ""), out)
        self.assertIn("ok    data", out)
        self.assertIn("will be made at the first start", out)
        self.assertFalse(store.exists(), "the doctor only looks")

    def test_what_keeps_a_server_from_starting_is_named(self):
        server = Server()
        self.addCleanup(server.stop)
        wrong, file = self.directory / "tokens", self.directory / "file"
        wrong.write_text("admin short\n")
        file.touch()
        for arguments, line in [
                (("--scene", "nowhere"), 'FAIL  rooms .*nowhere'),
                (("--store", "/dev/null/store.db"), "FAIL  store .*/dev/null"),
                (("--token-file", self.directory / "none"), "FAIL  tokens .*none"),
                (("--token-file", wrong), "FAIL  tokens .*tokens:1"),
                (("--audit-log", self.directory), "FAIL  audit"),
                (("--audit-log", file / "audit"), "FAIL  audit .*cannot be made"),
                (("--state-dir", file), "FAIL  state .*is not a directory"),
                (("--state-dir", file / "state"), "FAIL  state .*cannot be made"),
                (("--address", "192.0.2.1"), "FAIL  port .*192.0.2.1")]:
            code, out, _ = run("doctor", "--port", "0", *arguments, *DATA)
            self.assertEqual(code, 1, out)
            self.assertRegex(out, line)
            self.assertEqual(run("serve", "--port", "0", *arguments, *DATA)[0], 1, "as serve does")
        self.assertEqual({path.name for path in self.directory.iterdir()}, {"file", "tokens"},
                         "the doctor only looks")
        config = self.directory / "settings.toml"
        config.write_text('[serve]\nscene = "nowhere"\nstore = "/dev/null/store.db"\n')
        code, out, _ = run("--config", config, "doctor", "--port", "0", *DATA)
        self.assertEqual(code, 1, "settings of the server in a file are looked at, too")
        self.assertRegex(out, "FAIL  rooms .*nowhere")
        self.assertRegex(out, "FAIL  store .*/dev/null")
        config.write_text("[serve]\nport = 70000\n")
        code, _, err = run("--config", config, "doctor", *DATA)
        self.assertEqual(code, 1)
        self.assertIn(f"{config}:2: serve.port: ", err)
        code, out, _ = run("doctor", "--port", server.port, *DATA)
        self.assertEqual(code, 0, out)
        self.assertIn("a Promenade server answers there", out)

    def test_a_state_directory_in_use_is_a_fault_but_where_its_own_server_answers(self):
        state = self.directory / "state"
        server = Server("--state-dir", state)
        self.addCleanup(server.stop)
        code, out, _ = run("doctor", "--port", "0", "--state-dir", state, *DATA)
        self.assertEqual(code, 1, out)
        self.assertRegex(out, "FAIL  state .*in use by another server, process [0-9]+")
        code, out, _ = run("doctor", "--port", server.port, "--state-dir", state, *DATA)
        self.assertEqual(code, 0, out)
        server.stop()
        self.assertEqual(run("doctor", "--port", "0", "--state-dir", state, *DATA)[0], 0)

    def test_a_token_file_for_everybody_is_doubtful(self):
        file = self.directory / "tokens"
        file.write_text("admin admin-token-1 me\n")
        for mode, said in ((0o600, "ok    tokens"), (0o666, "warn  tokens .*chmod 600")):
            file.chmod(mode)
            code, out, _ = run("doctor", "--port", "0", "--token-file", file, *DATA)
            self.assertEqual(code, 0, out)
            self.assertRegex(out, said)


class Mistakes(Cli):
    def test_a_word_that_is_no_command_is_named_with_the_nearest(self):
        err = self.refusal_of("servee")
        self.assertIn('"servee" is not a command (did you mean serve?); the commands are serve, ', err)
        self.assertNotIn("did you mean", self.refusal_of("frobnicate"))

    def test_a_token_is_for_somebody_named_in_one_word(self):
        file = self.directory / "tokens"
        for flag in ("--name", "--room"):
            err = self.refusal_of("token", "new", "viewer", flag, "jane lab", "--file", file)
            self.assertIn(f'{flag}: "jane lab" contains a blank', err)
        self.assertFalse(file.exists())
        self.assertEqual(run("token", "new", "viewer", "--name", "jane-lab", "--file", file)[0], 0)
        self.assertEqual(file.stat().st_mode & 0o777, 0o600)

    def test_what_a_server_keeps_is_not_for_every_user(self):
        state = self.directory / "state"
        server = Server("--state-dir", state, "--store", self.directory / "store.db",
                        "--audit-log", self.directory / "audit")
        server.stop()
        for path in (state, *state.iterdir(), self.directory / "store.db", self.directory / "audit"):
            self.assertEqual(path.stat().st_mode & 0o007, 0, path)


if __name__ == "__main__":
    unittest.main()
