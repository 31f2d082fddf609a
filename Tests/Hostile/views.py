"""Every view and format of a capture, as words of the command line, for tests that try them all."""

VIEWS = {
    "text": [], "verbose": ["-v", "--lint", "--timeline", "full"], "utc": ["--time", "utc"],
    "delta": ["--time", "delta"], "json": ["--json"], "ndjson": ["-o", "ndjson"], "har": ["-o", "har"],
    "html": ["-o", "html"], "sarif": ["-o", "sarif"], "junit": ["-o", "junit"], "github": ["-o", "github"],
    "openmetrics": ["-o", "openmetrics"], "trace": ["-o", "trace"], "otlp": ["-o", "otlp"], "digest": ["--json", "--digest"],
    "where": ["--where", "gap > 1s or wait > 1s or duration > 1h"], "from": ["--from", "0.001", "--to", "1000000"],
    "assert": ["--assert", "p99(sse.gap) < 250ms", "--assert", "max(http.wait) < 1s"],
    "extract": ["--extract", "{folder}/extract.pcapng"],
}
COMMANDS = {"messages": ["messages"], "check": ["check"], "compare": ["compare", "{plain}"]}


def words(name, capture, folder, plain):
    """The command line of a view over a capture; `plain` is another one, to compare with."""
    own = COMMANDS[name] if name in COMMANDS else VIEWS[name]
    return [word.replace("{folder}", str(folder)).replace("{plain}", str(plain)) for word in [*own, str(capture)]]
