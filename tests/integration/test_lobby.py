"""Small pictures of rooms for the lobby: what they show, which visitors get them, and what they may cost."""

import http.client
import json
import time
import unittest

from harness import ServerTestCase, joined
from promenade.v1 import lobby_pb2 as lobby

ADMIN = {"Authorization": "Bearer admin-token-1"}


class LobbyCase(ServerTestCase):
    def ask(self, rooms, headers=None):
        """The pictures by room."""
        data = self.server.get_bytes(f"/api/v1/lobby?rooms={','.join(rooms)}", headers)
        self.assertLess(len(data), 64 * 1024)
        return {one.room: one for one in lobby.LobbyPictures.FromString(data).rooms}

    def raw(self, path, headers=None):
        connection = http.client.HTTPConnection("localhost", self.server.port, timeout=10)
        try:
            connection.request("GET", path, headers=headers or {})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def rooms(self, headers=None):
        answer = json.loads(self.server.get("/api/v1/rooms", headers)[2])
        return {room["id"]: room for room in answer["rooms"]}

    def eventually(self, what, message, seconds=30):
        deadline = time.monotonic() + seconds
        while True:
            got = what()
            if got:
                return got
            self.assertLess(time.monotonic(), deadline, message)
            time.sleep(0.1)


class Lobby(LobbyCase):
    arguments = ("--sleep-after", "1", "--room", "main:square,two:one,three:steps",
                 "--guest-role", "viewer", "--token", "admin:admin-token-1")

    def all_asleep(self):
        self.eventually(lambda: self.server.metric("promenade_asleep") == 3,
                        "the rooms do not fall asleep")

    async def test_moves_where_somebody_watches_and_wakes_nobody(self):
        self.all_asleep()
        ticks = self.server.metric("promenade_ticks_total")
        for _ in range(10):
            pictures = self.ask(["main", "two", "three"])
            self.assertEqual(set(pictures), {"main", "two", "three"})
            for picture in pictures.values():
                self.assertTrue(picture.asleep)
                self.assertEqual(len(picture.moments), 1)
            time.sleep(0.25)
        self.assertEqual(self.server.metric("promenade_ticks_total"), ticks)
        rooms = self.rooms()
        self.assertEqual([room["asleep"] for room in rooms.values()], [True] * 3)
        self.assertEqual([room["viewers"] for room in rooms.values()], [0] * 3)
        async with joined(self.server, room="two") as viewer:
            await viewer.until("frame")
            moving = self.eventually(
                lambda: next((p for p in [self.ask(["two"])["two"]]
                              if not p.asleep and len(p.moments) >= 4), None),
                "the picture of a room that goes on does not")
            ticks = [moment.tick for moment in moving.moments]
            self.assertEqual(ticks, sorted(set(ticks)))
            rooms = self.rooms()
            self.assertEqual((rooms["two"]["asleep"], rooms["two"]["viewers"]), (False, 1))
            self.assertEqual(self.server.metric("promenade_asleep"), 2, "the others sleep on")
        self.all_asleep()

    def test_says_so_where_nothing_has_changed(self):
        self.all_asleep()
        path = "/api/v1/lobby?rooms=main,two"

        def settled():
            """The tag, once the pictures of the rooms' last moments are in the answer."""
            status, headers, _ = self.raw(path)
            self.assertEqual((status, headers["Content-Type"]), (200, "application/x-protobuf"))
            return headers["ETag"] if headers["ETag"] == self.raw(path)[1]["ETag"] else None

        tag = self.eventually(settled, "pictures of rooms that sleep change")
        status, headers, body = self.raw(path, {"If-None-Match": tag})
        self.assertEqual((status, body), (304, b""))
        self.assertEqual(headers["ETag"], tag)
        self.assertEqual(self.raw("/api/v1/lobby?rooms=main", {"If-None-Match": tag})[0], 200)

    def test_tells_nobody_of_rooms_by_link(self):
        status, _, text = self.server.get("/api/v1/rooms", ADMIN, "POST", json.dumps(
            {"id": "secret", "scene": "one", "by_link": True}).encode())
        self.assertEqual(status, 200, text)
        self.assertEqual(set(self.ask(["secret", "two", "nowhere"])), {"two"})
        self.assertEqual(set(self.ask(["secret", "two"], ADMIN)), {"secret", "two"})
        self.assertNotIn("secret", self.rooms())
        for headers, role in ((None, "viewer"), (ADMIN, "admin")):
            data = self.server.get_bytes("/api/v1/lobby?rooms=two", headers)
            self.assertEqual(lobby.LobbyPictures.FromString(data).role, role)
        self.assertEqual(self.server.get("/api/v1/rooms/secret", ADMIN, "DELETE")[0], 200)
        self.assertEqual(self.ask(["secret"], ADMIN), {}, "it is gone")

    def test_names_what_is_allowed(self):
        for query in ("", "?rooms=", "?rooms=a,,b", "?room=main", "?rooms=" + ",".join("abcdefghi"),
                      "?rooms=main&x=1"):
            with self.subTest(query):
                status, _, text = self.server.get(f"/api/v1/lobby{query}")
                error = json.loads(text)["error"]
                self.assertEqual((status, error["field"]), (400, "rooms"))
                self.assertIn("1 to 8 ids", error["allowed"])
        self.assertEqual(self.server.get("/api/v1/lobby", None, "POST", b"")[0], 405)


class ReadsAreLimited(LobbyCase):
    arguments = ("--guest-role", "viewer", "--visitor-reads", "5")

    def test_as_all_that_cost_something(self):
        statuses = {self.raw("/api/v1/lobby?rooms=main")[0] for _ in range(40)}
        self.assertEqual(statuses, {200, 429})


class Many(LobbyCase):
    arguments = ("--paused", "--sleep-after", "1", "--token", "admin:admin-token-1")

    def test_rooms_with_crowds_fit_into_small_answers(self):
        ids = [f"room-{i}" for i in range(63)]
        for i in ids:
            status, _, text = self.server.get("/api/v1/rooms", ADMIN, "POST", json.dumps(
                {"id": i, "scene": "hundred", "title": "x" * 70}).encode())
            self.assertEqual(status, 200, text)
        try:
            listed = self.server.get("/api/v1/rooms")[2]
            self.assertLess(len(listed), 64 * 1024)
            seen = {}
            for at in range(0, len(ids), 8):
                seen.update(self.ask(ids[at:at + 8]))  # 64 KB at most
            self.assertEqual(set(seen), set(ids))
            for picture in seen.values():
                self.assertGreaterEqual(len(picture.bodies), 15)
                self.assertLessEqual(len(picture.bodies), 64)
        finally:
            for i in ids:
                self.server.get(f"/api/v1/rooms/{i}", ADMIN, "DELETE")


if __name__ == "__main__":
    unittest.main()
