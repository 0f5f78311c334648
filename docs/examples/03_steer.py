"""python3 03_steer.py [URL]: spawns a human, lets it walk along the world's y for four seconds and stand still, then
changes its controller: limp, it drops; driven by gbwc again, it gets up and walks on. URL is http://localhost:8080.
Needs nothing but Python."""
import json, sys, time, urllib.request

API = (sys.argv[1] if len(sys.argv) > 1 else "http://localhost:8080") + "/api/v1/rooms/main/"

def command(**what):
    request = urllib.request.Request(API + "commands", json.dumps(what).encode())
    return json.load(urllib.request.urlopen(request))["ack"]  # a refusal raises an HTTPError

def character(number):
    with urllib.request.urlopen(API + "state") as answer:
        return next(c for c in json.load(answer)["characters"] if c["id"] == number)

walker = command(spawn={"body": "human", "position_m": [0, 3]})["character"]
command(set_velocity={"character": walker, "y_mps": 0.8, "frame": "WORLD"})
for _ in range(8):
    time.sleep(0.5)
    now = character(walker)
    print("%s at x %.2f m, y %.2f m" % (now["state"], *now["position_m"][:2]), flush=True)
command(stop={"character": walker})
while character(walker)["state"] != "standing":
    time.sleep(0.2)
print("it stands still")

# A controller is changed while the creature moves; `limp` leaves all joints slack.
command(set_controller={"character": walker, "controller": "limp"})
time.sleep(3)
print("limp, its pelvis is at a height of %.2f m" % character(walker)["position_m"][2])
command(set_controller={"character": walker, "controller": "gbwc"})
command(set_velocity={"character": walker, "y_mps": 0.8, "frame": "WORLD"})
while character(walker)["state"] != "walking":
    time.sleep(0.2)
print("it walks again")
