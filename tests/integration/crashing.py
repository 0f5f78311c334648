"""Clients that load a room with commands until its server is gone, and what they were promised."""

import asyncio
import json
import pathlib
import random
import re
import subprocess
import threading
import time

from harness import BINARY, SOURCE, joined


class Commander(threading.Thread):
    """Makes, pushes and removes characters and things as fast as the server answers."""

    def __init__(self, server, seed, mine=()):
        super().__init__()
        self.server = server
        self.random = random.Random(seed)
        self.here = set(mine)   # ids that must be there
        self.doubtful = set()   # of removals that were not answered
        self.gone = set()       # ids that must not be there
        self.answered = 0
        self.failure = None

    def run(self):
        while self.failure is None:
            try:
                self.one()
            except (OSError, ValueError, EOFError):  # killed
                return
            except Exception as error:  # http.client's, of an answer that was cut off
                if type(error).__module__ != "http.client":
                    self.failure = repr(error)
                return

    def one(self):
        kind = self.random.choice(("spawn", "thing", "push", "walk", "remove"))
        place = [self.random.uniform(-8, 8), self.random.uniform(-8, 8)]
        who = self.random.choice(sorted(self.here)) if self.here else 0
        if kind == "remove" and who or len(self.here) > 5:
            self.here.discard(who)
            self.doubtful.add(who)
            self.send({"remove": {"character": who}})
            self.doubtful.discard(who)
            self.gone.add(who)
        elif kind == "spawn":
            self.here.add(self.send({"spawn": {"body": "human", "position_m": place, "wander": True}}))
        elif kind == "thing" or not who:
            self.here.add(self.send({"spawn_thing": {"thing": "crate", "position_m": place}}))
        else:
            self.send({"push": {"character": who, "link": "", "force_n": [50, 20, 0]}}
                      if kind == "push" else {"place": {"character": who, "position_m": place}},
                      may_fail=True)

    def send(self, command, may_fail=False):
        status, answer = self.server.post(command)
        while status == 429:  # faster than one address may be
            time.sleep(0.05)
            status, answer = self.server.post(command)
        if status != 200 and not may_fail:
            self.failure = json.dumps([command, answer])
            raise EOFError
        self.answered += 1
        return answer.get("ack", {}).get("character", 0)


class Watcher(threading.Thread):
    """The newest tick that a viewer has seen."""

    def __init__(self, server):
        super().__init__()
        self.server = server
        self.tick = 0

    def run(self):
        asyncio.run(self.watch())

    async def watch(self):
        try:
            async with joined(self.server, rate_hz=60) as viewer:
                while True:
                    self.tick = (await viewer.until("frame")).tick
        except Exception:  # the server is gone
            pass


def newest_segment(directory, room="main"):
    return max(pathlib.Path(directory).glob(f"{room}.*.journal"))


def replay(*paths):
    """(exit code, hash or text, standard error) of `promenade replay --hash`."""
    done = subprocess.run([BINARY, "replay", "--data", SOURCE / "server/data", "--hash", *paths],
                          capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout.strip(), done.stderr


def came_back(server):
    """(tick, hash) at which the log says that the room went on."""
    found = re.search(r"goes on at tick (\d+), state hash ([0-9a-f]{16})", server.log_text())
    return (int(found[1]), found[2]) if found else None
