-- What an operator asks of many captures, in DuckDB's SQL over the lines of -o ndjson:
--
--     CREATE VIEW lines AS SELECT * FROM read_json('lines/*.ndjson');
--
-- Each names the type of the lines that it is about, and has an answer over captures in which nothing is wrong, too.

-- findings by rule, endpoint and day
SELECT rule, endpoint, time::DATE AS day, count(*) AS findings
FROM lines WHERE type = 'finding' GROUP BY ALL ORDER BY findings DESC;

-- cost by endpoint
SELECT host, endpoint, sum(cost.ns) / 1e9 AS seconds
FROM lines WHERE type = 'finding' AND causedBy IS NULL GROUP BY ALL ORDER BY seconds DESC NULLS LAST;

-- gaps between events by path
SELECT x.host, x.endpoint, quantile_cont(p.gapNs, 0.5) / 1e9 AS p50, quantile_cont(p.gapNs, 0.99) / 1e9 AS p99
FROM lines p JOIN lines x ON p.uid = x.uid AND x.type = 'exchange'
WHERE p.type = 'event' GROUP BY ALL ORDER BY p99 DESC NULLS LAST;

-- time to the first byte by five minutes
SELECT time_bucket(INTERVAL 5 MINUTE, time::TIMESTAMP) AS five, avg(timing.waitNs) / 1e9 AS seconds, count(*) AS exchanges
FROM lines WHERE type = 'exchange' GROUP BY ALL ORDER BY five;

-- waits that one in a hundred exceeds, by endpoint over all captures
WITH buckets AS (
  SELECT host, endpoint, histogram.offset + generate_subscripts(histogram.counts, 1) AS upper,
    unnest(histogram.counts) AS n
  FROM lines WHERE type = 'histogram' AND measure = 'waitNs'
), added AS (
  SELECT host, endpoint, upper,
    sum(sum(n)) OVER (PARTITION BY host, endpoint ORDER BY upper) AS below,
    sum(sum(n)) OVER (PARTITION BY host, endpoint) AS every
  FROM buckets GROUP BY host, endpoint, upper
)
SELECT host, endpoint, min(2 ** (upper / 8)) / 1e9 AS p99 FROM added WHERE below >= 0.99 * every GROUP BY ALL;

-- share of errors by host
SELECT host, count(*) AS exchanges, avg((response.status >= 500)::INT) AS share
FROM lines WHERE type = 'exchange' GROUP BY ALL ORDER BY share DESC NULLS LAST;

-- codes that WebSockets were closed with
SELECT label, count(*) AS frames FROM lines WHERE type = 'frame' AND kind = 'close' GROUP BY ALL ORDER BY frames DESC;

-- stalls and who held them
WITH each AS (SELECT host, endpoint, unnest(stream.stalls) AS stall FROM lines WHERE type = 'exchange')
SELECT stall.cause AS cause, stall.direction AS direction, count(*) AS stalls, sum(stall.durationNs) / 1e9 AS seconds
FROM each GROUP BY ALL ORDER BY seconds DESC;

-- loss by server
SELECT server.ip, server.port, sum(toClient.retransmittedBytes) / greatest(sum(toClient.bytes), 1) AS share
FROM lines WHERE type = 'connection' GROUP BY ALL ORDER BY share DESC;

-- the same client in several captures
SELECT client.ip, count(DISTINCT captureId) AS captures
FROM lines WHERE type = 'connection' GROUP BY ALL HAVING captures > 1 ORDER BY captures DESC;

-- what is new since the day before
SELECT DISTINCT rule, fingerprint FROM lines n
WHERE type = 'finding' AND NOT EXISTS (
  SELECT 1 FROM lines o WHERE o.type = 'finding' AND o.fingerprint = n.fingerprint AND o.time::DATE < n.time::DATE);

-- captures that could not be read
SELECT file, message FROM lines WHERE type = 'error';
