# Ends whatever works below a folder when standard input ends, also where the test was killed, and takes the folder away.
trap '' HUP INT TERM PIPE
cat >/dev/null
for round in 1 2 3 4 5 6 7 8 9 10; do
  left=$({ grep -laF "$1/" /proc/[0-9]*/cmdline; find /proc -maxdepth 2 -name cwd -lname "$1/*";
           find /proc -mindepth 3 -maxdepth 3 -path '/proc/[0-9]*/fd/*' -lname "$1/*"; } 2>/dev/null |
         cut -d / -f 3 | sort -u | grep -vx "$$")
  [ -n "$left" ] || break
  kill -9 $left 2>/dev/null
  sleep 0.1
done
rm -rf "$1"
