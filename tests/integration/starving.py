"""What is left for others while one visitor asks for as much work as it may.

    PYTHONPATH=GENERATED PROMENADE_BINARY=... PROMENADE_SOURCE=... python3 starving.py [SECONDS] [ATTACK ...]

Fifty viewers, each with a token of its own, watch the rooms a and b at 30 Hz in coded frames. Beside them, one after
the other: an operator of room a sets the largest flow that is taken, again and again; a player spawns light people of
new bodies; a hundred sockets of one viewer ask for coded frames of `plaza` that need no earlier ones. Prints frames a
second of the worst and the median viewer, and how fast each room's clock was.
"""

import asyncio
import multiprocessing
import socket
import sys
import threading
import time

from harness import Server
from flood import OPENING, framed
from promenade.v1 import command_pb2
from promenade.v1 import wire_pb2 as wire

VIEWERS = 25  # of each room
VIEW = {"eye_m": [12, -12, 6], "forward": [-0.66, 0.66, -0.33], "height_rad": 0.56, "aspect": 1.6}


def joined(port, room, token, rate_hz=30):
    plain = socket.create_connection(("127.0.0.1", port))
    plain.sendall(OPENING)
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += plain.recv(1)
    plain.sendall(framed(seq=1, join={"rate_hz": rate_hz, "room": room, "token": token}))
    return plain


def large_flow(shift):
    """As large as the limits allow; another one for each shift."""
    flow = command_pb2.SetFlow().flow
    area = {"center_m": [-60, 0], "size_m": [2, 2]}
    flow.entrances.add(name="in", area=area, rates=[{"at_s": 0, "per_minute": 60}])
    for i in range(32):
        flow.exits.add(name=f"out-{i}", area={"center_m": [60, 3 * i - 48], "size_m": [2, 2]})
    for i in range(200):
        x, y = (i % 20) * 5 - 50, (i // 20) * 10 - 47
        flow.walls.add(points_m=[x, y, x + 2, y + 2 + 0.001 * shift, x + 1, y + 4])
    for i in range(64):
        flow.places.add(name=f"bench-{i}", center_m=[(i % 8) * 10 - 46.5, (i // 8) * 12 - 43], people=1)
    flow.most_people, flow.most_stops = 50, 3
    flow.controller = "pendulum"
    flow.bodies.append("human")
    flow.styles.append("normal")
    return flow


def insist(port, end, command, every_s):
    """Sends command(0), command(1), ... to room a, and joins again whenever the server has had enough of that."""
    n = 0
    while time.monotonic() < end:
        try:
            with joined(port, "a", "attacker-operator", 1) as plain:
                threading.Thread(target=drain, args=(plain,), daemon=True).start()
                while time.monotonic() < end:
                    plain.sendall(framed(seq=2 + n, command=command(n)))
                    n += 1
                    time.sleep(every_s)
        except OSError:
            time.sleep(every_s)


def flows(port, end):
    insist(port, end, lambda n: {"set_flow": {"flow": large_flow(n)}}, 0.25)


def spawns(port, end):
    def spawn(n):
        body = {"name": "new", "base": "human", "edit": {"scale": 1 + 0.0001 * (n + 1)}}
        return {"spawn": {"body_definition": body, "style": "normal", "controller": "pendulum"}}

    insist(port, end, spawn, 0.1)


def drain(plain):
    try:
        while plain.recv(1 << 16):
            pass
    except OSError:
        pass


def keys(port, end):
    async def one():
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(OPENING)
        await reader.readuntil(b"\r\n\r\n")
        writer.write(framed(seq=1, join={"rate_hz": 60, "room": "c", "token": "attacker-viewer"}))
        seq = 1
        while time.monotonic() < end:
            seq += 1
            writer.write(framed(seq=seq, viewpoint=VIEW | {"key": True}))
            try:
                await asyncio.wait_for(reader.read(1 << 18), 0.03)
            except asyncio.TimeoutError:
                pass
        writer.close()

    async def all_of_them():
        await asyncio.gather(*(one() for _ in range(100)), return_exceptions=True)

    asyncio.run(all_of_them())


async def pong(writer):
    """A viewer that is silent for 50 s is taken for gone."""
    while True:
        await asyncio.sleep(15)
        writer.write(b"\x8a\x80" + bytes(4))


def watch(port, seconds, queue):
    """Counts the frames of all viewers."""
    async def one(room, token):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(OPENING)
        await reader.readuntil(b"\r\n\r\n")
        writer.write(framed(seq=1, join={"rate_hz": 30, "room": room, "token": token}))
        writer.write(framed(seq=2, viewpoint=VIEW))
        frames, end, begin = 0, time.monotonic() + seconds + 3, time.monotonic() + 3
        sign_of_life = asyncio.create_task(pong(writer))
        while (now := time.monotonic()) < end:
            try:
                first, length = await asyncio.wait_for(reader.readexactly(2), end - now)
                if length >= 126:
                    length = int.from_bytes(await reader.readexactly(2 if length == 126 else 8), "big")
                data = await reader.readexactly(length)
            except asyncio.TimeoutError:
                break
            # Field 4 of ServerMessage, without parsing it.
            if first & 0x0F == 2 and data[:1] == b"\x22" and now > begin:
                frames += 1
        sign_of_life.cancel()
        writer.close()
        return frames / seconds

    async def everybody():
        return await asyncio.gather(*(one(room, f"viewer-{room}{i}") for room in "ab" for i in range(VIEWERS)))

    queue.put(asyncio.run(everybody()))


def measure(server, name, attack, seconds):
    end = time.monotonic() + seconds + 5
    attacker = attack and multiprocessing.Process(target=attack, args=(server.port, end))
    if attacker:
        attacker.start()
        time.sleep(1)
    queue = multiprocessing.Queue()
    watcher = multiprocessing.Process(target=watch, args=(server.port, seconds, queue))
    watcher.start()
    began, before = time.monotonic(), {room: int(server.state(room)["tick"]) for room in "ab"}
    rates = sorted(queue.get())
    factors = {room: (int(server.state(room)["tick"]) - before[room]) / 60 / (time.monotonic() - began) for room in "ab"}
    watcher.join()
    if attacker:
        attacker.join(5)
        attacker.kill()
    print(f"{name:8} worst {rates[0]:5.1f}, median {rates[len(rates) // 2]:5.1f} frames a second; factor "
          + ", ".join(f"{room} {factor:.2f}" for room, factor in factors.items()), flush=True)


ATTACKS = {"alone": None, "flows": flows, "spawns": spawns, "keys": keys}

if __name__ == "__main__":
    length = float(sys.argv[1]) if len(sys.argv) > 1 else 20
    tokens = ["--token", "operator:attacker-operator", "--token", "viewer:attacker-viewer"]
    for which in "ab":
        for k in range(VIEWERS):
            tokens += ["--token", f"viewer:viewer-{which}{k}"]
    tested = Server("--room", "a:one", "--room", "b:close-circle", "--room", "c:plaza", "--max-per-ip", "512",
                    "--guest-role", "viewer", *tokens, threads=2)
    for attack_name in sys.argv[2:] or ATTACKS:
        measure(tested, attack_name, ATTACKS[attack_name], length)
    tested.stop()
