#!/usr/bin/env python3
"""Fills a project of a store with the skills of a folder, by the calls of `serve --http`.

    store.py FOLDER PROJECT -- PROGRAM

PROGRAM is skillpick; its environment says where the store is. What is refused (a skill without a
description, a name that is there already) is left out. It prints how many skills were stored.
"""
import http.client
import json
import re
import subprocess
import sys
import time
from pathlib import Path


def stored(connection, project, file):
    body = {"projectId": project, "name": file.parent.name, "content": file.read_text()}
    headers = {"Content-Type": "application/json", "If-None-Match": "*"}
    connection.request("POST", "/api/skills", json.dumps(body), headers)
    answer = connection.getresponse()
    answer.read()
    # A client may send 200 requests in a second.
    time.sleep(0.005)
    return answer.status == 200


def main():
    folder, project, program = Path(sys.argv[1]), sys.argv[2], sys.argv[4]
    subprocess.run([program, "project", "create", project], check=True, stderr=subprocess.DEVNULL)
    server = subprocess.Popen(
        [program, "serve", "--http", "127.0.0.1:0"], stdin=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True,
    )
    try:
        print(fill(server, folder, project))
    finally:
        server.terminate()
        server.wait()


def fill(server, folder, project):
    port = next(filter(None, (re.search(r"http://[^:]+:(\d+)", line) for line in server.stderr)))[1]
    connection = http.client.HTTPConnection("127.0.0.1", int(port))
    files = sorted(folder.rglob("SKILL.md"))
    return sum(stored(connection, project, file) for file in files)


if __name__ == "__main__":
    main()
