"""A room takes as much as its machine has time for, says how much that is, and is not ready when it is too slow."""

import re
import time
import unittest

from harness import Server, ServerTestCase

OPERATOR = {"Authorization": "Bearer operating"}


def fill(server, room="main", most=1200):
    """Spawns walkers until one is refused; how many, and the refusal."""
    for made in range(most):
        place = [(made % 20) * 4 - 40, (made // 20) * 4 - 40]
        status, answer = server.post({"spawn": {"body": "human", "position_m": place,
                                                "wander": True}}, room)
        if status != 200:
            return made, answer["error"]
    raise AssertionError(f"{most} characters were let in")


class Budget(ServerTestCase):
    arguments = ("--max-load", "0.8", "--guest-role", "admin", "--token", "operator:operating", "--token", "viewer:watching")

    def settled_factor(self):
        """The best of a few seconds: the machine has other work too."""
        best = 0
        for _ in range(20):
            time.sleep(0.5)
            best = max(best, self.server.metric("promenade_real_time_factor"))
            if best > 0.95:
                break
        return best

    async def test_a_room_is_filled_up_to_its_budget_and_no_further(self):
        made, error = fill(self.server)
        self.assertGreater(made, 0)  # a sanitized build fits few
        self.assertEqual((error["code"], error["field"]), ("BUSY", "spawn"))
        fits = int(re.match(r"(\d+) more characters now", error["allowed"])[1])
        self.assertLessEqual(fits, 1)
        self.assertIn("of real time", error["value"])
        self.assertGreater(self.settled_factor(), 0.7)
        self.assertEqual(self.server.get("/readyz")[0], 200)

        # Scenes are judged before they are loaded, and the room stays what it is.
        status, answer = self.server.post({"load_scene": {"scene": "hundred"}})
        if status != 200:
            self.assertEqual((answer["error"]["code"], answer["error"]["field"]),
                             ("BUSY", "load_scene.scene"))
            self.assertRegex(answer["error"]["allowed"], r"up to \d+ such characters")
            self.assertGreater(len(self.server.state()["characters"]), made)

    async def test_operators_make_room_again(self):
        fill(self.server)
        state = self.server.state()["characters"]
        # A few at a time: what others do to the machine meanwhile may have taken what is free.
        for n in range(0, len(state) - 1, 3):
            for one in state[n:n + 3]:
                status, answer = self.server.post({"remove": {"character": one["id"]}},
                                                  headers=OPERATOR)
                self.assertEqual(status, 200, answer)
            status, answer = self.server.post({"spawn": {"body": "human"}})
            if status == 200:
                break
        self.assertEqual(status, 200, answer)
        self.assertEqual(self.server.post({"remove": {"character": 2}},
                                          headers={"Authorization": "Bearer watching"})[0], 403)
        self.assertEqual(self.server.post({"reset": {}}, headers=OPERATOR)[0], 403)


class NoBudget(unittest.TestCase):
    def test_a_room_that_is_too_slow_is_not_ready(self):
        server = Server("--substeps", "100", "--sleep-after", "0")
        try:
            for made in range(150):
                place = [(made % 15) * 2, (made // 15) * 2]
                self.assertEqual(server.post({"spawn": {"body": "human", "position_m": place}})[0], 200)
            deadline = time.monotonic() + 60
            while (answer := server.get("/readyz"))[0] == 200:
                self.assertLess(time.monotonic(), deadline, "150 characters at 6000 steps a second")
                time.sleep(0.2)
            self.assertRegex(answer[2], r"^room main (runs at 0\.\d+ of real time|has not ticked)")
            self.assertEqual(server.get("/healthz")[0], 200)
            self.assertEqual(server.post({"pause": {}})[0], 200)
            deadline = time.monotonic() + 20
            while server.get("/readyz")[0] != 200:
                self.assertLess(time.monotonic(), deadline, "a paused room is ready")
                time.sleep(0.2)
        finally:
            server.stop()


if __name__ == "__main__":
    unittest.main()
