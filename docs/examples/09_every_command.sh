#!/bin/sh
# sh 09_every_command.sh [URL]: every command once, each with its answer. URL is http://localhost:8080.
# The room shows the scene `one` afterwards. ../protocol.md says what each command does, and
# ../../proto/promenade/v1/command.proto has all fields with units and ranges.
set -eu
room=${1:-http://localhost:8080}/api/v1/rooms/main
# Puts the answer into $answer; ends with the server's reason where the command was refused.
ask() {
  answer=$(curl -sS "$room/commands" -d "$1")
  case $answer in
    '{"ack"'*) ;;
    *) echo "the server refused $1: $answer" >&2 && exit 1 ;;
  esac
}
tell() { ask "$1" && printf '%s\n%s\n' "$1" "$answer"; }
id() { echo "$answer" | sed 's/.*"'"$1"'":\([0-9]*\).*/\1/'; } # of a new character or tie

# Characters and things: the answers to `spawn` and `spawn_thing` have the ids of the new ones.
ask '{"spawn": {"body": "human", "style": "normal", "position_m": [0, 6]}}'
person=$(id character)
ask '{"spawn_thing": {"thing": "crate", "position_m": [2, 6], "yaw_rad": 0.5}}'
crate=$(id character)

# To walk. Velocities are in m/s; the world's x is forward, y left.
tell '{"set_velocity": {"character": '"$person"', "x_mps": 0.8, "y_mps": 0.2, "frame": "WORLD"}}'
tell '{"set_heading": {"character": '"$person"', "heading_rad": 1.57}}'
tell '{"follow_path": {"character": '"$person"', "path": {"points": [{"x_m": 3, "y_m": 6}, {"x_m": 0, "y_m": 8}], "closed": true, "speed_mps": 1}}}'
tell '{"set_wander": {"character": '"$person"', "center_m": [0, 6], "radius_m": 5}}'
tell '{"stop": {"character": '"$person"'}}'

# Tasks of a person with things: see docs/tasks.md.
tell '{"set_tasks": {"character": '"$person"', "tasks": [{"reach": {"point_m": [1, 1, 1.2]}}, {"pick_up": {"thing": '"$crate"'}}, {"put_down": {}}]}}'
tell '{"share_tasks": {"characters": ['"$person"'], "tasks": [{"carry": {"thing": '"$crate"', "position_m": [0, 5]}}]}}'

# The parts of a character: its way of walking, its body, and its controller.
tell '{"set_style": {"character": '"$person"', "style": "march"}}'
tell '{"set_body": {"character": '"$person"', "body": "child"}}'
tell '{"set_controller": {"character": '"$person"', "controller": "limp"}}'

# A creature that plays gaits: another gait, in the shares of its variants, without what it does about its balance, and a leap
# where the gait has one.
ask '{"spawn": {"body": "cat", "controller": "posegraph", "position_m": [4, 6]}}'
cat=$(id character)
tell '{"set_gait": {"character": '"$cat"', "gait": "cat_rack", "weights": [1], "feedback": false}}'
ask '{"set_gait": {"character": '"$cat"', "definition": {"name": "nod", "creature": "cat", "states": [{"duration_s": 0.3}],
  "chain": [{"duration_s": 0.3, "pose": [{"joint": "neck", "at_rad": [0, 0.4, 0]}]}]}}}'
tell '{"leap": {"character": '"$cat"', "size": 0.7}}'

# Forces and places, of characters and things. A drag ends 0.5 s after the last such command.
tell '{"push": {"character": '"$person"', "link": "torso", "force_n": [0, 60, 0], "duration_s": 0.1}}'
tell '{"drag": {"character": '"$crate"', "target_m": [2, 6, 1.5], "max_force_n": 400}}'
tell '{"place": {"character": '"$crate"', "position_m": [2, 6, 1], "heading_rad": 0}}'

# Use of the computer's time: which characters are in full physics.
tell '{"set_level": {"character": '"$person"', "level": "AUTO"}}'
tell '{"set_detail": {"in_physics": 0, "views": [{"eye_m": [-5, -5, 3], "at_m": [0, 0, 1]}]}}'

# Ties: a spring to a point of the world (id 0), and a grip between two bodies.
ask '{"tie": {"tie": {"kind": "SPRING", "a": {"id": '"$crate"'}, "b": {"point_m": [2, 6, 2]}, "length_m": 1, "stiffness_npm": 500}}}'
spring=$(id tie)
tell '{"grip": {"a": {"id": '"$person"', "link": "left_lower_arm"}, "b": {"id": '"$crate"'}, "max_force_n": 50}}'
tell '{"release": {"id": '"$spring"'}}'
tell '{"release": {"character": '"$crate"'}}'

# Back to where it began, and away. `{"reset": {}}` resets every character.
tell '{"reset": {"character": '"$person"'}}'
tell '{"remove": {"character": '"$crate"'}}'

# The room's clock, and its scene.
tell '{"pause": {}}'
tell '{"single_step": {"ticks": 60}}'
tell '{"set_time_scale": {"scale": 0.5}}'
tell '{"set_time_scale": {"scale": 1}}'
tell '{"resume": {}}'

# People who come and go, from the left to the right, in place of those that the scene lets in. `{"set_flow": {}}` lets everybody out.
tell '{"set_flow": {"flow": {"entrances": [{"area": {"center_m": [-12, 0], "size_m": [3, 3]}, "rates": [{"per_minute": 30}]}], "exits": [{"area": {"center_m": [12, 0], "size_m": [3, 3]}}], "most_people": 100}}}'
# They flee from an alarm.
tell '{"alarm": {"center_m": [0, 0], "radius_m": 20, "duration_s": 10}}'
tell '{"load_scene": {"scene": "one"}}'
