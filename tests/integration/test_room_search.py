"""Gaits in rooms: chosen and kept by name, and searched for beside the room."""

import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time
import unittest

from harness import BINARY, SLOWNESS, SOURCE, Server, ServerTestCase

CAT = 3  # of the scene toys
LAMP = 2
# A search has the time that nothing else wants: on a busy machine a few candidates take long.
ORDER = {"character": LAMP, "objective": "hop", "budget": 60, "seed": 5}
PATIENCE_S = 240


class Asking:
    """Requests that answer with JSON, whatever their status."""

    def ask(self, method, path, content=None, status=200, token="operates"):
        got, _, text = self.server.get(
            "/api/v1" + path, {"Authorization": f"Bearer {token}"} if token else {}, method,
            json.dumps(content).encode() if content is not None else None)
        self.assertEqual(got, status, text)
        return json.loads(text)

    def search(self, method="GET", content=None, status=200, **more):
        return self.ask(method, "/rooms/main/search", content, status, **more)

    def wait_until(self, accept, seconds=PATIENCE_S):
        deadline = time.monotonic() + seconds * SLOWNESS
        while not accept(found := self.search()):
            self.assertLess(time.monotonic(), deadline, found)
            self.assertNotEqual(found["state"], "FAILED", found["trouble"])
            time.sleep(0.1)
        return found


class Gaits(ServerTestCase, Asking):
    scene = "toys"
    arguments = ("--token", "viewer:watchonly", "--token", "operator:operates")

    def test_gaits_are_listed_and_read_and_kept_by_name(self):
        listed = self.ask("GET", "/gaits")["entries"]
        trot = next(entry for entry in listed if entry["name"] == "cat_trot")
        self.assertEqual((trot["creature"], trot["kind"], trot["built_in"]), ("cat", "trot", True))
        gait = self.ask("GET", "/gaits/cat_trot")["definition"]
        gait["name"] = "mine"
        self.ask("PUT", "/gaits/mine", gait, 403, token="watchonly")
        saved = self.ask("PUT", "/gaits/mine", gait)["saved"]
        self.assertEqual((saved["version"], saved["creature"]), (1, "cat"))
        self.ask("PUT", "/gaits/mine", gait, 409)
        self.ask("PUT", "/gaits/mine?version=1", gait)
        self.assertEqual(len(self.ask("GET", "/gaits/mine/versions")["entries"]), 2)
        self.ask("POST", "/rooms/main/commands", {"set_gait": {"character": CAT, "gait": "mine"}})
        deadline = time.monotonic() + 5 * SLOWNESS
        while (now := self.ask("GET", f"/rooms/main/characters/{CAT}/gait"))["definition"][
                "name"] != "mine":
            self.assertLess(time.monotonic(), deadline)
        self.assertEqual(now["info"]["version"], 2)
        self.ask("DELETE", "/gaits/mine")
        self.ask("GET", "/gaits/mine", status=404)

    def test_a_gait_that_cannot_be_is_refused_with_its_field(self):
        gait = self.ask("GET", "/gaits/cat_trot")["definition"]
        for change, field, allowed in (
                ({"creature": "nobody"}, "creature", "cat"),
                ({"creature": "ant"}, "states[0].pose[0].joint", "one of"),
                ({"states": []}, "states", "1 to 16"),
                ({"states": gait["states"][:3]}, "states", "even"),
                ({"symmetry": "NONE", "states": [{"duration_s": 0}]}, "states[0].duration_s",
                 "0.005")):
            status = 404 if change == {"creature": "nobody"} else 400
            error = self.ask("PUT", "/gaits/wrong", gait | {"name": "wrong"} | change,
                             status)["error"]
            self.assertEqual(error["field"], field)
            self.assertIn(allowed, error["allowed"])

    def test_a_search_is_begun_by_operators_and_seen_by_all(self):
        self.search("POST", ORDER, 403, token="watchonly")
        begun = self.search("POST", ORDER)
        self.assertEqual((begun["creature"], begun["state"]), ("luxo", "RUNNING"))
        self.search("POST", ORDER, 409)
        done = self.wait_until(lambda s: s["state"] == "DONE")
        self.assertGreaterEqual(int(done["evaluations"]), 60)
        self.assertEqual(sum(int(end["count"]) for end in done["ends"]), int(done["evaluations"]))
        self.assertEqual(len(done["scores"]), int(done["evaluations"]))
        scores = [best["score"] for best in done["curve"]]
        self.assertEqual(scores, sorted(scores))
        self.assertAlmostEqual(max(done["scores"]), done["best"]["score"], places=4)
        self.assertTrue(done["cells"])
        cell = done["cells"][0]
        self.assertTrue(cell["kind"])
        gait = self.ask("GET", f"/rooms/main/search/gait?cell={cell['cell']}", token="watchonly")
        self.assertEqual(int(gait["definition"]["origin"]["trial"]), int(cell["trial"]))
        self.ask("GET", "/rooms/main/search/gait?cell=99999", status=404)
        self.ask("GET", "/rooms/main/search/gait?cell=x", status=400)
        best = self.ask("GET", "/rooms/main/search/gait")["definition"]
        self.assertEqual(best["origin"]["trial"], done["best"]["trial"])
        deadline = time.monotonic() + 10 * SLOWNESS
        path = f"/rooms/main/characters/{LAMP}/gait"
        while self.ask("GET", path)["definition"]["name"] != best["name"]:
            self.assertLess(time.monotonic(), deadline, "the character shows the best")
            time.sleep(0.1)
        # The gait can be kept, and is found again by the program alone.
        kept = best | {"name": "kept"}
        self.ask("PUT", "/gaits/kept", kept)
        with tempfile.TemporaryDirectory() as directory:
            file = pathlib.Path(directory) / "kept.json"
            file.write_text(json.dumps(kept))
            again = subprocess.run(
                [BINARY, "search", "gait", "--data", SOURCE / "server/data", "--again", file],
                capture_output=True, text=True)
        self.assertEqual(again.returncode, 0, again.stderr)

    def test_a_search_that_cannot_be_is_refused_with_its_field(self):
        for change, status, field, allowed in (
                ({"character": 999}, 404, "character", "roster"),
                ({"objective": "nothing"}, 404, "objective", "bound"),
                ({"objective": "../trot"}, 400, "objective", "name"),
                ({"budget": 5}, 400, "budget", "10 to 50000"),
                ({"minutes": 1000}, 400, "minutes", "0.1 to 120"),
                ({"method": "luck"}, 400, "method", "greedy"),
                ({"character": CAT, "symmetry": "OUT_OF_PHASE", "states": 3}, 400, "states",
                 "even"),
                ({"symmetry": "IN_PHASE"}, 400, "symmetry", "NONE"),
                ({"reach_rad": 9}, 400, "reach_rad", "0.05"),
                ({"definition": {"terms": []}}, 400, "definition", "one of the two"),
                ({"objective": "", "definition": {"terms": [{"figure": "joy", "weight": 1}]}}, 400,
                 "objective.terms[0].figure", "speed")):
            error = self.search("POST", ORDER | change, status)["error"]
            self.assertEqual(error["field"], field)
            self.assertIn(allowed, error["allowed"])
        self.search("PUT", ORDER, 405)


class GaitStudies(ServerTestCase, Asking):
    scene = "toys"
    arguments = ("--token", "viewer:watchonly", "--token", "operator:operates", "--token", "admin:administers")

    def study(self, method="GET", content=None, status=200, **more):
        return self.ask(method, "/rooms/main/gait-study", content, status, **more)

    def wait_for_study(self):
        deadline = time.monotonic() + PATIENCE_S * SLOWNESS
        while (found := self.study(token="watchonly"))["state"] == "RUNNING":
            self.assertLess(time.monotonic(), deadline, found)
            time.sleep(0.1)
        self.assertEqual(found["state"], "DONE", found["trouble"])
        return found

    def test_variations_are_found_for_operators_and_mixed_into_the_room(self):
        order = {"character": CAT, "variations": {"seed": 1, "count": 3}}
        self.study("POST", order, 403, token="watchonly")
        begun = self.study("POST", order)
        self.assertEqual((begun["creature"], begun["gait"]), ("cat", "cat_trot"))
        self.assertIn("state1.duration", begun["numbers"])
        self.study("POST", order, 409)
        found = self.wait_for_study()["variations"]
        looks = found["variations"]
        self.assertEqual(len(looks), 3)
        nominal = found["nominal"]["speed_mps"]
        for look in looks:
            self.assertLess(abs(look["speed_mps"] - nominal), 0.31 * nominal)
            self.assertTrue(look["kind"])
            self.assertTrue(look["take"]["poses"])
        variants = found["gait"]["variants"]
        self.assertEqual([v["name"] for v in variants[-3:]], [look["name"] for look in looks])
        weights = [0.6, *[0] * (len(variants) - 3), 0.4, 0, 0]
        self.ask("POST", "/rooms/main/commands", {
            "set_gait": {"character": CAT, "definition": found["gait"], "weights": weights}})

    def test_a_landscape_has_a_value_for_each_point(self):
        order = {"character": LAMP, "landscape": {"points": 3, "axes": ["state1.duration",
                                                                       "state2.duration"]}}
        self.study("POST", order)
        found = self.wait_for_study()["landscape"]
        self.assertEqual([axis["name"] for axis in found["axes"]], order["landscape"]["axes"])
        self.assertEqual((found["figure"], len(found["values"]), len(found["ends"])),
                         ("speed", 9, 9))

    def test_a_study_that_cannot_be_is_refused_with_its_field(self):
        self.ask("POST", "/rooms/main/commands",
                 {"set_controller": {"character": LAMP + 2, "controller": "limp"}})
        # A room that slept as nobody watched it tells of this a little after its answer.
        self.server.wait_for_state(lambda now: now["characters"][LAMP + 1]["controller"] == "limp")
        wish = {"character": CAT, "variations": {}}
        for order, status, field, allowed in (
                ({"character": 999, "variations": {}}, 404, "character", "roster"),
                ({"character": CAT}, 400, "what", "variations"),
                (wish | {"variations": {"count": 13}}, 400, "variations.count", "1 to 12"),
                ({"character": CAT, "landscape": {"axes": ["state1.nose", "state1.duration"]}},
                 400, "landscape.axes", "state1.spine.1"),
                ({"character": CAT, "landscape": {"axes": ["state1.duration"]}}, 400,
                 "landscape.axes", "two"),
                ({"character": CAT, "landscape": {"figure": "joy"}}, 400, "landscape.figure",
                 "speed"),
                ({"character": CAT, "landscape": {"figure": "cleared"}}, 400, "landscape.figure",
                 "speed"),
                ({"character": CAT, "landscape": {"points": 99}}, 400, "landscape.points", "61"),
                ({"character": LAMP + 2, "variations": {}}, 400, "character", "posegraph"),
                (wish | {"seed": 1}, 400, "seed", "")):
            error = self.study("POST", order, status)["error"]
            self.assertEqual(error["field"], field)
            self.assertIn(allowed, error["allowed"])
        self.study("PUT", wish, 405)

    def test_a_study_of_a_room_made_anew_is_another_one(self):
        order = {"character": 1, "landscape": {"points": 3}}
        told = []
        for _ in range(2):
            self.ask("POST", "/rooms", {"id": "again", "scene": "toys"}, token="administers")
            begun = self.ask("POST", "/rooms/again/gait-study", order)
            self.assertRegex(begun["id"], "^[0-9a-f]{16}$")
            self.assertEqual(self.ask("DELETE", "/rooms/again/gait-study")["id"], begun["id"])
            told.append((begun["number"], begun["id"]))
            self.ask("DELETE", "/rooms/again", token="administers")
            deadline = time.monotonic() + 20 * SLOWNESS
            while any(study.startswith("again-") for study in files_of_studies()):
                self.assertLess(time.monotonic(), deadline, "the room's study goes with it")
                time.sleep(0.1)
        self.assertEqual(told[0][0], told[1][0], "both are the first of their room")
        self.assertNotEqual(told[0][1], told[1][1])

    def test_files_of_a_study_are_for_this_user_alone(self):
        self.study("POST", {"character": CAT, "landscape": {"points": 61}})
        self.addCleanup(self.study, "DELETE")
        directory = pathlib.Path(tempfile.gettempdir())
        own = [path for path in directory.glob("promenade-studies-*") if path.stat().st_uid == os.geteuid()]
        self.assertTrue(own)
        for path in own:
            self.assertEqual(path.stat().st_mode & 0o777, 0o700, path)
            self.assertNotEqual(path.name, f"promenade-studies-{self.server.process.pid}")

    def test_a_study_is_stopped_and_leaves_no_process(self):
        self.study("POST", {"character": CAT, "landscape": {"points": 61}})
        time.sleep(0.5)
        self.assertNotEqual(studies(), "")
        self.assertEqual(self.study("DELETE")["state"], "STOPPED")
        self.assertEqual(studies(), "")


class GoingOn(unittest.TestCase, Asking):
    def test_a_search_goes_on_after_a_kill_to_the_same_log(self):
        order = ORDER | {"budget": 3000}  # some seconds on an idle machine, so that it is killed while it runs
        logs = []
        for kills in (0, 2):
            with tempfile.TemporaryDirectory() as directory:
                arguments = ("--state-dir", directory, "--token", "operator:operates")
                self.server = Server(*arguments, scene="toys")
                self.search("POST", order)
                for _ in range(kills):
                    before = int(self.search()["evaluations"])
                    self.wait_until(lambda s: int(s["evaluations"]) > before + 20)
                    self.server.stop(signal.SIGKILL)
                    self.server = Server(*arguments, scene="toys")
                    self.wait_until(lambda s: int(s["evaluations"]) > before)
                self.wait_until(lambda s: s["state"] == "DONE")
                logs.append((pathlib.Path(directory) / "searches" / "main.log").read_text())
                self.server.stop()
        self.assertEqual(logs[0], logs[1])

    def test_a_search_is_stopped_and_leaves_no_process(self):
        self.server = Server("--token", "operator:operates", scene="toys")
        for none in ("search", "gait-study"):
            found = self.ask("GET", f"/rooms/main/{none}")
            self.assertEqual((found["room"], found["number"], found["state"]), ("main", "0", "NONE"))
            self.ask("DELETE", f"/rooms/main/{none}", status=404)
        self.ask("GET", "/rooms/main/search/gait", status=404)
        self.search("POST", ORDER | {"budget": 50000})
        self.wait_until(lambda s: int(s["evaluations"]) > 0)
        stopped = self.search("DELETE")
        self.assertEqual(stopped["state"], "STOPPED")
        self.assertEqual(processes(), "")
        self.search("POST", ORDER | {"budget": 50000})
        self.wait_until(lambda s: s["number"] == "2" and int(s["evaluations"]) > 0)
        self.server.stop()
        self.assertEqual(processes(), "")


def processes():
    """The processes of searches beside rooms."""
    return subprocess.run(["pgrep", "-f", "search gait --resume .*main.log"],
                          capture_output=True, text=True).stdout


def files_of_studies():
    return [path.name for path in pathlib.Path(tempfile.gettempdir()).glob("promenade-studies-*/*")]


def studies():
    """The processes of studies beside rooms."""
    return subprocess.run(["pgrep", "-f", "search gait --body .*main-"],
                          capture_output=True, text=True).stdout
