"""`promenade load`: what it prints is what the server did."""

import json
import unittest

from harness import SLOWNESS, ServerTestCase, run


class Load(ServerTestCase):
    scene = "square"

    def load(self, *arguments):
        code, out, err = run("load", f"http://127.0.0.1:{self.server.port}", "--json", *arguments)
        self.assertEqual(code, 0, err)
        return json.loads(out)

    def test_honest_viewers_get_their_frames(self):
        sent = self.server.metric("promenade_frames_sent_total")
        found = self.load("--honest", 20, "--seconds", 5)["honest"]
        self.assertEqual(found["least_connected"], 20)
        self.assertEqual(found["ends"], {})
        # Those of the second before measuring are more; nobody counts what was not sent.
        self.assertLessEqual(found["frames"], self.server.metric("promenade_frames_sent_total") - sent)
        self.assertGreater(found["frames"], 20 * 5 * 10 / SLOWNESS)
        self.assertLess(found["delay_ms_p50"], 200 * SLOWNESS)

    def test_slow_and_dead_viewers_read_no_more_than_they_should(self):
        found = self.load("--honest", 2, "--slow", 3, "--slow-rate", 20000, "--dead", 3,
                          "--seconds", 6)
        self.assertEqual(found["dead"]["bytes"], 0)
        self.assertGreater(found["slow"]["bytes"], 3 * 6 * 5000)
        self.assertLess(found["slow"]["bytes"], 3 * 6 * 25000)
        if SLOWNESS == 1:  # a slow server may send no more than they read
            self.assertGreater(found["slow"]["dropped"], 0)

    def test_every_attack_is_carried_out_and_leaves_the_server_well(self):
        tried = set()
        for seed in range(1, 6):
            found = self.load("--honest", 5, "--hostile", 60, "--sources", 30, "--seconds", 3,
                              "--seed", seed)
            tried |= found["hostile"]["tried"].keys()
            self.assertEqual(found["honest"]["least_connected"], 5)
            self.assertGreater(found["honest"]["frames"], 5 * 3 * 5 / SLOWNESS)
        self.assertEqual(self.server.get("/healthz")[0], 200)
        listed = run("load", "--help")[1].split("Attacks of hostile clients:\n")[1]
        names = {line.split()[0] for line in listed.split("Attack only")[0].splitlines()}
        self.assertEqual(tried, names)

    def test_a_wrong_address_is_told(self):
        for url in ("ftp://localhost", "localhost:80", "http://", "http://localhost:99999",
                    "http://localhost:8080/path"):
            code, _, err = run("load", url)
            self.assertEqual(code, 1)
            self.assertIn("http://HOST", err, url)
        code, _, err = run("load", "http://localhost:1", "--seconds", 1)
        self.assertEqual(code, 1)
        self.assertIn("nothing answers", err)

    def test_nobody_served_is_no_success(self):
        code, _, err = run("load", self.server.url, "--honest", 2, "--seconds", 1,
                           "--token", "a-wrong-token")
        self.assertEqual(code, 1)
        self.assertRegex(err, "2 of 2 honest viewers got no frame: .*closed")
        code, _, err = run("load", self.server.url, "--honest", 0)
        self.assertEqual(code, 1)
        self.assertIn("no clients to connect", err)

    def test_what_is_asked_for_decides_the_exit_code(self):
        code, _, err = run("load", self.server.url, "--honest", 1, "--seconds", 1,
                           "--frames-at-least", 60)
        self.assertEqual(code, 1)
        self.assertIn("frames a second", err)


if __name__ == "__main__":
    unittest.main()
