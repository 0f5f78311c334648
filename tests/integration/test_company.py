"""Visitors of a room see each other: names, what they attend to, what they do; and nobody is disturbed."""

import contextlib
import math

from harness import ServerTestCase, Witness, connected
from promenade.v1 import wire_pb2 as wire
from told import changed

ADMIN = {"Authorization": "Bearer admin-token-1"}
TOLD = ("visitors", "visitors_change", "attention", "act")


class CompanyCase(ServerTestCase):
    arguments = ("--guest-role", "admin", "--token", "admin:admin-token-1")

    @contextlib.asynccontextmanager
    async def visitor(self, name=None, joined_as=""):
        """A visitor who has joined, and introduced themselves unless `name` is None."""
        async with connected(self.server) as viewer:
            await viewer.send(join=wire.Join(name=joined_as, client="tests 1.0",
                                             rate_hz=2))  # a viewer that does not read is not kept waiting
            hello = await viewer.until("hello", timeout=10)
            self.assertIn("company", hello.capabilities)
            viewer.id = hello.rights.visitor
            viewer.visitors = None
            await viewer.until("roster")
            if name is not None:
                self.assertIsInstance(await viewer.ask(introduce=wire.Introduce(name=name)), wire.Ack)
            yield viewer

    async def here(self, viewer, accept):
        """The names by ids, once they are acceptable."""
        while True:
            for message in viewer.received:
                kind = message.WhichOneof("kind")
                if kind == "visitors":
                    viewer.visitors = message.visitors
                elif kind == "visitors_change":
                    change = message.visitors_change
                    self.assertEqual(change.from_version, viewer.visitors.version)
                    viewer.visitors = wire.Visitors(version=change.version, visitors=changed(
                        viewer.visitors.visitors, change.removed, change.visitors, "number"))
            viewer.received.clear()
            if viewer.visitors:
                people = {one.visitor: one for one in viewer.visitors.visitors}
                if accept(people):
                    return people
            await viewer.receive()


class Company(CompanyCase):
    async def test_names_colours_and_leaving(self):
        async with self.visitor("Anna") as anna:
            async with self.visitor("") as other, self.visitor(joined_as="Zoe") as old:
                people = await self.here(anna, lambda people: set(people) == {
                    anna.id, other.id, old.id})
                self.assertEqual(people[anna.id].name, "Anna")
                self.assertRegex(people[other.id].name, r"^[A-Z][a-z]+ [A-Z][a-z]+$")
                self.assertEqual(people[old.id].name, "Zoe")
                self.assertEqual(len({one.color for one in people.values()}), 3)
                self.assertIsInstance(await other.ask(introduce=wire.Introduce(name="Ben")), wire.Ack)
                await self.here(anna, lambda people: people[other.id].name == "Ben")
                # Admins see the same names.
                self.assertIn('"Ben"', self.server.get("/api/v1/rooms/main/people", ADMIN)[2])
            await self.here(anna, lambda people: list(people) == [anna.id])

    async def test_attention_reaches_the_others(self):
        async with self.visitor("Anna") as anna, self.visitor("Ben") as ben:
            people = await self.here(anna, lambda people: set(people) == {anna.id, ben.id})
            character = self.server.state()["characters"][0]["id"]
            await ben.send(attend=wire.Attend(selected=[character], pointer_m=[1.5, -2, 0.25]))
            seen = await anna.until("attention", accept=lambda told: any(
                one.pointer for one in told.visitors))
            (one,) = seen.visitors
            self.assertEqual(one.number, people[ben.id].number)
            self.assertEqual(list(one.pointer), [1500, -2000, 250])
            self.assertEqual(list(one.selected), [character])
            walk = {"character": character, "x_mps": 0.1, "frame": "WORLD"}
            self.assertIsInstance(await ben.command(set_velocity=walk), wire.Ack)
            await anna.until("attention", accept=lambda told: any(
                one.handles == character for one in told.visitors))
            await anna.until("attention", timeout=10, accept=lambda told: not any(
                one.handles for one in told.visitors))
            # Another scene: what was attended to is gone.
            self.assertIsInstance(await anna.command(load_scene={"scene": "one"}), wire.Ack)
            await anna.until("attention", accept=lambda told: not told.visitors)

    async def test_acts_are_told_with_who_did_them(self):
        async with self.visitor("Anna") as anna, self.visitor("Ben") as ben:
            character = self.server.state()["characters"][0]["id"]
            push = {"character": character, "force_n": [30, 0, 0]}
            tick = (await ben.command(push=push)).tick
            act = await anna.until("act")
            self.assertEqual((act.name, act.visitor, act.command), ("Ben", ben.id, "push"))
            self.assertEqual((act.character, act.tick), (character, tick))
            self.assertEqual(list(act.push.force_n), [30, 0, 0])
            # A spawn: the act has the id of the new character. It is told to its giver, too.
            made = (await ben.command(spawn={"body": "child"})).character
            for viewer in (anna, ben):
                act = await viewer.until("act", accept=lambda act: act.command == "spawn")
                self.assertEqual(act.character, made)
            # Over HTTP, by a made-up name.
            status, _ = self.server.post({"remove": {"character": made}})
            self.assertEqual(status, 200)
            act = await anna.until("act")
            self.assertEqual((act.command, act.character), ("remove", made))
            self.assertRegex(act.name, r"^\w+ \w+$")
            # Refused commands and those that steer are no acts; a drag of a slider is few of them.
            await ben.command(push={"character": 99999})
            await ben.command(stop={"character": character})
            for _ in range(30):
                await ben.command(set_style={"character": character, "style": "proud"})
            await ben.command(pause={})
            told = []
            while not told or told[-1] != "pause":
                told.append((await anna.until("act")).command)
            self.assertEqual(set(told[:-1]), {"set_style"})
            self.assertLess(len(told), 12)
            # A visitor who comes later is told which one stopped the clock.
            async with self.visitor("") as late:
                act = await late.until("act")
                self.assertEqual((act.command, act.name), ("pause", "Ben"))
            await ben.command(resume={})

    async def test_who_has_not_introduced_themselves_is_told_nothing(self):
        async with self.visitor() as old, self.visitor("Anna") as anna, self.visitor("Ben") as ben:
            await ben.send(attend=wire.Attend(pointer_m=[0, 0, 0]))
            await ben.command(push={"character": self.server.state()["characters"][0]["id"],
                                    "force_n": [30, 0, 0]})
            await anna.until("act")
            await anna.until("attention")
            await old.command(resume={})  # all that was told before it has come
            self.assertFalse([kind for kind, _ in old.sizes if kind in TOLD])

    async def test_bad_messages_are_refused_and_disturb_nobody(self):
        async with Witness(self.server) as witness, self.visitor("Anna") as anna:
            character = self.server.state()["characters"][0]["id"]
            for field, content in (
                    ("introduce.name", {"introduce": {"name": "x" * 41}}),
                    ("introduce.name", {"introduce": {"name": "a\u202eb"}}),
                    ("introduce.name", {"introduce": {"name": "a\nb"}}),
                    ("attend.pointer_m[1]", {"attend": {"pointer_m": [0, math.nan, 0]}}),
                    ("attend.pointer_m[0]", {"attend": {"pointer_m": [1e6, 0, 0]}}),
                    ("attend.pointer_m", {"attend": {"pointer_m": [1, 2]}}),
                    ("attend.selected", {"attend": {"selected": [character] * 33}}),
                    ("attend.selected[1]", {"attend": {"selected": [character, 99999]}})):
                reply = await anna.ask(**content)
                self.assertIsInstance(reply, wire.Error, content)
                self.assertEqual(reply.field, field)
                self.assertTrue(reply.allowed and reply.message)
            limited = 0
            for i in range(90):
                await anna.send(attend={"pointer_m": [i, 0, 0]})
            await anna.send(ping={})
            while (answer := await anna.receive())[0] != "pong":
                if answer[0] == "error":
                    self.assertEqual((answer[1].code, answer[1].field), (wire.RATE_LIMITED, "attend"))
                    limited += 1
            self.assertGreater(limited, 20)
            self.assertLess(witness.longest_gap(), 1.5)
