"""What a stranger can send instead of the protocol: no crash, a reason, and nobody else notices."""

import asyncio
import base64
import json
import os
import random
import time
import unittest

import websockets
from harness import SUBPROTOCOL, ServerTestCase, Witness, close_code, connected, joined, raw
from promenade.v1 import wire_pb2 as wire

VALID = [
    wire.ClientMessage(seq=1, join=wire.Join(client="fuzz", rate_hz=10)),
    wire.ClientMessage(seq=2, command={"push": {"character": 1, "link": "torso",
                                                "force_n": [100, 0, 0], "duration_s": 0.1}}),
    wire.ClientMessage(seq=3, command={"follow_path": {"character": 1, "path": {
        "points": [{"x_m": 1, "y_m": 2}, {"x_m": 3}], "closed": True}}}),
    wire.ClientMessage(seq=4, watch={"characters": [1]}),
]


def upgrade(server, path="/ws", **headers):
    fields = {"Host": f"localhost:{server.port}", "Upgrade": "websocket", "Connection": "Upgrade",
              "Sec-WebSocket-Version": "13", "Sec-WebSocket-Protocol": SUBPROTOCOL,
              "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode()}
    fields.update({name.replace("_", "-"): value for name, value in headers.items()})
    lines = [f"GET {path} HTTP/1.1", *(f"{k}: {v}" for k, v in fields.items() if v is not None)]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


class BadMessages(ServerTestCase):
    async def test_close_with_a_reason_and_without_harm_to_others(self):
        whole = VALID[1].SerializeToString()
        cases = {
            "truncated": (whole[:-3], 1007),
            "not protobuf": (b"GET / HTTP/1.1\r\n\r\n", 1007),
            "not UTF-8": (b"\x08\x01\x12\x05\x1a\x03\xff\xfe\xfd", 1007),
            "a length beyond the end": (b"\x1a\xff\xff\xff\xff\x07", 1007),
            "text": ("hello", 1003),
            "oversized": (b"\x00" * 65_537, 1009),
            "far too large": (b"\x00" * 1_000_000, 1009),
            "oversized in pieces": ([b"\x00" * 30_000] * 3, 1009),
        }
        async with Witness(self.server) as witness:
            for name, (data, code) in cases.items():
                for join_first in (True, False):
                    with self.subTest(name=name, joined=join_first):
                        async with (joined if join_first else connected)(self.server) as viewer:
                            await viewer.socket.send(data)
                            got, reason = await close_code(viewer)
                            self.assertEqual(got, code)
                            self.assertTrue(reason)
                            if code in (1007, 1009):
                                self.assertEqual(viewer.last("error").code, wire.INVALID)
                            if code == 1009:
                                self.assertIn("65536", reason)
                                self.assertIn("65536", viewer.last("error").allowed)
            self.assertLess(witness.longest_gap(), 1)

    async def test_oversized_in_small_pieces_is_refused_too(self):
        before = self.server.resident_bytes()
        async with joined(self.server) as viewer:
            async def pieces():
                while True:  # it would never end by itself
                    yield b"x" * 1000
                    await asyncio.sleep(0)
            # The library raises one or the other, depending on whether it has read the close already.
            with self.assertRaises((websockets.ConnectionClosed, websockets.InvalidState)):
                await asyncio.wait_for(viewer.socket.send(pieces()), 10)
            self.assertEqual((await close_code(viewer))[0], 1009)
            self.assertLess(self.server.resident_bytes() - before, 20e6)

    async def test_largest_message_allowed_is_read(self):
        async with joined(self.server) as viewer:
            message = wire.ClientMessage(seq=99, join=wire.Join(token="x" * 65_000))
            await viewer.socket.send(message.SerializeToString())
            error = await viewer.until("error")
            self.assertEqual((error.seq, error.field), (99, "join.token"))

    async def test_nothing_but_a_join_comes_first(self):
        for content in ({"command": {"pause": {}}}, {"ping": {}}, {"watch": {}}):
            async with connected(self.server) as viewer:
                await viewer.send(**content)
                self.assertEqual((await close_code(viewer))[0], 1008)
                self.assertIsNotNone(viewer.last("error"))
        self.assertFalse(self.server.state()["paused"])

    async def test_thousands_of_damaged_messages_do_no_harm(self):
        random.seed(4)
        before = self.server.resident_bytes()
        async with Witness(self.server) as witness:
            for _ in range(60):
                try:
                    async with connected(self.server) as viewer:
                        await viewer.socket.send(VALID[0].SerializeToString())
                        for _ in range(30):
                            data = bytearray(random.choice(VALID).SerializeToString())
                            for _ in range(random.randint(1, 4)):
                                at = random.randrange(len(data))
                                action = random.randrange(3)
                                if action == 0:
                                    data[at] = random.randrange(256)
                                elif action == 1:
                                    data[at:at] = random.randbytes(random.randint(1, 8))
                                elif len(data) > 1:
                                    del data[at]
                            await viewer.socket.send(bytes(data))
                except websockets.ConnectionClosed:
                    pass
            self.assertLess(witness.longest_gap(), 1)
        self.assertLess(self.server.resident_bytes() - before, 30e6)

    async def test_flood_is_refused_and_slowed(self):
        async with Witness(self.server) as witness, joined(self.server) as viewer:
            replies = {"ack": 0, "error": 0}

            async def count():
                while sum(replies.values()) < 400:
                    reply = await viewer.until("ack", "error")
                    if isinstance(reply, wire.Error):
                        self.assertEqual(reply.code, wire.RATE_LIMITED)
                        self.assertIn("100", reply.allowed)
                    replies["ack" if isinstance(reply, wire.Ack) else "error"] += 1

            counting = asyncio.create_task(count())
            for _ in range(400):
                await viewer.send(watch={})
            await asyncio.wait_for(counting, 30)
            self.assertGreaterEqual(replies["ack"], 200, "the burst that is allowed")
            self.assertGreater(replies["error"], 20)
            self.assertLess(witness.longest_gap(), 1)


class Frames:
    """A WebSocket of bytes, for frames that no library sends."""

    def __init__(self, server):
        self.server = server

    async def __aenter__(self):
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.server.port)
        await self.send(upgrade(self.server))
        head = await self.reader.readuntil(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 101 "), head
        return self

    async def __aexit__(self, *_):
        self.writer.close()

    async def send(self, data):
        self.writer.write(data)
        await self.writer.drain()

    async def join(self):
        data = wire.ClientMessage(seq=1, join={"rate_hz": 1}).SerializeToString()
        await self.send(header(0x82, len(data)) + data)

    async def receive(self):
        first, length = await self.reader.readexactly(2)
        if length >= 126:
            length = int.from_bytes(await self.reader.readexactly(2 if length == 126 else 8), "big")
        return first & 0x0F, await self.reader.readexactly(length)

    async def end(self, timeout):
        """The last Error before the close, and the close's code and reason."""
        error, deadline = None, time.monotonic() + timeout
        while True:
            opcode, data = await asyncio.wait_for(self.receive(), deadline - time.monotonic())
            if opcode == 8:
                return error, int.from_bytes(data[:2], "big"), data[2:].decode()
            if opcode == 2:
                message = wire.ServerMessage.FromString(data)
                error = message.error if message.HasField("error") else error


def header(first, length):
    """Of a frame whose mask is 0, so that its payload is sent as it is."""
    if length < 126:
        return bytes([first, 0x80 | length]) + bytes(4)
    size = 2 if length < 2**16 else 8
    return bytes([first, 0xFE if size == 2 else 0xFF]) + length.to_bytes(size, "big") + bytes(4)


class BadFrames(ServerTestCase):
    async def test_that_declare_too_much_are_refused_at_the_header(self):
        for name, data in {"64 KB and one": header(0x82, 65_537), "a terabyte": header(0x82, 2**40),
                           "all there is": header(0x82, 2**63 - 1),
                           "in fragments": header(0x02, 40_000) + bytes(40_000)
                                           + header(0x80, 40_000)}.items():
            with self.subTest(name=name):
                async with Frames(self.server) as frames:
                    await frames.join()
                    await frames.send(data)  # and nothing of the payload that would be too much
                    error, code, reason = await frames.end(timeout=8)
                    self.assertEqual(code, 1009)
                    self.assertIn("65536", reason)
                    self.assertEqual((error.code, error.field), (wire.INVALID, "message"))
                    self.assertTrue(error.value)
                    self.assertIn("65536", error.allowed)
        self.assertGreaterEqual(self.server.metric("promenade_socket_closed_total"), 4)

    async def test_that_trickle_are_ended(self):
        """What has begun must be whole in 10 s, also where every byte is a sign of life."""
        ping = header(0x89, 0)

        async def trickle(pieces):
            async with Frames(self.server) as frames:
                await frames.join()
                ending = asyncio.create_task(frames.end(timeout=40))
                began = time.monotonic()
                for piece in pieces:
                    await frames.send(piece)
                    done, _ = await asyncio.wait([ending], timeout=0.4)
                    if done:
                        break
                _, code, reason = await ending
                return time.monotonic() - began, code, reason

        payload = [header(0x82, 1000)] + [b"x"] * 90
        in_a_header = [bytes([byte]) for byte in header(0x82, 2**16)]
        fragments = [header(0x02, 1) + b"x"] + [ping + header(0x00, 1) + b"x"] * 90
        in_a_ping = [header(0x89, 100)] + [b"x"] * 90
        async with Witness(self.server) as witness:
            for seconds, code, reason in await asyncio.gather(
                    *map(trickle, (payload, in_a_header, fragments, in_a_ping))):
                self.assertEqual(code, 1008)
                self.assertIn("10 s", reason)
                self.assertGreater(seconds, 9)
                self.assertLess(seconds, 25)
            self.assertLess(witness.longest_gap(), 1)

    async def test_that_are_pings_without_end_are_ended(self):
        async with Witness(self.server) as witness, Frames(self.server) as frames:
            await frames.join()
            for _ in range(10):
                await frames.send(header(0x89, 0) * 50)
            _, code, reason = await frames.end(timeout=10)
            self.assertEqual(code, 1008)
            self.assertIn("pings", reason)
            self.assertLess(witness.longest_gap(), 1)

    async def test_that_come_slowly_but_whole_are_taken(self):
        async with Frames(self.server) as frames:
            await frames.join()
            data = wire.ClientMessage(seq=2, ping={"client_time_us": 5}).SerializeToString()
            for byte in header(0x82, len(data)) + data:
                await frames.send(bytes([byte]))
                await asyncio.sleep(0.05)
            while True:
                _, data = await asyncio.wait_for(frames.receive(), 5)
                if wire.ServerMessage.FromString(data).HasField("pong"):
                    break


class CloseCodes(ServerTestCase):
    async def answer_to(self, code, pieces):
        """The close code that a close with this one is answered with."""
        async with Frames(self.server) as frames:
            await frames.join()
            data = header(0x88, 2) + code.to_bytes(2, "big")
            for piece in (data[:-pieces], data[-pieces:]) if pieces else (data,):
                await frames.send(piece)
                await asyncio.sleep(0.05)
            return (await frames.end(timeout=10))[1]

    async def test_that_nobody_may_use_are_a_mistake(self):
        """RFC 6455 7.4: what is no code at all is not sent back."""
        for code in (0, 999, 1004, 1005, 1006, 1015, 2999, 5000, 5001, 9999, 65535):
            for pieces in (0, 1):
                self.assertEqual(await self.answer_to(code, pieces), 1002, f"{code} in {pieces + 1} pieces")
        for code in (1000, 1001, 3000, 4000, 4999):
            self.assertEqual(await self.answer_to(code, 0), code)


class BadHandshakes(ServerTestCase):
    async def test_are_refused_with_a_status_and_json(self):
        good = f"http://localhost:{self.server.port}"
        for request, status in (
                (upgrade(self.server, Origin="http://evil.example"), 403),
                (upgrade(self.server, Origin="null"), 403),
                (upgrade(self.server, Origin=good + "0"), 403),
                (upgrade(self.server, Host="evil.example", Origin="http://evil.example"), 421),
                (upgrade(self.server, Sec_WebSocket_Protocol=None), 400),
                (upgrade(self.server, Sec_WebSocket_Protocol="promenade.v0, chat"), 400),
                (upgrade(self.server, path="/other"), 404),
                (upgrade(self.server, Sec_WebSocket_Key=None), 400),
                (upgrade(self.server, Sec_WebSocket_Key="YWJj"), 400),
                (upgrade(self.server, Sec_WebSocket_Key=base64.b64encode(bytes(15)).decode()), 400),
                (upgrade(self.server, Sec_WebSocket_Key=base64.b64encode(bytes(17)).decode()), 400),
                (upgrade(self.server, Sec_WebSocket_Key="%" * 22 + "=="), 400),
                (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200), 400),
                (b"hello\r\n\r\n", 400),
                (b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"x" * 20_000 + b"\r\n\r\n", 431)):
            with self.subTest(request=request[:60]):
                answer = await raw(self.server, request)
                self.assertTrue(answer.startswith(f"HTTP/1.1 {status} ".encode()), answer[:200])
                error = json.loads(answer.partition(b"\r\n\r\n")[2])["error"]
                for key in ("code", "field", "value", "allowed", "message"):
                    self.assertTrue(error[key], error)

    async def test_pages_of_this_server_and_programs_are_let_in(self):
        for options in ({}, {"origin": f"http://localhost:{self.server.port}"}):
            async with joined(self.server, **options) as viewer:
                await viewer.until("frame")
                self.assertEqual(viewer.socket.subprotocol, SUBPROTOCOL)

    async def test_that_stall_are_ended(self):
        """Silence, half a header, a header a byte at a time, no join, no answer to a close."""
        header = upgrade(self.server)

        async def ends(coroutine):
            began = time.monotonic()
            answer = await coroutine
            return time.monotonic() - began, answer

        async def no_join():
            async with connected(self.server) as viewer:
                return await close_code(viewer)

        async with Witness(self.server) as witness:
            results = await asyncio.gather(
                ends(raw(self.server, b"")),
                ends(raw(self.server, header[:40])),
                ends(raw(self.server, [header[i:i + 1] for i in range(40)], pause=0.25)),
                ends(raw(self.server, b"POST /api/v1/rooms/main/commands HTTP/1.1\r\nHost: localhost"
                                      b"\r\nContent-Length: 100\r\n\r\n{")),
                ends(no_join()))
            self.assertLess(witness.longest_gap(), 1)
        for (seconds, _), limit in zip(results, (8, 8, 12, 14, 9)):
            self.assertLess(seconds, limit)
        self.assertEqual(results[4][1][0], 1008)
        self.assertIn("join", results[4][1][1])
        self.assertGreaterEqual(self.server.metric("promenade_connection_timeouts_total"), 4)


if __name__ == "__main__":
    unittest.main()
