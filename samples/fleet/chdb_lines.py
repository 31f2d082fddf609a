"""usage: chdb_lines.py GLOB : findings by rule and exchanges by host, with ClickHouse in this process."""
import sys

import chdb

LINES = f"file('{sys.argv[1]}', 'JSONEachRow')"
SETTINGS = "SETTINGS input_format_json_use_string_type_for_ambiguous_paths_in_named_tuples_inference_from_objects = 1"
for query in (
    f"SELECT type, count() FROM {LINES} GROUP BY type ORDER BY type",
    f"SELECT rule, severity, count() FROM {LINES} WHERE type = 'finding' GROUP BY ALL ORDER BY ALL",
    f"SELECT host, count(), quantile(0.99)(timing.waitNs) / 1e9 FROM {LINES} WHERE type = 'exchange' GROUP BY ALL ORDER BY ALL",
):
    print(chdb.query(f"{query} {SETTINGS}", "TabSeparated"))
