"""usage: duckdb_tables.py TABLES : findings, and gaps between events, from what -o parquet=TABLES wrote."""
import sys

import duckdb

for name in ("captures", "connections", "exchanges", "pieces", "findings", "histograms"):
    duckdb.sql(f"CREATE VIEW {name} AS SELECT * FROM read_parquet('{sys.argv[1]}/{name}/*.parquet')")
for query in (
    "SELECT (SELECT count(*) FROM captures), (SELECT count(*) FROM exchanges), (SELECT count(*) FROM findings)",
    "SELECT rule, severity, count(*) FROM findings GROUP BY ALL ORDER BY ALL",
    "SELECT x.host, x.endpoint, quantile_cont(p.gapNs, 0.5) / 1e9 AS p50, quantile_cont(p.gapNs, 0.99) / 1e9 AS p99 "
    "FROM pieces p JOIN exchanges x ON p.uid = x.uid WHERE p.type = 'event' GROUP BY ALL ORDER BY ALL",
):
    for row in duckdb.sql(query).fetchall():
        print(*row, sep="\t")
