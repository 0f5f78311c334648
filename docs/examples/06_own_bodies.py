"""python3 06_own_bodies.py [URL]: brings your own creature and thing into a room, from the files beside
this program. URL is http://localhost:8080. docs/creatures.md tells how such files are written."""
import json, pathlib, sys, time, urllib.request

API = (sys.argv[1] if len(sys.argv) > 1 else "http://localhost:8080") + "/api/v1/"
HERE = pathlib.Path(__file__).parent

def ask(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(API + path, data, method=method)) as answer:
        return json.load(answer)

def command(**what):
    return ask("POST", "rooms/main/commands", what)["ack"]

# Saved once under a name, a creature can be spawned in every room. A save must name the version it replaces.
nodder = json.loads((HERE / "06_creature.json").read_text())
newest = [e["version"] for e in ask("GET", "bodies")["entries"] if e["name"] == "nodder"]
saved = ask("PUT", "bodies/nodder?version=%s" % (newest[0] if newest else 0), nodder)["saved"]
print("saved %s, version %s" % (saved["name"], saved["version"]))
creature = command(spawn={"body": "nodder", "position_m": [0, -3]})["character"]

# A definition may also be sent whole with the command: it belongs to that one body.
dumbbell = json.loads((HERE / "06_thing.json").read_text())
thing = command(spawn_thing={"thing_definition": dumbbell, "position_m": [0.6, -3]})["character"]

# No controller was named and a nodder is no biped, so `hold` keeps it in its rest pose.
command(push={"character": creature, "link": "head", "force_n": [-25, 0, 0]})
time.sleep(3)
state = ask("GET", "rooms/main/state")
print([c["body"] + " " + c["state"] for c in state["characters"] if c["id"] == creature])
print([t["thing"] + (" asleep" if t["asleep"] else " awake") for t in state["things"] if t["id"] == thing])
for body in (creature, thing):
    command(remove={"character": body})
