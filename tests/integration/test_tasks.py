"""Lists of tasks that are wrong, or go wrong: what is told of them, and that nobody else is disturbed."""

import asyncio
import json
import time

from harness import ServerTestCase, joined
from promenade.v1 import wire_pb2 as wire

ADMIN = {"Authorization": "Bearer admin-token-1"}
ANNA, BEN, CRATE, CARTON = 1, 2, 3, 4
WAIT = {"sit_out": {"seconds": 1}}
OF_HALL = 10  # a character of the other room
# (command, code, field, part of what is allowed)
WRONG = [
    ({"set_tasks": {"character": OF_HALL, "tasks": [WAIT]}}, "NOT_FOUND", "set_tasks.character", ""),
    ({"set_tasks": {"character": CRATE, "tasks": [WAIT]}}, "INVALID", "set_tasks.character", ""),
    ({"set_tasks": {"character": ANNA, "tasks": [WAIT, {"pick_up": {"thing": 77}}]}}, "NOT_FOUND",
     "set_tasks.tasks[1].pick_up.thing", "a thing of this room"),
    ({"set_tasks": {"character": ANNA, "tasks": [{"pick_up": {"thing": BEN}}]}}, "NOT_FOUND",
     "set_tasks.tasks[0].pick_up.thing", "a thing of this room"),
    ({"set_tasks": {"character": ANNA, "tasks": [{"put_down": {"on": 77}}]}}, "NOT_FOUND",
     "set_tasks.tasks[0].put_down.on", "a thing"),
    ({"set_tasks": {"character": ANNA, "tasks": [{"go_to": {"position_m": [1]}}]}}, "INVALID",
     "set_tasks.tasks[0].go_to.position_m", "2"),
    ({"set_tasks": {"character": ANNA, "tasks": [{"carry": {"thing": CRATE}}]}}, "INVALID",
     "set_tasks.tasks[0].carry", "one of them"),
    ({"set_tasks": {"character": ANNA, "tasks": [{}]}}, "INVALID", "set_tasks.tasks[0]", "pick_up"),
    ({"set_tasks": {"character": ANNA, "tasks": [WAIT] * 65}}, "INVALID", "set_tasks.tasks", "64"),
    ({"share_tasks": {"characters": [ANNA, OF_HALL], "tasks": [WAIT]}}, "NOT_FOUND",
     "share_tasks.characters[1]", "a character of this room"),
    ({"share_tasks": {"characters": [ANNA, ANNA], "tasks": [WAIT]}}, "INVALID",
     "share_tasks.characters[1]", "once"),
    ({"share_tasks": {"characters": [ANNA, BEN], "tasks": [{"pick_up": {"thing": CRATE}}]}},
     "INVALID", "share_tasks.tasks[0]", "carry"),
    ({"share_tasks": {"characters": [ANNA, BEN], "tasks": [{"carry": {"thing": 77, "on": CRATE}}]}},
     "NOT_FOUND", "share_tasks.tasks[0].carry.thing", "a thing of this room"),
    ({"share_tasks": {"characters": [ANNA, BEN], "tasks": [WAIT] * 65}}, "INVALID",
     "share_tasks.tasks", "64"),
    ({"share_tasks": {"characters": [ANNA, BEN], "tasks": [WAIT], "append": True}}, "UNSUPPORTED",
     "share_tasks.characters[0]", "shares tasks"),
]
WRONG_JSON = [
    ({"set_tasks": {"character": ANNA, "tasks": [{"fetch": {"thing": CRATE}}]}}, "tasks[0].fetch"),
    ({"set_tasks": {"character": ANNA, "tasks": [{"pick_up": {"what": CRATE}}]}}, "pick_up.what"),
    ({"share_tasks": {"characters": ["all"], "tasks": [WAIT]}}, "share_tasks.characters"),
]


class Yard(ServerTestCase):
    """Two people with a crate and a carton in one room, and another room with people and crates."""

    arguments = ("--guest-role", "operator", "--max-load", "0", "--token", "admin:admin-token-1")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for made, wanted in (
                ({"spawn": {"body": "human", "position_m": [0, -1.5]}}, BEN),
                ({"spawn_thing": {"thing": "small_crate", "position_m": [1.2, -0.7]}}, CRATE),
                ({"spawn_thing": {"thing": "carton", "position_m": [-2, 2]}}, CARTON)):
            assert cls.tell(made)["ack"]["character"] == wanted
        cls.tell({"place": {"character": ANNA, "position_m": [0, 0]}})
        cls.tell({"stop": {"character": ANNA}})
        status, _, text = cls.server.get("/api/v1/rooms", ADMIN, "POST",
                                         json.dumps({"id": "hall", "scene": "crates"}).encode())
        assert status == 200, text
        made = cls.tell({"spawn": {"body": "human", "position_m": [0, 8]}}, "hall")
        assert made["ack"]["character"] == OF_HALL, made

    @classmethod
    def tell(cls, command, room="main"):
        status, answer = cls.server.post(command, room=room, headers=ADMIN)
        assert status == 200, answer
        return answer

    def hashes(self):
        return {room: self.server.state(room)["state_hash"] for room in ("main", "hall")}


class WrongLists(Yard):
    async def test_are_refused_with_their_field_and_change_nothing(self):
        for room in ("main", "hall"):
            self.tell({"pause": {}}, room)
            self.server.wait_for_state(lambda state: state["paused"], room)
        before = self.hashes()
        async with joined(self.server) as viewer:
            for content, code, field, allowed in WRONG:
                with self.subTest(command=str(content)[:120]):
                    reply = await viewer.command(**content)
                    self.assertIsInstance(reply, wire.Error)
                    self.assertEqual((wire.ErrorCode.Name(reply.code), reply.field), (code, field))
                    self.assertIn(allowed, reply.allowed)
                    self.assertTrue(reply.message)
            for content, field in WRONG_JSON:
                with self.subTest(command=str(content)[:120]):
                    status, answer = self.server.post(content)
                    self.assertEqual(status, 400, answer)
                    self.assertIn(field, answer["error"]["field"], answer)
            self.assertIsInstance(await viewer.command(set_tasks={"character": ANNA, "tasks": [WAIT] * 64}),
                                  wire.Ack)
        after = self.hashes()
        self.assertEqual(after["hall"], before["hall"])
        self.assertNotEqual(after["main"], before["main"], "64 tasks are taken")


class WhatGoesWrong(Yard):
    async def test_is_told_in_its_room_alone_and_the_walkers_stay_up(self):
        self.tell({"set_time_scale": {"scale": 3}})
        over = (wire.Event.TASK_DONE, wire.Event.TASK_FAILED)
        async with joined(self.server) as viewer, joined(self.server, room="hall") as other:
            async def ended():
                return await viewer.until("event", timeout=60, accept=lambda event: event.kind in over)

            # Two want the same crate: one gets it, and the other is told.
            for who in (ANNA, BEN):
                await viewer.command(set_tasks={"character": who, "tasks": [
                    {"pick_up": {"thing": CRATE}}, {"sit_out": {"seconds": 600}}]})
            first, second = await ended(), await ended()
            by_kind = {event.kind: event for event in (first, second)}
            self.assertEqual(set(by_kind), set(over), (first, second))
            failed = by_kind[wire.Event.TASK_FAILED]
            self.assertIn("somebody else has it", failed.text)
            keeper = by_kind[wire.Event.TASK_DONE].character
            self.assertEqual({keeper, failed.character}, {ANNA, BEN})

            # It is removed while it is carried.
            await viewer.command(set_tasks={"character": keeper, "tasks": [
                {"put_down": {"position_m": [6, 6]}}, {"sit_out": {"seconds": 600}}]})
            await viewer.command(remove={"character": CRATE})
            gone = await ended()
            self.assertEqual((gone.kind, gone.character), (wire.Event.TASK_FAILED, keeper))
            # Events are told at once, the state some ticks later.
            deadline, answer = time.monotonic() + 5, None
            while answer != (200, 1) and time.monotonic() < deadline:
                status, _, text = self.server.get(f"/api/v1/rooms/main/characters/{keeper}/tasks")
                answer = (status, json.loads(text)["current"])
                await asyncio.sleep(0.05)
            self.assertEqual(answer, (200, 1), "it goes on with the next")

            # Of all that, the other room is told nothing: what is told there is of its own things.
            await other.send(ping={"client_time_us": 1})
            await other.until("pong")
            for message in other.received:
                if message.WhichOneof("kind") == "event":
                    self.assertNotIn(wire.Event.Kind.Name(message.event.kind), ("TASK_FAILED", "FELL"))
                self.assertNotEqual(message.WhichOneof("kind"), "error")
        fallen = [one for one in self.server.state()["characters"] if one.get("fallen")]
        self.assertEqual(fallen, [])
