"""Every wrong command is refused with the field, the value and what is allowed, and changes nothing."""

import json
import math
import unittest

from harness import ServerTestCase, joined
from promenade.v1 import wire_pb2 as wire
from promenade.v1.command_pb2 import Command

FAR = [{"x_m": 0, "y_m": 0}] * 257
# (command, code, field, part of what is allowed); given to the socket and to the HTTP API.
WRONG = [
    ({}, "INVALID", None, "set_velocity"),
    ({"set_velocity": {"character": 0, "x_mps": 1}}, "INVALID", "set_velocity.character", "1"),
    ({"set_velocity": {"character": 99, "x_mps": 1}}, "NOT_FOUND", "set_velocity.character", ""),
    ({"set_velocity": {"character": 1, "x_mps": 3.01}}, "INVALID", "set_velocity.x_mps", "-3 to 3"),
    ({"set_velocity": {"character": 1, "y_mps": -1e300}}, "INVALID", "set_velocity.y_mps", "3"),
    ({"set_velocity": {"character": 1, "x_mps": math.nan}}, "INVALID", "set_velocity.x_mps", ""),
    ({"set_velocity": {"character": 1, "frame": 9}}, "INVALID", "set_velocity.frame", ""),
    ({"set_heading": {"character": 1, "heading_rad": 101}}, "INVALID", "set_heading.heading_rad",
     "100"),
    ({"set_heading": {"character": 1, "heading_rad": math.inf}}, "INVALID",
     "set_heading.heading_rad", ""),
    ({"stop": {"character": 4_000_000_000}}, "NOT_FOUND", "stop.character", ""),
    ({"follow_path": {"character": 1}}, "INVALID", "follow_path.path.points", "1"),
    ({"follow_path": {"character": 1, "path": {"points": FAR}}}, "INVALID",
     "follow_path.path.points", "256"),
    ({"follow_path": {"character": 1, "path": {"points": [{"x_m": 1}, {"y_m": 1001}]}}}, "INVALID",
     "follow_path.path.points[1].y_m", "1000"),
    ({"follow_path": {"character": 1, "path": {"points": [{"x_m": 1}], "speed_mps": -1}}},
     "INVALID", "follow_path.path.speed_mps", "3"),
    ({"push": {"character": 1, "link": "tail", "force_n": [1, 0, 0]}}, "NOT_FOUND", "push.link",
     "torso"),
    ({"push": {"character": 1, "force_n": [1, 0]}}, "INVALID", "push.force_n", "3"),
    ({"push": {"character": 1}}, "INVALID", "push.force_n", "3"),
    ({"push": {"character": 1, "force_n": [4000, 4000, 0]}}, "INVALID", "push.force_n", "5000"),
    ({"push": {"character": 1, "force_n": [0, -math.inf, 0]}}, "INVALID", "push.force_n[1]", ""),
    ({"push": {"character": 1, "force_n": [1, 0, 0], "point_m": [0, 0, 2.5]}}, "INVALID",
     "push.point_m[2]", "-2 to 2"),
    ({"push": {"character": 1, "force_n": [1, 0, 0], "duration_s": 11}}, "INVALID",
     "push.duration_s", "10"),
    ({"set_style": {"character": 1, "style": "moonwalk"}}, "NOT_FOUND", "set_style.style", "normal"),
    ({"spawn": {"body": "dragon"}}, "NOT_FOUND", "spawn.body", "child"),
    ({"spawn": {"body": "child", "style": "moonwalk"}}, "NOT_FOUND", "spawn.style", "normal"),
    ({"spawn": {"body": "child", "position_m": [1, 2, 3]}}, "INVALID", "spawn.position_m", "2"),
    ({"remove": {"character": 77}}, "NOT_FOUND", "remove.character", ""),
    ({"reset": {"character": 77}}, "NOT_FOUND", "reset.character", ""),
    ({"single_step": {"ticks": 601}}, "INVALID", "single_step.ticks", "600"),
    ({"set_time_scale": {"scale": 0.05}}, "INVALID", "set_time_scale.scale", "0.1"),
    ({"set_time_scale": {"scale": math.nan}}, "INVALID", "set_time_scale.scale", ""),
    ({"load_scene": {"scene": "moon"}}, "NOT_FOUND", "load_scene.scene", "plaza"),
    ({"load_scene": {"scene": "../../etc/passwd"}}, None, "load_scene.scene", ""),
    ({"set_wander": {"character": 1, "radius_m": 0.5}}, "INVALID", "set_wander.radius_m", "200"),
    ({"spawn_thing": {"thing": "unicorn"}}, "NOT_FOUND", "spawn_thing.thing", ""),
    ({"spawn_thing": {}}, "INVALID", "spawn_thing.thing", "thing_definition"),
    ({"spawn_thing": {"thing": "crate", "position_m": [1]}}, "INVALID", "spawn_thing.position_m", "3"),
    ({"spawn_thing": {"thing": "crate", "velocity_mps": [31, 0, 0]}}, "INVALID",
     "spawn_thing.velocity_mps[0]", "-30 to 30"),
    ({"place": {"character": 1}}, "INVALID", "place.position_m", "2 or 3"),
    ({"place": {"character": 77, "position_m": [0, 0]}}, "NOT_FOUND", "place.character", ""),
    ({"drag": {"character": 77, "target_m": [0, 0, 1]}}, "NOT_FOUND", "drag.character", ""),
    ({"drag": {"character": 1, "target_m": [0, 0, 1], "max_force_n": -1}}, "INVALID",
     "drag.max_force_n", "0 to 5000"),
    ({"grip": {}}, "INVALID", "grip.a.id", "character or thing"),
    ({"grip": {"a": {"id": 1}, "b": {"id": 77}}}, "NOT_FOUND", "grip.b.id", "the world"),
    ({"grip": {"a": {"id": 1}, "stiffness_npm": -1}}, "INVALID", "grip.stiffness_npm", "0 to"),
    ({"tie": {"tie": {"a": {"id": 1}, "kind": "SLIDER"}}}, "INVALID", "tie.tie.axis", "3"),
    ({"tie": {"tie": {"a": {"id": 1}}}}, "INVALID", "tie.tie.kind", "HINGE"),
    ({"release": {"id": 9}}, "NOT_FOUND", "release.id", ""),
    ({"release": {}}, "INVALID", "release.id", "one of the two"),
]
# Only JSON can be wrong in these ways.
WRONG_JSON = [
    ('{"push": {"character": 1, "strength": 3}}', "push.strength", "force_n"),
    ('{"shove": {"character": 1}}', "shove", "push"),
    ('{"stop": {"character": "first"}}', "stop.character", ""),
    ('{"stop": {"character": -1}}', "stop.character", ""),
    ('{"stop": {"character": 1.5}}', "stop.character", ""),
    ('{"stop": {"character": 1}, "pause": {}}', None, ""),
    ('{"stop": {"character": 1}', None, ""),
    ('{"stop": {"character": 1, "character": 2}}', None, ""),
    ("[]", None, ""), ("", None, ""), ("stop", None, ""), ("[" * 30_000, None, ""),
    ('{"set_heading": {"character": 1, "heading_rad": "NaN"}}', "set_heading.heading_rad", ""),
    ('{"set_heading": {"character": 1, "heading_rad": 1e999}}', "set_heading.heading_rad", ""),
    ('{"set_heading": {"character": 1, "heading_rad": NaN}}', None, ""),
]


def frozen(state):
    """What a command that was refused must not have changed, in a paused room."""
    return {key: state[key] for key in
            ("scene", "tick", "state_hash", "paused", "time_scale", "characters")}


class WrongCommands(ServerTestCase):
    def setUp(self):
        self.assertEqual(self.server.post({"pause": {}})[0], 200)
        self.before = frozen(self.server.wait_for_state(lambda state: state["paused"]))

    def tearDown(self):
        super().tearDown()
        self.assertEqual(frozen(self.server.state()), self.before, "a refused command did something")

    def check(self, what, error, code, field, allowed):
        if code:
            self.assertEqual(error["code"], code, what)
        if field is not None:
            self.assertEqual(error["field"], field, what)
        self.assertIn(allowed, error.get("allowed", ""), what)
        self.assertTrue(error["message"], what)

    async def test_over_the_socket(self):
        async with joined(self.server) as viewer:
            for content, code, field, allowed in WRONG:
                with self.subTest(command=str(content)[:100]):
                    reply = await viewer.command(**content)
                    self.assertIsInstance(reply, wire.Error)
                    self.check(content, {
                        "code": wire.ErrorCode.Name(reply.code), "field": reply.field,
                        "allowed": reply.allowed, "message": reply.message}, code, field, allowed)
                    if code == "INVALID" and field:
                        self.assertTrue(reply.value, "the value is not named")

    async def test_unknown_fields_over_the_socket(self):
        async with joined(self.server) as viewer:
            # Field 50 within a command, within its stop, and beside the command.
            unknown = b"\x90\x03\x01"
            stop = Command(stop={"character": 1}).SerializeToString()
            for command, part in ((stop + unknown, "50"), (b"\x1a\x05\x08\x01" + unknown, "50")):
                viewer.seq += 1
                head = wire.ClientMessage(seq=viewer.seq).SerializeToString()
                await viewer.socket.send(head + b"\x1a" + bytes([len(command)]) + command)
                error = await viewer.until("error")
                self.assertEqual((error.seq, error.code), (viewer.seq, wire.INVALID))
                self.assertIn(part, error.field)
            viewer.seq += 1
            message = wire.ClientMessage(seq=viewer.seq, command={"resume": {}})
            await viewer.socket.send(message.SerializeToString() + unknown)
            self.assertEqual((await viewer.until("error")).field, "50")

    def test_over_http(self):
        statuses = {"INVALID": 400, "NOT_FOUND": 404, "FORBIDDEN": 403}
        for content, code, field, allowed in WRONG:
            with self.subTest(command=str(content)[:100]):
                status, answer = self.server.post(json.dumps(content))
                self.assertEqual(status, statuses[answer["error"]["code"]])
                # JSON has no NaN: that is refused as JSON, before it is a field's value.
                if "NaN" not in json.dumps(content) and "Infinity" not in json.dumps(content):
                    self.check(content, answer["error"], code, field, allowed)

    def test_json_that_is_wrong_in_itself(self):
        for text, field, allowed in WRONG_JSON:
            with self.subTest(text=text[:80]):
                status, answer = self.server.post(text)
                self.assertEqual(status, 400)
                self.check(text, answer["error"], "INVALID", field, allowed)

    def test_json_that_cannot_be_read_is_told_with_line_and_column(self):
        put = lambda text: self.server.get("/api/v1/styles/torn", None, "PUT", text.encode())
        for text, where, field, value in (
                ('{"push": }', "line 1, column 10: push: ", "push", "'}'"),
                ('{"push": {"character": 1,\n  "force_n": [0 300]}}', "line 2, column 17: ",
                 "push.force_n", "300"),
                ("", "line 1, column 1: ", "request body", "end of text")):
            with self.subTest(text=text):
                for status, answer in (self.server.post(text),
                                       (lambda got: (got[0], json.loads(got[2])))(put(text))):
                    self.assertEqual(status, 400)
                    error = answer["error"]
                    self.assertTrue(error["message"].startswith(where), error)
                    self.assertEqual((error["code"], error["field"], error["value"]),
                                     ("INVALID", field, value))
                    self.assertTrue(error["allowed"])


if __name__ == "__main__":
    unittest.main()
