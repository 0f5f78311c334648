# shellcheck shell=bash disable=SC2034 # the package lists are for the scripts that source this
# Steps shared by scripts/serve, scripts/test and their like: install what is missing, build the
# server, build the page. Every step looks first whether there is anything to do, so that a second
# run takes seconds. Source it; it defines functions and changes to the repository's root.
set -euo pipefail

PROMENADE_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$PROMENADE_ROOT"

BUILD_DIR=build/release
STATE_DIR=build/state # logs, locks and stamps of these scripts
TOOLS_DIR=build/tools # a Node.js where the machine's is too old
mkdir -p "$STATE_DIR"

# Packages that building the server needs: Debian 12's names.
SERVER_PACKAGES=(g++ cmake ninja-build ccache pkg-config libode-dev libboost1.81-dev libeigen3-dev
  libprotobuf-dev protobuf-compiler libspdlog-dev libcli11-dev
  libsqlite3-dev nettle-dev)
# Packages that the tests need besides.
TEST_PACKAGES=(libgtest-dev libgmock-dev clang-format-14 chromium curl python3 python3-websockets
  python3-protobuf)
# To bootstrap the page's tools where the machine has no Node.js of its own.
NODE_PACKAGES=(nodejs npm ca-certificates)
NODE_MAJOR_MIN=18

say() { printf '==> %s\n' "$*"; }
die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# script_help FILE: prints the comment at the top of a script.
script_help() { sed -n '2,/^[^#]/{s/^# \{0,1\}//p}' "$1" | sed '/^shellcheck/d'; }

# One set-up at a time in a checkout: the second waits for the first.
lock_setup() {
  exec 9>"$STATE_DIR/lock"
  if ! flock -n 9; then
    say "Another of these scripts is at work in this checkout; waiting for it"
    flock 9
  fi
}
unlock_setup() { exec 9>&-; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

missing_packages() {
  local installed
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null |
    sed -n 's/^installed //p' || true)
  printf '%s\n' "$@" | grep -vxF -f <(printf '%s\n' "$installed" | sed '/^$/d') || true
}

# The package lists are needed, and fresh enough that the files they name still exist.
refresh_package_lists() {
  local newest
  newest=$(find /var/lib/apt/lists -maxdepth 1 -name '*_Packages*' -mmin -1440 -print -quit)
  if [ "${1:-}" != now ] && [ -n "$newest" ]; then return; fi
  say "Fetching the package lists (apt-get update)"
  as_root apt-get update -q >"$STATE_DIR/apt.log" 2>&1 || {
    tail -n 20 "$STATE_DIR/apt.log" >&2
    die "apt-get update failed; see above and $STATE_DIR/apt.log"
  }
}

# Runs apt-get install; one line for every fifty packages instead of a thousand lines.
# --no-remove: a conflicting package of yours (such as libboost1.74-dev) is named, never removed.
apt_install() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
    --no-remove -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 "$@" 2>&1 </dev/null 9>&- |
    tee "$STATE_DIR/apt.log" |
    awk '/^Get:/ && ++got % 50 == 0 { print "    " got " packages fetched"; fflush() }
         /^Setting up / && ++set % 50 == 0 { print "    " set " packages set up"; fflush() }'
}

# ensure_packages PACKAGE...: installs those that are missing, and only those.
ensure_packages() {
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    die "this script installs Debian packages and apt-get is not here; on another system use" \
      "the image (docker/README.md) or install what is like: $*"
  fi
  local missing
  mapfile -t missing < <(missing_packages "$@")
  if [ "${#missing[@]}" = 0 ]; then return; fi
  # sudo asks for the password here, on the terminal, before output is piped anywhere.
  if [ "$(id -u)" != 0 ] && ! sudo true; then
    die "packages are missing, and installing them needs root or sudo; ask an administrator to run:" \
      "apt-get install --no-install-recommends ${missing[*]}"
  fi
  say "Installing with apt: ${missing[*]}"
  refresh_package_lists
  if ! apt_install "${missing[@]}"; then
    # A list may be there and yet name files that the archive has replaced since.
    refresh_package_lists now
    apt_install "${missing[@]}" || {
      tail -n 20 "$STATE_DIR/apt.log" >&2
      die "apt-get could not install: ${missing[*]} (above and $STATE_DIR/apt.log; these are the" \
        "names of Debian 12)"
    }
  fi
}

# have_node MAJOR: npm is here and the first node in PATH is at least that.
have_node() {
  local major
  command -v npm >/dev/null || return 1
  major=$(node --version 2>/dev/null | sed -n 's/^v\([0-9]*\)\..*/\1/p')
  [ -n "$major" ] && [ "$major" -ge "$1" ]
}

# The page's tools need the Node.js that web/package.json names; older ones are enough to fetch it.
# npm itself must run on it too: npm leaves out optional packages, such as the native part of the
# bundler, that exclude the Node.js it runs on.
ensure_node() {
  local want
  if ! have_node "$NODE_MAJOR_MIN"; then
    ensure_packages "${NODE_PACKAGES[@]}"
    have_node "$NODE_MAJOR_MIN" || die "Node.js $NODE_MAJOR_MIN or later and npm are needed; found" \
      "$(node --version 2>/dev/null || echo none) first in PATH"
  fi
  want=$(sed -n 's/^ *"node": "\([0-9.]*\)".*/\1/p' web/package.json)
  [ -n "$want" ] || die "web/package.json names no exact version of the package \"node\""
  # Unlike Debian's, that one does not know the certificates that this machine trusts.
  if [ -f /etc/ssl/certs/ca-certificates.crt ]; then
    export NODE_EXTRA_CA_CERTS=${NODE_EXTRA_CA_CERTS:-/etc/ssl/certs/ca-certificates.crt}
  fi
  if have_node "${want%%.*}"; then return; fi
  mkdir -p "$TOOLS_DIR"
  once node "$want" "$TOOLS_DIR/node_modules/.bin/node" install_node "$want"
  PATH=$PROMENADE_ROOT/$TOOLS_DIR/node_modules/.bin:$PATH
}
install_node() {
  say "Installing Node.js $1 for the page's tools (npm)"
  npm install --prefix "$TOOLS_DIR" --no-save --no-audit --no-fund --loglevel=error "node@$1" 9>&-
}

# A digest of the contents and names of the files below the given paths.
digest() {
  find "$@" \( -name node_modules -o -path web/dist -o -path web/src/gen \) -prune -o \
    -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -d' ' -f1
}

# once NAME DIGEST FILE COMMAND...: runs the command unless it has run for this digest and its
# result FILE is there still.
once() {
  local stamp=$STATE_DIR/$1.stamp want=$2 result=$3
  shift 3
  if [ -e "$result" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$want" ]; then return; fi
  rm -f "$stamp"
  "$@" || return
  printf '%s\n' "$want" >"$stamp"
}

install_page_tools() {
  say "Installing the page's tools (npm ci)"
  (cd web && npm ci --no-audit --no-fund --loglevel=error 9>&-)
}
ensure_page_tools() {
  ensure_node
  once npm "$(digest web/package.json web/package-lock.json web/.npmrc)" web/node_modules/.package-lock.json \
    install_page_tools
}

build_page() {
  say "Building the page"
  (cd web && npm run --silent build 9>&-)
}
ensure_page() {
  ensure_page_tools
  once page "$(digest web proto server/data/reference)" web/dist/index.html build_page
}

# Compilers of this code take up to about 1.2 GB each; on a small machine use fewer than the cores.
build_jobs() {
  local cores memory_kb by_memory
  cores=$(nproc)
  memory_kb=$(sed -n 's/^MemAvailable: *\([0-9]*\) kB/\1/p' /proc/meminfo 2>/dev/null || true)
  by_memory=$((${memory_kb:-8000000} / 1200000))
  ((by_memory < 1)) && by_memory=1
  echo $((cores < by_memory ? cores : by_memory))
}

# ensure_server on|off TARGET...: configures if need be (with tests once "on" was asked for), builds.
ensure_server() {
  local tests=$1 cache=$BUILD_DIR/CMakeCache.txt
  shift
  if [ -f "$cache" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$PROMENADE_ROOT" "$cache"; then
    say "The checkout has moved; building afresh"
    rm -rf "$BUILD_DIR"
  fi
  if [ ! -f "$BUILD_DIR/build.ninja" ] ||
    { [ "$tests" = on ] && ! grep -q '^PROMENADE_TESTS:[A-Z]*=ON' "$cache"; }; then
    say "Configuring (CMake)"
    cmake --preset release -DPROMENADE_TESTS="${tests^^}" >"$STATE_DIR/cmake.log" 2>&1 9>&- || {
      cat "$STATE_DIR/cmake.log" >&2
      die "CMake could not configure the build; see above"
    }
  fi
  say "Building the server ($*)"
  NINJA_STATUS='    [%f/%t, %es] ' cmake --build "$BUILD_DIR" -j "$(build_jobs)" --target "$@" 9>&-
}
