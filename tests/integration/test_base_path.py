"""A server that visitors see below a path, as https://example.org/sim/a/, through a proxy that takes the path off or not."""

import json
import pathlib
import tempfile
import unittest

import websockets
from harness import SOURCE, SUBPROTOCOL, ServerTestCase, raw, run
from promenade.v1 import wire_pb2 as wire


async def hello(server, path, **headers):
    """The server's first message to a client that opens the socket at this path; or the status."""
    try:
        async with websockets.connect(f"ws://127.0.0.1:{server.port}{path}", subprotocols=[SUBPROTOCOL], compression=None,
                                      max_size=2**22, extra_headers=headers) as socket:
            await socket.send(wire.ClientMessage(seq=1, join={}).SerializeToString())
            return wire.ServerMessage.FromString(await socket.recv()).WhichOneof("kind")
    except websockets.InvalidStatusCode as refused:
        return refused.status_code


class Below(ServerTestCase):
    """What both ways of saying the path have in common; `told` are the headers of a proxy."""

    told = {}

    @classmethod
    def setUpClass(cls):
        if cls is Below:
            raise unittest.SkipTest("only what follows is run")
        cls.directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.directory.cleanup)
        root = pathlib.Path(cls.directory.name)
        (root / "assets").mkdir()
        (root / "assets/app-1.js").write_text("export {}")
        (root / "index.html").write_text("<meta content='%SITE%/preview.jpg'>")
        cls.arguments = (*cls.ways, "--web-root", str(root), "--guest-role", "admin")
        super().setUpClass()

    def get(self, path, **options):
        return self.server.get(path, {**self.told, **options.pop("headers", {})}, **options)

    async def test_page_api_and_socket_are_below_it_whether_the_proxy_takes_it_off_or_not(self):
        for path in ("/sim/a", ""):
            status, _, text = self.get(path + "/")
            self.assertEqual((status, text), (200, f"<meta content='{self.server.url}/sim/a/preview.jpg'>"), path)
            self.assertIn("immutable", self.get(path + "/assets/app-1.js")[1]["Cache-Control"])
            self.assertEqual(self.get(path + "/api/v1/rooms")[0], 200)
            self.assertEqual(self.get(path + "/healthz")[0], 200)
            self.assertEqual(await hello(self.server, path + "/ws", **self.told), "hello")
        for path in ("/sim/b/", "/sim/ab/", "/sim/a/sim/a/", "/sim"):
            self.assertEqual(self.get(path)[0], 404, path)

    async def test_without_its_last_slash_it_is_redirected(self):
        lines = "".join(f"{name}: {value}\r\n" for name, value in self.told.items())
        answer = await raw(self.server, f"GET /sim/a?room=main HTTP/1.1\r\nHost: localhost\r\n{lines}\r\n".encode())
        self.assertTrue(answer.startswith(b"HTTP/1.1 308 "), answer)
        self.assertIn(b"\r\nLocation: /sim/a/?room=main\r\n", answer)

    def test_invitations_lead_below_it(self):
        status, _, text = self.get("/api/v1/invitations", method="POST", body=b'{"role": "viewer"}')
        self.assertEqual(status, 200, text)
        self.assertRegex(json.loads(text)["link"], r"^/sim/a/\?room=main#invite=[0-9a-f]{32}$")


class SaidInTheSettings(Below):
    ways = ("--base-path", "/sim/a/")


class SaidByAProxy(Below):
    ways = ("--trusted-proxy", "127.0.0.0/8,::1", "--base-path", "/elsewhere")
    told = {"X-Forwarded-Prefix": "/sim/a"}

    def test_what_cannot_be_a_path_counts_for_nothing(self):
        for prefix in ("//evil.example", "/a/../b", "/'><script>", "https://evil.example", "/" + 300 * "a", "/a b"):
            _, _, text = self.server.get("/", {"X-Forwarded-Prefix": prefix})
            self.assertEqual(text, f"<meta content='{self.server.url}/elsewhere/preview.jpg'>", prefix)


class SaidByAStranger(ServerTestCase):
    arguments = ("--guest-role", "admin")

    def test_counts_for_nothing(self):
        told = {"X-Forwarded-Prefix": "/sim/a"}
        self.assertEqual(self.server.get("/sim/a/healthz", told)[0], 404)
        _, _, text = self.server.get("/api/v1/invitations", told, "POST", b'{"role": "viewer"}')
        self.assertTrue(json.loads(text)["link"].startswith("/?room="), text)


class Settings(unittest.TestCase):
    def test_a_path_that_is_none_is_named(self):
        for path in ("sim", "/a//b", "/a/..", "/a?b", "https://example.org/a"):
            code, _, errors = run("serve", "--data", SOURCE / "server/data", "--base-path", path)
            self.assertNotEqual(code, 0)
            for part in ("--base-path", path, "/sim/a"):
                self.assertIn(part, errors)


if __name__ == "__main__":
    unittest.main()
