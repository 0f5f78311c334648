"""python3 05_things.py [URL]: spawns things, drags, ties, grips and releases them. URL is
http://localhost:8080. Needs nothing but Python."""
import json, sys, time, urllib.request

API = (sys.argv[1] if len(sys.argv) > 1 else "http://localhost:8080") + "/api/v1/rooms/main/"

def command(**what):
    request = urllib.request.Request(API + "commands", json.dumps(what).encode())
    return json.load(urllib.request.urlopen(request))["ack"]

def height(thing):
    """Of the origin of a thing's first link above the plane z = 0, in metres."""
    with urllib.request.urlopen(API + "state") as answer:
        return next(t["position_m"][2] for t in json.load(answer)["things"] if t["id"] == thing)

def drag(thing, target, seconds):
    """A drag ends half a second after the last command, so it is repeated."""
    for _ in range(int(seconds / 0.2)):
        command(drag={"character": thing, "target_m": target})
        time.sleep(0.2)

# Two numbers set a thing down on the ground; three say where the origin of its first link is.
crate = command(spawn_thing={"thing": "small_crate", "position_m": [3, 3]})["character"]
ball = command(spawn_thing={"thing": "ball", "position_m": [3.6, 3]})["character"]
time.sleep(1)  # an answer is a tick ahead of the state
print("a crate and a ball lie at heights of %.2f m and %.2f m" % (height(crate), height(ball)))

drag(crate, [3, 3, 1.5], 3)
print("dragged, the crate is at %.2f m" % height(crate))

# The crate hangs on a hook at 1.5 m in the world: id 0.
hook = command(tie={"tie": {"kind": "BALL", "a": {"id": crate}, "b": {"point_m": [3, 3, 1.5]}}})["tie"]
time.sleep(2)
print("tied, it stays at %.2f m" % height(crate))

# A grip breaks at its greatest force. It draws the ball to the underside of the crate.
grip = command(grip={"a": {"id": ball}, "b": {"id": crate, "point_m": [0, 0, -0.3]}, "max_force_n": 500})["tie"]
time.sleep(2)
print("gripped, the ball hangs at %.2f m" % height(ball))

command(release={"id": grip})
command(release={"id": hook})
time.sleep(6)  # the ball bounces
print("released, they lie at %.2f m and %.2f m" % (height(crate), height(ball)))
for thing in (crate, ball):
    command(remove={"character": thing})
