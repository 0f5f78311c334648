"""Rooms that are made, configured and closed while the server runs."""

import json
import pathlib
import subprocess
import tempfile
import unittest

from crashing import replay
from harness import BINARY, SOURCE, Server, ServerTestCase, close_code, connected, joined
from promenade.v1 import wire_pb2 as wire

ADMIN = {"Authorization": "Bearer admin-token-1"}


def ask(server, method, path, content=None, status=200, headers=ADMIN):
    body = None if content is None else json.dumps(content).encode()
    got, _, text = server.get(f"/api/v1{path}", headers, method, body)
    if got != status:
        raise AssertionError(f"{method} {path}: {got} and not {status}: {text}")
    return json.loads(text)


class Rooms(ServerTestCase):
    arguments = ("--guest-role", "operator", "--token", "admin:admin-token-1")

    def ids(self, headers=None):
        return [room["id"] for room in ask(self.server, "GET", "/rooms", headers=headers)["rooms"]]

    async def test_are_made_entered_configured_and_closed(self):
        made = ask(self.server, "POST", "/rooms",
                   {"id": "hall", "scene": "bodies", "title": "Hall", "guest_role": "viewer",
                    "max_viewers": 1})
        self.assertEqual((made["id"], made["permanent"]), ("hall", False))
        room = next(room for room in ask(self.server, "GET", "/rooms", headers=None)["rooms"]
                    if room["id"] == "hall")
        self.assertEqual((room["title"], room["scene"], room["guest_role"], room["max_viewers"]),
                         ("Hall", "bodies", "viewer", 1))
        async with joined(self.server, room="hall") as viewer:
            self.assertEqual(viewer.last("hello").role, wire.VIEWER)
            tick = (await viewer.until("frame")).tick
            await viewer.until("frame", accept=lambda frame: frame.tick > tick)
            async with connected(self.server) as second:
                await second.send(join=wire.Join(room="hall"))
                await close_code(second)
                self.assertEqual(second.last("error").code, wire.BUSY)
                self.assertIn("at most 1", second.last("error").allowed)
            ask(self.server, "PUT", "/rooms/hall",
                {"title": "Great hall", "guest_role": "operator", "by_link": True})
            rights = await viewer.until("rights")
            self.assertEqual(rights.role, "operator")
            self.assertIsInstance(await viewer.command(stop={"character": 1}), wire.Ack)
            self.assertNotIn("hall", self.ids(), "a visitor who knows the id enters")
            self.assertIn("hall", self.ids(ADMIN))
            ask(self.server, "DELETE", "/rooms/hall")
            code, reason = await close_code(viewer)
            self.assertEqual((code, "closed" in reason), (4004, True), reason)
        async with connected(self.server) as late:
            await late.send(join=wire.Join(room="hall"))
            await close_code(late)
            self.assertEqual(late.last("error").code, wire.NOT_FOUND)
        self.assertEqual(self.ids(), ["main"])

    async def test_without_an_id_have_one_that_nobody_guesses(self):
        one, two = (ask(self.server, "POST", "/rooms", {"scene": "one", "by_link": True})["id"]
                    for _ in range(2))
        self.assertNotEqual(one, two)
        self.assertGreaterEqual(len(one), 16)
        self.assertEqual(self.ids(), ["main"])
        async with joined(self.server, room=one) as viewer:
            await viewer.until("frame")
        for room in (one, two):
            ask(self.server, "DELETE", f"/rooms/{room}")

    def test_what_is_left_out_when_one_is_configured_stays(self):
        spec = {"id": "den", "scene": "one", "title": "Den", "by_link": True, "guest_role": "viewer",
                "max_viewers": 3, "max_characters": 7}
        made = ask(self.server, "POST", "/rooms", spec)
        self.assertEqual(made, {**spec, "permanent": False})
        for change in ({"title": "The den"}, {"max_viewers": 4}, {"guest_role": "player"}, {},
                       {"by_link": False}, {"title": "", "guest_role": "", "max_viewers": 0}):
            made |= change
            self.assertEqual(ask(self.server, "PUT", "/rooms/den", change), made)
            self.assertEqual(ask(self.server, "GET", "/rooms/den"), made)
        log = self.server.log_text()
        self.assertRegex(log, r'configure_room .*room="den" .*details="title ..?"Den..?" to ..?"The den..?""')
        self.assertIn('details="by_link true to false"', log)
        self.assertIn('details="max_viewers 3 to 4"', log)
        ask(self.server, "DELETE", "/rooms/den")

    def test_mistakes_are_told_and_change_nothing(self):
        for content, field, status in (({"id": "A B", "scene": "one"}, "id", 400),
                                       ({"id": "a", "scene": "moon"}, "scene", 404),
                                       ({"id": "a", "scene": "one", "guest_role": "king"},
                                        "guest_role", 400),
                                       ({"id": "a", "scene": "one", "title": "x" * 99},
                                        "title", 400),
                                       ({"id": "a", "scene": "one", "title": "a\u202eb"}, "title", 400),
                                       ({"id": "a", "scene": "one", "title": "a\nb"}, "title", 400),
                                       ({"id": "a", "scene": "one", "title": "\u200b"}, "title", 400),
                                       ({"id": "a", "scene": "one", "hat": 1}, "hat", 400),
                                       ({"id": "main", "scene": "one"}, "id", 409)):
            error = ask(self.server, "POST", "/rooms", content, status)["error"]
            self.assertEqual(error["field"], field)
            self.assertTrue(error["allowed"])
        ask(self.server, "PUT", "/rooms/main", {"scene": "bodies"}, 400)
        ask(self.server, "DELETE", "/rooms/main", None, 409)
        ask(self.server, "POST", "/rooms", {"id": "den", "scene": "one", "title": "The den"})
        error = ask(self.server, "DELETE", "/rooms/cellar", None, 404)["error"]
        self.assertIn("The den (den)", error["message"])
        self.assertIn("den", error["allowed"].split(", "))
        ask(self.server, "DELETE", "/rooms/den")
        self.assertEqual(self.ids(), ["main"])

    def test_are_for_admins(self):
        for method, path in (("POST", "/rooms"), ("PUT", "/rooms/main"), ("DELETE", "/rooms/main")):
            error = ask(self.server, method, path, {}, 403, None)["error"]
            self.assertEqual((error["code"], error["allowed"]), ("FORBIDDEN", "admin"))


class RoomsByLink(ServerTestCase):
    """Nothing that anybody may ask for names a room that is entered by a link only."""

    arguments = ("--guest-role", "viewer", "--token", "admin:admin-token-1", "--token",
                 "operator:operator-token")
    OTHERS = (None, {"Authorization": "Bearer operator-token"}, {"Authorization": "Bearer a-wrong-one"})

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        ask(cls.server, "POST", "/rooms", {"id": "hidden-den", "scene": "one", "by_link": True, "title": "Hideaway"})

    def test_are_named_to_admins_only(self):
        paths = ["/metrics", "/readyz", "/healthz", "/", "/api/v1/rooms", "/api/v1/scenes", "/api/v1/lobby?rooms=hidden",
                 "/api/v1/rooms/hidden", "/api/v1/rooms/hidden/state", "/api/v1/rooms/main", "/api/v1/rooms/main/state",
                 "/api/v1/rooms/main/people", "/api/v1/invitations", "/api/v1/bans", "/api/v1/bodies", "/ws"]
        for headers in self.OTHERS:
            for path in paths:
                _, _, text = self.server.get(path, headers)
                for name in ("hidden-den", "Hideaway"):
                    self.assertNotIn(name, text, f"{path} for {headers}")
        self.assertIn('room="hidden-den"', self.server.get("/metrics", ADMIN)[2])

    def test_are_counted_all_the_same(self):
        samples = [line for line in self.server.get("/metrics")[2].splitlines()
                   if line.startswith("promenade_ticks_total{")]
        self.assertEqual(len(samples), 2)
        again = self.server.get("/metrics")[2]
        for sample in samples:  # under a name that stays
            self.assertIn(sample.split("}")[0], again)

    async def test_are_not_where_one_comes_who_names_none(self):
        server = Server("--token", "admin:admin-token-1", "--guest-role", "viewer", "--room", "den:one,hall:one")
        try:
            ask(server, "PUT", "/rooms/den", {"by_link": True})
            async with connected(server) as viewer:
                await viewer.send(join=wire.Join())
                self.assertEqual((await viewer.until("hello")).room, "hall")
            async with joined(server, room="den"):
                pass
            ask(server, "PUT", "/rooms/hall", {"by_link": True})
            async with connected(server) as viewer:
                await viewer.send(join=wire.Join())
                await close_code(viewer)
                error = viewer.last("error")
                self.assertEqual((error.code, error.field), (wire.NOT_FOUND, "join.room"))
                self.assertNotIn("den", str(error))
        finally:
            server.stop()


class KeptRooms(unittest.TestCase):
    def test_are_there_after_a_restart(self):
        with tempfile.TemporaryDirectory() as directory:
            arguments = ("--store", f"{directory}/store.db", "--token", "admin:admin-token-1")
            server = Server(*arguments)
            try:
                ask(server, "POST", "/rooms", {"id": "hall", "scene": "bodies", "title": "Hall"})
                ask(server, "POST", "/rooms", {"id": "gone", "scene": "one"})
                ask(server, "PUT", "/rooms/main", {"title": "Main square"})
                ask(server, "DELETE", "/rooms/gone")
            finally:
                server.process.kill()
                server.stop()
            server = Server(*arguments)
            try:
                rooms = {room["id"]: room for room in ask(server, "GET", "/rooms")["rooms"]}
                self.assertEqual(set(rooms), {"main", "hall"})
                self.assertEqual((rooms["hall"]["title"], rooms["hall"]["scene"]),
                                 ("Hall", "bodies"))
                self.assertEqual(rooms["main"]["title"], "Main square")
            finally:
                server.stop()
            log = server.last_log
            self.assertRegex(log, "room main: .* the default room")
            self.assertRegex(log, "room hall: .* made over the API")

    def test_that_the_settings_do_not_name_any_more_are_explained(self):
        with tempfile.TemporaryDirectory() as directory:
            state = pathlib.Path(directory) / "state"
            arguments = ("--store", f"{directory}/store.db", "--token", "admin:admin-token-1",
                         "--state-dir", state, "--room", "main:one")
            server = Server(*arguments, "--room", "known:one", "--room", "forgotten:one")
            try:
                ask(server, "PUT", "/rooms/known", {"title": "Known"})
            finally:
                server.stop()
            server = Server(*arguments)
            try:
                self.assertEqual([room["id"] for room in ask(server, "GET", "/rooms")["rooms"]],
                                 ["main", "known"])
                log = server.log_text()
                self.assertRegex(log, r"room main: .* given with --room")
                self.assertRegex(log, "room known: .* the settings no longer name this room; .*"
                                      "DELETE /api/v1/rooms/known")
                unserved, = [line for line in log.splitlines() if "but not served" in line]
                self.assertRegex(unserved, r" warning room forgotten: recorded in .*/state/forgotten\.\*")
                self.assertIn("--room forgotten:SCENE", unserved)
                # The advice is true.
                ask(server, "POST", "/rooms", {"id": "forgotten", "scene": "one"})
                self.assertIn("room forgotten: goes on at tick", server.log_text())
                ask(server, "DELETE", "/rooms/known")
            finally:
                server.stop()


class ClosedRooms(unittest.TestCase):
    """With journals: what a closed room was is set aside."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.state = pathlib.Path(self.folder.name) / "state"
        self.server = Server("--state-dir", self.state, "--token", "admin:admin-token-1",
                             "--closed-total-mb", "1")

    def tearDown(self):
        self.server.stop()
        self.folder.cleanup()

    def make_and_close(self):
        """The last state of a room that was closed, and where its files are."""
        before = set(self.state.glob("closed/*"))
        ask(self.server, "POST", "/rooms", {"id": "hall", "scene": "one"})
        self.server.wait_for_state(lambda s: int(s["tick"]) > 10, room="hall")
        self.assertEqual(self.server.post({"pause": {}}, room="hall")[0], 200)
        last = self.server.wait_for_state(lambda s: s["paused"], room="hall")
        ask(self.server, "DELETE", "/rooms/hall")
        made, = set(self.state.glob("closed/*")) - before
        return last, made

    def test_begin_anew_and_what_they_were_can_be_had_back(self):
        last, aside = self.make_and_close()
        self.assertEqual(list(self.state.glob("hall.*")), [])
        code, told, err = replay(aside)
        self.assertEqual((code, told), (0, last["state_hash"]), err)
        self.make_and_close()
        self.assertNotIn("room hall: goes on", self.server.log_text())
        # It was closed by mistake: a new one takes up the state.
        ask(self.server, "POST", "/rooms", {"id": "hall", "scene": "one"})
        done = subprocess.run([BINARY, "restore", "--from", aside, "--room", "hall", "--server",
                               self.server.url, "--token", "admin-token-1",
                               "--data", SOURCE / "server/data"],
                              capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        back = self.server.wait_for_state(lambda s: s["tick"] == last["tick"], room="hall")
        self.assertEqual(back["state_hash"], last["state_hash"])
        ask(self.server, "DELETE", "/rooms/hall")

    def test_take_no_more_than_their_limit(self):
        closed = self.state / "closed"
        for name in ("hall-20200101T000000.000Z", "hall-20210101T000000.000Z"):
            (closed / name).mkdir(parents=True)
            (closed / name / "hall.000001.journal").write_bytes(b"x" * 700_000)
        self.make_and_close()
        self.assertFalse((closed / "hall-20200101T000000.000Z").exists())
        self.assertTrue((closed / "hall-20210101T000000.000Z").exists())


if __name__ == "__main__":
    unittest.main()
