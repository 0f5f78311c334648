"""Hours of everything at once, see scripts/soak: good viewers in two rooms, one of them attacked, and a bad network."""

import argparse
import asyncio
import json
import os
import pathlib
import sys
import tempfile
import time

from chaos import ChaosProxy
from harness import BINARY, Server

kGoodViewers = 100  # in each of the two rooms
kMemoryGrowth = 1.02  # of the median of the first third of the run to that of the last
kFramesASecond, kDelayMs = 29, 50  # of the median good viewer; of 99 % of the good viewers' frames


def directory_bytes(directory):
    total = 0
    for path in pathlib.Path(directory).rglob("*"):
        try:
            total += path.stat().st_size
        except FileNotFoundError:  # a journal's segment that has come to its end
            pass
    return total


def median(values):
    return sorted(values)[len(values) // 2] if values else 0


async def load(url, seconds, *arguments):
    """What `promenade load` prints as JSON."""
    process = await asyncio.create_subprocess_exec(
        BINARY, "load", url, "--json", "--seconds", str(seconds), *map(str, arguments), stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE, env={k: v for k, v in os.environ.items() if not k.startswith("PROMENADE_")})
    out, err = await process.communicate()
    if process.returncode != 0:
        raise AssertionError(f"promenade load: {err.decode()}")
    return json.loads(out)


class Soak:
    """A server, what is asked of it, and what was seen."""

    def __init__(self, options):
        self.options = options
        self.home = tempfile.TemporaryDirectory()
        self.samples = []  # (s, resident bytes, descriptors, threads, bytes on disk)
        self.rows = []
        self.wrong = []
        self.server = Server(
            "--room", "attacked:square", "--room", "calm:one", "--guest-role", "player", "--max-connections", "1024",
            "--max-load", "0.8", "--store", f"{self.home.name}/store.db", "--state-dir", f"{self.home.name}/rooms",
            "--journal-segment-mb", "1", "--journal-total-mb", "8", *options.serve)

    def expect(self, holds, text):
        if not holds:
            self.wrong.append(text)
            print(f"  WRONG: {text}", flush=True)

    def sample(self, start):
        process = pathlib.Path(f"/proc/{self.server.process.pid}")
        self.samples.append((time.monotonic() - start, self.server.resident_bytes(), len(os.listdir(process / "fd")),
                             len(os.listdir(process / "task")), directory_bytes(self.home.name)))

    async def window(self, number, proxy):
        """One span of measuring; the good viewers come anew, everybody else goes on attacking meanwhile."""
        url, seconds = self.server.url.replace("localhost", "127.0.0.1"), self.options.window
        bad = f"http://127.0.0.1:{proxy.port}"
        groups = await asyncio.gather(
            load(url, seconds, "--honest", kGoodViewers, "--room", "attacked", "--sources", 20),
            load(url, seconds, "--honest", kGoodViewers, "--room", "calm", "--sources", 20),
            load(url, seconds, "--honest", 100, "--stay", 5, "--room", "attacked", "--sources", 20, "--joins", 40),
            load(url, seconds, "--hostile", self.options.hostile, "--slow", 10, "--dead", 10, "--room", "attacked",
                 "--sources", 50, "--seed", number),
            load(bad, seconds, "--honest", 10, "--room", "attacked"))
        for name, figures in zip(("attacked", "calm"), groups):
            honest = figures["honest"]
            self.rows.append((name, honest["frames_per_s_median"], honest["delay_ms_p99"]))
            _, memory, descriptors, _, disk = self.samples[-1]
            print(f"{number:4d}  {name:9s} {honest['frames_per_s_median']:6.1f} {honest['frames_per_s_min']:6.1f} "
                  f"{honest['delay_ms_p50']:8.1f} {honest['delay_ms_p99']:8.1f} {memory >> 20:8d} {descriptors:6d} "
                  f"{disk >> 20:6d} {sum(group['own_cpu'] for group in groups):6.2f}", flush=True)
            self.expect(honest["least_connected"] == kGoodViewers, f"good viewers of {name} were sent away: {honest['ends']}")
        self.expect(groups[4]["honest"]["frames"] > 0, "no frame came through the bad network")

    async def run(self):
        start = time.monotonic()
        ending = asyncio.Event()

        async def watch():
            while not ending.is_set():
                self.sample(start)
                await asyncio.sleep(1)

        print("span  room    frames/s: median  least  delay ms: p50  p99  memory MB  files  disk MB  the clients' CPU, cores", flush=True)
        async with ChaosProxy(self.server.port, seed=1) as proxy:
            watcher = asyncio.create_task(watch())
            number = 0
            while time.monotonic() - start < 3600 * self.options.hours:
                number += 1
                await self.window(number, proxy)
                self.expect(self.server.get("/healthz")[0] == 200, "/healthz is not 200")
            ending.set()
            await watcher
        self.judge()

    def judge(self):
        # Caches and the kernel's buffers fill up in the first minutes.
        warm = [sample for sample in self.samples if sample[0] >= min(300, self.samples[-1][0] / 4)]
        third = len(warm) // 3
        first, last = warm[:third], warm[-third:]
        for index, name in ((1, "memory"), (2, "descriptors"), (3, "threads")):
            a, b = (median([sample[index] for sample in part]) for part in (first, last))
            print(f"{name}: median of the first third {a}, of the last {b}")
            self.expect(b <= kMemoryGrowth * a + (0 if index == 1 else 5), f"{name} grow from {a} to {b}")
        most = max(sample[4] for sample in self.samples)
        self.expect(most < (2 * 8 + 64) << 20, f"{most >> 20} MB on disk")
        for room in ("attacked", "calm"):
            frames, delay = (median([row[i] for row in self.rows if row[0] == room]) for i in (1, 2))
            self.expect(frames >= kFramesASecond, f"good viewers of {room} get {frames} frames a second")
            self.expect(delay <= kDelayMs, f"99 % of the frames of {room} come within {delay} ms")
        # Everybody has gone: what they held is given back.
        deadline = time.monotonic() + 90
        while (left := self.server.metric("promenade_connections")) > 5 and time.monotonic() < deadline:
            time.sleep(1)
        self.expect(left <= 5, f"{left} connections are left")
        self.expect(self.server.stop()[1] == 0, "the server did not end with 0")
        print(f"{len(self.wrong)} wrong" if self.wrong else "all well")


def main():
    parser = argparse.ArgumentParser(prog="scripts/soak")
    parser.add_argument("--hours", type=float, default=1, help="how long (default 1)")
    parser.add_argument("--window", type=float, default=60, help="seconds of each line of the table (default 60)")
    parser.add_argument("--hostile", type=int, default=50, help="clients that attack (default 50)")
    parser.add_argument("serve", nargs="*", help="more options of `promenade serve`, after --")
    soak = Soak(parser.parse_args())
    asyncio.run(soak.run())
    sys.exit(bool(soak.wrong))


if __name__ == "__main__":
    main()
