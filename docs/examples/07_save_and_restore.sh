#!/bin/sh
# sh 07_save_and_restore.sh [PROGRAM [URL]]: a saved state goes on elsewhere as if it had never been saved.
# PROGRAM is build/release/server/app/promenade, URL is http://localhost:8080. The server must be the same
# version of the program with the same data.
set -eu
program=${1:-build/release/server/app/promenade}
room=${2:-http://localhost:8080}/api/v1/rooms/main
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

echo "Ten seconds at once, and four and six seconds in two processes, give the same state hash:"
"$program" run one --seconds 10 --hash
"$program" run one --seconds 4 --save "$folder/state" --hash > "$folder/log"
"$program" run one --seconds 6 --restore "$folder/state" --hash

echo "A room of a server is saved, and runs on for five seconds without the server:"
curl -sS --fail -o "$folder/room" "$room/checkpoint"
scene=$(curl -sS "$room/state" | sed 's/.*"scene":"\([^"]*\)".*/\1/')
"$program" run "$scene" --seconds 5 --restore "$folder/room" --hash

echo "The server's room is taken back to where it was saved:"
curl -sS -X PUT --data-binary "@$folder/room" "$room/checkpoint"
