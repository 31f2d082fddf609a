"""usage: dask_lines.py CAPTURES : lines by type, with streamscope in the workers of Dask."""
import json
import pathlib
import subprocess
import sys

import dask.bag


def lines(paths):
    process = subprocess.run(["streamscope", "-o", "ndjson", "--jobs", "1", *paths], stdout=subprocess.PIPE)
    return [json.loads(line) for line in process.stdout.splitlines()]


if __name__ == "__main__":
    paths = sorted(str(path) for path in pathlib.Path(sys.argv[1]).rglob("*.pcap*"))
    rows = dask.bag.from_sequence(paths, partition_size=50).map_partitions(lines)
    for kind, count in sorted(rows.pluck("type").frequencies().compute()):
        print(kind, count)
