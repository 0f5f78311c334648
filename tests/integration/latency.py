"""Time from a command to its effect in a frame, over the socket.

    PYTHONPATH=GENERATED PROMENADE_BINARY=... PROMENADE_SOURCE=... python3 latency.py [SCENE] [COUNT]

The viewer turns a character's desired velocity to and fro and waits for the Details beside a frame
that show it: what a key press goes through but for the page itself.
"""

import asyncio
import random
import sys
import time

from harness import Server, joined


async def measure(server, count, rate_hz=30):
    """Seconds from each command to the frame that shows it, sorted."""
    times = []
    async with joined(server, rate_hz=rate_hz) as viewer:
        await viewer.ask(watch={"characters": [1]})
        for i in range(count):
            await drain(viewer, random.uniform(0.1, 0.2))  # at any moment between two frames
            speed = 0.2 + 0.01 * (i % 20)
            began = time.monotonic()
            await viewer.send(command={"set_velocity": {
                "character": 1, "x_mps": speed, "frame": "WORLD"}})
            await viewer.until("details", accept=lambda d: d.characters and abs(
                d.characters[0].desired_velocity_mps[0] - speed) < 1e-4)
            times.append(time.monotonic() - began)
    return sorted(times)


async def drain(viewer, seconds):
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        try:
            await viewer.receive(left)
        except asyncio.TimeoutError:
            return


def quantile(times, q):
    return times[min(len(times) - 1, int(q * len(times)))]


if __name__ == "__main__":
    tested = Server(scene=sys.argv[1] if len(sys.argv) > 1 else "square")
    measured = asyncio.run(measure(tested, int(sys.argv[2]) if len(sys.argv) > 2 else 100))
    tested.stop()
    for q in (0.5, 0.95, 1):
        print(f"p{100 * q:g}: {1000 * quantile(measured, q):.1f} ms")
