"""Styles and bodies given whole, saved, and named: over the socket and over HTTP."""

import json
import math
import pathlib
import statistics
import subprocess
import tempfile
import time

from harness import BINARY, SLOWNESS, SOURCE, Server, ServerTestCase, Witness, joined
from promenade.v1 import creature_pb2, command_pb2 as command, style_pb2, wire_pb2 as wire

LONG_LEGS = {"base": "human", "edit": {"links": [
    {"link": f"{side}_{part}", "length": 1.15} for side in ("left", "right")
    for part in ("thigh", "shank")]}}


def style(name="mine", lean_deg=10.0):
    out = style_pb2.Style(name=name, lean_deg=lean_deg, step_width_m=0.1)
    curve = out.curves.add(joint="swing_elbow", axis=style_pb2.PITCH)
    for phase in (0, 0.5, 1):
        curve.curve_deg.points.add(phase=phase, value=-20)
    return out


def body(name="long"):
    out = creature_pb2.Creature(name=name, base="human")
    for edit in LONG_LEGS["edit"]["links"]:
        out.edit.links.add(**edit)
    return out


def dof(resolved):
    return sum({1: 1, 2: 2, 3: 3}[joint.kind] for joint in resolved.joints)


class Definitions(ServerTestCase):
    scene = "bodies"

    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.arguments = ("--state-dir", cls.directory.name, "--token", "viewer:watchonly",
                         "--token", "operator:operates")
        super().setUpClass()

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        # Every edit that the tests made comes again from the journal, without the store.
        replayed = subprocess.run(
            [BINARY, "replay", "--data", SOURCE / "server/data",
             pathlib.Path(cls.directory.name) / "main"], capture_output=True, text=True)
        cls.directory.cleanup()
        if replayed.returncode != 0:
            raise AssertionError(replayed.stdout + replayed.stderr)

    def request(self, method, path, content=None, status=200, token=None):
        content = json.dumps(content) if isinstance(content, dict) else content
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        got, _, text = self.server.get("/api/v1" + path, headers, method,
                                       content.encode() if content is not None else None)
        self.assertEqual(got, status, text)
        return json.loads(text)

    def wait_for(self, path, accept):
        deadline = time.monotonic() + 5
        while True:
            found = self.request("GET", path)
            if accept(found):
                return found
            self.assertLess(time.monotonic(), deadline, found)

    async def test_an_edited_style_is_acknowledged_at_once(self):
        async with joined(self.server) as viewer:
            delays = []
            viewer.frames = 0
            for i in range(20):
                began = time.monotonic()
                reply = await viewer.command(set_style=command.SetStyle(
                    character=1, definition=style(lean_deg=i)))
                delays.append(time.monotonic() - began)
                self.assertIsInstance(reply, wire.Ack, reply)
            self.assertLess(statistics.median(delays), 0.1 * SLOWNESS)
            if not viewer.last("roster").entries[0].style_edited:
                await viewer.until("roster", accept=lambda r: r.entries[0].style_edited)
            self.assertEqual(viewer.last("roster").entries[0].style, "mine")
            rosters = [m for m in viewer.received if m.WhichOneof("kind") == "roster"]
            # A fast server takes all edits between two frames; a slow build shows one in each.
            self.assertLessEqual(len(rosters), 2 + viewer.frames, "with frames, not with edits")
        record = self.wait_for("/rooms/main/characters/1/style",
                               lambda r: r["definition"]["lean_deg"] == 19)
        self.assertEqual(len(record["definition"]["curves"]), 1)
        self.assertFalse(record["info"]["built_in"])

    async def test_an_edited_body_is_shown_to_all_and_to_who_comes_later(self):
        async with joined(self.server, rate_hz=60) as viewer:
            before = viewer.last("roster").entries[1].body
            reply = await viewer.command(set_body=command.SetBody(character=2, definition=body()))
            self.assertIsInstance(reply, wire.Ack, reply)
            roster = viewer.last("roster")
            if not roster.entries[1].body_edited:
                roster = await viewer.until("roster", accept=lambda r: r.entries[1].body_edited)
            async with joined(self.server) as later:
                for each, told in ((viewer, roster), (later, later.last("roster"))):
                    entry = told.entries[1]
                    self.assertTrue(entry.body_edited)
                    self.assertNotEqual(entry.body, before)
                    [long] = await each.body(entry.body)
                    self.assertEqual((long.name, long.base), ("long", ""))
                    self.assertEqual(dof(long), entry.dof)
                    frame = await each.until(
                        "frame", accept=lambda f, t=told: f.roster_version == t.version)
                    self.assertEqual(len(frame.joint), sum(e.dof for e in told.entries))
        record = self.wait_for("/rooms/main/characters/2/body",
                               lambda r: r["definition"]["base"] == "human")
        self.assertEqual(record["definition"]["edit"]["links"][0]["length"], 1.15)
        self.assertEqual(len(record["resolved"]["links"]), 16)

    async def test_a_body_of_another_kind_while_it_walks(self):
        async with joined(self.server) as viewer:
            for name in ("giant", "child", "human"):
                await viewer.command(set_velocity=command.SetVelocity(character=3, x_mps=0.4))
                reply = await viewer.command(set_body=command.SetBody(character=3, body=name))
                self.assertIsInstance(reply, wire.Ack, reply)
                if not viewer.told.catalogue:
                    await viewer.until("catalogue")
                known = {e.name: e.body for e in viewer.told.catalogue.bodies}
                if viewer.last("roster").entries[2].body != known[name]:
                    await viewer.until("roster", accept=lambda r: r.entries[2].body == known[name])

    async def test_what_is_saved_is_told_to_viewers_and_can_be_named(self):
        async with joined(self.server) as viewer:
            before = await viewer.until("catalogue")
            self.assertIn("normal", [e.name for e in before.styles])
            self.assertTrue(all(e.built_in for e in before.bodies if e.name in ("human", "child")))
            saved = self.request("PUT", "/styles/saved_walk", {"lean_deg": 7, "title": "Mine"})
            self.assertEqual(saved["saved"]["version"], 1)
            told = await viewer.until("catalogue", accept=lambda c: "saved_walk" in
                                      [e.name for e in c.styles])
            self.assertGreater(told.revision, before.revision)
            entry = next(e for e in told.styles if e.name == "saved_walk")
            self.assertEqual((entry.title, entry.version, entry.built_in), ("Mine", 1, False))
            self.request("PUT", "/bodies/saved_body", LONG_LEGS)
            for content in ({"set_style": {"character": 1, "style": "saved_walk"}},
                            {"set_body": {"character": 1, "body": "saved_body"}},
                            {"spawn": {"body": "saved_body", "style": "saved_walk"}}):
                status, reply = self.server.post(content)
                self.assertEqual(status, 200, reply)
            roster = await viewer.until("roster", accept=lambda r: r.entries[-1].style ==
                                        "saved_walk")
            self.assertFalse(roster.entries[-1].style_edited)
            self.assertEqual(roster.entries[-1].body, roster.entries[0].body)
            self.server.post({"remove": {"character": reply["ack"]["character"]}})
        record = self.request("GET", "/rooms/main/characters/1/style")
        self.assertEqual((record["info"]["version"], record["definition"]["lean_deg"]), (1, 7))

    def test_versions(self):
        self.assertEqual(self.request("PUT", "/styles/v", {"lean_deg": 1})["saved"]["version"], 1)
        taken = self.request("PUT", "/styles/v", {"lean_deg": 2}, 409)["error"]
        self.assertEqual((taken["code"], taken["field"], taken["value"], taken["allowed"]),
                         ("CONFLICT", "version", "0", "1"))
        self.assertEqual(self.request("PUT", "/styles/v?version=1", {"lean_deg": 2})
                         ["saved"]["version"], 2)
        stale = self.request("PUT", "/styles/v?version=1", {"lean_deg": 3}, 409)["error"]
        self.assertEqual((stale["value"], stale["allowed"]), ("1", "2"))
        self.assertEqual(self.request("GET", "/styles/v")["definition"]["lean_deg"], 2)
        self.assertEqual(self.request("GET", "/styles/v?version=1")["definition"]["lean_deg"], 1)
        self.request("DELETE", "/styles/v?version=1", status=409)
        self.assertTrue(self.request("DELETE", "/styles/v?version=2")["saved"]["deleted"])
        self.request("GET", "/styles/v", status=404)
        self.assertEqual(self.request("GET", "/styles/v?version=2")["definition"]["lean_deg"], 2)
        self.request("GET", "/styles/v?version=3", status=404)
        listed = self.request("GET", "/styles/v/versions")["entries"]
        self.assertEqual([(e["version"], e["deleted"]) for e in listed],
                         [(3, True), (2, False), (1, False)])
        self.assertEqual([e["title"] for e in listed], ["", "v", "v"])
        self.assertRegex(listed[0]["saved_at"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$")
        self.assertEqual(self.request("PUT", "/styles/v", {})["saved"]["version"], 4)

    def test_a_saved_body_stays_as_it_was_whatever_becomes_of_its_base(self):
        self.request("PUT", "/bodies/base", {"base": "human", "edit": {"scale": 1.2}})
        self.request("PUT", "/bodies/derived", {"base": "base", "edit": {"scale": 1.1}})
        before = self.request("GET", "/bodies/derived")["resolved"]
        self.request("PUT", "/bodies/base?version=1", {"base": "human", "edit": {"scale": 0.5}})
        self.assertEqual(self.request("GET", "/bodies/derived")["resolved"], before)
        self.request("DELETE", "/bodies/base")
        self.assertEqual(self.request("GET", "/bodies/derived")["resolved"], before)
        self.assertEqual(self.server.post({"set_body": {"character": 4, "body": "derived"}})[0],
                         200)

    def test_what_is_shown_can_be_sent_back(self):
        for kind, name in (("styles", "march"), ("bodies", "beast1")):
            record = self.request("GET", f"/{kind}/{name}")
            self.assertTrue(record["info"]["built_in"])
            copy = {**record["definition"], "name": f"copy_of_{name}"}
            self.request("PUT", f"/{kind}/copy_of_{name}", copy)
            again = self.request("GET", f"/{kind}/copy_of_{name}")
            self.assertEqual(again["definition"], copy)

    async def test_bad_ones_are_refused_and_disturb_nobody(self):
        points = {"points": [{"phase": i / 70} for i in range(65)]}
        cases = (
            ("styles/x", {"lean_deg": 90}, 400, "lean_deg", "45"),
            ("styles/x", '{"lean_deg": NaN}', 400, "lean_deg", "finite"),
            ("styles/x", {"curves": [{"joint": "tail", "axis": "PITCH"}]}, 400, "curves[0].joint",
             "stance_knee"),
            ("styles/x", {"foot_height_m": {"points": [{"phase": .5}, {"phase": .5}]}}, 400,
             "foot_height_m.points[1].phase", "more than"),
            ("styles/x", {"foot_height_m": points}, 400, "foot_height_m.points", "64"),
            ("styles/x", {"surprise": 1}, 400, "surprise", ""),
            ("styles/x", {"name": "y"}, 400, "name", "x"),
            ("styles/X%20", {}, 400, "name", "a-z"),
            ("styles/normal", {}, 409, "name", "not built in"),
            ("styles/x?version=two", {}, 400, "version", "number"),
            ("styles/x?verzion=2", {}, 400, "query", "version=N"),
            ("styles/x", {"description": " " * 70000}, 413, "request body", "65536"),
            ("styles/x", '{"lean_deg": 1 2}', 400, "request body", "','"),
            ("bodies/x", {}, 400, "links", "base"),
            ("bodies/x", {"base": "dragon"}, 404, "base", "human"),
            ("bodies/x", {"links": [{"name": "pelvis"}]}, 400, "links[0].mass_kg", "0"),
            ("bodies/x", {"base": "human", "edit": {"links": [{"link": "torso", "width": 9}]}},
             400, "edit.links[0].width", "3"),
            ("bodies/human", LONG_LEGS, 409, "name", "not built in"))
        async with Witness(self.server) as witness:
            for path, content, status, field, allowed in cases:
                with self.subTest(path=path, content=str(content)[:80]):
                    error = self.request("PUT", "/" + path, content, status)["error"]
                    self.assertTrue(error["message"])
                    if field is not None:
                        self.assertEqual(error["field"], field)
                        self.assertIn(allowed, error["allowed"])
            async with joined(self.server) as viewer:
                bad = style()
                bad.curves[0].curve_deg.points[1].value = math.nan
                reply = await viewer.command(set_style=command.SetStyle(character=1,
                                                                        definition=bad))
                self.assertEqual((reply.code, reply.field),
                                 (wire.INVALID, "set_style.definition.curves[0].curve_deg.points[1]"
                                                ".value"))
                bad = creature_pb2.Creature(name="x")
                bad.links.add(name="pelvis", mass_kg=0)
                reply = await viewer.command(set_body=command.SetBody(character=1, definition=bad))
                self.assertEqual((reply.code, reply.field),
                                 (wire.INVALID, "set_body.definition.links[0].mass_kg"))
            self.assertLess(witness.longest_gap(), 2)
        for kind in ("styles", "bodies"):
            names = [e["name"] for e in self.request("GET", f"/{kind}")["entries"]]
            self.assertNotIn("x", names)

    def test_rights(self):
        refused = self.request("PUT", "/styles/rights", {}, 403, token="watchonly")["error"]
        self.assertEqual((refused["code"], refused["value"], refused["allowed"]),
                         ("FORBIDDEN", "viewer", "operator or admin"))
        self.request("PUT", "/styles/rights", {}, 403, token="no-such-token")
        self.request("DELETE", "/styles/rights", None, 403, token="watchonly")
        self.request("PUT", "/styles/rights", {}, token="operates")
        self.request("POST", "/styles/rights", {}, 405)
        self.request("PUT", "/styles", {}, 405)
        self.request("GET", "/stylesheets", status=404)
        self.request("GET", "/rooms/main/characters/999/style", status=404)
        self.request("GET", "/rooms/main/characters/1/mind", status=404)


class SharedStore(ServerTestCase):
    def test_two_servers_with_one_file(self):
        with tempfile.TemporaryDirectory() as directory:
            file = str(pathlib.Path(directory) / "shared.db")
            servers = [Server("--store", file), Server("--store", file)]
            try:
                first, second = servers
                self.assertEqual(first.get("/api/v1/styles/s", method="PUT", body=b"{}")[0], 200)
                self.assertEqual(second.get("/api/v1/styles/s", method="PUT", body=b"{}")[0], 409)
                deadline = time.monotonic() + 5
                while second.get("/api/v1/styles/s")[0] != 200:
                    self.assertLess(time.monotonic(), deadline)
                    time.sleep(0.05)
            finally:
                for server in servers:
                    server.stop()
