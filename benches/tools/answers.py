#!/usr/bin/env python3
"""Times what an agent waits for at a server of the MCP protocol on stdio.

    answers.py -- COMMAND...

It prints JSON: the median milliseconds from the start of the process to the first answer, and of
calls of skill_search and skill_load.
"""
import json
import statistics
import subprocess
import sys
import time

STARTS, CALLS = 10, 40
QUERIES = ["pdf form", "database", "release notes", "deploy a service", "chart"]


class Server:
    def __init__(self, command):
        self.begun = time.monotonic()
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)
        self.number = 0
        client = {"name": "answers.py", "version": "1"}
        self.ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=client)
        self.first_ms = (time.monotonic() - self.begun) * 1000
        self.tell({"method": "notifications/initialized"})

    def tell(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0"} | message).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, method, **params):
        """The result of a request. What else the server says is passed over."""
        self.number += 1
        self.tell({"id": self.number, "method": method, "params": params})
        while True:
            message = json.loads(self.process.stdout.readline())
            if message.get("id") == self.number and "method" not in message:
                return message["result"]

    def call(self, tool, **arguments):
        """Milliseconds of a call, and its data."""
        begun = time.monotonic()
        result = self.ask("tools/call", name=tool, arguments=arguments)
        assert not result["isError"], result
        return (time.monotonic() - begun) * 1000, result["structuredContent"]

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def main():
    command = sys.argv[sys.argv.index("--") + 1 :]
    firsts = []
    for _ in range(STARTS):
        server = Server(command)
        firsts.append(server.first_ms)
        server.end()
    server = Server(command)
    # The catalog is read when the first call wants it.
    server.call("skill_search", query=QUERIES[0])
    searches, loads = [], []
    for turn in range(CALLS):
        took, found = server.call("skill_search", query=QUERIES[turn % len(QUERIES)])
        searches.append(took)
        names = [row["name"] for row in found["candidates"]]
        # Another text each time: one that was loaded is not sent again.
        if turn < len(names) and turn < 8:
            loads.append(server.call("skill_load", name=names[turn])[0])
    server.end()
    figures = {"first": firsts, "skill_search": searches, "skill_load": loads}
    # In a small collection the queries may find nothing to load.
    medians = {name: statistics.median(each) for name, each in figures.items() if each}
    print(json.dumps(medians))


if __name__ == "__main__":
    main()
