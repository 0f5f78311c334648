"""Caddy and nginx with the files of docker/tls, in front of a server. ./scripts/check-proxies runs this: it needs both."""

import os
import pathlib
import re
import shutil
import socket
import ssl
import string
import subprocess
import tempfile
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request

import websockets
from harness import SOURCE, SUBPROTOCOL, Server
from promenade.v1 import wire_pb2 as wire

TLS = SOURCE / "docker/tls"
DOMAIN = "localhost"


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def wait_for_answer(case, path):
    """Waits until the proxy of a test case answers; raises what went wrong after 20 s, or when the proxy has ended."""
    deadline = time.monotonic() + 20
    while True:
        try:
            case.get(path)
            return
        except (OSError, urllib.error.URLError):
            if time.monotonic() > deadline or case.process.poll() is not None:
                raise
            time.sleep(0.1)


class Proxy:
    """What both proxies have in common: a server behind, a port with TLS in front."""

    @classmethod
    def setUpClass(cls):
        cls.directory = pathlib.Path(tempfile.mkdtemp())
        cls.server = Server("--host", DOMAIN, "--trusted-proxy", "127.0.0.1", "--guest-role", "operator")
        cls.port = free_port()
        cls.process = cls.start()
        wait_for_answer(cls, "/healthz")

    @classmethod
    def tearDownClass(cls):
        cls.process.terminate()
        cls.process.wait(10)
        cls.server.stop()
        shutil.rmtree(cls.directory)

    @staticmethod
    def trusting():
        """The certificates are made on the spot."""
        context = ssl.create_default_context()
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        return context

    @classmethod
    def get(cls, path, headers=None, body=None):
        request = urllib.request.Request(f"https://{DOMAIN}:{cls.port}{path}", headers=headers or {}, data=body)
        return urllib.request.urlopen(request, timeout=10, context=cls.trusting())

    def socket(self, **options):
        return websockets.connect(f"wss://{DOMAIN}:{self.port}/ws", ssl=self.trusting(),
                                  subprotocols=[SUBPROTOCOL], compression=None, **options)


class Checks:
    def test_api_and_security_headers(self):
        with self.get("/api/v1/rooms") as answer:
            self.assertIn(b'"main"', answer.read())
            self.assertIn("max-age", answer.headers["Strict-Transport-Security"])
        with self.get("/api/v1/rooms/main/commands", body=b'{"push": {"character": 1, "force_n": [9, 0, 0]}}') as answer:
            self.assertIn(b'"ack"', answer.read())

    def test_commands_of_the_page_have_the_right_origin(self):
        ours = {"Origin": f"https://{DOMAIN}:{self.port}"}
        push = b'{"push": {"character": 1, "force_n": [9, 0, 0]}}'
        with self.get("/api/v1/rooms/main/commands", ours, push) as answer:
            self.assertIn(b'"ack"', answer.read())
        with self.assertRaises(urllib.error.HTTPError) as refused:
            self.get("/api/v1/rooms/main/commands", {"Origin": "https://elsewhere.example"}, push)
        self.assertEqual(refused.exception.code, 403)

    async def frames(self, count, **options):
        async with self.socket(**options) as connection:
            await connection.send(wire.ClientMessage(seq=1, join={"client": "proxied"}).SerializeToString())
            while count > 0:
                message = wire.ServerMessage.FromString(await connection.recv())
                count -= message.WhichOneof("kind") == "frame"

    async def test_frames_come_at_their_rate(self):
        began = time.monotonic()
        await self.frames(60, origin=f"https://{DOMAIN}:{self.port}")
        self.assertLess(time.monotonic() - began, 6)

    async def test_a_socket_of_another_origin_is_refused(self):
        with self.assertRaises(websockets.InvalidStatusCode):
            await self.frames(1, origin="https://elsewhere.example")

    async def test_the_visitors_address_is_known_and_cannot_be_made_up(self):
        await self.frames(1, extra_headers={"X-Forwarded-For": "203.0.113.7", "X-Forwarded-Host": "evil.example"})
        log = self.server.log_text()
        self.assertIn("127.0.0.1", log)
        self.assertNotIn("203.0.113.7", log)


    def test_a_visitor_cannot_make_up_a_path(self):
        with self.assertRaises(urllib.error.HTTPError) as refused:
            self.get("/sim/a/healthz", {"X-Forwarded-Prefix": "/sim/a"})
        self.assertEqual(refused.exception.code, 404)


class Caddy(Proxy, Checks, unittest.IsolatedAsyncioTestCase):
    @classmethod
    def start(cls):
        environment = {**os.environ, "PROMENADE_DOMAIN": DOMAIN, "PROMENADE_TLS_PORT": str(cls.port),
                       "PROMENADE_UPSTREAM": f"127.0.0.1:{cls.server.port}", "XDG_DATA_HOME": str(cls.directory),
                       "XDG_CONFIG_HOME": str(cls.directory), "HOME": str(cls.directory)}
        # This machine's port 80 and its certificates are not Caddy's business here.
        text = (TLS / "Caddyfile").read_text().replace("\tadmin off", "\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects")
        (cls.directory / "Caddyfile").write_text(text)
        return subprocess.Popen(["caddy", "run", "--config", cls.directory / "Caddyfile", "--adapter", "caddyfile"],
                                env=environment, stderr=subprocess.DEVNULL)


class Nginx(Proxy, Checks, unittest.IsolatedAsyncioTestCase):
    @classmethod
    def start(cls):
        files = {"PROMENADE_CERTIFICATE": cls.directory / "cert.pem", "PROMENADE_CERTIFICATE_KEY": cls.directory / "key.pem"}
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={DOMAIN}",
                        "-out", files["PROMENADE_CERTIFICATE"], "-keyout", files["PROMENADE_CERTIFICATE_KEY"]],
                       check=True, capture_output=True)
        template = string.Template((TLS / "nginx.conf.template").read_text())
        filled = template.safe_substitute(files, PROMENADE_TLS_PORT=cls.port, PROMENADE_DOMAIN=DOMAIN,
                                          PROMENADE_UPSTREAM=f"127.0.0.1:{cls.server.port}")
        (cls.directory / "nginx.conf").write_text(
            f"daemon off; pid {cls.directory}/pid; error_log stderr; worker_processes 1;\n"
            f"events {{}}\nhttp {{ access_log off; client_body_temp_path {cls.directory}/body;\n{filled}\n}}\n")
        return subprocess.Popen(["nginx", "-p", cls.directory, "-c", cls.directory / "nginx.conf"])


class NginxBelowAPath(unittest.IsolatedAsyncioTestCase):
    """Two servers below one name, as docs/hosting.md has it; neither knows its path but by what nginx says."""

    PATHS = ("/sim/a", "/sim/b")

    @classmethod
    def setUpClass(cls):
        cls.directory = pathlib.Path(tempfile.mkdtemp())
        cls.servers = [Server("--trusted-proxy", "127.0.0.1", "--guest-role", "admin", "--room", f"{path[-1]}:one")
                       for path in cls.PATHS]
        cls.port = free_port()
        text = (SOURCE / "docs/hosting.md").read_text()
        example = text.split("```nginx\n")[1].split("```")[0]
        locations = "\n".join(example.replace("/sim/a", path).replace("127.0.0.1:8080", f"127.0.0.1:{server.port}")
                              for path, server in zip(cls.PATHS, cls.servers))
        (cls.directory / "nginx.conf").write_text(
            f"daemon off; pid {cls.directory}/pid; error_log stderr; worker_processes 1;\nevents {{}}\n"
            f"http {{ access_log off; client_body_temp_path {cls.directory}/body;\n"
            "map $http_upgrade $connection_upgrade { default upgrade; '' close; }\n"
            f"server {{ listen 127.0.0.1:{cls.port};\n{locations}\n}}\n}}\n")
        cls.process = subprocess.Popen(["nginx", "-p", cls.directory, "-c", cls.directory / "nginx.conf"])
        wait_for_answer(cls, "/sim/a/healthz")

    @classmethod
    def tearDownClass(cls):
        cls.process.terminate()
        cls.process.wait(10)
        for server in cls.servers:
            server.stop()
        shutil.rmtree(cls.directory)

    @classmethod
    def get(cls, path, headers=None, body=None):
        request = urllib.request.Request(f"http://localhost:{cls.port}{path}", headers=headers or {}, data=body)
        return urllib.request.urlopen(request, timeout=10)

    async def test_each_has_its_page_api_and_socket(self):
        for path in self.PATHS:
            with self.get(path) as answer:  # nginx adds the slash
                self.assertTrue(answer.url.endswith(path + "/"), answer.url)
                page = answer.read().decode()
            self.assertIn(f'content="http://localhost:{self.port}{path}/preview.jpg"', page)
            for part in re.findall(r'(?:src|href)="([^"]+)"', page):
                with self.get(urllib.parse.urljoin(path + "/", part)) as answer:
                    self.assertEqual(answer.status, 200, part)
            with self.get(path + "/api/v1/rooms") as answer:
                self.assertIn(f'"{path[-1]}"'.encode(), answer.read())
            async with websockets.connect(f"ws://localhost:{self.port}{path}/ws", subprotocols=[SUBPROTOCOL],
                                          origin=f"http://localhost:{self.port}", compression=None) as socket:
                await socket.send(wire.ClientMessage(seq=1, join={}).SerializeToString())
                said = wire.ServerMessage.FromString(await socket.recv())
                self.assertEqual(said.hello.room, path[-1])

    def test_invitations_lead_to_the_server_that_made_them(self):
        for path in self.PATHS:
            with self.get(path + "/api/v1/invitations", body=b'{"role": "operator"}') as answer:
                self.assertIn(f'"{path}/?room={path[-1]}#invite='.encode(), answer.read())


if __name__ == "__main__":
    unittest.main()
