# shellcheck shell=bash
# A share of what takes long, for changes: K/N is the K-th of N shares, which are the whole when put together. Source
# it after setup.sh.

# check_share K/N: ends the script unless that is a share.
check_share() {
  local k=${1%%/*} n=${1##*/}
  [[ ${1:-} =~ ^[1-9]/[1-9]$ ]] && ((k <= n)) ||
    die "--share is \"${1:-}\"; allowed: K/N, the K-th of N shares, from 1/1 to 9/9"
}

# share_of_commit N: the share of N that the present commit is checked with, so that a run can be repeated and each
# share has its turn.
share_of_commit() {
  local commit
  commit=$(git rev-parse HEAD 2>/dev/null) || commit=0
  echo "$((16#${commit:0:6} % $1 + 1))/$1"
}
