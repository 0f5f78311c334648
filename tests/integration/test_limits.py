"""What one visitor may cost the others: saves, bodies, commands, reads, the whole store."""

import json
import pathlib
import tempfile
import unittest

from harness import Server, ServerTestCase, joined, run
from promenade.v1 import wire_pb2 as wire

OPERATOR = {"Authorization": "Bearer operator-token"}
OTHER = {"Authorization": "Bearer another-token"}


class Limits(ServerTestCase):
    arguments = ("--guest-role", "viewer", "--token", "operator:operator-token",
                 "--token", "operator:another-token", "--token", "admin:admin-token-1",
                 "--visitor-characters", "5", "--visitor-things", "7", "--visitor-saves", "6",
                 "--visitor-reads", "5")

    def put(self, name, headers, kind="styles"):
        status, _, text = self.server.get(f"/api/v1/{kind}/{name}", headers, "PUT", b"{}")
        return status, json.loads(text)

    async def test_bodies_that_one_visitor_has_spawned(self):
        async with joined(self.server, token="operator-token") as one, \
                joined(self.server, token="operator-token") as same, \
                joined(self.server, token="another-token") as other, \
                joined(self.server, token="admin-token-1") as admin:
            for command, most in (({"spawn": {"body": "child"}}, 5),
                                  ({"spawn_thing": {"thing": "crate"}}, 7)):
                # Over both connections together, and while answers are still on their way.
                seqs = [await viewer.send(command=command) for _ in range(most)
                        for viewer in (one, same)]
                replies = [await viewer.until("ack", "error") for _ in range(len(seqs) // 2)
                           for viewer in (one, same)]
                made = [reply.character for reply in replies if isinstance(reply, wire.Ack)]
                refused = [reply for reply in replies if isinstance(reply, wire.Error)]
                self.assertEqual(len(made), most, replies)
                self.assertEqual({reply.code for reply in refused}, {wire.BUSY})
                self.assertIn(f"{most} ", refused[0].allowed)
                self.assertIsInstance(await other.command(**command), wire.Ack, "others are free")
                for _ in range(most + 2):
                    self.assertIsInstance(await admin.command(**command), wire.Ack)
                # One that goes makes place for another.
                await admin.command(remove={"character": made[0]})
                await admin.until("frame", accept=lambda f: True)
                for _ in range(100):
                    reply = await one.command(**command)
                    if isinstance(reply, wire.Ack):
                        break
                self.assertIsInstance(reply, wire.Ack)

    def test_saves_a_minute(self):
        answers = [self.put(f"style-{i}", OPERATOR) for i in range(8)]
        self.assertEqual([status for status, _ in answers][:6], [200] * 6, answers)
        status, answer = answers[-1]
        self.assertEqual((status, answer["error"]["code"]), (429, "RATE_LIMITED"))
        self.assertIn("6 a minute", answer["error"]["message"])
        self.assertEqual(self.put("style-of-another", OTHER)[0], 200, "others are free")

    def test_reads_a_second(self):
        statuses = [self.server.get("/api/v1/rooms/main/state")[0] for _ in range(200)]
        self.assertIn(429, statuses)
        self.assertEqual(statuses[:5], [200] * 5)
        admin = {"Authorization": "Bearer admin-token-1"}
        self.assertEqual({self.server.get("/api/v1/rooms/main/state", admin)[0]
                          for _ in range(50)}, {200})


class SavesOfAToken(ServerTestCase):
    arguments = ("--guest-role", "operator", "--token", "operator:operator-token", "--token",
                 "operator:another-token", "--token", "admin:admin-token-1", "--visitor-saves", "1000",
                 "--visitor-names", "6", "--trusted-proxy", "127.0.0.0/8,::1")

    def put(self, name, address, **headers):
        return self.server.get(f"/api/v1/styles/{name}", {"X-Forwarded-For": address, **headers}, "PUT", b"{}")[0]

    def test_count_from_whatever_address_it_comes(self):
        statuses = [self.put(f"t{i}", f"2001:db8:{i:x}::1", **OPERATOR) for i in range(9)]
        self.assertEqual(statuses, [200] * 6 + [429] * 3)
        self.assertEqual(self.put("t9", "2001:db8:1::1", **OTHER), 200, "another token has its own")
        self.assertEqual(self.put("t10", "2001:db8:1::1"), 200, "and so have guests")

    def test_of_an_invitation_count_by_visitor_and_by_address(self):
        status, _, text = self.server.get("/api/v1/invitations", {"Authorization": "Bearer admin-token-1"}, "POST",
                                          b'{"role": "operator", "uses": 100}')
        self.assertEqual(status, 200, text)
        token = {"Authorization": "Bearer " + json.loads(text)["link"].split("=")[-1]}

        def keyed(number):
            return {**token, "Promenade-Visitor": f"key-of-a-visitor-{number}"}

        same_visitor = [self.put(f"v{i}", f"192.0.2.{i}", **keyed(1)) for i in range(8)]
        self.assertEqual(same_visitor, [200] * 6 + [429] * 2)
        same_address = [self.put(f"w{i}", "198.51.100.7", **keyed(i + 2)) for i in range(8)]
        self.assertEqual(same_address, [200] * 6 + [429] * 2)
        self.assertEqual(self.put("x", "203.0.113.9", **keyed(50)), 200, "others of a class have their own")


class Commands(ServerTestCase):
    arguments = ("--guest-role", "operator", "--visitor-commands", "20",
                 "--command-rate", "10000", "--command-burst", "10000")

    async def test_of_all_connections_together(self):
        async with joined(self.server) as one, joined(self.server) as two:
            for viewer in (one, two):
                for _ in range(200):
                    await viewer.send(command={"stop": {"character": 1}})
            replies = [await viewer.until("ack", "error") for viewer in (one, two)
                       for _ in range(200)]
            refused = [reply for reply in replies if isinstance(reply, wire.Error)]
            self.assertGreater(len(refused), 100)
            self.assertEqual({reply.code for reply in refused}, {wire.RATE_LIMITED})
            self.assertIn("at most 20 a second", refused[0].allowed)


class Store(unittest.TestCase):
    def test_as_a_whole_takes_no_more_than_it_may(self):
        with tempfile.TemporaryDirectory() as directory:
            file = pathlib.Path(directory) / "store.db"
            server = Server("--store", str(file), "--max-store", "1")
            try:
                refused = None
                points = [{"phase": i / 64, "value": i / 7} for i in range(64)]
                style = json.dumps({"curves": [
                    {"joint": "neck", "axis": "YAW", "curve_deg": {"points": points}}] * 12}).encode()
                for i in range(200):
                    status, _, text = server.get(f"/api/v1/styles/s{i}", None, "PUT", style)
                    if status != 200:
                        refused = json.loads(text)["error"]
                        break
                self.assertIsNotNone(refused, "more than 1 MB went into it")
                self.assertEqual((status, refused["code"]), (409, "CONFLICT"))
                self.assertIn("1 MB", refused["allowed"])
                self.assertEqual(server.get("/api/v1/styles/s0")[0], 200)
            finally:
                server.stop()
            self.assertLess(file.stat().st_size, 2 * 2**20)


class KeptCounts(unittest.TestCase):
    def test_a_restart_does_not_renew_what_a_visitor_may_save(self):
        with tempfile.TemporaryDirectory() as directory:
            store, tokens = pathlib.Path(directory) / "store.db", pathlib.Path(directory) / "tokens"
            mine, other = (
                {"Authorization": "Bearer " + run("token", "new", "operator", "--name", name, "--file",
                                                  tokens)[1].split()[1]} for name in ("me", "other"))

            def put(server, name):
                status, _, text = server.get(f"/api/v1/styles/{name}", mine, "PUT", b"{}")
                return status, text

            for last in (False, True):
                server = Server("--store", store, "--guest-role", "viewer", "--visitor-names", "2",
                                "--token-file", tokens)
                try:
                    if not last:
                        self.assertEqual([put(server, name)[0] for name in "ab"], [200, 200])
                    status, text = put(server, "c")
                    self.assertEqual(status, 429, text)
                    self.assertIn("2 new names from one visitor in 30 days", text)
                    self.assertEqual(server.get(f"/api/v1/styles/d{last:d}", other, "PUT", b"{}")[0],
                                     200, "others have their own")
                finally:
                    server.stop()
            stored = b"".join(path.read_bytes() for path in pathlib.Path(directory).iterdir())
            self.assertNotIn(b"127.0.0.1", stored)


if __name__ == "__main__":
    unittest.main()
