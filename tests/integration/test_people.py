"""The visitors that are here, acts of admins on them, and the trail of these acts."""

import asyncio
import contextlib
import json
import pathlib
import tempfile

from harness import ServerTestCase, close_code, connected, joined
from promenade.v1 import wire_pb2 as wire

ADMIN = {"Authorization": "Bearer admin-token-1"}
OPERATOR = {"Authorization": "Bearer operator-token"}


class PeopleCase(ServerTestCase):
    arguments = ("--guest-role", "player", "--token", "admin:admin-token-1",
                 "--token", "operator:operator-token")

    def people(self, headers, status=200):
        got, _, text = self.server.get("/api/v1/rooms/main/people", headers)
        self.assertEqual(got, status, text)
        return json.loads(text).get("people")

    def act(self, visitor, action, status=200, headers=None, **more):
        got, _, text = self.server.get(f"/api/v1/rooms/main/people/{visitor}", headers or ADMIN,
                                       "POST", json.dumps({"action": action, **more}).encode())
        self.assertEqual(got, status, text)
        return json.loads(text)

    @contextlib.asynccontextmanager
    async def visitor(self, name, key="", token=""):
        async with connected(self.server) as viewer:
            await viewer.send(join=wire.Join(visitor_key=key, name=name, token=token,
                                             client="tests 1.0"))
            viewer.hello = await viewer.until("hello", timeout=10)
            viewer.id = viewer.hello.rights.visitor
            await viewer.until("roster")
            yield viewer


class People(PeopleCase):
    async def test_who_is_here_is_told_to_operators_and_admins(self):
        async with self.visitor("Ada") as ada, self.visitor("Bob", token="operator-token") as bob:
            self.people(None, 403)
            for headers, all_of_it in ((OPERATOR, False), (ADMIN, True)):
                here = (ada.id, bob.id)
                people = {one["name"]: one for one in self.people(headers)
                          if one["visitor"] in here}
                self.assertEqual(people["Ada"]["visitor"], ada.id)
                self.assertEqual((people["Ada"]["role"], people["Bob"]["role"]),
                                 ("player", "operator"))
                self.assertEqual(people["Ada"]["client"], "tests 1.0")
                self.assertRegex(people["Ada"]["since"], r"^\d{4}-\d\d-\d\dT.*Z$")
                self.assertEqual(people["Ada"]["connections"], 1)
                self.assertEqual(bool(people["Ada"]["address"]), all_of_it)
                self.assertEqual(bool(people["Bob"]["token"]), all_of_it)
                self.assertNotIn("operator-token", json.dumps(people))

    async def test_mute_and_freeze(self):
        async with self.visitor("Ada") as ada:
            own = (await ada.command(spawn={"body": "child"})).character
            await ada.until("rights")
            walk = {"character": own, "x_mps": 0.5, "frame": "WORLD"}
            self.assertIsInstance(await ada.command(set_velocity=walk), wire.Ack)
            for action, state in (("mute", "muted"), ("freeze", "frozen")):
                self.act(ada.id, action, reason="too loud")
                rights = await ada.until("rights")
                self.assertTrue(getattr(rights, state))
                self.assertIn("too loud", rights.text)
                self.assertFalse(rights.commands)
                reply = await ada.command(stop={"character": own})
                self.assertEqual((reply.code, reply.value), (wire.FORBIDDEN, state))
                self.assertIn("too loud", reply.message)
                if action == "freeze":  # it stands still
                    self.server.wait_for_state(lambda s: any(
                        c["id"] == own and c["desired_velocity_mps"] == [0, 0]
                        for c in s["characters"]))
                self.act(ada.id, f"un{action}")
                self.assertFalse(getattr(await ada.until("rights"), state))
                self.assertIsInstance(await ada.command(set_velocity=walk), wire.Ack)
            self.act(ada.id, "mute", seconds=1)
            await ada.until("rights")
            self.assertFalse((await ada.until("rights", timeout=20)).muted, "it ends by itself")
            self.act(ada.id, "kick")

    async def test_kick_tells_why_and_takes_the_character(self):
        async with self.visitor("Ada") as ada:
            own = (await ada.command(spawn={"body": "child"})).character
            await ada.until("rights")
            self.act(ada.id, "kick", reason="bye")
            code, reason = await close_code(ada)
            self.assertEqual((code, "bye" in reason), (4003, True), reason)
            self.server.wait_for_state(
                lambda state: own not in [c["id"] for c in state["characters"]])
            async with connected(self.server) as again:
                await again.send(join=wire.Join(visitor_key=ada.hello.visitor_key))
                self.assertEqual((await close_code(again))[0], 4003)
                self.assertIn("can come back in", again.last("error").message)

    async def test_hand_over(self):
        async with self.visitor("Ada") as ada, self.visitor("Bob") as bob:
            own = (await ada.command(spawn={"body": "child"})).character
            await ada.until("rights")
            self.act(ada.id, "hand_over", to=bob.id)
            self.assertEqual((await ada.until("rights")).own_character, 0)
            self.assertEqual((await bob.until("rights")).own_character, own)
            self.assertIsInstance(await bob.command(stop={"character": own}), wire.Ack)
            self.assertEqual((await ada.command(stop={"character": own})).code, wire.FORBIDDEN)
            self.act(ada.id, "hand_over", 404, to=bob.id)
            self.act(bob.id, "hand_over", 404, to="nobody")
            self.act(bob.id, "kick")

    async def test_acts_are_checked_and_for_admins(self):
        async with self.visitor("Ada") as ada:
            for headers in (OPERATOR, {"Promenade-Visitor": "somebody-else-here"}):
                self.act(ada.id, "kick", 403, headers)
            self.act("nobody", "kick", 404)
            self.assertEqual(self.act(ada.id, "tickle", 400)["error"]["field"], "action")
            self.assertEqual(self.act(ada.id, "mute", 400, reason="x" * 300)["error"]["field"],
                             "reason")
            for reason in ("out\u202e", "a\r\nb", "\x1b[2J", "\u2066x", "x\u200f", "\u2028", "ad\u200dmin"):
                for action in ("mute", "kick", "ban"):
                    error = self.act(ada.id, action, 400, reason=reason)["error"]
                    self.assertEqual(error["field"], "reason", repr(reason))
            await ada.until("frame")

    async def test_what_a_program_says_of_itself_is_shown_where_it_can_be(self):
        async with connected(self.server) as viewer:
            await viewer.send(join=wire.Join(name="Mal\u202eory", client="x\x1b[2J"))
            mine = (await viewer.until("hello")).rights.visitor
            person = next(one for one in self.people(ADMIN) if one["visitor"] == mine)
            self.assertEqual((person["name"], person["client"]), ("", ""))

    def test_names_in_invitations_and_texts_of_styles_and_bodies_can_be_shown(self):
        for path, content, field in (("invitations", {"role": "viewer", "name": "A\u202eB"}, "name"),
                                     ("styles/s1", {"title": "A\u2067B"}, "title"),
                                     ("styles/s1", {"description": "A\u0007B"}, "description"),
                                     ("bodies/b1", {"base": "human", "title": "\u200bA"}, "title"),
                                     ("bodies/b1", {"base": "human", "description": "A\nB"}, "description")):
            method = "POST" if path == "invitations" else "PUT"
            status, _, text = self.server.get(f"/api/v1/{path}", ADMIN, method, json.dumps(content).encode())
            self.assertEqual(status, 400, f"{path} {content}: {text}")
            self.assertEqual(json.loads(text)["error"]["field"], field, text)


class Bans(PeopleCase):
    arguments = (*PeopleCase.arguments, "--token", "operator:to-be-banned")

    async def test_of_a_token_and_of_an_address(self):
        async with self.visitor("Eve", token="to-be-banned") as eve:
            self.act(eve.id, "ban", by="token", reason="no more")
            self.assertEqual((await close_code(eve))[0], 4003)
        status, answer = self.server.post({"stop": {"character": 1}},
                                          headers={"Authorization": "Bearer to-be-banned"})
        self.assertEqual((status, answer["error"]["code"]), (403, "FORBIDDEN"))
        self.assertIn("no more", answer["error"]["message"])
        async with self.visitor("Ada") as ada:
            self.act(ada.id, "ban", 400, by="token")  # has none
            self.act(ada.id, "ban", seconds=3600, reason="too loud")
            self.assertEqual((await close_code(ada))[0], 4003)
            async with connected(self.server) as again:
                await again.send(join=wire.Join(visitor_key=ada.hello.visitor_key))
                code, reason = await close_code(again)
                self.assertEqual((code, "too loud" in reason), (4003, True), reason)
        self.assertRegex(self.server.log_text(),
                         r' ban .*details="for 3600 s, by address, reason: too loud"')
        # All below /api/ is refused; the page, which says why, and the probes are not.
        for path, expected in (("/api/v1/rooms", 403), ("/api/v1/scenes", 403),
                               ("/api/v1/rooms/main/state", 403), ("/api/v1/styles", 403),
                               ("/healthz", 200), ("/readyz", 200), ("/metrics", 200)):
            status, _, text = self.server.get(path)
            self.assertEqual(status, expected, path)
            if status == 403:
                self.assertIn("too loud", text)
            # Admins are not banned by their address.
            self.assertEqual(self.server.get(path, ADMIN)[0], 200, path)
        async with connected(self.server) as guest:
            await guest.send(join=wire.Join())
            await close_code(guest)
            self.assertIn("banned", guest.last("error").message)
        async with joined(self.server, token="admin-token-1") as admin:  # of the same address
            await admin.until("frame")
        bans = json.loads(self.server.get("/api/v1/bans", ADMIN)[2])["bans"]
        self.assertEqual(len(bans), 2, bans)
        for ban in bans:
            self.assertEqual(self.server.get(f"/api/v1/bans/{ban['id']}", ADMIN, "DELETE")[0], 200)
        async with joined(self.server) as guest:
            await guest.until("frame")


class Trail(ServerTestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.file = pathlib.Path(cls.directory.name) / "audit.jsonl"
        cls.arguments = ("--guest-role", "operator", "--token", "admin:admin-token-1",
                         "--audit-log", str(cls.file))
        super().setUpClass()

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        cls.directory.cleanup()

    async def test_tells_who_did_what(self):
        async with joined(self.server) as viewer:
            mine = viewer.last("hello").rights.visitor
            await viewer.command(load_scene={"scene": "one"})
            await viewer.command(spawn={"body_definition": {"name": "mini", "base": "child"}})
        self.server.post({"load_scene": {"scene": "bodies"}}, headers=ADMIN)
        self.server.get("/api/v1/styles/mine", None, "PUT", b"{}")
        self.server.get("/api/v1/styles/mine", None, "DELETE")
        self.server.post({"stop": {"character": 1}},
                         headers={"Authorization": "Bearer wrong-token-here"})
        async with asyncio.timeout(20):
            while len(self.lines()) < 6:
                await asyncio.sleep(0.1)
        told = [(line["action"], line["role"], line["object"], line["outcome"] == "done")
                for line in self.lines()]
        for deed in (("load_scene", "operator", "one", False),
                     ("spawn", "operator", "body mini", True),
                     ("load_scene", "admin", "bodies", True),
                     ("save_style", "operator", '"mine"', True),
                     ("delete_style", "operator", '"mine"', True)):
            self.assertIn(deed, told)
        by_viewer = [line for line in self.lines() if line["visitor"] == mine]
        self.assertEqual(len(by_viewer), 2)
        self.assertEqual((by_viewer[0]["room"], by_viewer[0]["address"]), ("main", "127.0.0.1"))
        refused = next(line for line in self.lines() if line["action"] == "refuse_token")
        self.assertEqual(refused["address"], "127.0.0.1")
        self.assertNotIn("wrong", self.file.read_text())

    def lines(self):
        return [json.loads(line) for line in self.file.read_text().splitlines()]


class Log(ServerTestCase):
    async def test_of_joins_is_bounded_and_cannot_be_forged(self):
        async with connected(self.server) as viewer:
            await viewer.send(join=wire.Join(client='x"\n2030-01-01 info forged', name="\x1b[31m"))
            await viewer.until("hello")
        for _ in range(120):
            async with connected(self.server) as viewer:
                await viewer.send(join=wire.Join(client="many"))
                await viewer.until("hello", timeout=10)
        log = self.server.log_text()
        joins = [line for line in log.splitlines() if " join " in line]
        self.assertLess(len(joins), 110)
        self.assertNotIn("\n2030-01-01", log)
        self.assertNotIn("\x1b[31m-", log)
        self.assertIn('client="x\\"\\x0a2030', log)

    def test_without_a_file_has_the_trail(self):
        self.server.post({"load_scene": {"scene": "one"}})
        self.assertRegex(self.server.log_text(), r'load_scene visitor="\w+" .*object="one"')


class BadText(ServerTestCase):
    async def test_long_names_and_keys_are_refused(self):
        for join, field in ((wire.Join(name="x" * 41), "join.name"),
                            (wire.Join(visitor_key="x" * 65), "join.visitor_key"),
                            (wire.Join(visitor_key="short"), "join.visitor_key")):
            async with connected(self.server) as viewer:
                await viewer.send(join=join)
                self.assertEqual((await close_code(viewer))[0], 1008)
                self.assertEqual(viewer.last("error").field, field)

    async def test_leaves_no_line_of_protobuf(self):
        bad = b"\x08\x01\x12\x05\x0a\x03\xff\xfe\x80"
        for _ in range(3):
            async with connected(self.server) as viewer:
                await viewer.socket.send(bad)
                self.assertEqual((await close_code(viewer))[0], 1007)
        self.assertNotIn("libprotobuf", self.server.log_text())


if __name__ == "__main__":
    import unittest
    unittest.main()
