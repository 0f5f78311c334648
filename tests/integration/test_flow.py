"""People who come and go: read and replaced while the room runs, over HTTP and in a journal."""

import json
import time

from harness import SLOWNESS, ServerTestCase, joined
from test_state import StateCase, replay

ADMIN = {"Authorization": "Bearer admin-token-1"}
OPERATOR = {"Authorization": "Bearer operator-token"}


def flow(**more):
    return {
        "entrances": [{"name": "west", "area": {"center_m": [-8, 0], "size_m": [2, 5]},
                       "rates": [{"at_s": 0, "per_minute": 240}]}],
        "exits": [{"name": "east", "area": {"center_m": [8, 0], "size_m": [2, 5]}}],
        "bodies": ["child"], "styles": ["normal"], "controller": "pendulum", "most_people": 60,
        **more,
    }


class Flow(ServerTestCase):
    scene = "one"
    arguments = ("--max-load", "0", "--guest-role", "viewer", "--token", "admin:admin-token-1",
                 "--token", "operator:operator-token")

    def read(self, what="flow", status=200):
        got, _, text = self.server.get(f"/api/v1/rooms/main/{what}")
        self.assertEqual(got, status, text)
        return json.loads(text)

    def command(self, body, status=200, headers=OPERATOR):
        got, _, text = self.server.get("/api/v1/rooms/main/commands", headers, "POST",
                                       json.dumps(body).encode())
        self.assertEqual(got, status, text)
        return json.loads(text)

    def set(self, wanted, status=200, headers=OPERATOR):
        return self.command({"set_flow": {"flow": wanted}}, status, headers)

    def wait_for(self, holds, timeout=20):
        return self.wait_for_read("flow/figures", holds, timeout)

    def wait_for_read(self, what, holds, timeout=20):
        deadline = time.monotonic() + timeout * SLOWNESS
        while time.monotonic() < deadline:
            report = self.read(what)
            if holds(report):
                return report
            time.sleep(0.2)
        self.fail(f"not within {timeout * SLOWNESS} s: {report}")

    def setUp(self):
        self.command({"resume": {}}, headers=ADMIN)  # where a test has failed while it was paused
        self.command({"load_scene": {"scene": "one"}}, headers=ADMIN)

    def test_a_flow_begins_is_read_and_changed_and_ends(self):
        self.assertNotIn("flow", self.read())
        ack = self.set(flow(gatherings=[{"center_m": [0, -6], "radius_m": 3, "people": 5}]))["ack"]
        self.wait_for(lambda now: now["people"] >= 5 and int(now["entered"][0]) >= 5)
        report = self.read()
        self.assertEqual(report["since_tick"], ack["tick"])
        self.assertEqual(report["flow"]["exits"][0]["name"], "east")
        self.assertEqual(len(report["left"]), 1)
        self.assertNotIn("flow", self.read("flow/figures"))
        # The flow that was read can be sent again as it is.
        self.command({"pause": {}}, headers=ADMIN)  # nobody leaves meanwhile
        before = self.read()["people"]
        ack = self.set(report["flow"])["ack"]
        # A room in a process of its own tells of it with its next message.
        report = self.wait_for_read("flow", lambda now: now["since_tick"] == ack["tick"])
        self.assertGreaterEqual(report["people"], before)
        self.command({"resume": {}}, headers=ADMIN)
        now = self.wait_for(lambda now: int(now["left"][0]) > 0 and now["mean_speed_mps"] > 0.3)
        self.assertLess(now["mean_speed_mps"], 2)
        self.set({})
        self.wait_for(lambda now: now["people"] == 0, 40)
        self.assertEqual(self.read()["flow"]["entrances"][0]["rates"], [{"at_s": 0, "per_minute": 0}])

    def test_what_cannot_be_is_refused_with_its_field_and_the_crowd_goes_on(self):
        self.set(flow())
        self.wait_for(lambda now: now["people"] > 0)
        box = [5, -4, 11, -4, 11, 4, 5, 4, 5, -4]
        for wrong, field, words in (
                (flow(walls=[{"points_m": box}]), "exits[0].area.center_m", "nobody reaches it"),
                (flow(exits=[]), "exits", "0 entries"),
                (flow(most_people=20000), "most_people", "10000"),
                (flow(bodies=["ghost"]), "bodies[0]", "ghost"),
                (flow(places=[{"kind": "BENCH", "center_m": [0, 0], "people": 0}]),
                 "places[0].people", "1 to 50"),
                (flow(walls=[{"points_m": [0, 0, 1]}]), "walls[0].points_m", "x and y"),
                (flow(walls=[{"points_m": [i, 20] * 99} for i in range(5)]), "walls", "400")):
            error = self.set(wrong, 400)["error"]
            self.assertEqual(error["field"], f"set_flow.flow.{field}", error)
            self.assertIn(words, error["message"], error)
        self.assertEqual(self.set({**flow(), "nothing": 1}, 400)["error"]["field"],
                         "set_flow.flow.nothing")
        entered = int(self.read()["entered"][0])
        self.wait_for(lambda now: int(now["entered"][0]) > entered + 3)

    def test_who_may_and_how_often(self):
        self.assertEqual(self.set(flow(), 403, None)["error"]["code"], "FORBIDDEN")
        self.assertEqual(self.read("flow/else", 404)["error"]["code"], "NOT_FOUND")
        got, _, text = self.server.get("/api/v1/rooms/none/flow")
        self.assertEqual(got, 404, text)
        got, headers, _ = self.server.get("/api/v1/rooms/main/flow", method="POST")
        self.assertEqual((got, headers["Allow"]), (405, "GET, HEAD"))
        answers = [self.server.get("/api/v1/rooms/main/commands", OPERATOR, "POST",
                                   json.dumps({"set_flow": {"flow": flow()}}).encode())
                   for _ in range(16)]
        refused = [json.loads(text)["error"] for got, _, text in answers if got != 200]
        self.assertTrue(refused)
        self.assertEqual({error["code"] for error in refused}, {"RATE_LIMITED"})
        self.set(flow(), headers=ADMIN)  # has no such limits

    async def test_others_are_told_who_did_it_over_the_socket(self):
        async with joined(self.server) as viewer:
            await viewer.send(introduce={"name": "Ada"})
            await viewer.until("visitors")
            self.set(flow(), headers=ADMIN)
            act = await viewer.until("act")
            self.assertEqual(act.command, "set_flow")


class Journaled(StateCase):
    def test_it_is_there_after_a_crash_and_repeats_to_the_same_hash(self):
        self.start()
        self.assertEqual(self.server.post({"set_flow": {"flow": flow()}})[0], 200)
        self.server.wait_for_state(lambda s: len(s.get("characters", [])) > 6)
        self.assertEqual(self.server.post({"set_flow": {"flow": flow(exits=[{
            "name": "north", "area": {"center_m": [0, 9], "size_m": [3, 3]}}])}})[0], 200)
        self.assertEqual(self.server.post({"pause": {}})[0], 200)
        before = self.server.wait_for_state(lambda s: s["paused"])
        self.kill()
        self.start()
        after = self.server.state()
        self.assertEqual((after["tick"], after["state_hash"]),
                         (before["tick"], before["state_hash"]), self.server.log_text())
        report = json.loads(self.server.get("/api/v1/rooms/main/flow")[2])
        self.assertEqual(report["flow"]["exits"][0]["name"], "north")
        self.server.stop()
        for what in ([self.directory / "main"], sorted(self.directory.glob("main.*.journal"))):
            code, told, err = replay(*what)
            self.assertEqual((code, told), (0, before["state_hash"]), err)
