# Keeps a PostgreSQL server in a container for one test process: stopped, killed and started again as told, and taken
# away when standard input ends, which it does with the test process however that ends, or when this script is told to
# end. The test process makes the container, named as the folder that is made here.
#
# Usage: sh container.sh
# Prints: the folder that the container puts its socket into; then an answer to each order.
set -eu
trap 'exit 1' HUP INT TERM
trap '' PIPE                       # whoever waited may be gone: that must not pass the clean-up by
folder=$(mktemp -d "${TMPDIR:-/tmp}/striatum-test.XXXXXX")
name=${folder##*/}
[ ${#folder} -le 80 ] || {
  rmdir "$folder"; echo "TMPDIR is too long for a socket below it: $folder" >&2; exit 1
}
mkdir "$folder/socket"             # the container's user owns this one, and only we can come so far
engine() { timeout 60 docker "$@"; }
take_away() {
  trap '' HUP INT TERM
  tries=0                          # the engine may still be making it, for somebody who has ended
  until engine container inspect "$name" >/dev/null 2>&1 || [ "$tries" -ge 20 ]; do
    tries=$((tries + 1))
    sleep 0.1
  done
  engine rm -f -v "$name" >/dev/null 2>&1 || true
  rm -rf "$folder"
}
trap take_away EXIT

show_log() { engine logs "$name"; }

runs() { [ "$(engine container inspect -f '{{.State.Running}}' "$name")" = true ]; }

start_server() { engine start "$name" >/dev/null; }

is_ready() {
  engine exec "$name" /usr/lib/postgresql/15/bin/pg_isready -q -h /run/striatum -U postgres -d postgres 2>/dev/null
}

# The postmaster is the container's first process: when it has ended, all the others have.
signal() { engine kill -s "$1" "$name" >/dev/null && engine wait "$name" >/dev/null; }

stop_server() {
  case $1 in
    fast) signal INT ;;
    immediate) signal QUIT ;;
  esac
}

kill_server() { signal KILL; }

echo "$folder/socket" || exit 1
obey
