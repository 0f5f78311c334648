"""Tokens: a file that may change while the server runs, hashes, guesses, invitations."""

import asyncio
import json
import os
import pathlib
import re
import signal
import tempfile
import time
import unittest

from harness import SLOWNESS, Server, ServerTestCase, close_code, connected, joined, run
from promenade.v1 import wire_pb2 as wire

STOP, PAUSE = {"stop": {"character": 1}}, {"pause": {}}


def bearer(token):
    return {"Authorization": f"Bearer {token}"}


class TokenFile(unittest.IsolatedAsyncioTestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.file = pathlib.Path(directory.name) / "tokens"

    def serve(self, text, *arguments):
        self.file.write_text(text)
        server = Server("--guest-role", "viewer", "--token-file", str(self.file), *arguments)
        self.addCleanup(lambda: server.alive() and server.stop())
        return server

    def new_token(self, *arguments):
        """Token and line that the program made."""
        code, out, err = run("token", "new", *arguments)
        self.assertEqual(code, 0, err)
        return re.fullmatch(r"token  (\S+)\nline   (.*)\n", out).groups()

    def test_new_tokens_are_random_and_their_lines_do_not_tell_them(self):
        token, line = self.new_token("operator", "--name", "Ada")
        other, _ = self.new_token("operator")
        self.assertNotEqual(token, other)
        self.assertGreaterEqual(len(token), 32)
        self.assertNotIn(token, line)
        self.assertRegex(line, r"^operator sha256:[0-9a-f]+:[0-9a-f]{64} Ada$")
        server = self.serve(f"# of the lecture\n\n{line}\n")
        self.assertEqual(server.post(STOP, headers=bearer(token))[0], 200)
        self.assertEqual(server.post(PAUSE, headers=bearer(token))[0], 403)
        self.assertEqual(server.post(STOP, headers=bearer(other))[0], 403)
        self.assertNotIn(token, server.log_text())

    def test_lines_are_appended_with_one_salt(self):
        first, line = self.new_token("admin", "--file", self.file)
        second, other = self.new_token("viewer", "--file", self.file)
        self.assertEqual(self.file.read_text(), f"{line}\n{other}\n")
        self.assertEqual(line.split(":")[1], other.split(":")[1])
        self.assertEqual(self.file.stat().st_mode & 0o077, 0, "only its owner may read it")
        server = self.serve(self.file.read_text())
        self.assertEqual(server.post(STOP, headers=bearer(first))[0], 200)
        self.assertEqual(server.post(STOP, headers=bearer(second))[0], 403)

    def test_a_token_for_one_room_is_as_good_as_none_elsewhere(self):
        server = self.serve("operator of-the-lab-only - lab\n", "--room", "main:one,lab:one")
        self.assertEqual(server.post(STOP, "lab", bearer("of-the-lab-only"))[0], 200)
        self.assertEqual(server.post(STOP, "main", bearer("of-the-lab-only"))[0], 403)

    async def test_a_token_that_is_taken_out_loses_its_role_while_connected(self):
        server = self.serve("operator first-token-0\nviewer other-token-0\n")
        async with joined(server, token="first-token-0") as viewer:
            self.assertIsInstance(await viewer.command(**STOP), wire.Ack)
            self.file.write_text("operator second-token\nviewer other-token-0\n")
            rights = await viewer.until("rights", timeout=20)
            self.assertEqual(rights.role, "viewer")
            self.assertIn("no longer valid", rights.text)
            self.assertNotIn("stop", rights.commands)
            reply = await viewer.command(**STOP)
            self.assertEqual(reply.code, wire.FORBIDDEN)
        self.assertEqual(server.post(STOP, headers=bearer("first-token-0"))[0], 403)
        self.assertEqual(server.post(STOP, headers=bearer("second-token"))[0], 200)

    def test_sighup_reads_it_again(self):
        server = self.serve("operator first-token-0\n")
        self.file.write_text("operator other-token-0\n")
        server.process.send_signal(signal.SIGHUP)
        self.wait_for(lambda: server.post(STOP, headers=bearer("other-token-0"))[0] == 200)
        self.assertTrue(server.alive())

    def test_a_mistake_names_file_and_line_and_changes_nothing(self):
        server = self.serve("operator first-token-0\n")
        self.file.write_text("operator first-token-0\nking other-token-0\n")
        self.wait_for(lambda: "tokens:2: role" in server.log_text())
        self.assertIn("king", server.log_text())
        self.assertNotIn("other-token-0", server.log_text())
        self.assertEqual(server.post(STOP, headers=bearer("first-token-0"))[0], 200)
        for text, part in (("king a-token-of-it\n", ":1: role"), ("admin short\n", ":1: token"),
                           ("\n#\nadmin sha256:xy:12\n", ":3: hash"),
                           ("admin a-token-of-it - - -\n", ":1: line"),
                           ("admin a-token-of-it\nviewer a-token-of-it\n", ":2: token")):
            self.file.write_text(text)
            code, _, err = run("serve", "--port", "0", "--token-file", self.file)
            self.assertEqual(code, 1, text)
            self.assertIn(f"{self.file}{part}", err)
            self.assertNotIn("a-token-of-it", err)

    def wait_for(self, holds):
        deadline = time.monotonic() + 20
        while not holds():
            self.assertLess(time.monotonic(), deadline, "it did not come")
            time.sleep(0.2)


class WrongTokens(ServerTestCase):
    def test_are_refused_by_every_read(self):
        for path in ("/api/v1/rooms", "/api/v1/scenes", "/api/v1/rooms/main",
                     "/api/v1/rooms/main/state", "/api/v1/styles"):
            status, _, text = self.server.get(path, {"Authorization": "Bearer wrong-token"})
            self.assertEqual((status, json.loads(text)["error"]["field"]), (403, "Authorization"), path)
            self.assertEqual(self.server.get(path)[0], 200, "none is a guest's")


class Guesses(unittest.IsolatedAsyncioTestCase):
    def seconds(self, ask):
        began = time.monotonic()
        return ask(), time.monotonic() - began

    async def test_slow_down_answers_and_refuse_nobody_else(self):
        server = Server("--guest-role", "viewer", "--token", "operator:the-right-one")
        try:
            wrong = [server.post(STOP, headers=bearer(f"guess-{i:04}"))[0] for i in range(12)]
            self.assertEqual(wrong, [403] * 10 + [429] * 2)
            (status, _), took = self.seconds(lambda: server.post(STOP, headers=bearer("the-right-one")))
            self.assertEqual(status, 200)
            self.assertGreater(took, 0.9, "or all tokens could be tried as quickly")
            me = {**bearer("the-right-one"), "Promenade-Visitor": "my-key-that-nobody-has"}
            self.assertEqual(server.post(STOP, headers=me)[0], 200)
            (status, _), took = self.seconds(lambda: server.post(STOP, headers=me))
            self.assertEqual(status, 200)
            self.assertLess(took, 0.9 * SLOWNESS, "a visitor who was there before does not wait")
            for path in ("/api/v1/rooms", "/api/v1/styles", "/readyz", "/metrics"):
                _, took = self.seconds(lambda path=path: server.get(path, bearer("guess-again")))
                self.assertGreater(took, 0.9, path)
                _, took = self.seconds(lambda path=path: server.get(path))
                self.assertLess(took, 0.9 * SLOWNESS, path)
            async with connected(server) as viewer:  # what follows a join waits for it
                began = time.monotonic()
                await viewer.send(join=wire.Join(token="the-right-one"))
                await viewer.send(command=STOP)
                self.assertEqual((await viewer.until("hello")).role, wire.OPERATOR)
                self.assertGreater(time.monotonic() - began, 0.9)
                self.assertEqual((await viewer.until("ack", "error")).DESCRIPTOR.name, "Ack")
            async with connected(server) as viewer:
                await viewer.send(join=wire.Join(token="a-wrong-one"))
                self.assertEqual((await close_code(viewer))[0], 1008)
                self.assertEqual(viewer.last("error").code, wire.RATE_LIMITED)
            async with joined(server) as guest:  # guests are let in
                await guest.until("frame")
        finally:
            server.stop()

    def test_from_a_wide_network_are_counted_together(self):
        server = Server("--guest-role", "viewer", "--token", "operator:the-right-one",
                        "--trusted-proxy", "127.0.0.0/8,::1")
        try:
            def guess(address, token="a-wrong-one"):
                return server.post(STOP, headers={**bearer(token), "X-Forwarded-For": address})[0]

            self.assertEqual([guess(f"2001:db8:7:{i:x}::1") for i in range(40)], [403] * 40)
            self.assertEqual(guess("2001:db8:7:ffff::1"), 429)
            self.assertEqual(guess("2001:db8:7:fffe::1", "the-right-one"), 200)
            self.assertEqual(guess("2001:db8:8::1"), 403, "others are free")
            self.assertEqual([guess(f"2001:db8:{i + 16:x}::1") for i in range(118)], [403] * 118)
            self.assertEqual(guess("2001:db8:9::1"), 429)
            self.assertEqual(guess("2001:db9::1"), 403)
        finally:
            server.stop()


class InvitationLinks(ServerTestCase):
    arguments = ("--guest-role", "viewer", "--token", "admin:admin-token-1",
                 "--room", "main:one,lab:one")

    def invite(self, status=200, **wish):
        got, _, text = self.server.get("/api/v1/invitations", bearer("admin-token-1"), "POST",
                                       json.dumps(wish).encode())
        self.assertEqual(got, status, text)
        return json.loads(text)

    def token_of(self, link):
        found = re.fullmatch(r"/\?room=(\w+)#invite=([0-9a-f]{32})", link)
        self.assertTrue(found, link)
        return found.groups()

    async def test_give_a_role_in_a_room_to_so_many_visitors(self):
        made = self.invite(role="operator", room="lab", uses=2, seconds=600, name="class")
        room, token = self.token_of(made["link"])
        self.assertEqual(room, "lab")
        keys = [f"key-of-a-visitor-{i}" for i in range(3)]
        for key in keys[:2] + keys[:1]:  # a visitor who comes back counts once
            self.assertEqual((await self.join(token, "lab", key)).role, wire.OPERATOR)
        refused = await self.join(token, "lab", keys[2])
        self.assertEqual(refused.code, wire.FORBIDDEN)
        self.assertIn("used", refused.value)
        self.assertEqual((await self.join(token, "main", keys[0])).role, wire.VIEWER)
        listed = json.loads(self.server.get("/api/v1/invitations",
                                            bearer("admin-token-1"))[2])["invitations"]
        mine = next(one for one in listed if one["id"] == made["id"])
        self.assertEqual((mine["used"], mine["uses"], mine["link"]), (2, 2, ""))
        self.assertNotIn(token, json.dumps(listed))

    async def test_are_revoked_at_once(self):
        made = self.invite(role="operator", room="main")
        _, token = self.token_of(made["link"])
        async with joined(self.server, token=token) as viewer:
            status, _, text = self.server.get(f"/api/v1/invitations/{made['id']}",
                                              bearer("admin-token-1"), "DELETE")
            self.assertEqual(status, 200, text)
            self.assertEqual((await viewer.until("rights", timeout=20)).role, "viewer")

    async def test_that_are_revoked_give_nothing_from_the_answer_on(self):
        for _ in range(5):
            made = self.invite(role="operator", room="main")
            _, token = self.token_of(made["link"])
            async with joined(self.server, token=token) as viewer:
                self.assertIsInstance(await viewer.command(**STOP), wire.Ack)
                status = await asyncio.to_thread(lambda made=made: self.server.get(
                    f"/api/v1/invitations/{made['id']}", bearer("admin-token-1"), "DELETE")[0])
                self.assertEqual(status, 200)
                for _ in range(3):
                    self.assertEqual((await viewer.command(**STOP)).code, wire.FORBIDDEN)

    def test_are_for_admins_and_checked(self):
        for wish, field in (({"role": "king", "room": "main"}, "role"),
                            ({"role": "player", "room": "cellar"}, "room"),
                            ({"role": "player", "seconds": 3}, "seconds"),
                            ({"role": "player", "uses": 99999}, "uses")):
            status = 404 if field == "room" else 400
            self.assertEqual(self.invite(status, **wish)["error"]["field"], field)
        for method in ("GET", "POST"):
            self.assertEqual(self.server.get("/api/v1/invitations", None, method, b"{}"
                                             if method == "POST" else None)[0], 403)

    async def join(self, token, room, key):
        """Hello, or the error."""
        async with connected(self.server) as viewer:
            await viewer.send(join=wire.Join(token=token, room=room, visitor_key=key))
            return await viewer.until("hello", "error")


class KeptInvitations(unittest.TestCase):
    def test_are_there_after_a_restart(self):
        with tempfile.TemporaryDirectory() as directory:
            arguments = ("--store", f"{directory}/store.db", "--guest-role", "viewer",
                         "--token", "admin:admin-token-1")
            server = Server(*arguments)
            try:
                _, _, text = server.get("/api/v1/invitations", bearer("admin-token-1"), "POST",
                                        b'{"role": "operator"}')
                token = json.loads(text)["link"].split("=")[-1]
                self.assertEqual(server.post(STOP, headers=bearer(token))[0], 200)
            finally:
                server.stop()
            stored = b"".join(path.read_bytes() for path in pathlib.Path(directory).iterdir())
            self.assertNotIn(token.encode(), stored)
            server = Server(*arguments)
            try:
                self.assertEqual(server.post(STOP, headers=bearer(token))[0], 200, "its visitor")
                again = {**bearer(token), "Promenade-Visitor": "another-visitor-key"}
                self.assertEqual(server.post(STOP, headers=again)[0], 403, "it had one use")
            finally:
                server.stop()

    def test_outlive_a_clock_that_was_ahead_for_a_while(self):
        with tempfile.TemporaryDirectory() as directory:
            ahead = pathlib.Path(directory) / "ahead"
            arguments = ("--store", f"{directory}/store.db", "--guest-role", "viewer",
                         "--token", "admin:admin-token-1")
            variables = {"LD_PRELOAD": os.environ["PROMENADE_FAULTS"], "CLOCK_AHEAD": str(ahead)}

            def listed(server):
                return len(json.loads(server.get("/api/v1/invitations", bearer("admin-token-1"))[2])
                           .get("invitations", []))

            server = Server(*arguments, variables=variables)
            try:
                _, _, text = server.get("/api/v1/invitations", bearer("admin-token-1"), "POST",
                                        b'{"role": "operator", "seconds": 3600}')
                token = json.loads(text)["link"].split("=")[-1]
                self.assertEqual(server.post(STOP, headers=bearer(token))[0], 200)
                ahead.write_text("315360000")
                time.sleep(1.5)
                self.assertEqual(server.post(STOP, headers=bearer(token))[0], 403, "it has ended")
                self.assertEqual(listed(server), 0)
                ahead.unlink()
                self.assertEqual(server.post(STOP, headers=bearer(token))[0], 200, "it has not")
                self.assertEqual(listed(server), 1)
                ahead.write_text("315360000")
            finally:
                server.stop()
            server = Server(*arguments, variables=variables)  # as after a start without a clock
            try:
                self.assertEqual(server.post(STOP, headers=bearer(token))[0], 403)
                time.sleep(1.5)
            finally:
                server.stop()
            ahead.unlink()
            server = Server(*arguments, variables=variables)
            try:
                self.assertEqual(server.post(STOP, headers=bearer(token))[0], 200)
            finally:
                server.stop()

    def test_are_answered_once_they_are_on_the_disk(self):
        with tempfile.TemporaryDirectory() as directory:
            switch = pathlib.Path(directory) / "faults"
            below = pathlib.Path(directory) / "below"
            server = Server("--store", below / "store.db", "--token", "admin:admin-token-1",
                            variables={"LD_PRELOAD": os.environ["PROMENADE_FAULTS"],
                                       "FAULTS_BELOW": str(below), "FAULTS_WHILE": str(switch)})
            try:
                def ask(method, path, body=None):
                    status, _, text = server.get(f"/api/v1{path}", bearer("admin-token-1"), method,
                                                 body)
                    return status, json.loads(text)

                made = ask("POST", "/invitations", b'{"role": "operator"}')[1]["id"]
                new = switch.with_suffix(".new")
                new.write_text("fsync 1 5 0")
                new.rename(switch)
                for method, path, body in (("POST", "/invitations", b'{"role": "operator"}'),
                                           ("DELETE", f"/invitations/{made}", None)):
                    status, answer = ask(method, path, body)
                    self.assertEqual((status, answer["error"]["field"]), (500, "store"), answer)
                switch.unlink()
                self.assertEqual(ask("POST", "/invitations", b'{"role": "operator"}')[0], 200)
            finally:
                server.stop()


if __name__ == "__main__":
    unittest.main()
