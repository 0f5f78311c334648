"""Guest players: one character of their own, gentle pushes, nothing else."""

import asyncio
import contextlib
import json

from harness import ServerTestCase, connected, joined
from promenade.v1 import wire_pb2 as wire

ADMIN = {"Authorization": "Bearer admin-token-1"}


class Players(ServerTestCase):
    arguments = ("--guest-role", "player", "--token", "admin:admin-token-1",
                 "--token", "operator:operator-token")

    @contextlib.asynccontextmanager
    async def player(self, key=""):
        async with connected(self.server) as viewer:
            await viewer.send(join=wire.Join(visitor_key=key, name="Ada"))
            viewer.hello = await viewer.until("hello")
            await viewer.until("roster")
            yield viewer

    async def test_hello_tells_role_and_limits(self):
        async with self.player() as player:
            self.assertEqual(player.hello.role, wire.PLAYER)
            rights = player.hello.rights
            self.assertEqual((rights.role, rights.own_character, rights.push_force_n,
                              rights.characters), ("player", 0, 400, 1))
            self.assertEqual(set(rights.commands),
                             {"push", "set_velocity", "set_heading", "stop", "follow_path",
                              "set_wander", "set_style", "set_body", "set_gait", "leap",
                              "spawn"})
            self.assertGreaterEqual(len(player.hello.visitor_key), 16)
            self.assertNotIn(player.hello.visitor_key, rights.visitor)

    async def test_steer_and_dress_their_own_and_touch_nobody_elses(self):
        async with self.player() as player:
            for command in ({"stop": {"character": 1}},
                            {"set_style": {"character": 1, "style": "march"}}):
                reply = await player.command(**command)
                self.assertEqual(reply.code, wire.FORBIDDEN, command)
                self.assertIn("spawn", reply.allowed)
            spawned = await player.command(spawn={"body": "child"})
            self.assertIsInstance(spawned, wire.Ack)
            own = spawned.character
            self.assertEqual((await player.until("rights")).own_character, own)
            for command in ({"set_velocity": {"character": own, "x_mps": 0.5}},
                            {"stop": {"character": own}},
                            {"set_style": {"character": own, "style": "march"}},
                            {"set_body": {"character": own, "body": "human"}}):
                self.assertIsInstance(await player.command(**command), wire.Ack, command)
            for command, allowed in (
                    ({"stop": {"character": 1}}, f"your own character, {own}"),
                    ({"set_body": {"character": 1, "body": "child"}}, f"{own}"),
                    ({"spawn": {"body": "child"}}, "one character"),
                    ({"remove": {"character": own}}, "admin"),
                    ({"place": {"character": own, "position_m": [1, 1]}}, "operator or admin"),
                    ({"spawn_thing": {"thing": "crate"}}, "operator or admin"),
                    ({"load_scene": {"scene": "one"}}, "admin")):
                reply = await player.command(**command)
                self.assertEqual(reply.code, wire.FORBIDDEN, command)
                self.assertIn(allowed, reply.allowed)
            status, _, text = self.server.get("/api/v1/styles/mine", None, "PUT", b"{}")
            self.assertEqual(status, 403, text)
            self.assertIsInstance(await self.remove(own), wire.Ack)

    async def test_push_anybody_within_the_strength(self):
        async with self.player() as player:
            gentle = {"character": 1, "force_n": [0, 300, 0], "duration_s": 0.1}
            self.assertIsInstance(await player.command(push=gentle), wire.Ack)
            for change, field, allowed in (({"force_n": [0, 500, 0]}, "push.force_n", "400 N"),
                                           ({"duration_s": 2}, "push.duration_s", "0.3 s")):
                reply = await player.command(push={**gentle, **change})
                self.assertEqual((reply.code, reply.field), (wire.FORBIDDEN, field))
                self.assertIn(allowed, reply.allowed)
            refused = None
            for _ in range(40):
                reply = await player.command(push=gentle)
                if isinstance(reply, wire.Error) and reply.code == wire.RATE_LIMITED:
                    refused = reply
                    break
            self.assertIsNotNone(refused, "pushes are limited in number, too")
            self.assertIn("4 pushes a second", refused.allowed)

    async def test_two_spawns_at_once_make_one_character(self):
        async with self.player() as player:
            seqs = [await player.send(command={"spawn": {"body": "child"}}) for _ in range(5)]
            replies = []
            while len(replies) < len(seqs):
                replies.append(await player.until("ack", "error"))
            made = [reply for reply in replies if isinstance(reply, wire.Ack)]
            self.assertEqual(len(made), 1, replies)
            self.assertIsInstance(await self.remove(made[0].character), wire.Ack)

    async def test_come_back_to_their_character(self):
        async with self.player() as player:
            own = (await player.command(spawn={"body": "child"})).character
            key = player.hello.visitor_key
            visitor = player.hello.rights.visitor
        async with self.player(key) as player:
            self.assertEqual(player.hello.rights.visitor, visitor)
            self.assertEqual(player.hello.rights.own_character, own)
            reply = await player.command(stop={"character": own})
            self.assertIsInstance(reply, wire.Ack)
            # A visitor with another key has no right to the character.
            async with self.player() as other:
                reply = await other.command(stop={"character": own})
                self.assertEqual(reply.code, wire.FORBIDDEN)
            # Once it is gone, another one can be had.
            self.assertIsInstance(await self.remove(own), wire.Ack)
            await player.until("rights", timeout=20, accept=lambda r: r.own_character == 0)
            again = (await player.command(spawn={"body": "child"})).character
            self.assertGreater(again, own)
            self.assertIsInstance(await self.remove(again), wire.Ack)

    async def test_over_http_they_are_one_visitor_by_key(self):
        mine = {"Promenade-Visitor": "the-key-of-a-curl-user"}
        status, answer = self.server.post({"spawn": {"body": "child"}}, headers=mine)
        self.assertEqual(status, 200, answer)
        own = answer["ack"]["character"]
        for _ in range(100):  # the answer may be a moment ahead of the visitor's rights
            status, answer = self.server.post({"stop": {"character": own}}, headers=mine)
            if status == 200:
                break
            await asyncio.sleep(0.05)
        self.assertEqual(status, 200, answer)
        self.assertEqual(self.server.post({"stop": {"character": own}})[0], 403)
        self.assertEqual(self.server.post({"remove": {"character": own}}, headers=ADMIN)[0], 200)

    def test_start_says_who_may_do_what(self):
        line = self.server.who_may_what()
        self.assertIn("Guests may push gently, and steer and change one character of their own", line)
        self.assertIn("1 operator token, 1 admin token", line)
        self.assertNotIn("operator-token", line + self.server.log_text())

    async def remove(self, character):
        async with joined(self.server, token="admin-token-1") as admin:
            return await admin.command(remove={"character": character})


class Grace(ServerTestCase):
    arguments = ("--guest-role", "player", "--token", "admin:admin-token-1", "--player-grace", "1")

    async def test_a_character_goes_a_while_after_its_player(self):
        async with joined(self.server) as player:
            own = (await player.command(spawn={"body": "child"})).character
            self.server.wait_for_state(lambda state: own in ids(state))
        async with asyncio.timeout(30):
            while own in ids(self.server.state()):
                await asyncio.sleep(0.2)
        self.assertEqual(ids(self.server.state()), [1], "that of the scene stays")


def ids(state):
    return [character["id"] for character in state["characters"]]
if __name__ == "__main__":
    import unittest
    unittest.main()
