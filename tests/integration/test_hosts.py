"""By which names a server is reached, through which proxies, and what guests may do then."""

import asyncio
import json
import unittest

import websockets
from harness import SOURCE, SUBPROTOCOL, ServerTestCase, run
from promenade.v1 import wire_pb2 as wire

EVIL = "evil.example"


async def role_at(server, host, origin=None, token="", **headers):
    """The role of a visitor who opens the socket by this name; or the status."""
    fields = {"Host": host, **{k.replace("_", "-"): v for k, v in headers.items()}}
    if origin:
        fields["Origin"] = origin
    try:
        async with Connection(server, fields) as socket:
            await socket.send(wire.ClientMessage(seq=1, join={"token": token}).SerializeToString())
            while True:
                message = wire.ServerMessage.FromString(await asyncio.wait_for(socket.recv(), 5))
                if message.HasField("hello"):
                    return message.hello.role
    except websockets.InvalidStatusCode as refused:
        return refused.status_code


class Connection:
    """A WebSocket whose Host is ours to choose, as that of a rebound name is."""

    def __init__(self, server, fields):
        host = fields.pop("Host")
        self.connecting = websockets.connect(
            f"ws://{host}/ws", host="127.0.0.1", port=server.port, subprotocols=[SUBPROTOCOL], compression=None,
            extra_headers=fields, max_size=2**22)

    async def __aenter__(self):
        return await self.connecting.__aenter__()

    async def __aexit__(self, *error):
        return await self.connecting.__aexit__(*error)


def stop(server, **headers):
    status, answer = server.post({"stop": {"character": 1}},
                                 headers={k.replace("_", "-"): v for k, v in headers.items()})
    return status


class WithoutNames(ServerTestCase):
    """A server that strangers reach and that was told nothing: the container's case."""

    arguments = ("--address", "0.0.0.0", "--token", "operator:open-sesame-1234")

    async def test_guests_may_only_watch(self):
        own = f"127.0.0.1:{self.server.port}"
        for host in (own, EVIL):
            self.assertEqual(await role_at(self.server, host), wire.VIEWER)
            self.assertEqual(await role_at(self.server, host, token="open-sesame-1234"),
                             wire.OPERATOR)
        self.assertEqual(stop(self.server), 403)
        self.assertEqual(stop(self.server, Authorization="Bearer open-sesame-1234"), 200)

    def test_the_start_says_so(self):
        self.assertEqual(self.server.who_may_what(),
                         "Guests may watch; 1 operator token; names: any\n")


class WithTrustedGuests(ServerTestCase):
    """Guests may command, and no name was given: a page elsewhere may pretend to be this server."""

    arguments = ("--address", "0.0.0.0", "--guest-role", "admin")

    async def test_a_name_of_another_makes_no_guest_an_admin(self):
        own = f"127.0.0.1:{self.server.port}"
        self.assertEqual(await role_at(self.server, own, origin=f"http://{own}"), wire.ADMIN)
        self.assertEqual(await role_at(self.server, EVIL, origin=f"http://{EVIL}"), wire.VIEWER)
        self.assertEqual(stop(self.server), 200)
        self.assertEqual(stop(self.server, Host=EVIL, Origin=f"http://{EVIL}"), 403)
        self.assertEqual(stop(self.server, Host=EVIL), 403)
        self.assertIn("any, but guests who use a name may only watch",
                      self.server.who_may_what())


class WithNames(ServerTestCase):
    arguments = ("--address", "0.0.0.0", "--guest-role", "operator",
                 "--host", "walk.example.org,hall")

    async def test_other_names_are_refused(self):
        for host in ("walk.example.org", "WALK.example.org:8080", "hall",
                     f"127.0.0.1:{self.server.port}", "localhost"):
            self.assertEqual(await role_at(self.server, host, origin=f"http://{host}"),
                             wire.OPERATOR, host)
        for host in (EVIL, "walk.example.org.evil.example", "example.org"):
            self.assertEqual(await role_at(self.server, host, origin=f"http://{host}"), 421, host)
            status, _, text = self.server.get("/healthz", {"Host": host})
            self.assertEqual(status, 421)
            error = json.loads(text)["error"]
            self.assertEqual((error["code"], error["field"], error["value"]),
                             ("FORBIDDEN", "Host", host))
            self.assertIn("walk.example.org", error["allowed"])
        self.assertEqual(await role_at(self.server, "hall", origin=f"http://{EVIL}"), 403)


class Mistakes(unittest.TestCase):
    def test_are_told_at_the_start(self):
        for arguments, parts in ((("--host", "http://a"), ("--host", "http://a")),
                                 (("--host", "a:80"), ("--host", "without a port")),
                                 (("--trusted-proxy", "proxy"), ("--trusted-proxy", "proxy"))):
            code, _, errors = run("serve", "--data", SOURCE / "server/data", *arguments)
            self.assertNotEqual(code, 0)
            for part in parts:
                self.assertIn(part, errors)


class BehindAProxy(ServerTestCase):
    """This test is the proxy: it is on this machine, and the server believes what is."""

    arguments = ("--host", "walk.example.org", "--trusted-proxy", "127.0.0.0/8,::1",
                 "--max-per-ip", "3", "--guest-role", "operator")

    async def test_host_and_scheme_are_those_that_it_tells(self):
        told = {"X_Forwarded_For": "203.0.113.7", "X_Forwarded_Host": "walk.example.org",
                "X_Forwarded_Proto": "https"}
        own = f"localhost:{self.server.port}"
        self.assertEqual(await role_at(self.server, own, "https://walk.example.org", **told),
                         wire.OPERATOR)
        self.assertEqual(await role_at(self.server, own, "http://walk.example.org", **told), 403)
        self.assertEqual(await role_at(self.server, own, f"http://{own}", **told), 403)
        told["X_Forwarded_Host"] = EVIL
        self.assertEqual(await role_at(self.server, own, f"https://{EVIL}", **told), 421)
        self.assertEqual(stop(self.server, X_Forwarded_Host="walk.example.org",
                              X_Forwarded_Proto="https", Origin="https://walk.example.org"), 200)
        self.assertEqual(stop(self.server, Origin="https://walk.example.org"), 403)
        self.assertEqual(
            stop(self.server, Forwarded="for=203.0.113.7;host=walk.example.org;proto=https",
                 Origin="https://walk.example.org"), 200)

    async def test_limits_go_by_the_visitor_behind_it(self):
        fields = lambda address: {"Host": "walk.example.org", "X-Forwarded-For": address}
        opened = []
        try:
            for i in range(3):  # made up hops before the last, and two addresses of one network
                connection = Connection(self.server, fields(f"10.9.9.{i}, 2001:db8::{i + 1}"))
                opened.append((connection, await connection.__aenter__()))
            with self.assertRaises(websockets.InvalidStatusCode) as refused:
                await Connection(self.server, fields("2001:db8::9")).__aenter__()
            self.assertEqual(refused.exception.status_code, 429)
            for other in ("2001:db8:0:1::1", "203.0.113.9"):
                connection = Connection(self.server, fields(other))
                opened.append((connection, await connection.__aenter__()))
        finally:
            for connection, _ in opened:
                await connection.__aexit__(None, None, None)


class WithoutAProxy(ServerTestCase):
    """What the headers of proxies say counts for nothing where no proxy is named."""

    arguments = ("--guest-role", "operator")

    async def test_strangers_do_not_speak_for_a_proxy(self):
        own = f"localhost:{self.server.port}"
        told = {"X_Forwarded_Host": EVIL, "X_Forwarded_For": "203.0.113.7"}
        self.assertEqual(await role_at(self.server, own, f"http://{EVIL}", **told), 403)
        self.assertEqual(await role_at(self.server, own, f"http://{own}", **told), wire.OPERATOR)
        self.assertEqual(await role_at(self.server, EVIL, X_Forwarded_Host=own), 421)


if __name__ == "__main__":
    unittest.main()
