#!/usr/bin/env python3
"""Drives a terminal program in a pty, and times what a person at it sees.

    terminal.py [-n 5] [--size 160x45] [--home DIR] --first REGEX [--type TEXT]... [--paste BYTES]
        -- PROGRAM...

Each run waits until REGEX matches the screen, types every TEXT letter by letter (and deletes it
with ^U), pastes BYTES of words if asked, and leaves with ^C. It prints one line of JSON, each
figure as the median of the runs and the largest:

first_byte_ms   until the first output            first_ms   until REGEX matches
key_ms          from a key to the first output after it, the median of all keys of a run
worst_key_ms    the same of the slowest key       leave_ms   from ^C to the end of the program
paste_ms        from the start of a paste to the first output after it
cpu_ms          processor time of all of a run    peak_mb    memory of all its processes (Linux)

Linux and macOS. The screen is read by a small terminal of its own, which knows what such programs
write: cursor moves, erasing, text. Ends with 1, and shows the screen, where REGEX never matches.
"""
import argparse
import codecs
import fcntl
import json
import os
import pty
import queue
import re
import signal
import statistics
import struct
import sys
import termios
import threading
import time
import unicodedata

# One escape sequence as a whole; what is still without its end waits for the next chunk.
CONTROL, SHORT = r"\[[0-?]*[ -/]*[@-~]", r"[ -/]*[0-OQ-WYZ\\`-~]"
STRING = r"[\]P_^X].*?(?:\x07|\x1b\\)"
SEQUENCE = re.compile(f"\x1b(?:{CONTROL}|{STRING}|{SHORT})", re.S)
QUIET = 0.08
GIVE_UP = 30


class Screen:
    """The cells of a terminal, and what it answers to questions."""

    def __init__(self, columns, rows):
        self.columns, self.rows, self.rest = columns, rows, ""
        self.at, self.saved = [0, 0], [0, 0]
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.erase()

    def erase(self):
        self.cells = [[" "] * self.columns for _ in range(self.rows)]

    def text(self):
        return "\n".join("".join(row).rstrip() for row in self.cells)

    def feed(self, data):
        """Takes output in; gives back what a terminal would answer."""
        text, answers, done = self.rest + self.decoder.decode(data), [], 0
        for found in SEQUENCE.finditer(text):
            self.write(text[done : found.start()])
            answers.append(self.sequence(found.group()))
            done = found.end()
        start = text.find("\x1b", done)
        self.write(text[done : start if start >= 0 else None])
        self.rest = text[start:] if start >= 0 else ""
        return "".join(answers)

    def write(self, text):
        for char in text:
            row, column = self.at
            if char == "\r":
                self.at[1] = 0
            elif char == "\n":
                self.line_feed()
            elif char == "\b":
                self.at[1] = max(column - 1, 0)
            elif char >= " " and not unicodedata.combining(char):
                wide = unicodedata.east_asian_width(char) in "WF"
                if column >= self.columns:
                    self.line_feed()
                    row, column = self.at[0], 0
                self.cells[row][column] = char
                if wide and column + 1 < self.columns:
                    self.cells[row][column + 1] = ""
                self.at[1] = column + 1 + wide

    def line_feed(self):
        if self.at[0] + 1 < self.rows:
            self.at[0] += 1
        else:
            self.cells = self.cells[1:] + [[" "] * self.columns]

    def sequence(self, text):
        if text.startswith(("\x1b]10;?", "\x1b]11;?")):
            return text[:4] + ";rgb:1111/1111/1111\x1b\\"
        if not text.startswith("\x1b["):
            if text == "\x1b7":
                self.saved = list(self.at)
            elif text == "\x1b8":
                self.at = list(self.saved)
            return ""
        if text == "\x1b[6n":
            return f"\x1b[{self.at[0] + 1};{self.at[1] + 1}R"
        if text in ("\x1b[c", "\x1b[0c"):
            return "\x1b[?62;22c"
        if re.fullmatch(r"\x1b\[[0-9;]*[A-Za-z]", text):
            self.control(text[-1], [int(part or 0) for part in text[2:-1].split(";")])
        elif text in ("\x1b[?1049h", "\x1b[?1049l"):
            self.erase()
        return ""

    def control(self, final, numbers):
        row, column = self.at
        count = max(numbers[0], 1)
        if final in "Hf":
            row, column = count - 1, max(numbers[1] if len(numbers) > 1 else 1, 1) - 1
        elif final in "ABCDEF":
            row += {"A": -count, "F": -count, "B": count, "E": count}.get(final, 0)
            column += {"C": count, "D": -count}.get(final, 0)
            column = 0 if final in "EF" else column
        elif final == "G":
            column = count - 1
        elif final == "d":
            row = count - 1
        elif final in "JK":
            self.blank(final, numbers[0])
        self.at = [min(max(row, 0), self.rows - 1), min(max(column, 0), self.columns - 1)]

    def blank(self, final, what):
        """Erases to the end (0), from the start (1) or all (2), of the screen (J) or line (K)."""
        cursor = (self.at[0], self.at[1])
        for row in range(self.rows) if final == "J" else [self.at[0]]:
            for column in range(self.columns):
                here = (row, column)
                if what >= 2 or (here <= cursor if what == 1 else here >= cursor):
                    self.cells[row][column] = " "


class Run:
    def __init__(self, asked):
        columns, rows = map(int, asked.size.split("x"))
        self.screen, self.chunks = Screen(columns, rows), queue.Queue()
        self.start = time.monotonic()
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            size = struct.pack("HHHH", rows, columns, 0, 0)
            fcntl.ioctl(0, termios.TIOCSWINSZ, size)
            home = {"HOME": os.path.abspath(asked.home)} if asked.home else {}
            left = {"TMUX", "NO_COLOR", "CI", "COLUMNS", "LINES"}
            kept = {key: value for key, value in os.environ.items() if key not in left}
            os.execvpe(asked.program[0], asked.program, kept | home | {"TERM": "xterm-256color"})
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        """Stamps output as it comes, so that rendering it takes nothing from the figures."""
        while True:
            try:
                data = os.read(self.terminal, 1 << 16)
            except OSError:
                data = b""
            self.chunks.put((time.monotonic(), data))
            if not data:
                return

    def next(self, seconds):
        """When the next output came, or nothing if none comes in time."""
        try:
            when, data = self.chunks.get(timeout=seconds)
        except queue.Empty:
            return None
        if not data:
            raise EOFError("the program has ended")
        os.write(self.terminal, self.screen.feed(data).encode())
        return when

    def settle(self, seconds):
        while self.next(seconds):
            pass

    def key(self, key):
        """Milliseconds from a key to the first output after it."""
        sent = time.monotonic()
        os.write(self.terminal, key.encode())
        shown = self.next(GIVE_UP)
        if not shown:
            raise TimeoutError(f"nothing is drawn after {key!r}")
        self.settle(QUIET)
        return (shown - sent) * 1000

    def paste(self, size):
        """Milliseconds from the start of a paste of so many bytes to the first output after it."""
        data = b"\x1b[200~" + b"word " * (size // 5) + b"\x1b[201~"
        sent = time.monotonic()
        while data:
            data = data[os.write(self.terminal, data[:4096]) :]
        shown = self.next(GIVE_UP)
        if not shown:
            raise TimeoutError("nothing is drawn after a paste")
        self.settle(QUIET)
        return (shown - sent) * 1000

    def first(self, pattern):
        first_byte, until = None, self.start + GIVE_UP
        while time.monotonic() < until:
            when = self.next(0.25)
            first_byte = first_byte or when
            if when and re.search(pattern, self.screen.text()):
                return (first_byte - self.start) * 1000, (when - self.start) * 1000
        raise TimeoutError(f"{pattern!r} never matches")

    def peak(self):
        """The largest memory of each process of the session, together."""
        kilobytes = 0
        for pid in filter(str.isdigit, os.listdir("/proc") if os.path.isdir("/proc") else []):
            try:
                if os.getsid(int(pid)) == self.child:
                    with open(f"/proc/{pid}/status", encoding="utf-8") as status:
                        found = re.search(r"VmHWM:\s+(\d+)", status.read())
                    kilobytes += int(found[1]) if found else 0
            except OSError:
                continue
        return kilobytes / 1024

    def measure(self, asked):
        first_byte, first = self.first(asked.first)
        self.settle(1)
        keys = []
        for text in asked.type:
            keys += [self.key(letter) for letter in text]
            self.key("\x15")
            self.settle(0.5)
        figures = {"first_byte_ms": first_byte, "first_ms": first, "peak_mb": self.peak()}
        if keys:
            figures |= {"key_ms": statistics.median(keys), "worst_key_ms": max(keys)}
        if asked.paste:
            figures["paste_ms"] = self.paste(asked.paste)
        return figures | self.leave()

    def leave(self):
        """Leaves as a person does. A program that had children has waited for them."""
        sent = time.monotonic()
        os.write(self.terminal, b"\x03")
        usage = os.wait4(self.child, 0)[2]
        self.child = None
        spent = usage.ru_utime + usage.ru_stime
        return {"leave_ms": (time.monotonic() - sent) * 1000, "cpu_ms": spent * 1000}

    def end(self):
        """Ends a program that has not been left."""
        if self.child:
            os.kill(self.child, signal.SIGKILL)
            os.waitpid(self.child, 0)
        # A reader that outlives its run would take the output of the next one, whose terminal gets
        # the same number.
        self.reader.join(1)
        os.close(self.terminal)


def main():
    help = argparse.RawDescriptionHelpFormatter
    options = argparse.ArgumentParser(description=__doc__, formatter_class=help)
    options.add_argument("-n", type=int, default=5, help="runs")
    options.add_argument("--size", default="160x45")
    options.add_argument("--home")
    options.add_argument("--first", required=True)
    options.add_argument("--type", action="append", default=[])
    options.add_argument("--paste", type=int, help="bytes")
    options.add_argument("program", nargs="+")
    asked = options.parse_args()
    # The reader must not wait long for the thread that renders.
    sys.setswitchinterval(0.0005)
    runs = []
    for _ in range(asked.n):
        run = Run(asked)
        try:
            runs.append(run.measure(asked))
        except (TimeoutError, EOFError) as error:
            print(f"terminal.py: {error}\n{run.screen.text()}", file=sys.stderr)
            sys.exit(1)
        finally:
            run.end()
    figures = {key: [run[key] for run in runs] for key in runs[0]}
    median = {key: round(statistics.median(values), 1) for key, values in figures.items()}
    largest = {key: round(max(values), 1) for key, values in figures.items()}
    print(json.dumps({"median": median, "largest": largest}))


if __name__ == "__main__":
    main()
