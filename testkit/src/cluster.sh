# What a private cluster and a container share: the files of a cluster, and a keeper's ear for orders. Is read before
# the script that uses it.

# make_cluster BIN DATA SOCKETS LOGINS [SETTING...]
# Makes a cluster in DATA that listens in the folder SOCKETS and nowhere else. LOGINS are users of the operating system
# whose word is enough to be superuser or bootstrap; everybody else has to know a password. Of two SETTINGs of a name
# (name = value) the later one wins.
make_cluster() {
  data_of=$2 sockets=$3 logins=$4
  "$1/initdb" -D "$data_of" -U postgres --encoding=UTF8 --locale=C.UTF-8 --no-sync </dev/null || return 1
  shift 4
  cat >"$data_of/pg_hba.conf" <<HBA
local all postgres,striatum_bootstrap peer map=owner
local all all scram-sha-256
HBA
  for login in $logins; do
    printf 'owner %s %s\n' "$login" postgres "$login" striatum_bootstrap
  done >"$data_of/pg_ident.conf"
  {
    echo "listen_addresses = ''"
    echo "port = 5432                        # part of the socket's name, whatever PGPORT says"
    echo "unix_socket_directories = '$sockets'"
    echo "timezone = 'Asia/Kolkata'          # a text that shows a session's zone is off by 5:30 and shows up"
    echo "max_connections = 100"
    echo "fsync = off"
    echo "statement_timeout = 60s            # past that a test counts as hung"
    echo "idle_in_transaction_session_timeout = 60s"
    for setting in "$@"; do echo "$setting"; done
  } >>"$data_of/postgresql.conf"
}

# until_ready: waits until the server takes connections, as long as it runs. One look that does not find it is not
# believed: on a busy machine a process that has just begun was not seen by one.
until_ready() {
  tries=0 missing=0
  until is_ready; do
    tries=$((tries + 1)) missing=$((missing + 1))
    ! runs || missing=0
    [ "$tries" -lt 600 ] && [ "$missing" -lt 5 ] || return 1
    sleep 0.1
  done
}

# obey: each line of standard input is an order, answered by a line: ok, or what failed. Ends when standard input ends,
# which it does with whoever gives the orders, however that one ends.
obey() {
  while read -r order; do
    answer="failed: $order"
    case $order in
      kill | 'stop fast' | 'stop immediate') runs || answer="cannot $order: it does not run" ;;
      start) ! runs || answer="cannot $order: it runs" ;;
      ready) ;;
      *) answer="unknown: $order" ;;
    esac
    case $answer in failed*)
      case $order in
        kill) kill_server ;;
        start) start_server && until_ready ;;
        ready) until_ready ;;
        stop*) stop_server "${order#stop }" ;;
      esac </dev/null && answer=ok || show_log >&2 ;;
    esac
    echo "$answer" || exit 1         # nobody hears it any more
  done
}
