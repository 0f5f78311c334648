"""A server process of its own for each test class, and a viewer that speaks the protocol."""

import asyncio
import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.request

import websockets
from promenade.v1 import wire_pb2 as wire
from told import Told

BINARY = os.environ["PROMENADE_BINARY"]
SOURCE = pathlib.Path(os.environ["PROMENADE_SOURCE"])
SUBPROTOCOL = "promenade.v1"
# How many times slower than a plain build the program may be, as under sanitizers. It stretches waits for what
# must come, after which a test gives up, and lowers the figures of `load`, which are of speed.
SLOWNESS = float(os.environ.get("PROMENADE_TEST_SLOWNESS", "1"))
# Of every server of these tests, besides those that a test asks for.
ARGUMENTS = os.environ.get("PROMENADE_TEST_ARGUMENTS", "").split()


# No files of anybody's, and not the scene `plaza`, for which a server may compute seven seconds.
EASY = {"PROMENADE_STORE": ":memory:", "PROMENADE_SCENE": "one"}


def run(*arguments, **environment):
    """(exit code, standard output, standard error) of the program that ends by itself."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("PROMENADE_")}
    done = subprocess.run([BINARY, *map(str, arguments)], capture_output=True, text=True,
                          timeout=20 * SLOWNESS, env={**EASY, **clean, **environment})
    return done.returncode, done.stdout, done.stderr


class Server:
    """A running `promenade serve` on a free port."""

    last_log = ""  # of the last one that ended

    def __init__(self, *arguments, scene="one", threads=1, port="0", variables=None,
                 wait=True, data=SOURCE / "server/data"):
        self.log = tempfile.TemporaryFile(mode="w+")
        environment = {k: v for k, v in os.environ.items() if not k.startswith("PROMENADE_")}
        environment["PROMENADE_STORE"] = ":memory:"  # unless --store says otherwise
        environment.update(variables or {})
        # Tests on a busy machine must not be refused what they make, unless that is what they test.
        environment.setdefault("PROMENADE_MAX_LOAD", "0")
        self.process = subprocess.Popen(
            [BINARY, "serve", "--port", port, "--scene", scene, "--threads", str(threads),
             "--data", data, *ARGUMENTS, *map(str, arguments)],
            stdout=subprocess.PIPE, stderr=self.log, text=True, env=environment)
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+:(\d+)", line)
        if not found:
            self.process.wait(5)
            self.process.stdout.close()
            text = self.log_text()
            self.log.close()
            raise AssertionError(f"the server did not start: {line!r}\n{text}")
        self.port = int(found.group(1))
        self.shown_url = found.group()
        self.url = f"http://localhost:{self.port}"
        if wait:
            self.wait_until_made()

    def wait_until_made(self):
        """The port is open before the rooms are there."""
        deadline = time.monotonic() + 60 * SLOWNESS
        with contextlib.suppress(OSError):  # a server that ends at once
            while self.alive() and "is being made" in self.get("/readyz")[2]:
                if time.monotonic() > deadline:
                    raise AssertionError("the rooms are not made")
                time.sleep(0.02)

    def log_text(self):
        if self.log.closed:
            return self.last_log
        self.log.seek(0)
        return self.log.read()

    def who_may_what(self):
        """The line of the start after the address; both are written at once."""
        os.set_blocking(self.process.stdout.fileno(), False)
        try:
            return self.process.stdout.readline()
        except (OSError, TypeError):  # nothing is there
            return ""

    def alive(self):
        return self.process.poll() is None

    def resident_bytes(self):
        statm = pathlib.Path(f"/proc/{self.process.pid}/statm").read_text()
        return int(statm.split()[1]) * os.sysconf("SC_PAGESIZE")

    def room_process(self, room="main"):
        """The id of the process of a room (--isolate); None while there is none."""
        for task in pathlib.Path(f"/proc/{self.process.pid}/task").iterdir():
            with contextlib.suppress(OSError):  # the thread has ended
                for child in (task / "children").read_text().split():
                    with contextlib.suppress(OSError):  # the child has
                        comm = pathlib.Path(f"/proc/{child}/comm").read_text()
                        if comm.strip() == f"room {room}"[:15]:
                            return int(child)
        return None

    def stop(self, signal_number=signal.SIGTERM):
        """Seconds until it ended, and its exit code."""
        began = time.monotonic()
        if self.alive():
            self.process.send_signal(signal_number)
        try:
            code = self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError("the server did not stop within 10 s")
        finally:
            self.process.stdout.close()
            self.last_log = self.log_text()
            self.log.close()
        return time.monotonic() - began, code

    def get(self, path, headers=None, method="GET", body=None):
        """(status, headers, text) of a request."""
        request = urllib.request.Request(self.url + path, data=body, headers=headers or {},
                                         method=method)
        try:
            with urllib.request.urlopen(request, timeout=10 * SLOWNESS) as answer:
                return answer.status, answer.headers, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers, error.read().decode()

    def get_bytes(self, path, headers=None):
        """The body of an answer that is no text."""
        request = urllib.request.Request(self.url + path, headers=headers or {})
        with urllib.request.urlopen(request, timeout=10 * SLOWNESS) as answer:
            return answer.read()

    def post(self, command, room="main", headers=None):
        """(status, answer) of a command given as JSON text or as what becomes JSON."""
        body = command if isinstance(command, (str, bytes)) else json.dumps(command)
        body = body.encode() if isinstance(body, str) else body
        status, _, text = self.get(f"/api/v1/rooms/{room}/commands", headers, "POST", body)
        return status, json.loads(text)

    def state(self, room="main"):
        return json.loads(self.get(f"/api/v1/rooms/{room}/state")[2])

    def wait_for_state(self, accept, room="main"):
        """The first state that is acceptable; an answer to a command may be a tick ahead of it."""
        deadline = time.monotonic() + 5 * SLOWNESS
        while True:
            state = self.state(room)
            if accept(state):
                return state
            if time.monotonic() > deadline:
                raise AssertionError(f"no such state came: {state}")
            time.sleep(0.03)  # reads of one visitor are limited

    def metric(self, name):
        """Sum over the labels of a figure at /metrics."""
        text = self.get("/metrics")[2]
        values = re.findall(rf"^{name}(?:{{[^}}]*}})? (\S+)$", text, re.MULTILINE)
        if not values:
            raise AssertionError(f"no {name} in /metrics")
        return sum(map(float, values))


class Viewer:
    """One WebSocket. Keeps what it was told; replies are found by their seq. Rosters and catalogues are
    whole here: parts are joined, changes applied."""

    def __init__(self, socket):
        self.socket = socket
        self.told = Told()
        self.bodies = {}  # by their ids
        self.sizes = []   # (kind, bytes) of every message as it came
        self.seq = 0
        self.received = []  # every message but frames and details
        self.frames = 0
        self.frame = None

    async def receive(self, timeout=5):
        data = await asyncio.wait_for(self.socket.recv(), timeout * SLOWNESS)
        message = wire.ServerMessage.FromString(data)
        self.sizes.append((message.WhichOneof("kind"), len(data)))
        message = self.told.take(message)
        if message is None:
            return "part", None
        kind = message.WhichOneof("kind")
        if kind == "frame":
            self.frames += 1
            self.frame = message.frame
        elif kind == "body":
            self.bodies[message.body.id] = message.body.creature if message.body.HasField("creature") else None
        elif kind != "details":
            self.received.append(message)
        return kind, getattr(message, kind)

    async def until(self, *kinds, timeout=5, accept=lambda message: True):
        """The next message of one of these kinds that is acceptable."""
        deadline = time.monotonic() + timeout * SLOWNESS
        while True:
            kind, message = await self.receive(max(0.01, deadline - time.monotonic()))
            if kind in kinds and accept(message):
                return message

    async def send(self, **content):
        self.seq += 1
        await self.socket.send(wire.ClientMessage(seq=self.seq, **content).SerializeToString())
        return self.seq

    async def ask(self, **content):
        """The Ack, Error or Pong that answers this message."""
        seq = await self.send(**content)
        return await self.until("ack", "error", "pong", accept=lambda reply: reply.seq == seq)

    async def command(self, **content):
        return await self.ask(command=content)

    async def body(self, *ids):
        """The bodies of these ids, asked for unless they have come before; None where there is none."""
        wanted = [i for i in dict.fromkeys(ids) if i not in self.bodies]
        deadline = time.monotonic() + 30
        for first in range(0, len(wanted), 64):
            await self.send(get_bodies={"body": wanted[first:first + 64]})
            while any(i not in self.bodies for i in wanted[first:first + 64]):
                assert time.monotonic() < deadline, "the bodies do not come"
                await self.receive()
        return [self.bodies[i] for i in ids]

    def last(self, kind):
        for message in reversed(self.received):
            if message.WhichOneof("kind") == kind:
                return getattr(message, kind)
        return None


@contextlib.asynccontextmanager
async def connected(server, **options):
    """A WebSocket that has not joined."""
    options.setdefault("subprotocols", [SUBPROTOCOL])
    async with websockets.connect(f"ws://localhost:{server.port}/ws", compression=None,
                                  max_size=2**22, **options) as socket:
        try:
            yield Viewer(socket)
        finally:
            await close(socket)


async def close(socket):
    """Closes a WebSocket and reads to its end: with messages that nobody reads, closing takes ten seconds."""
    closing = asyncio.create_task(socket.close())
    # A RuntimeError tells that another task reads already.
    with contextlib.suppress(websockets.ConnectionClosed, RuntimeError):
        while True:
            await socket.recv()
    await closing


@contextlib.asynccontextmanager
async def joined(server, token="", room="", rate_hz=0, **options):
    """A viewer that has joined and been told the roster."""
    async with connected(server, **options) as viewer:
        await viewer.send(join=wire.Join(room=room, token=token, rate_hz=rate_hz, client="test"))
        await viewer.until("roster")
        yield viewer


async def close_code(viewer, timeout=10):
    """Reads until the server closes; the code and the reason."""
    try:
        while True:
            await viewer.receive(timeout)
    except websockets.ConnectionClosed:
        return viewer.socket.close_code, viewer.socket.close_reason


async def raw(server, data, pause=0.0):
    """Everything a plain TCP connection answers to these bytes, sent piece by piece."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
    try:
        for piece in data if isinstance(data, list) else [data]:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(pause)
        return await asyncio.wait_for(reader.read(), 15)
    except ConnectionError:
        return b""
    finally:
        writer.close()


class Witness:
    """A viewer at 30 Hz beside whatever else happens; it must notice nothing of it."""

    def __init__(self, server):
        self.server = server
        self.gaps = []
        self.leaving = False

    async def __aenter__(self):
        self.ready = asyncio.Event()
        self.task = asyncio.create_task(self.watch())
        await asyncio.wait_for(self.ready.wait(), 5)
        return self

    async def watch(self):
        async with joined(self.server) as viewer:
            await viewer.until("frame")
            self.last = time.monotonic()
            self.ready.set()
            while not self.leaving:
                await viewer.until("frame")
                now = time.monotonic()
                self.gaps.append(now - self.last)
                self.last = now

    async def __aexit__(self, *_):
        # Not cancelled: wait_for() may swallow that when a message arrives at the same time.
        self.leaving = True
        await self.task

    def longest_gap(self):
        """Seconds, the one under way included."""
        return max([*self.gaps, time.monotonic() - self.last])


class ServerTestCase(unittest.IsolatedAsyncioTestCase):
    """One server for the whole class; every test leaves it running."""

    arguments = ()
    scene = "one"
    threads = 1

    @classmethod
    def setUpClass(cls):
        cls.server = Server(*cls.arguments, scene=cls.scene, threads=cls.threads)

    @classmethod
    def tearDownClass(cls):
        seconds, code = cls.server.stop()
        if code != 0 or seconds > 2 * SLOWNESS:
            raise AssertionError(f"stopped in {seconds:.1f} s with exit code {code}\n"
                                 + cls.server.log_text())

    async def asyncSetUp(self):
        asyncio.get_running_loop().set_debug(False)  # unittest turns on what makes this side slow

    def tearDown(self):
        self.assertTrue(self.server.alive(), "the server is gone:\n" + self.server.log_text())
