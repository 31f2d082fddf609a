"""usage: duckdb_lines.py LINES... : answers each question of questions.sql over files of lines."""
import pathlib
import re
import sys

import duckdb

duckdb.sql(f"CREATE TABLE lines AS SELECT * FROM read_json({sys.argv[1:]!r})")
text = (pathlib.Path(__file__).parent / "questions.sql").read_text()
for name, query in re.findall(r"^-- (.+)\n((?:(?!--).+\n)+)", text, re.MULTILINE):
    print(f"\n{name}")
    print(duckdb.sql(query.strip().removesuffix(";")))
