"""The program in surroundings that are not a terminal of a user with a home: closed standard files, no home, few
processors, other addresses."""

import contextlib
import itertools
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.request

from harness import BINARY, SLOWNESS, SOURCE, Server, run

DATA = ("--data", str(SOURCE / "server/data"))
# Standard input, output and error, closed in all ways.
CLOSED = [numbers for count in (1, 2, 3) for numbers in itertools.combinations((0, 1, 2), count)]


def with_closed(numbers, *arguments):
    """A command line that closes descriptors and becomes the program."""
    signs = {0: "<&-", 1: ">&-", 2: "2>&-"}
    return ["sh", "-c", f'exec "$@" {" ".join(signs[n] for n in numbers)}', "sh", BINARY, *map(str, arguments)]


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class InADirectory(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = pathlib.Path(directory.name)
        self.environment = {k: v for k, v in os.environ.items() if not k.startswith("PROMENADE_")}
        self.environment["PROMENADE_STORE"] = ":memory:"


class ClosedStandardFiles(InADirectory):
    def wait_for(self, port, path):
        deadline = time.monotonic() + 20 * SLOWNESS
        while True:
            try:
                with urllib.request.urlopen(f"http://localhost:{port}{path}", timeout=5) as answer:
                    return answer.read()
            except (urllib.error.URLError, OSError):
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    def test_a_server_writes_nothing_of_its_log_into_its_files(self):
        for numbers in CLOSED:
            with self.subTest(closed=numbers):
                state, store = self.directory / f"state{numbers}", self.directory / f"store{numbers}.db"
                port = free_port()
                process = subprocess.Popen(
                    with_closed(numbers, "serve", "--port", port, "--scene", "one", "--threads", "1", "--log-level",
                                "debug", "--state-dir", state, "--store", store, *DATA),
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment)
                try:
                    self.wait_for(port, "/readyz")
                    opened = [os.readlink(f"/proc/{process.pid}/fd/{number}") for number in numbers]
                    self.assertEqual(opened, ["/dev/null"] * len(numbers))
                    locks = [*state.glob("*lock*"), *self.directory.glob(f"{store.name}.lock")]
                    self.assertEqual(len(locks), 2)
                    for lock in locks:
                        self.assertEqual(lock.read_text().strip(), str(process.pid))
                finally:
                    process.send_signal(signal.SIGTERM)
                    process.wait(20 * SLOWNESS)
                self.assertEqual(process.returncode, 0)
                for lines in state.glob("main*"):
                    text = lines.read_bytes()
                    self.assertNotIn(b"Promenade is at", text)
                    self.assertNotIn(b"[info]", text)

    def test_other_commands_write_what_they_print_into_none_of_their_files(self):
        for numbers in CLOSED:
            with self.subTest(closed=numbers):
                journal, csv = self.directory / f"{numbers}.jsonl", self.directory / f"{numbers}.csv"
                done = subprocess.run(
                    with_closed(numbers, "run", "one", "--seconds", "0.2", "--journal", journal, "--csv", csv, *DATA),
                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment, timeout=60 * SLOWNESS)
                self.assertEqual(done.returncode, 0)
                for line in journal.read_text().splitlines():
                    json.loads(line)
                self.assertNotIn("simulated", csv.read_text())
                code, _, err = run("replay", journal, *DATA)
                self.assertEqual((code, err), (0, ""))


class Home(InADirectory):
    def store_that_doctor_tells(self, **how):
        environment = {k: v for k, v in self.environment.items()
                       if k not in ("HOME", "XDG_DATA_HOME", "PROMENADE_STORE")}
        done = subprocess.run([BINARY, "doctor", "--scene", "one", "--port", "0", *DATA], capture_output=True,
                              text=True, cwd=self.directory, timeout=60 * SLOWNESS,
                              env={**environment, **how.pop("env", {})}, **how)
        return re.search(r"^(\S+) +store +(.*)$", done.stdout, re.M).groups()

    def test_without_the_variable_is_the_one_that_the_system_has(self):
        import pwd
        home = pwd.getpwuid(os.geteuid()).pw_dir
        if not pathlib.Path(home).is_dir():
            self.skipTest("this user has no home")
        for variables in ({}, {"HOME": ""}, {"HOME": "here"}, {"XDG_DATA_HOME": "here"}):
            with self.subTest(variables=variables):
                self.assertTrue(self.store_that_doctor_tells(env=variables)[1].startswith(home))
        self.assertEqual(list(self.directory.iterdir()), [])

    def test_a_user_without_one_is_told_what_to_give(self):
        if os.geteuid() != 0:
            self.skipTest("only root can become another user")
        self.directory.chmod(0o755)
        nobody = {"user": 65432, "group": 65432, "extra_groups": []}
        try:
            subprocess.run([BINARY, "--version"], check=True, stdout=subprocess.DEVNULL, **nobody)
        except (OSError, subprocess.CalledProcessError):
            self.skipTest("another user may not run the program")
        verdict, text = self.store_that_doctor_tells(**nobody)
        self.assertEqual(verdict, "FAIL")
        for part in ("--store", ":memory:", "XDG_DATA_HOME", "HOME"):
            self.assertIn(part, text)
        environment = {k: v for k, v in self.environment.items()
                       if k not in ("HOME", "XDG_DATA_HOME", "PROMENADE_STORE")}
        done = subprocess.run([BINARY, "serve", "--scene", "one", "--port", "0", *DATA], capture_output=True,
                              text=True, cwd=self.directory, timeout=60 * SLOWNESS, env=environment, **nobody)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("--store: it is not given, and this user has no home", done.stderr)
        self.assertEqual(list(self.directory.iterdir()), [])

    def test_where_the_store_is_stands_in_the_log(self):
        server = Server("--store", str(self.directory / "a.db"))
        server.stop()
        self.assertIn(f"store: {self.directory / 'a.db'}", server.last_log)


class Processors(unittest.TestCase):
    def test_that_the_process_may_not_use_get_no_threads(self):
        one = {min(os.sched_getaffinity(0))}
        before = os.sched_getaffinity(0)
        os.sched_setaffinity(0, one)
        try:
            server = Server(threads=0)
            code, doctor, _ = run("doctor", "--port", "0", *DATA)
        finally:
            os.sched_setaffinity(0, before)
        server.stop()
        told = re.search(r"threads: (\d+) step each room, (\d+) serve connections; 1 of (\d+) processor", server.last_log)
        self.assertIsNotNone(told, server.last_log)
        self.assertEqual((told[1], told[2]), ("1", "2"))
        self.assertEqual(code, 0)
        self.assertRegex(doctor, r"processors +1 of \d+ processors?( \(affinity 1\))?: 1 thread")

    def test_are_not_asked_where_threads_are_given(self):
        server = Server("--io-threads", "3", threads=5)
        server.stop()
        self.assertIn("threads: 5 step each room, 3 serve connections", server.last_log)


class Address(unittest.TestCase):
    def test_that_is_printed_is_one_that_works(self):
        for address, shown in (("127.0.0.1", "127.0.0.1"), ("127.0.0.2", "127.0.0.2"), ("0.0.0.0", "127.0.0.1"),
                               ("localhost", "localhost"), ("::1", "[::1]"), ("::", "[::1]"),
                               ("::ffff:127.0.0.1", "127.0.0.1")):
            with self.subTest(address=address):
                if ":" in address:
                    with contextlib.closing(socket.socket(socket.AF_INET6)) as one:
                        try:
                            one.bind(("::1", 0))
                        except OSError:
                            self.skipTest("this machine has no IPv6")
                server = Server("--address", address)
                try:
                    self.assertEqual(server.shown_url, f"http://{shown}:{server.port}")
                    with urllib.request.urlopen(f"{server.shown_url}/healthz", timeout=5) as answer:
                        self.assertEqual(answer.status, 200)
                finally:
                    server.stop()


if __name__ == "__main__":
    unittest.main()
