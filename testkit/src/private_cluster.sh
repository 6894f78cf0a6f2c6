# Keeps a private PostgreSQL cluster for one test process: made, started, killed and started again as told, and taken
# away when standard input ends, which it does with the test process however that ends, or when this script is told to
# end. Nothing but its folder is touched; nothing listens on TCP.
#
# Usage: sh private_cluster.sh BIN [SETTING...]     BIN: folder of initdb and postgres; SETTING: name = value
# Prints: the folder of the data and the socket, once the server takes connections; then an answer to each order.
set -eu
bin=$1; shift
trap 'exit 1' HUP INT TERM
trap '' PIPE                       # whoever waited may be gone: that must not pass the clean-up by
folder=$(mktemp -d "${TMPDIR:-/tmp}/striatum-test.XXXXXX")
folder=$(cd "$folder" && pwd -P)   # as the system names it, so that a process is known by its folder
data=$folder/data log=$folder/log
[ ${#folder} -le 90 ] || {
  rmdir "$folder"; echo "TMPDIR is too long for a socket below it: $folder" >&2; exit 1
}
take_away() {
  trap '' HUP INT TERM
  ! runs || stop_server immediate || true
  all_gone
  rm -rf "$folder"
}
trap take_away EXIT

show_log() {
  cat "$log"
  [ -z "$postmaster" ] || echo "process $postmaster: $(cat "/proc/$postmaster/stat" 2>&1)"
}

# A child of this script, so that its number is nobody else's before it is waited for, and no init has to notice a
# killed one: a new server takes an old one for alive as long as nobody did.
postmaster=
runs() { [ -n "$postmaster" ] && [ "$(readlink "/proc/$postmaster/cwd")" = "$data" ]; }

# Some shells say on standard error how it ended.
reap() { wait "$postmaster" 2>/dev/null || true; }

start_server() {
  [ -z "$postmaster" ] || reap
  cd "$data"                       # it is known by its folder from its first moment on
  "$bin/postgres" -D "$data" </dev/null >>"$log" 2>&1 &
  postmaster=$!
  cd /
}

is_ready() { "$bin/pg_isready" -q -h "$folder" -p 5432 -U postgres -d postgres; }

stop_server() {
  "$bin/pg_ctl" -D "$data" -m "$1" -w -t 60 stop >/dev/null 2>&1 || return 1
  reap
  all_gone
}

kill_server() {
  kill -9 "$postmaster" || return 1
  reap
  all_gone
}

# Every process of the server works in its data folder, and nobody else does.
processes() { find /proc -mindepth 2 -maxdepth 2 -name cwd -lname "$data" 2>/dev/null | cut -d / -f 3; }

# A backend that does not look up from its work outlives its postmaster: after some seconds it is ended.
all_gone() {
  tries=0
  while left=$(processes) && [ -n "$left" ]; do
    tries=$((tries + 1))
    if [ "$tries" -ge 25 ]; then kill -9 $left 2>/dev/null || true; fi
    sleep 0.1
  done
}

make_cluster "$bin" "$data" "$folder" "$(id -un) root" "$@" >"$log" 2>&1 && start_server && until_ready ||
  { show_log >&2; exit 1; }
echo "$folder" || exit 1
obey
