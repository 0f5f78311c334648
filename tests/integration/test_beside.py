"""What takes long is made beside the room: it goes on, and so do others' commands."""

import tempfile
import unittest

from harness import Server, ServerTestCase, joined, wire
from starving import large_flow
from test_start import data_of_its_own

OPERATORS = ("--token", "operator:the-first-one", "--token", "operator:the-second-one", "--token", "admin:admin-token-1")


def new_body(scale):
    return {"name": "new", "base": "human", "edit": {"scale": scale}}


async def answer_to(viewer, seq):
    return await viewer.until("ack", "error", timeout=120, accept=lambda reply: reply.seq == seq)


class Beside(ServerTestCase):
    # As much as a slow machine needs: waiting for a payer's share is tested in beside_test.
    arguments = ("--guest-role", "viewer", "--visitor-work", "20", *OPERATORS)
    scene = "one"

    async def others_go_on(self, first, second, command):
        """Sends what takes long, and behind it what takes no time, by the same visitor and by another one.
        @return the answer to the first; its tick shows whether the room has ticked meanwhile"""
        before = int(self.server.state()["tick"])
        slow = await first.send(command=command)
        behind = await first.send(command={"stop": {"character": 1}})
        quick = await second.command(stop={"character": 1})
        self.assertIsInstance(quick, wire.Ack)
        slow, behind = await answer_to(first, slow), await answer_to(first, behind)
        self.assertIsInstance(slow, wire.Ack, slow)
        self.assertLessEqual(quick.tick, slow.tick)
        self.assertGreaterEqual(behind.tick, slow.tick)  # one visitor's commands keep their order
        self.assertGreater(slow.tick, before)
        return slow

    async def test_a_flow_is_planned_beside_the_room(self):
        async with joined(self.server, "the-first-one") as first, joined(self.server, "the-second-one") as second:
            quick = await second.command(stop={"character": 1})
            slow = await self.others_go_on(first, second, {"set_flow": {"flow": large_flow(1)}})
            self.assertGreater(slow.tick - quick.tick, 3, "the room ticks while routes are planned")

    async def test_a_gait_is_measured_beside_the_room(self):
        async with joined(self.server, "the-first-one") as first, joined(self.server, "the-second-one") as second:
            quick = await second.command(stop={"character": 1})
            slow = await self.others_go_on(first, second, {
                "spawn": {"body_definition": new_body(1.01), "controller": "pendulum"}})
            self.assertGreater(slow.tick - quick.tick, 3)
            self.assertGreater(self.server.metric("promenade_room_work_seconds_total"), 0.02)

    async def test_one_visitor_has_so_many_commands_waiting(self):
        async with joined(self.server, "the-first-one") as first, joined(self.server, "the-second-one") as second:
            async def spawn(scale):
                return await first.send(command={"spawn": {"body_definition": new_body(scale), "controller": "pendulum"}})

            seqs = [await spawn(1.1)]
            self.assertIsInstance(await second.command(stop={"character": 1}), wire.Ack)
            seqs += [await spawn(1.1 + 0.01 * i) for i in range(1, 60)]
            self.assertIsInstance(await second.command(stop={"character": 1}), wire.Ack)
            answers = {}
            while len(answers) < len(seqs):
                reply = await first.until("ack", "error", timeout=120)
                answers[reply.seq] = reply
            refused = [a for a in answers.values() if isinstance(a, wire.Error)]
            self.assertGreater(len(refused), 0)
            self.assertGreaterEqual(len(answers) - len(refused), 32)
            for error in refused:
                self.assertEqual((error.code, error.field), (wire.BUSY, "spawn"))
                self.assertIn("send more when they are answered", error.message)


class Scenes(unittest.IsolatedAsyncioTestCase):
    async def test_the_scene_of_before_goes_on_while_the_next_is_made(self):
        with tempfile.TemporaryDirectory() as directory:
            server = Server("--guest-role", "viewer", *OPERATORS, data=data_of_its_own(directory))
            try:
                async with joined(server, "admin-token-1", ping_interval=None) as admin, \
                        joined(server, "the-second-one", ping_interval=None) as second:
                    seq = await admin.send(command={"load_scene": {"scene": "close-circle"}})
                    making = await second.until("making", timeout=60)
                    self.assertEqual((making.scene, making.first, making.over), ("close-circle", False, False))
                    self.assertIn("measuring how people walk", making.doing)
                    # Of the old scene, which is still there.
                    self.assertIsInstance(await second.command(stop={"character": 1}), wire.Ack)
                    self.assertIsInstance(await answer_to(admin, seq), wire.Ack)
                    last = await second.until("making", timeout=60, accept=lambda m: m.over)
                    self.assertEqual(last.scene, "close-circle")
                    server.wait_for_state(lambda state: state["characters"][0]["id"] == 1001)
            finally:
                server.stop()

    async def test_a_share_of_the_people(self):
        server = Server("--guest-role", "viewer", *OPERATORS)
        try:
            admin = {"Authorization": "Bearer admin-token-1"}
            self.assertEqual(server.post({"load_scene": {"scene": "hundred", "people": 0.2}}, headers=admin)[0], 200)
            server.wait_for_state(lambda state: len(state["characters"]) == 20)
            status, answer = server.post({"load_scene": {"scene": "hundred", "people": 1.5}}, headers=admin)
            self.assertEqual((status, answer["error"]["field"]), (400, "load_scene.people"))
        finally:
            server.stop()


if __name__ == "__main__":
    unittest.main()
