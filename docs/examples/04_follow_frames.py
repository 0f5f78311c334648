"""PYTHONPATH=. python3 docs/examples/04_follow_frames.py [URL]: prints where the first character is and sends it walking.
Needs Debian's python3-websockets and python3-protobuf, and once: protoc -I proto --python_out=. proto/promenade/v1/*.proto"""
import asyncio, sys, websockets
from promenade.v1 import wire_pb2 as wire

async def main(url):
    async with websockets.connect(url, subprotocols=["promenade.v1"]) as socket:
        await socket.send(wire.ClientMessage(seq=1, join={"client": "example"}).SerializeToString())
        async for data in socket:
            message = wire.ServerMessage.FromString(data)
            if message.roster.entries:  # the characters that are here: others, with other ids, after a scene was loaded
                walk = {"set_velocity": {"character": message.roster.entries[0].id, "x_mps": 0.8, "frame": "WORLD"}}
                await socket.send(wire.ClientMessage(seq=2 + message.roster.version, command=walk).SerializeToString())
            for place in zip(*[iter(message.rest.position)] * 3):  # where things lie still
                print("a thing at x %d mm, y %d mm, z %d mm" % place, flush=True)
            if message.WhichOneof("kind") == "frame":  # the first character's x, y, z in mm
                print("x %d mm, y %d mm, z %d mm" % tuple(message.frame.root_position[:3]), flush=True)

asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "ws://localhost:8080/ws"))
