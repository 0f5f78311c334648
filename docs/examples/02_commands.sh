#!/bin/sh
# sh 02_commands.sh [URL]: commands with curl alone. URL is http://localhost:8080.
set -eu
api=${1:-http://localhost:8080}/api/v1

# Prints the answer to a command; ends with the server's reason where the command was refused.
tell() {
  answer=$(curl -sS "$api/rooms/main/commands" -d "$1")
  case $answer in
    '{"ack"'*) echo "$answer" ;;
    *) echo "the server refused $1: $answer" >&2 && exit 1 ;;
  esac
}

echo "Scenes that this server has:"
curl -sS "$api/scenes" | grep -o '"name":"[^"]*"'

echo "A child, two metres in front of the origin. The answer has its id:"
tell '{"spawn": {"body": "child", "position_m": [2, 0]}}'
child=$(echo "$answer" | sed 's/.*"character":\([0-9]*\).*/\1/')

echo "A push of 60 N to the left for a tenth of a second, in the middle of its torso:"
tell '{"push": {"character": '"$child"', "force_n": [0, 60, 0]}}'

echo "A command that is wrong changes nothing and says what is allowed:"
curl -sS "$api/rooms/main/commands" -d '{"push": {"character": '"$child"', "force_n": [0, 6000, 0]}}'
