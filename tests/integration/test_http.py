"""HTTP on the socket's port: the page's files, health, metrics, the JSON API."""

import gzip
import http.client
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

from harness import SOURCE, ServerTestCase, joined

# Prometheus' text format, one line of it.
LABEL = r'[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*"'
SAMPLE = re.compile(rf"[a-zA-Z_:][\w:]*(?:\{{{LABEL}(?:,{LABEL})*\}})? (?:[-+]?[\d.]+(?:e[-+]?\d+)?|NaN|[+-]Inf)")
COMMENT = re.compile(r"# (?:HELP|TYPE) [a-zA-Z_:][\w:]* \S.*")


class Http(ServerTestCase):
    scene = "bodies"

    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        root = pathlib.Path(cls.directory.name) / "www"
        (root / "assets").mkdir(parents=True)
        (root / "index.html").write_text("<!doctype html><title>page</title>")
        (root / "assets/app-12.js").write_text("export {}")
        (root / "assets/long-34.js").write_text("// long\n" * 1000)
        (root / "assets/long-34.js.gz").write_bytes(gzip.compress(b"// long\n" * 1000))
        (root / "assets/long-34.js.br").write_bytes(b"brotli")
        (root / "about.html").write_text("<meta content='%SITE%/preview.jpg'>")
        (root.parent / "secret.txt").write_text("secret")
        cls.arguments = ("--web-root", str(root))
        super().setUpClass()

    @classmethod
    def tearDownClass(cls):
        super().tearDownClass()
        cls.directory.cleanup()

    def json(self, path, status=200, **options):
        got, headers, text = self.server.get(path, **options)
        self.assertEqual(got, status, text)
        self.assertEqual(headers["Content-Type"], "application/json")
        return json.loads(text)

    def check(self, error, code, field, value, allowed):
        """Every error says what it is about, what that was, and what is allowed."""
        self.assertEqual((error["code"], error["field"]), (code, field), error)
        self.assertIn(value, error["value"])
        self.assertTrue(error["value"], error)
        self.assertIn(allowed, error["allowed"])
        self.assertTrue(error["message"])

    def test_page(self):
        status, headers, text = self.server.get("/")
        self.assertEqual((status, headers["Content-Type"]), (200, "text/html; charset=utf-8"))
        self.assertIn("<title>page", text)
        self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
        again, _, text = self.server.get("/", {"If-None-Match": headers["ETag"]})
        self.assertEqual((again, text), (304, ""))
        _, headers, _ = self.server.get("/assets/app-12.js")
        self.assertIn("immutable", headers["Cache-Control"])
        self.assertNotIn("unsafe", headers["Content-Security-Policy"])
        for name in ("X-Frame-Options", "Referrer-Policy", "Cross-Origin-Opener-Policy",
                     "Permissions-Policy", "Date"):
            self.assertTrue(headers[name], name)
        self.assertIn("default-src 'none'",
                      self.server.get("/api/v1/rooms")[1]["Content-Security-Policy"])
        status, headers, text = self.server.get("/", method="HEAD")
        self.assertEqual((status, headers["Content-Length"], text), (200, "34", ""))

    def test_page_is_sent_compressed_to_who_takes_it(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=5)
        bodies = {}
        for accepted in ("gzip", "identity"):
            connection.request("GET", "/assets/long-34.js", headers={"Accept-Encoding": accepted})
            answer = connection.getresponse()
            bodies[accepted] = answer.read()
            self.assertEqual(answer.headers["Content-Encoding"],
                             "gzip" if accepted == "gzip" else None)
            self.assertEqual(answer.headers["Vary"], "Accept-Encoding")
            self.assertEqual(answer.headers["Content-Type"], "text/javascript; charset=utf-8")
        connection.close()
        self.assertEqual(gzip.decompress(bodies["gzip"]), bodies["identity"])
        self.assertLess(len(bodies["gzip"]), 0.1 * len(bodies["identity"]))
        _, headers, text = self.server.get("/assets/long-34.js", {"Accept-Encoding": "gzip, br"})
        self.assertEqual((headers["Content-Encoding"], text), ("br", "brotli"))

    def test_page_has_its_own_address_for_link_previews(self):
        _, _, text = self.server.get("/about.html")
        self.assertEqual(text, f"<meta content='{self.server.url}/preview.jpg'>")

    def test_page_ends_at_its_root(self):
        for path in ("/../secret.txt", "/%2e%2e/secret.txt", "/assets/..%2f..%2fsecret.txt",
                     "//etc/passwd", "/assets/", "/missing.js"):
            connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=5)
            connection.request("GET", path)
            answer = connection.getresponse()
            self.assertEqual(answer.status, 404, path)
            self.assertNotIn(b"secret", answer.read().replace(b"secret.txt", b""), path)
            connection.close()

    async def test_metrics_tell_visitors_by_role(self):
        role = 'promenade_visitors{room="main",role="admin"} %d'
        self.assertIn(role % 0, self.server.get("/metrics")[2])
        async with joined(self.server) as viewer:
            await viewer.until("frame")
            self.assertIn(role % 1, self.server.get("/metrics")[2])

    def test_health(self):
        self.assertEqual(self.server.get("/healthz")[0], 200)
        self.assertEqual(self.server.get("/readyz")[0], 200)

    def test_metrics_are_prometheus_text(self):
        self.server.post({"stop": {"character": 1}})
        self.server.post({"stop": {"character": 999}})
        status, headers, text = self.server.get("/metrics")
        self.assertEqual(status, 200)
        self.assertIn("version=0.0.4", headers["Content-Type"])
        for line in text.splitlines():
            self.assertTrue(SAMPLE.fullmatch(line) or COMMENT.fullmatch(line), line)
        families = re.findall(r"^# TYPE (\S+)", text, re.MULTILINE)
        self.assertEqual(len(families), len(set(families)), "a family is written twice")
        for name in ("promenade_ticks_total", "promenade_real_time_factor", "promenade_viewers",
                     "promenade_characters", "promenade_frames_sent_total",
                     "promenade_frames_dropped_total", "promenade_socket_bytes_sent_total",
                     "promenade_commands_total", "promenade_tick_seconds",
                     "promenade_tick_quantile_seconds", "promenade_connections",
                     "promenade_store_bytes", "process_resident_memory_bytes"):
            self.assertIn(name, families)
        self.assertIn('promenade_commands_total{kind="stop",result="ok"}', text)
        self.assertIn('promenade_commands_total{kind="stop",result="not_found"}', text)
        self.assertIn('promenade_http_requests_total{part="api",status="4xx"} 1', text)
        buckets = [float(v) for v in re.findall(r"promenade_tick_seconds_bucket\S+ (\S+)", text)]
        self.assertEqual(buckets, sorted(buckets), "buckets are cumulative")

    def test_scenes_and_rooms(self):
        names = [s["name"] for s in self.json("/api/v1/scenes")["scenes"]]
        for scene in ("square", "one", "push-lab", "bodies", "styles", "steps"):
            self.assertIn(scene, names)
        rooms = self.json("/api/v1/rooms")["rooms"]
        self.assertEqual([(r["id"], r["scene"]) for r in rooms], [("main", "bodies")])
        self.assertGreaterEqual(rooms[0]["characters"], 6)

    def test_state(self):
        state = self.json("/api/v1/rooms/main/state")
        self.assertEqual((state["id"], state["scene"]), ("main", "bodies"))
        self.assertRegex(state["state_hash"], r"^[0-9a-f]{16}$")
        self.assertAlmostEqual(state["time_s"], int(state["tick"]) / 60, places=6)
        character = state["characters"][0]
        self.assertEqual(len(character["position_m"]), 3)
        self.assertEqual(len(character["velocity_mps"]), 3)
        self.assertIn(character["state"], ("walking", "standing", "stopping", "fallen",
                                           "quarantined"))
        self.assertGreater(int(self.json("/api/v1/rooms/main/state")["tick"]), 0)

    def test_command_changes_the_state(self):
        status, answer = self.server.post(
            {"set_velocity": {"character": 1, "x_mps": 0.7, "frame": "WORLD"}})
        self.assertEqual(status, 200, answer)
        tick = int(answer["ack"]["tick"])
        while True:
            state = self.server.state()
            if int(state["tick"]) > tick:
                break
        self.assertAlmostEqual(state["characters"][0]["desired_velocity_mps"][0], 0.7, places=6)

    def test_what_is_not_there_and_what_may_not_be_done(self):
        for path, field, value, allowed in (
                ("/api/v1/nothing", "path", "/api/v1/nothing", "/api/v1/rooms"),
                ("/api/v1/%C3%A9%FF", "path", "/api/v1/???", "docs/protocol.md"),
                ("/missing.js", "path", "/missing.js", "page"),
                ("/api/v1/rooms/cellar/state", "room", '"cellar"', "main"),
                ("/api/v1/rooms/cellar/characters/1/style", "room", '"cellar"', "main"),
                ("/api/v1/rooms/main/characters/1/hat", "path", "/api/v1/rooms/main/characters/1/hat",
                 "characters/N/style"),
                ("/api/v1/rooms/main/characters/99/style", "character", '"99"', "roster")):
            self.check(self.json(path, 404)["error"], "NOT_FOUND", field, value, allowed)
        status, answer = self.server.post({"pause": {}}, room="cellar")
        self.assertEqual(status, 404)
        self.check(answer["error"], "NOT_FOUND", "room", '"cellar"', "main")
        for method, path, allowed in (("GET", "/api/v1/rooms/main/commands", "POST"),
                                      ("DELETE", "/api/v1/rooms", "GET, HEAD, POST"),
                                      ("DELETE", "/", "GET, HEAD"), ("PUT", "/healthz", "GET, HEAD"),
                                      ("OPTIONS", "/api/v1/rooms", "GET, HEAD, POST")):
            status, headers, text = self.server.get(path, method=method)
            self.assertEqual((status, headers["Allow"]), (405, allowed), path)
            self.check(json.loads(text)["error"], "INVALID", "method", method, allowed)
            self.assertNotIn("Access-Control-Allow-Origin", headers)
        self.check(self.json("/ws", 426)["error"], "INVALID", "Upgrade", "", "promenade.v1")

    def test_body_too_large_is_refused(self):
        status, answer = self.server.post(b"{" + b" " * 70_000 + b"}")
        self.assertEqual(status, 413)
        self.check(answer["error"], "INVALID", "request body", "70002 bytes", "at most 65536 bytes")
        status, _, text = self.server.get("/api/v1/rooms/main/commands", None, "POST",
                                          iter([b" " * 35_000] * 2))  # in chunks, of no said length
        self.assertEqual(status, 413)
        self.check(json.loads(text)["error"], "INVALID", "request body", "larger", "65536")

    def test_other_pages_may_not_post(self):
        stop = {"stop": {"character": 1}}
        own = {"Origin": self.server.url}
        self.assertEqual(self.server.post(stop, headers=own)[0], 200)
        for headers in ({"Origin": "http://evil.example"}, {"Origin": "null"},
                        {"Host": "evil.example", "Origin": "http://evil.example"}):
            status, answer = self.server.post(stop, headers=headers)
            field = "Host" if "Host" in headers else "Origin"
            self.assertEqual(status, 421 if field == "Host" else 403, headers)
            self.check(answer["error"], "FORBIDDEN", field, headers[field],
                       "localhost" if field == "Host" else "this server")

    def test_too_many_posts_on_one_connection_are_refused(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=10)
        statuses = []
        body = b"{}"  # refused before it reaches the room, so that it is quick
        for _ in range(600):
            connection.request("POST", "/api/v1/rooms/main/commands", body)
            answer = connection.getresponse()
            refusal = json.loads(answer.read())["error"]
            statuses.append(answer.status)
            if answer.status == 429:
                self.assertTrue(answer.headers["Retry-After"])
                self.check(refusal, "RATE_LIMITED", "requests", "too many", "100 a second")
                break
        connection.close()
        self.assertIn(429, statuses)
        self.assertGreaterEqual(len(statuses), 200)

    def test_curl_examples_of_the_documentation(self):
        for page in ("README.md", "docs/protocol.md"):
            with self.subTest(page=page):
                self.run_curl_example((SOURCE / page).read_text())

    def run_curl_example(self, text):
        example = re.search(r"^curl .*?commands(?:.*\\\n)*.*$", text, re.MULTILINE)
        self.assertTrue(example, "no curl command is shown")
        line = example.group(0).replace("\\\n", " ").replace("localhost:8080",
                                                              f"localhost:{self.server.port}")
        words = shlex.split(line)
        self.assertEqual(words[0], "curl")
        if shutil.which("curl"):
            answer = subprocess.run(words, capture_output=True, text=True, timeout=10).stdout
        else:
            url = next(w for w in words if w.startswith("http"))
            body = words[words.index("-d") + 1]
            answer = self.server.get(url.removeprefix(self.server.url), None, "POST",
                                     body.encode())[2]
        self.assertIn("tick", json.loads(answer)["ack"])


if __name__ == "__main__":
    unittest.main()
