"""What one operator changes costs the others little: bodies once, rosters and catalogues as changes, nothing large,
nobody closed for what others do."""

import asyncio
import contextlib
import json
import socket
import time

import websockets
from harness import SUBPROTOCOL, Server, ServerTestCase, Viewer, close, joined
from promenade.v1 import creature_pb2, command_pb2 as command, wire_pb2 as wire

LARGEST = 64 * 1024  # bytes of any message that is not a frame


def heavy_body(name, links=30, shapes=16):
    """A tree of small boxes: about 30 KB once encoded."""
    out = creature_pb2.Creature(name=name, color="#808080")
    for i in range(links):
        link = out.links.add(name=f"l{i}", mass_kg=1, inertia_kgm2=[0.01, 0.01, 0.01])
        for k in range(shapes):
            link.shapes.add().box.CopyFrom(creature_pb2.Box(center_m=[0.01 * k, 0, 0],
                                                            half_m=[0.01, 0.02, 0.03]))
        if i > 0:
            out.joints.add(name=f"j{i}", parent="l0", child=f"l{i}", kind=creature_pb2.HINGE,
                           at_parent_m=[0, 0, 0.1], at_child_m=[0, 0, -0.1], axis=[0, 1, 0], kp_nm=10,
                           torque_limit_nm=10, lower_rad=[-1], upper_rad=[1])
    return out


def longer_legs(factor, name="slid"):
    out = creature_pb2.Creature(name=name, base="human")
    out.edit.links.add(link="left_thigh", length=factor)
    return out


async def narrow_viewer(server, rate_hz=30):
    """A viewer that has joined with small buffers and reads only when it is asked to."""
    plain = socket.socket()
    plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    plain.setblocking(False)
    await asyncio.get_running_loop().sock_connect(plain, ("127.0.0.1", server.port))
    connection = await websockets.connect(
        f"ws://localhost:{server.port}/ws", sock=plain, subprotocols=[SUBPROTOCOL], compression=None,
        max_size=2**23, max_queue=1, read_limit=2**12, ping_interval=None)
    viewer = Viewer(connection)
    await viewer.send(join=wire.Join(rate_hz=rate_hz, client="narrow"))
    await viewer.until("roster", timeout=20)
    return viewer


def not_frames(viewer):
    return [(kind, size) for kind, size in viewer.sizes if kind not in ("frame", "details")]


class LargeBodies(ServerTestCase):
    async def test_many_lock_nobody_out(self):
        async with joined(self.server) as watcher, joined(self.server) as operator:
            reading = asyncio.create_task(self.read(watcher))
            await operator.command(pause={})  # so that this does not measure the physics
            refused, spawned = None, 0
            for i in range(140):
                spawn = command.Spawn(body_definition=heavy_body(f"heavy-{i}"), controller="hold",
                                      position_m=[3 * (i % 12), 3 * (i // 12)])
                reply = await operator.ask(command=command.Command(spawn=spawn))
                if isinstance(reply, wire.Ack):
                    spawned += 1
                else:
                    refused = reply
                    break
            self.assertGreater(spawned, 120)
            if refused:
                self.assertEqual((refused.code, refused.field), (wire.BUSY, "spawn.body_definition"))
                self.assertIn("bytes", refused.value)
                self.assertIn("4194304 bytes", refused.allowed)
            # A client that comes now gets in, and gets every body that it asks for.
            async with joined(self.server) as late:
                roster = late.last("roster")
                self.assertEqual(len(roster.entries), spawned + 1)
                frame = await late.until("frame", accept=lambda f: f.roster_version == roster.version)
                self.assertEqual(len(frame.joint), sum(e.dof for e in roster.entries))
                bodies = await late.body(*(e.body for e in roster.entries))
                self.assertEqual(sum(b.name.startswith("heavy-") for b in bodies), spawned)
                self.assertGreater(sum(b.ByteSize() for b in bodies), 3.5e6)
            deadline = time.monotonic() + 20
            while len(watcher.told.roster.entries) < spawned + 1:
                self.assertLess(time.monotonic(), deadline)
                await asyncio.sleep(0.05)
            for viewer in (watcher, operator, late):
                self.assertLessEqual(max(size for _, size in not_frames(viewer)), LARGEST)
            self.assertEqual(self.server.metric("promenade_socket_overflows_total"), 0)
            self.assertFalse(reading.done(), "the watcher was closed")
            reading.cancel()
            # Characters that are taken away leave space again.
            last = max(e.id for e in watcher.told.roster.entries)
            for i in range(2):
                self.assertIsInstance(await operator.command(remove={"character": last - i}), wire.Ack)
            reply = await operator.command(spawn=command.Spawn(body_definition=heavy_body("again")))
            self.assertIsInstance(reply, wire.Ack, reply)
            await operator.command(load_scene={"scene": "one"})

    async def test_one_that_is_too_large_is_refused(self):
        async with joined(self.server) as operator:
            body = heavy_body("vast", links=32)
            for link in body.links:
                for shape in link.shapes:
                    shape.capsule.CopyFrom(creature_pb2.Capsule(
                        from_m=[0.1, 0.2, 0.3], to_m=[0.1, 0.2, -0.3], radius_m=0.05))
                    shape.material.friction = 0.5
                    shape.material.restitution = 0.25
                link.inertia_kgm2[:] = [0.1, 0.1, 0.05]
            for joint in body.joints:
                joint.name += "_of_the_vast_one"
                joint.gain_scale[:] = [1, 1, 1]
                joint.kd_nms = 1
                joint.rest_rad[:] = [0.1]
            self.assertGreater(body.ByteSize(), 48 * 1024)
            reply = await operator.command(spawn=command.Spawn(body_definition=body))
            self.assertEqual((reply.code, reply.field),
                             (wire.INVALID, "spawn.body_definition.links"))
            self.assertIn(str(body.ByteSize()), reply.value)
            self.assertIn("49152", reply.allowed)

    async def test_bodies_that_nobody_has_are_answered_without_one(self):
        async with joined(self.server) as viewer:
            entry = viewer.last("roster").entries[0]
            known, unknown = await viewer.body(entry.body, 12345)
            self.assertEqual(known.name, "human")
            self.assertIsNone(unknown)
            for ids in ([], range(65)):
                reply = await viewer.ask(get_bodies={"body": ids})
                self.assertEqual((reply.code, reply.field, reply.value),
                                 (wire.INVALID, "get_bodies.body", f"{len(ids)} ids"))

    @staticmethod
    async def read(viewer):
        while True:
            await viewer.receive(60)


class Slider(ServerTestCase):
    scene = "bodies"

    async def test_costs_each_viewer_one_body_a_frame_at_most(self):
        async with contextlib.AsyncExitStack() as stack:
            operator = await stack.enter_async_context(joined(self.server))
            # Everybody here has a body of their own.
            for entry in operator.last("roster").entries:
                reply = await operator.command(set_body=command.SetBody(
                    character=entry.id, definition=longer_legs(1 + entry.id / 100)))
                self.assertIsInstance(reply, wire.Ack, reply)
            viewers = [await narrow_viewer(self.server)]
            for _ in range(5):
                viewers.append(await stack.enter_async_context(joined(self.server)))
            ended = asyncio.Event()
            tasks = [asyncio.create_task(self.watch(viewer, ended, 16e3 if viewer is viewers[0] else 1e9))
                     for viewer in viewers]
            before = [(len(v.sizes), v.frames) for v in viewers]
            for i in range(300):
                body = longer_legs(1 + (i % 100) / 200)
                await operator.send(command=command.Command(set_body=command.SetBody(
                    character=1, definition=body)))
                await asyncio.sleep(1 / 60)
                while len(operator.socket.messages) > 0:
                    await operator.receive()
            ended.set()
            await asyncio.gather(*tasks)
            await close(viewers[0].socket)
        one_body = 5000  # bytes, a little more than a human has
        fast = 0
        for viewer, (first, frames) in zip(viewers, before):
            told = viewer.sizes[first:]
            rosters = sum(kind in ("roster", "roster_change") for kind, _ in told)
            other = sum(size for kind, size in told if kind != "frame")
            got = viewer.frames - frames
            with self.subTest(narrow=viewer is viewers[0]):
                self.assertGreater(rosters, 5)
                self.assertLess(other / rosters, 1.5 * one_body)
                self.assertLessEqual(max(size for _, size in told), LARGEST)
            if viewer is viewers[0]:
                slow = got
            else:
                fast = max(fast, got)
        print(f"slider: {fast} frames to a viewer, {slow} to a narrow one")
        # Its line carries three frames a second with a new body each.
        self.assertGreater(slow, fast / 12, "a narrow viewer gets frames, too")

    @staticmethod
    async def watch(viewer, ended, bytes_per_s):
        """Reads as the page does: asks for bodies that it does not know, one request at a time."""
        asked = set()
        while not ended.is_set():
            kind, _ = await viewer.receive(20)
            asked -= viewer.bodies.keys()
            if viewer.told.roster and not asked:
                asked = {e.body for e in viewer.told.roster.entries} - viewer.bodies.keys()
                if asked:
                    await viewer.send(get_bodies={"body": list(asked)})
            await asyncio.sleep(viewer.sizes[-1][1] / bytes_per_s)


class Catalogue(ServerTestCase):
    SAVES = 90

    async def test_many_saves_close_nobody_and_cost_each_viewer_what_changed(self):
        viewers = [await narrow_viewer(self.server) for _ in range(3)]
        async with joined(self.server) as reading:
            if not reading.told.catalogue:
                await reading.until("catalogue")
            first = len(reading.sizes)
            text = "A way to walk. " * 25
            for i in range(self.SAVES):
                body = json.dumps({"lean_deg": i / 10, "description": text}).encode()
                status, _, answer = await asyncio.to_thread(
                    self.server.get, f"/api/v1/styles/walk_{i}", None, "PUT", body)
                self.assertEqual(status, 200, answer)
            await reading.until("catalogue", accept=lambda c: "walk_89" in [e.name for e in c.styles])
            cost = sum(size for kind, size in reading.sizes[first:] if kind != "frame")
            print(f"{self.SAVES} saves: {cost} bytes to a viewer")
            self.assertLess(cost, self.SAVES * 1000)
            for viewer in viewers:
                # It has read nothing meanwhile. It was not closed, and gets the newest state.
                told = lambda: viewer.told.catalogue and [e.name for e in viewer.told.catalogue.styles]
                deadline = time.monotonic() + 20
                while not told() or "walk_89" not in told():
                    self.assertLess(time.monotonic(), deadline)
                    await viewer.receive()
                self.assertEqual(told(), sorted(told()))
                self.assertLessEqual(max(size for _, size in not_frames(viewer)), LARGEST)
                await close(viewer.socket)
            status, _, _ = self.server.get("/api/v1/styles/walk_0", method="DELETE")
            self.assertEqual(status, 200)
            await reading.until("catalogue", accept=lambda c: "walk_0" not in
                                [e.name for e in c.styles])
        self.assertEqual(self.server.metric("promenade_socket_overflows_total"), 0)


class Restart(ServerTestCase):
    async def test_of_the_server_is_another_epoch(self):
        epochs = set()
        for _ in range(2):
            server = Server()
            try:
                async with joined(server) as viewer:
                    epoch = viewer.last("hello").epoch
                    self.assertEqual(viewer.last("scene").epoch, epoch)
                    self.assertLess(epoch, 2**53)
                    epochs.add(epoch)
            finally:
                server.stop()
        self.assertEqual(len(epochs), 2)
