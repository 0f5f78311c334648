"""HTTP requests that two servers could read in two ways: none may carry a second one past a proxy."""

import asyncio
import email.utils
import json
import time
import unittest

from harness import ServerTestCase, raw

HEAD = b"POST /api/v1/rooms/main/commands HTTP/1.1\r\nHost: localhost\r\n"
PAUSE = b'{"pause":{}}'
# A request that must never run: it is the body of another request.
HIDDEN = HEAD + b"Content-Length: %d\r\n\r\n" % len(PAUSE) + PAUSE


def status_of(answer):
    return int(answer.split(b" ")[1]) if answer.startswith(b"HTTP/1.1 ") else answer


def fields_of(answer):
    head = answer.partition(b"\r\n\r\n")[0].decode()
    return dict(line.split(": ", 1) for line in head.split("\r\n")[1:])


class Smuggling(ServerTestCase):
    def commands(self):
        return self.server.metric("promenade_commands_total")

    async def test_no_request_hides_in_the_body_of_another(self):
        self.server.post({"stop": {"character": 1}})  # so that the figure is there
        before = self.commands()
        chunks = b"%x\r\n" % len(HIDDEN) + HIDDEN + b"\r\n0\r\n\r\n"
        for fields, body, status in (
                (b"Transfer-Encoding: xchunked\r\n", HIDDEN, 501),
                (b"Transfer-Encoding: chunked, identity\r\n", HIDDEN, 501),
                (b"Transfer-Encoding: identity\r\n", HIDDEN, 501),
                (b"Transfer-Encoding: identity, chunked\r\n", chunks, 501),
                (b"Transfer-Encoding: gzip, chunked\r\n", chunks, 501),
                (b"Transfer-Encoding: \"chunked\"\r\n", HIDDEN, 501),
                (b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", chunks, 400),
                (b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", chunks, 400),
                (b"Transfer-Encoding: xchunked\r\nContent-Length: 0\r\n", HIDDEN, 400),
                (b"Transfer-Encoding: chunked\r\nContent-Length: 0\r\n", chunks, 400),
                (b"Content-Length: 0\r\nTransfer-Encoding: chunked\r\n", chunks, 400),
                (b"Content-Length: 0\r\nContent-Length: 0\r\n", HIDDEN, 400),
                (b"Content-Length: 0, 0\r\n", HIDDEN, 400),
                (b"Content-Length: 0\r\nContent-Length: %d\r\n" % len(HIDDEN), HIDDEN, 400),
                (b"Transfer-Encoding : chunked\r\n", HIDDEN, 400),
                (b"Transfer-Encoding:\r\n chunked\r\n", HIDDEN, 400),
                (b"X: y\r\n Content-Length: %d\r\n" % len(HIDDEN), HIDDEN, 400),
                (b"X: y\nContent-Length: %d\r\n" % len(HIDDEN), HIDDEN, 400),
                (b"Transfer-Encoding: chunked\r\n", b"0\n\n" + HIDDEN, 400)):
            with self.subTest(fields=fields):
                answer = await raw(self.server, HEAD + fields + b"\r\n" + body)
                self.assertEqual(status_of(answer), status, answer[:300])
                self.assertEqual(answer.count(b"HTTP/1.1 "), 1, "one answer, and then the end")
                self.assertEqual(fields_of(answer)["Connection"], "close")
                error = json.loads(answer.partition(b"\r\n\r\n")[2])["error"]
                for key in ("code", "field", "value", "allowed", "message"):
                    self.assertTrue(error[key], error)
        self.assertEqual(self.commands(), before)
        self.assertFalse(self.server.state()["paused"])
        self.assertGreater(self.server.metric("promenade_connections_refused_total"), 0)

    async def test_bodies_of_both_kinds_are_read(self):
        stop = b'{"stop":{"character":1}}'
        for request in (HEAD + b"Content-Length: %d\r\n\r\n" % len(stop) + stop,
                        HEAD + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n" % len(stop) + stop
                        + b"\r\n0\r\n\r\n"):
            end = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
            answer = await raw(self.server, request + end)
            self.assertEqual(status_of(answer), 200, answer)
            self.assertIn(b'"ack"', answer)
            self.assertTrue(answer.endswith(b"ok\n"), "the next request is read where it begins")

    async def test_a_request_names_one_host(self):
        get = b"GET /healthz HTTP/1.%d\r\n%s\r\n"
        for version, fields, status in (
                (1, b"", 400), (1, b"Host:\r\n", 400), (1, b"Host: a b\r\n", 400),
                (1, b"Host: localhost\r\nHost: localhost\r\n", 400),
                (1, b"Host: localhost\r\nHost: evil.example\r\n", 400),
                (0, b"Host: localhost\r\nHost: evil.example\r\n", 400),
                (0, b"", 200), (0, b"Host: localhost\r\n", 200),
                (1, b"Host: localhost\r\nConnection: close\r\n", 200)):
            with self.subTest(version=version, fields=fields):
                answer = await raw(self.server, get % (version, fields))
                self.assertEqual(status_of(answer), status, answer[:300])

    async def test_a_target_in_absolute_form_is_taken_and_its_host_counts(self):
        get = b"GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n"
        for target, host, status in (
                (b"http://localhost/healthz", b"localhost", 200),
                (b"HTTP://127.0.0.1:80/healthz?x", b"localhost", 200),
                (b"http://localhost/healthz", b"evil.example", 200),
                (b"http://evil.example/healthz", b"localhost", 421),
                (b"http://u@localhost/healthz", b"localhost", 400),
                (b"ftp://localhost/healthz", b"localhost", 400)):
            with self.subTest(target=target, host=host):
                answer = await raw(self.server, get % (target, host))
                self.assertEqual(status_of(answer), status, answer[:300])

    async def test_every_answer_is_dated(self):
        for request in (b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
                        b"GET /healthz HTTP/1.0\r\n\r\n", b"nonsense\r\n\r\n",
                        b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n"):
            date = fields_of(await raw(self.server, request))["Date"]
            self.assertRegex(date, r"^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$")
            said = email.utils.parsedate_to_datetime(date).timestamp()
            self.assertLess(abs(said - time.time()), 30)

    async def test_refusals_do_not_fill_the_log(self):
        request = b"GET / HTTP/1.1\r\nHost: stranger.example\r\n\r\n"
        began = time.monotonic()
        for _ in range(300):
            self.assertEqual(status_of(await raw(self.server, request)), 421)
        took = time.monotonic() - began
        self.assertLessEqual(self.server.log_text().count("stranger.example"), 10 + took + 1)
        await asyncio.sleep(1.5)
        await raw(self.server, request)
        self.assertRegex(self.server.log_text(), r"stranger\.example.*\(and \d+ like it before\)")

    async def test_an_endless_line_in_a_body_takes_no_memory(self):
        before = self.server.resident_bytes()
        reader, writer = await asyncio.open_connection("127.0.0.1", self.server.port)
        writer.write(HEAD + b"Transfer-Encoding: chunked\r\n\r\n2;")
        try:
            for _ in range(400):
                writer.write(b"x" * 100_000)
                await asyncio.wait_for(writer.drain(), 10)
        except ConnectionError:
            pass
        self.assertLess(self.server.resident_bytes() - before, 10e6)
        writer.close()


if __name__ == "__main__":
    unittest.main()
