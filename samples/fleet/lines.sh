#!/bin/sh
# usage: lines.sh CAPTURES LINES
#
# Every capture beneath CAPTURES, on all cores of one machine: fifty files a process, a file of lines for each of these.
# Hidden values have equal hashes in all of them. Exit code 123: a capture could not be read, and a line says which.
set -eu
mkdir -p "$2"
[ -s "$2/salt" ] || head -c 32 /dev/urandom >"$2/salt"
# What an earlier run wrote would count twice.
rm -f "$2"/*.ndjson
find "$1" -type f \( -name '*.pcap' -o -name '*.pcapng' -o -name '*.pcap.gz' \) -print0 |
  sort -z |
  xargs -0 -P "$(nproc)" -n 50 sh -c 'exec streamscope -o ndjson="$0/$$.ndjson" --salt-file "$0/salt" --jobs 1 "$@"' "$2"
