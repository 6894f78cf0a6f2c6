# A private PostgreSQL cluster for one test process: made, started, and taken away when standard input ends, which it
# does with the test process however that ends, or when this script is told to end. Nothing but this folder is touched;
# nothing listens on TCP.
#
# Usage: sh private_cluster.sh BIN [SETTING...]     BIN: folder of initdb and postgres; SETTING: name=value
# Prints: the folder of the data and the socket, once the server takes connections.
set -eu
bin=$1; shift
trap 'exit 1' HUP INT TERM
trap '' PIPE                       # whoever waited may be gone: that must not pass the clean-up by
folder=$(mktemp -d "${TMPDIR:-/tmp}/striatum-test.XXXXXX")
[ ${#folder} -le 90 ] || {
  rmdir "$folder"; echo "TMPDIR is too long for a socket below it: $folder" >&2; exit 1
}
take_away() {
  trap '' HUP INT TERM
  "$bin/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null 2>&1 || true
  rm -rf "$folder"
}
trap take_away EXIT
fail() { cat "$folder/log" >&2; exit 1; }

"$bin/initdb" -D "$folder/data" -U postgres --encoding=UTF8 --locale=C.UTF-8 --no-sync >"$folder/log" 2>&1 || fail

# The superuser is reached by the operating system's word alone: this user, and root who started it.
cat >"$folder/data/pg_hba.conf" <<HBA
local all postgres peer map=owner
local all all scram-sha-256
HBA
cat >"$folder/data/pg_ident.conf" <<IDENT
owner $(id -un) postgres
owner root postgres
IDENT
{
  echo "listen_addresses = ''"
  echo "port = 5432                        # part of the socket's name, whatever PGPORT says"
  echo "unix_socket_directories = '$folder'"
  echo "timezone = 'Asia/Kolkata'          # a text that shows a session's zone is off by 5:30 and shows up"
  echo "max_connections = 100"
  echo "fsync = off"
  echo "statement_timeout = 60s            # past that a test counts as hung"
  echo "idle_in_transaction_session_timeout = 60s"
  for setting in "$@"; do echo "$setting"; done
} >>"$folder/data/postgresql.conf"

"$bin/pg_ctl" -D "$folder/data" -l "$folder/log" -w -t 60 start >/dev/null 2>&1 || fail
echo "$folder" || exit 1

# Read in the background, so that a signal is heard at once.
exec 3<&0
cat <&3 >/dev/null &
wait $!
