"""What one visitor may take: connections, requests; and what is answered when all are taken."""

import asyncio
import contextlib
import json
import socket
import time
import unittest

from harness import ServerTestCase, Witness, raw

GET = "GET {} HTTP/1.1\r\nHost: localhost\r\nConnection: {}\r\n\r\n"
PROBES = ("/healthz", "/readyz", "/metrics")


def status_of(answer):
    return int(answer.split(b" ")[1])


@contextlib.asynccontextmanager
async def idle_connections(server, count, address="127.0.0.1"):
    """Connections that ask for nothing; the header of a request is due 5 s after they begin."""
    writers = [(await asyncio.open_connection(address, server.port))[1] for _ in range(count)]
    for writer in writers:
        writer.write(b"GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n")  # 15 s for the next
        await writer.drain()
    try:
        yield
    finally:
        for writer in writers:
            writer.close()


class Full(ServerTestCase):
    arguments = ("--max-connections", "4")

    async def test_probes_are_answered_and_nothing_else(self):
        async with idle_connections(self.server, 4):
            for _ in range(20):  # however often they ask
                for path in PROBES:
                    answer = await raw(self.server, GET.format(path, "keep-alive").encode())
                    self.assertEqual(status_of(answer), 200, answer[:200])
                    self.assertIn(b"Connection: close", answer)
            for path in ("/", "/api/v1/rooms", "/healthz/x", "/ws"):
                answer = await raw(self.server, GET.format(path, "keep-alive").encode())
                self.assertEqual(status_of(answer), 503, path)
                self.assertIn(b"Retry-After", answer)
                error = json.loads(answer.partition(b"\r\n\r\n")[2])["error"]
                self.assertEqual((error["code"], error["field"]), ("BUSY", "connections"))
            answer = await raw(self.server, b"POST /healthz HTTP/1.1\r\nHost: localhost\r\n"
                                            b"Content-Length: 0\r\n\r\n")
            self.assertEqual(status_of(answer), 503)

    async def test_silent_ones_do_not_hold_the_places_of_probes(self):
        async with idle_connections(self.server, 4):
            silent = [await asyncio.open_connection("127.0.0.1", self.server.port)
                      for _ in range(40)]
            began = time.monotonic()
            while status_of(await raw(self.server, GET.format("/healthz", "close").encode())) != 200:
                self.assertLess(time.monotonic() - began, 10)
                await asyncio.sleep(0.2)
            for _, writer in silent:
                writer.close()


class FullBehindAProxy(ServerTestCase):
    """The proxy is on this machine, as its own probes are."""

    arguments = ("--max-connections", "4", "--trusted-proxy", "127.0.0.0/8,::1")

    async def test_strangers_who_come_through_it_do_not_hold_the_places_of_probes(self):
        async with idle_connections(self.server, 4):
            held = []
            for i in range(60):  # each waits for a body that does not come
                reader, writer = await asyncio.open_connection("127.0.0.1", self.server.port)
                writer.write(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n"
                             b"X-Forwarded-For: 203.0.113.%d\r\n\r\n" % i)
                await writer.drain()
                held.append((reader, writer))
            await asyncio.sleep(0.3)
            for path in PROBES:
                answer = await raw(self.server, GET.format(path, "close").encode())
                self.assertEqual(status_of(answer), 200, answer[:200])
            for _, writer in held:
                writer.close()


def own_address():
    """An address of this machine that is not loopback, or nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.254", 9))  # sends nothing
        except OSError:
            return None
        address = probe.getsockname()[0]
    return None if address.startswith("127.") else address


@unittest.skipUnless(own_address(), "this machine has no address but loopback")
class OneAddress(ServerTestCase):
    arguments = ("--address", "0.0.0.0", "--max-per-ip", "3")

    async def test_has_its_share_of_connections(self):
        address = own_address()

        async def ask(path):
            reader, writer = await asyncio.open_connection(address, self.server.port)
            writer.write(GET.format(path, "close").encode())
            answer = await asyncio.wait_for(reader.read(), 10)
            writer.close()
            return answer

        async with idle_connections(self.server, 3, address):
            answer = await ask("/")
            self.assertEqual(status_of(answer), 429, answer[:200])
            self.assertIn(b"--max-per-ip", answer)
            self.assertEqual(status_of(await ask("/healthz")), 200)
            self.assertEqual(self.server.get("/api/v1/rooms")[0], 200, "others are not affected")
        self.assertIn('reason="visitor_full"', self.server.get("/metrics")[2])


class Requests(ServerTestCase):
    arguments = ("--request-rate", "10")  # and 40 at once

    async def test_are_counted_over_all_connections_of_an_address(self):
        answers = {200: 0, 429: 0}
        began = time.monotonic()

        async def flood():
            reader, writer = await asyncio.open_connection("127.0.0.1", self.server.port)
            while time.monotonic() - began < 4:
                writer.write(GET.format("/api/v1/rooms/main/state", "keep-alive").encode())
                head = (await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 10)).decode()
                length = int(head.partition("Content-Length: ")[2].split()[0])
                body = await asyncio.wait_for(reader.readexactly(length), 10)
                status = status_of(head.encode())
                answers[status] += 1
                if status == 429:
                    self.assertIn("Retry-After: ", head)
                    error = json.loads(body)["error"]
                    self.assertEqual((error["code"], error["field"]), ("RATE_LIMITED", "requests"))
                    self.assertIn("10 a second", error["allowed"])
            writer.close()

        async with Witness(self.server) as witness:
            flooding = [asyncio.create_task(flood()) for _ in range(20)]
            while time.monotonic() - began < 3:  # probes are not counted
                self.assertEqual(self.server.get("/healthz")[0], 200)
                await asyncio.sleep(0.2)
            await asyncio.gather(*flooding)
            took = time.monotonic() - began
            self.assertLess(witness.longest_gap(), 1)
        self.assertLessEqual(answers[200], 40 + 10 * took + 1)
        self.assertGreaterEqual(answers[200], 40)
        # Refusing quickly would keep the server as busy as answering: each one waits half a second.
        self.assertGreater(answers[429], 10)
        self.assertLess(answers[429], 20 * (2 * took + 2))
        await asyncio.sleep(1)
        self.assertGreater(self.server.metric("promenade_requests_refused_total"), 10)
        self.assertEqual(self.server.get("/api/v1/rooms")[0], 200, "it is over soon")


if __name__ == "__main__":
    unittest.main()
