# Runs inside of a container: makes the cluster at the first start, and becomes its postmaster. Nothing listens on TCP.
#
# Usage: sh FILE UID GID [SETTING...]
# UID, GID: of the test process. The server runs as that user, or as postgres where that is root; as the operating
# system is the same one inside and outside, it knows there who connects. SETTING: name = value.
set -eu
bin=/usr/lib/postgresql/15/bin data=/var/lib/postgresql/data
if [ "$(id -u)" = 0 ]; then
  user=postgres
  if [ "$1" != 0 ]; then
    getent passwd "$1" >/dev/null || echo "tester:x:$1:$2::/:/bin/sh" >>/etc/passwd
    user=$(getent passwd "$1" | cut -d : -f 1)
  fi
  install -d -o "$user" -m 700 "$data" /run/striatum
  exec setpriv --reuid="$user" --regid="$(id -g "$user")" --init-groups sh "$0" "$@"
fi
shift 2
[ -s "$data/PG_VERSION" ] || make_cluster "$bin" "$data" /run/striatum "$(id -un) root" "$@" >&2
exec "$bin/postgres" -D "$data"
