"""How late the frames of a viewer are while one visitor floods the server.

    PYTHONPATH=GENERATED PROMENADE_BINARY=... PROMENADE_SOURCE=... python3 flood.py [SCENE] [SECONDS]

Prints the time from a snapshot to the viewer that has its frame, p50 and p99, alone and beside each
flood. The floods run in processes of their own, without regard to refusals: `wrk -t2 -c50` on the
room's state where wrk is installed, and 50 sockets that ping as fast as they can.
"""

import asyncio
import multiprocessing
import shutil
import socket
import subprocess
import sys
import time

from harness import SUBPROTOCOL, Server
from promenade.v1 import wire_pb2 as wire

OPENING = (f"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
           f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
           f"Sec-WebSocket-Protocol: {SUBPROTOCOL}\r\n\r\n").encode()


def framed(**content):
    """A client's message as a frame whose mask is 0."""
    data = wire.ClientMessage(**content).SerializeToString()
    length = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xff" + len(data).to_bytes(8, "big")
    return b"\x82" + length + bytes(4) + data


def joined(port):
    """A plain socket that is a viewer at 30 Hz."""
    plain = socket.create_connection(("127.0.0.1", port))
    plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    plain.sendall(OPENING)
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += plain.recv(1)
    plain.sendall(framed(seq=1, join={"rate_hz": 30}))
    return plain


def delays(port, seconds):
    """Seconds from each snapshot until its frame is here, sorted; both clocks are the machine's."""
    reader = joined(port).makefile("rb")
    found, began = [], time.monotonic()
    while time.monotonic() - began < seconds + 1:
        first, length = reader.read(2)
        if length >= 126:
            length = int.from_bytes(reader.read(2 if length == 126 else 8), "big")
        data, now = reader.read(length), time.monotonic()
        if first & 0x0F == 2 and now - began > 1:
            message = wire.ServerMessage.FromString(data)
            if message.HasField("frame"):
                found.append(now - 1e-6 * message.frame.server_time_us)
    return sorted(found)


def ping_flood(port, seconds):
    async def one(end):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(OPENING)
        await reader.readuntil(b"\r\n\r\n")
        writer.write(framed(seq=1, join={"rate_hz": 1}))
        seq = 1
        while time.monotonic() < end:
            pings = b"".join(framed(seq=seq + i + 1, ping={}) for i in range(100))
            seq += 100
            writer.write(pings)
            try:
                await asyncio.wait_for(writer.drain(), max(0.01, end - time.monotonic()))
                await asyncio.wait_for(reader.read(65536), max(0.01, end - time.monotonic()))
            except (asyncio.TimeoutError, ConnectionError):
                break
        writer.close()

    async def all_of_them():
        end = time.monotonic() + seconds
        await asyncio.gather(*(one(end) for _ in range(50)), return_exceptions=True)

    asyncio.run(all_of_them())


def request_flood(port, seconds):
    subprocess.run(["wrk", "-t2", "-c50", f"-d{int(seconds)}s",
                    f"http://localhost:{port}/api/v1/rooms/main/state"], check=True,
                   stdout=subprocess.DEVNULL)


def measure(server, name, flood, seconds):
    process = None
    if flood:
        process = multiprocessing.Process(target=flood, args=(server.port, seconds + 4))
        process.start()
        time.sleep(2)  # until bursts that are allowed are used up
    found = delays(server.port, seconds)
    if process:
        process.join()
    p50, p99 = (1000 * found[min(len(found) - 1, int(q * len(found)))] for q in (0.5, 0.99))
    print(f"{name:10} {len(found) / seconds:5.1f} frames a second, p50 {p50:5.1f} ms, "
          f"p99 {p99:5.1f} ms", flush=True)


if __name__ == "__main__":
    tested = Server(scene=sys.argv[1] if len(sys.argv) > 1 else "hundred", threads=2)
    length = float(sys.argv[2]) if len(sys.argv) > 2 else 10
    measure(tested, "alone", None, length)
    if shutil.which("wrk"):
        measure(tested, "requests", request_flood, length)
    measure(tested, "pings", ping_flood, length)
    tested.stop()
