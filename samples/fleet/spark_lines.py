"""usage: spark_lines.py CAPTURES : findings by rule, with streamscope on every core that Spark has.

Fifty files a process: what starting it costs is shared. The lines of one partition are read as they come.
"""
import pathlib
import subprocess
import sys

from pyspark.sql import SparkSession


def lines(paths):
    with subprocess.Popen(["streamscope", "-o", "ndjson", "--jobs", "1", *paths], stdout=subprocess.PIPE) as process:
        yield from (line.decode() for line in process.stdout)


spark = SparkSession.builder.appName("streamscope").getOrCreate()
paths = sorted(str(path) for path in pathlib.Path(sys.argv[1]).rglob("*.pcap*"))
batches = spark.sparkContext.parallelize(paths, max(1, -(-len(paths) // 50)))
rows = spark.read.json(batches.mapPartitions(lines)).cache()
rows.groupBy("type").count().orderBy("type").show(50, truncate=False)
rows.where("type = 'finding'").groupBy("rule", "severity").count().orderBy("rule", "severity").show(500, truncate=False)
