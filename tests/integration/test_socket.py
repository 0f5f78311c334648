"""The protocol as it should go: order of messages, frames, replies, watching, scenes, roles."""

import math
import time
import unittest

from harness import ServerTestCase, close_code, connected, joined
from promenade.v1 import creature_pb2, wire_pb2 as wire

DOF = {creature_pb2.HINGE: 1, creature_pb2.UNIVERSAL: 2, creature_pb2.BALL: 3}


class Stream(ServerTestCase):
    scene = "bodies"

    async def test_tells_who_is_there_before_how_they_move(self):
        async with connected(self.server) as viewer:
            await viewer.send(join=wire.Join(client="test"))
            # Messages longer than max_message_bytes come in parts.
            kinds = []
            while len(kinds) < 5:
                kind = (await viewer.receive())[0]
                if kind != "part":
                    kinds.append(kind)
        self.assertEqual(kinds, ["hello", "scene", "roster", "frame", "catalogue"])
        hello, scene = viewer.last("hello"), viewer.last("scene")
        self.assertEqual(hello.role, wire.ADMIN)
        self.assertEqual(hello.room, "main")
        self.assertEqual(hello.rate_hz, 30)
        self.assertEqual(hello.epoch, scene.epoch)
        self.assertEqual(hello.max_message_bytes, 65536)
        self.assertAlmostEqual(hello.tick_s, 1 / 60)
        self.assertEqual(scene.scene.name, "bodies")
        self.assertIn("square", [s.name for s in scene.scenes])
        self.assertIn("normal", [s.name for s in scene.styles])

    async def test_frames_fit_roster_and_bodies(self):
        async with joined(self.server) as viewer:
            await viewer.until("frame")
            scene, roster, frame = viewer.last("scene"), viewer.last("roster"), viewer.frame
            bodies = await viewer.body(*(entry.body for entry in roster.entries))
        n = len(roster.entries)
        self.assertEqual(n, len(frame.flags))
        self.assertEqual(n, len(frame.root_rotation))
        self.assertEqual(3 * n, len(frame.root_position))
        for body, entry in zip(bodies, roster.entries):
            self.assertEqual(len(body.joints), len(body.links) - 1)
            self.assertEqual(sum(DOF[j.kind] for j in body.joints), entry.dof)
        self.assertEqual(len(frame.joint), sum(DOF[j.kind] for b in bodies for j in b.joints))
        self.assertEqual(frame.roster_version, roster.version)
        self.assertLessEqual(frame.ByteSize() / n, 64)
        heights = [frame.root_position[3 * i + 2] * scene.position_unit_m for i in range(n)]
        self.assertTrue(all(0 < h < 4 for h in heights), heights)

    async def test_frames_come_at_the_rate_asked_for(self):
        async with joined(self.server, rate_hz=10) as viewer:
            for rate, asked in ((10, None), (30, 30), (5, 5)):
                if asked:
                    self.assertGreater((await viewer.ask(set_rate={"rate_hz": asked})).tick, 0)
                await viewer.until("frame")
                began, first = time.monotonic(), viewer.frames
                while time.monotonic() - began < 1.5:
                    await viewer.until("frame")
                measured = (viewer.frames - first) / (time.monotonic() - began)
                self.assertAlmostEqual(measured, rate, delta=0.25 * rate)

    async def test_pongs_tell_the_clock_of_the_frames(self):
        async with joined(self.server) as viewer:
            pong = await viewer.ask(ping={"client_time_us": 42})
            await viewer.until("frame")
            self.assertEqual(pong.client_time_us, 42)
            self.assertLess(abs(viewer.frame.server_time_us - pong.server_time_us), 2e6)

    async def test_watched_characters_are_told_of_after_each_frame(self):
        async with joined(self.server) as viewer:
            await viewer.ask(watch={"characters": [1, 2]})
            frame = await viewer.until("frame")
            kind, details = await viewer.receive()
            while kind != "details":  # the frame may have been under way already
                frame = await viewer.until("frame")
                kind, details = await viewer.receive()
            self.assertEqual(details.tick, frame.tick)
            self.assertEqual([c.id for c in details.characters], [1, 2])
            self.assertEqual(len(details.characters[0].com_m), 3)
            self.assertIn(details.characters[0].state, ("walking", "standing", "stopping", "fallen"))
            await viewer.ask(watch={})
            await viewer.until("frame")
            await viewer.until("frame")
            self.assertEqual((await viewer.receive())[0], "frame")

    async def test_watching_nobody_known_is_an_error(self):
        async with joined(self.server) as viewer:
            error = await viewer.ask(watch={"characters": [1, 999]})
            self.assertEqual((error.code, error.field, error.value),
                             (wire.NOT_FOUND, "watch.characters[1]", "999"))

    async def test_seq_must_grow(self):
        async with joined(self.server) as viewer:
            viewer.seq = 10
            await viewer.ask(ping={})
            viewer.seq = 9
            await viewer.send(command={"pause": {}})
            error = await viewer.until("error")
            self.assertEqual((error.seq, error.code, error.field), (10, wire.INVALID, "seq"))
            self.assertFalse(self.server.state()["paused"])

    async def test_one_join_is_enough(self):
        async with joined(self.server) as viewer:
            error = await viewer.ask(join={})
            self.assertEqual((error.code, error.field), (wire.INVALID, "join"))
            await viewer.until("frame")


class Commands(ServerTestCase):
    async def test_are_acknowledged_with_the_tick_of_their_effect(self):
        async with joined(self.server) as viewer:
            await viewer.until("frame")
            before, [entry] = viewer.frame.tick, viewer.last("roster").entries
            ack = await viewer.command(set_velocity={"character": entry.id, "x_mps": 0.5})
            self.assertIsInstance(ack, wire.Ack)
            self.assertGreaterEqual(ack.tick, before)
            self.assertLess(ack.tick, before + 60)

    async def test_spawn_and_remove_change_the_roster_for_all(self):
        async with joined(self.server) as one, joined(self.server) as two:
            first = one.last("roster").entries[0].id  # not 1 if another scene was there before
            ack = await one.command(spawn={"body": "child", "position_m": [5, 5]})
            self.assertGreater(ack.character, first)
            for viewer in (one, two):
                roster = viewer.last("roster")
                if len(roster.entries) != 2:
                    roster = await viewer.until("roster")
                self.assertEqual([e.id for e in roster.entries], [first, ack.character])
                await viewer.until("frame", accept=lambda f: f.roster_version == roster.version)
                self.assertEqual(len(viewer.frame.flags), 2)
            await two.command(remove={"character": ack.character})
            await one.until("roster", accept=lambda r: [e.id for e in r.entries] == [first])

    async def test_load_scene_begins_an_epoch(self):
        async with joined(self.server) as viewer:
            epoch = viewer.last("scene").epoch
            await viewer.send(command={"load_scene": {"scene": "styles"}})
            scene = await viewer.until("scene")
            self.assertNotEqual(scene.epoch, epoch)
            self.assertEqual(scene.scene.name, "styles")
            roster = await viewer.until("roster")
            await viewer.until("frame", accept=lambda f: f.roster_version == roster.version)
            self.assertEqual(len(viewer.frame.flags), len(roster.entries))
            self.assertIsInstance(await viewer.command(load_scene={"scene": "one"}), wire.Ack)

    async def test_paused_room_still_shows_itself(self):
        async with joined(self.server) as viewer:
            await viewer.command(pause={})
            await viewer.until("frame", accept=lambda f: f.paused)
            tick = viewer.frame.tick
            again = await viewer.until("frame", timeout=3)
            self.assertEqual((again.paused, again.tick), (True, tick))
            await viewer.command(single_step={"ticks": 5})
            await viewer.until("frame", accept=lambda f: f.tick == tick + 5)
            async with joined(self.server) as late:
                await late.until("frame", accept=lambda f: f.paused and f.tick == tick + 5)
            await viewer.command(resume={})
            await viewer.until("frame", accept=lambda f: not f.paused and f.tick > tick + 5)


class Roles(ServerTestCase):
    arguments = ("--guest-role", "viewer", "--token", "operator:operator-token",
                 "--token", "admin:admin-token-1", "--room", "main:one,other:one")

    async def test_each_role_may_do_its_part(self):
        stop, pause = {"stop": {"character": 1}}, {"pause": {}}
        for token, role, allowed in (("", wire.VIEWER, []),
                                     ("operator-token", wire.OPERATOR, [stop]),
                                     ("admin-token-1", wire.ADMIN, [stop, pause])):
            async with joined(self.server, token=token) as viewer:
                self.assertEqual(viewer.last("hello").role, role)
                await self.set_walking()
                for command in (stop, pause):
                    reply = await viewer.command(**command)
                    if command in allowed:
                        self.assertIsInstance(reply, wire.Ack)
                    else:
                        self.assertEqual(reply.code, wire.FORBIDDEN)
                        self.assertEqual(reply.field, next(iter(command)))
                        self.assertEqual(reply.value, wire.Role.Name(role).lower())
                        self.assertTrue(reply.allowed)
                if pause in allowed:
                    await viewer.command(resume={})
                # Long enough for what was refused to have changed something.
                tick = int(self.server.state()["tick"]) + 20
                state = self.server.wait_for_state(lambda state: int(state["tick"]) >= tick)
                self.assertFalse(state["paused"])
                speed = math.hypot(*state["characters"][0]["desired_velocity_mps"])
                self.assertAlmostEqual(speed, 0 if stop in allowed else 0.5, places=6)

    async def set_walking(self):
        walk = {"character": 1, "x_mps": 0.5, "frame": "WORLD"}
        async with joined(self.server, token="operator-token") as operator:
            self.assertIsInstance(await operator.command(set_velocity=walk), wire.Ack)

    async def test_unknown_token_and_unknown_room_are_told_and_closed(self):
        for join, code, field in ((wire.Join(token="admin-token-2"), wire.FORBIDDEN, "join.token"),
                                  (wire.Join(room="cellar"), wire.NOT_FOUND, "join.room")):
            async with connected(self.server) as viewer:
                await viewer.send(join=join)
                self.assertEqual((await close_code(viewer))[0], 1008)
                error = viewer.last("error")
                self.assertEqual((error.code, error.field), (code, field))
                self.assertNotIn("admin-token", str(error))

    async def test_rooms_are_apart(self):
        async with joined(self.server, token="admin-token-1", room="other") as other:
            await other.command(pause={})
            try:
                self.server.wait_for_state(lambda state: state["paused"], "other")
                self.assertFalse(self.server.state("main")["paused"])
            finally:
                await other.command(resume={})

    def test_http_asks_for_the_same_roles(self):
        stop, pause = {"stop": {"character": 1}}, {"pause": {}}
        self.assertEqual(self.server.post(stop)[0], 403)
        bearer = {"Authorization": "Bearer operator-token"}
        self.assertEqual(self.server.post(stop, headers=bearer)[0], 200)
        status, answer = self.server.post(pause, headers=bearer)
        self.assertEqual((status, answer["error"]["code"], answer["error"]["field"]),
                         (403, "FORBIDDEN", "pause"))
        for wrong in ("Bearer nobody-knows-it", "Basic b3BlcmF0b3I=", "Bearer "):
            self.assertEqual(self.server.post(stop, headers={"Authorization": wrong})[0], 403, wrong)


if __name__ == "__main__":
    unittest.main()
