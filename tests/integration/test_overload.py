"""Too many, too slow and too eager: memory stays bounded and others keep their frames."""

import asyncio
import socket
import statistics
import time
import unittest

import websockets
from harness import SUBPROTOCOL, ServerTestCase, Witness, connected, joined
from promenade.v1 import wire_pb2 as wire


async def deaf_socket(server):
    """A WebSocket whose buffers are small and which stops reading once it is set up."""
    plain = socket.socket()
    plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    plain.setblocking(False)
    await asyncio.get_running_loop().sock_connect(plain, ("127.0.0.1", server.port))
    return await websockets.connect(f"ws://localhost:{server.port}/ws", sock=plain,
                                    subprotocols=[SUBPROTOCOL], compression=None, max_size=2**22,
                                    max_queue=1, read_limit=2**12, ping_interval=None)


class SlowViewers(ServerTestCase):
    scene = "square"  # frames large enough to fill buffers
    threads = 2

    async def test_that_never_read_cost_only_themselves(self):
        before = self.server.resident_bytes()
        dropped = self.server.metric("promenade_frames_dropped_total")
        async with Witness(self.server) as witness:
            deaf = [await deaf_socket(self.server) for _ in range(5)]
            for one in deaf:
                await one.send(wire.ClientMessage(
                    seq=1, join=wire.Join(rate_hz=60)).SerializeToString())
            # Ten seconds that the machine was too busy for say nothing of the server: the best count.
            frames, rounds = 0, 0
            while frames <= 200 and rounds < 5:
                counted, rounds = len(witness.gaps), rounds + 1
                await asyncio.sleep(10)
                frames = len(witness.gaps) - counted
            self.assertGreater(frames, 200, "the others keep about 30 frames a second")
            self.assertLess(witness.longest_gap(), 1)
            self.assertLess(self.server.resident_bytes() - before, 20e6)
            self.assertGreater(self.server.metric("promenade_frames_dropped_total"), dropped + 100)

            # One of them comes back to life: it is told, and gets new frames, not old ones.
            told, late, counted = None, None, 0
            began = time.monotonic()
            while time.monotonic() - began < 10 and not (told and counted):
                message = wire.ServerMessage.FromString(await asyncio.wait_for(deaf[0].recv(), 5))
                if message.event.kind == wire.Event.SLOW_VIEWER:
                    told = message.event.text
                if message.WhichOneof("kind") == "frame":
                    counted, late = message.frame.dropped, message.frame.tick
            self.assertIn("Hz", told)
            self.assertGreater(counted, 50)
            now = self.server.state()["tick"]
            self.assertLess(int(now) - late, 240)
            for one in deaf:
                one.transport.abort()

    async def test_that_do_not_read_replies_are_closed(self):
        before = self.server.resident_bytes()
        async with Witness(self.server) as witness:
            eager = await deaf_socket(self.server)
            await eager.send(wire.ClientMessage(seq=1, join={"rate_hz": 1}).SerializeToString())
            overflows = self.server.metric("promenade_socket_overflows_total")
            error = wire.ClientMessage(command={"spawn": {"body": "x" * 60}})
            began, seq = time.monotonic(), 1
            try:
                while self.server.metric("promenade_socket_overflows_total") == overflows:
                    self.assertLess(time.monotonic() - began, 40, "it was not closed")
                    for _ in range(100):
                        seq += 1
                        error.seq = seq
                        await asyncio.wait_for(eager.send(error.SerializeToString()), 5)
            except (websockets.ConnectionClosed, ConnectionError):
                pass
            self.assertLess(self.server.resident_bytes() - before, 20e6)
            self.assertLess(witness.longest_gap(), 1)
            eager.transport.abort()


class ThinReader(ServerTestCase):
    """A line that carries 15 KB/s, where frames are 5 KB and come 30 times a second."""

    scene = "hundred"
    threads = 2

    async def test_is_at_most_half_a_second_behind(self):
        plain = socket.socket()
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        plain.settimeout(20)
        await asyncio.to_thread(plain.connect, ("127.0.0.1", self.server.port))
        behind = await asyncio.to_thread(self.watch, plain, seconds=25)
        plain.close()
        typical = statistics.median(behind)
        print(f"thin reader: {len(behind)} frames, {typical:.2f} s behind, at most {max(behind):.2f}")
        self.assertGreaterEqual(len(behind), 8)
        self.assertLess(typical, 0.5)

    def watch(self, plain, seconds, bytes_per_s=15_000):
        """Seconds from each frame's making until all of it is here, but for those of the first 10 s."""
        piece, buffer, behind = bytes_per_s // 50, bytearray(), []
        message = wire.ClientMessage(seq=1, join={"rate_hz": 30}).SerializeToString()
        plain.sendall(f"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
                      f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                      f"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"
                      f"Sec-WebSocket-Protocol: {SUBPROTOCOL}\r\n\r\n".encode())
        while not buffer.endswith(b"\r\n\r\n"):
            buffer += plain.recv(1)
        buffer.clear()
        plain.sendall(bytes([0x82, 0x80 | len(message)]) + bytes(4) + message)
        began = free = time.monotonic()  # the line is free again at that time
        while (now := time.monotonic()) - began < seconds:
            if now < free:
                time.sleep(free - now)
                continue
            data = plain.recv(piece)
            now = time.monotonic()
            # Sleep beyond the time asked for is made up for, but no time is saved up while nothing comes.
            free = max(free, now - 0.05) + len(data) / bytes_per_s
            buffer += data
            while (frame := self.cut(buffer)) is not None:
                received = wire.ServerMessage.FromString(frame)
                if received.HasField("frame") and now - began > 10:
                    # Both clocks are this machine's monotonic one.
                    behind.append(now - 1e-6 * received.frame.server_time_us)
        return behind

    @staticmethod
    def cut(buffer):
        """Takes the first whole WebSocket message off the buffer."""
        if len(buffer) < 2:
            return None
        length, begin = buffer[1], 2
        if length >= 126:
            begin = 4 if length == 126 else 10
            length = int.from_bytes(buffer[2:begin], "big")
        if len(buffer) < begin + length:
            return None
        payload, opcode = bytes(buffer[begin:begin + length]), buffer[0] & 0x0F
        del buffer[:begin + length]
        return payload if opcode == 2 else b""


class Crowd(ServerTestCase):
    scene = "one"

    async def test_five_hundred_at_once(self):
        before = self.server.resident_bytes()
        async with Witness(self.server) as witness:
            async def visit(hold):
                async with joined(self.server, rate_hz=1, open_timeout=30) as viewer:
                    await viewer.until("frame", timeout=30)
                    await hold.wait()
                    await viewer.until("frame", timeout=30)
                    return viewer.frame.viewers

            hold = asyncio.Event()
            visits = [asyncio.create_task(visit(hold)) for _ in range(500)]
            began = time.monotonic()
            while self.server.metric("promenade_viewers") < 501:
                self.assertLess(time.monotonic() - began, 60)
                await asyncio.sleep(0.3)
            self.assertEqual(self.server.metric("promenade_viewers"), 501)
            grown = self.server.resident_bytes() - before
            print(f"500 connections: {time.monotonic() - began:.1f} s to join, "
                  f"{grown / 500 / 1024:.0f} KB each, longest gap {witness.longest_gap():.2f} s")
            self.assertLess(grown, 500 * 150e3)
            hold.set()
            seen = await asyncio.gather(*visits)
            self.assertGreater(max(seen), 400)
            self.assertLess(witness.longest_gap(), 3)
        await self.emptied()

    async def test_more_than_the_most_are_turned_away(self):
        opened = []
        try:
            for _ in range(512):
                opened.append(await asyncio.open_connection("127.0.0.1", self.server.port))
            await asyncio.sleep(0.2)
            reader, writer = await asyncio.open_connection("127.0.0.1", self.server.port)
            writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
            answer = await asyncio.wait_for(reader.read(), 5)
            self.assertTrue(answer.startswith(b"HTTP/1.1 503 "), answer[:100])
            self.assertIn(b"Retry-After", answer)
            self.assertIn(b'{"error":', answer)
            writer.close()
        finally:
            for _, writer in opened:
                writer.close()
        await self.emptied()
        self.assertEqual(self.server.get("/healthz")[0], 200)
        self.assertGreater(self.server.metric("promenade_connections_refused_total"), 0)

    async def emptied(self):
        """Waits until the places are free again."""
        began = time.monotonic()
        while True:
            self.assertLess(time.monotonic() - began, 15)
            try:
                if self.server.metric("promenade_connections") <= 2:
                    return
            except (OSError, AssertionError):
                pass
            await asyncio.sleep(0.2)


if __name__ == "__main__":
    unittest.main()
