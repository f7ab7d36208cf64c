"""What check_faults and check_cuda_faults share: commands, the folder they run in, and which of their ends are good."""

import os
import resource
import shutil
import subprocess
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SAMPLE = os.path.join(ROOT, "resources/samples/synthetic_stellate.swc")
EARLIER = b"earlier\n"
TIMED = ("connections.csv", "solve.json")  # files that hold times

GROW = ["grow", "--neurons", "200", "--steps", "40", "--threads", "2", "--checkpoint", "out/a.checkpoint",
        "--checkpoint-every", "10", "--overwrite", "--growth-rate", "0.1", "--out", "out/a.h5"]
SIMULATE = ["simulate", "in/small.hinesight", "--threads", "2", "--out", "out", "--checkpoint", "out/a.checkpoint",
            "--overwrite"]
SESSION = """{"session": 1,
  "cells": [{"name": "c", "file": "a.swc"}],
  "populations": [{"name": "b", "kind": "box", "count": 6, "extent": [50, 50, 50], "cells": ["c"], "models": ["m"]},
                  {"name": "s", "kind": "grid", "size": [3, 2, 1]}],
  "models": [{"name": "m", "kind": "membrane", "axon": "kept",
              "membrane": [{"mechanism": "pas", "parameter": "g", "value": 0.0001}]}],
  "connections": [{"name": "k", "source": "s", "target": "b", "kernel": "gaussian", "sigma": 50,
                   "synapse-place": "soma"}],
  "stimuli": [{"name": "p", "population": "s", "kind": "poisson", "rate": 200}],
  "probes": [{"name": "v", "population": "b", "places": "soma"}],
  "simulate": {"tstop": 3}}"""

resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # of what is started from here


class Results:
    """How runs have ended; kinds of failures beside those that every run may have."""

    def __init__(self, *more):
        kinds = ["runs", "done", "refused", "crashed", "hung", "half files", "no sentence", *more]
        self.counts = dict.fromkeys(kinds, 0)
        self.failures = []
        self.lock = threading.Lock()

    def add(self, kind):
        with self.lock:
            self.counts[kind] += 1

    def failed(self, kind, what):
        self.add(kind)
        self.failures.append(what)
        print("  FAILED " + what, flush=True)

    def __str__(self):
        return ", ".join(f"{count} {what}" for what, count in self.counts.items())


class Place:
    """A folder where one command runs at a time: it reads in/ and writes to out/."""

    def __init__(self, program, top, results, longest):
        self.program, self.top, self.results, self.longest = program, top, results, longest
        self.environment = {**os.environ, "XDG_CACHE_HOME": self.path("cache")}
        for name in ["in", "cache"]:
            os.makedirs(self.path(name))
        shutil.copy(SAMPLE, self.path("in/a.swc"))
        for name, text in [("small", SESSION), ("long", SESSION.replace('"tstop": 3', '"tstop": 60'))]:
            with open(self.path(f"in/{name}.hinesight"), "w") as file:
                file.write(text)

    def path(self, name):
        return os.path.join(self.top, name)

    def start(self, command, **more):
        return subprocess.Popen([self.program, *command], cwd=self.top, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, **{"env": self.environment, **more})

    def talk(self, command, longest=None, **more):
        """Its status (None: it hung), and what it said on stdout and stderr."""
        child = self.start(command, **more)
        try:
            told, said = child.communicate(timeout=longest or self.longest)
            return child.returncode, told.decode(errors="replace"), said.decode(errors="replace")
        except subprocess.TimeoutExpired:
            child.kill()
            child.communicate()
            return None, "", ""

    def run(self, command, longest=None, **more):
        """Its status and what it said on stderr."""
        status, _, said = self.talk(command, longest, **more)
        return status, said

    def files(self):
        found = {}
        for at, _, names in os.walk(self.path("out")):
            for name in names:
                path = os.path.join(at, name)
                with open(path, "rb") as file:
                    found[os.path.relpath(path, self.top)] = file.read()
        return found

    def fresh(self, earlier=()):
        """Nothing is in out/ but files of these names that were there before."""
        shutil.rmtree(self.path("out"), ignore_errors=True)
        os.mkdir(self.path("out"))
        for name in earlier:
            os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
            with open(self.path(name), "wb") as file:
                file.write(EARLIER)

    def judge(self, what, command, status, said, expected, canResume=True):
        """Whether the end of a command, and what it left, is one of those that are good."""
        failed = self.results.failed
        lines = [line for line in said.splitlines() if line.strip() and "warning:" not in line]
        if "HDF5-DIAG" in said:  # the library could not begin, and says so before it can be told to be silent
            lines = lines[-1:]
        if status is None:
            return failed("hung", f"{what}: took more than {self.longest} s")
        if status not in (0, 1):
            return failed("crashed", f"{what}: ended with {status}: {said[-200:]}")
        self.results.add("done" if status == 0 else "refused")
        if status == 1 and (len(lines) != 1 or not lines[0].startswith("hinesight-cli:")):
            return failed("no sentence", f"{what}: says {said[-300:]!r}")
        left = self.files()
        if status == 1 and left.get("out/a.checkpoint") not in (None, EARLIER) and expected.get("out/a.checkpoint"):
            return self.resume(what, command, expected) if canResume else None
        for name, content in left.items():
            isWhole = content == EARLIER or content == expected.get(name) or (name.endswith(TIMED) and name in expected)
            if not isWhole:
                return failed("half files",
                              f"{what}: left {name} of {len(content)} bytes, ended with {status}: {said[-200:]}")
        if status == 0:
            for name, content in expected.items():
                if name not in left or (left[name] != content and not name.endswith(TIMED)):
                    return failed("half files", f"{what}: ended with 0 without a whole {name}")

    def resume(self, what, command, expected):
        """Goes on from the checkpoint that a command left, to the same bytes."""
        again = [each for each in command if each != "--overwrite"]
        status, said = self.run(again + (["--resume"] if command[0] == "grow" else ["--resume", "out/a.checkpoint"]))
        if status != 0 or self.files() != expected:
            self.results.failed("half files",
                                f"{what}: does not go on from what it left, ended with {status}: {said[-200:]}")


def inTurn(queues, chance):
    """One of each queue after the other, each queue and their order by chance, until all are empty: whenever it is
    stopped, each had its share. Yields keys and entries."""
    queues = {name: chance.sample(entries, len(entries)) for name, entries in queues.items()}
    order = chance.sample(list(queues), len(queues))
    while any(queues.values()):
        for name in order:
            if queues[name]:
                yield name, queues[name].pop()


def build(folder, library, source):
    """Compiles a library to be preloaded. Returns its path; None: there is no C compiler."""
    path = os.path.join(folder, library)
    if not shutil.which("cc"):
        return None
    subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", path, os.path.join(HERE, source), "-ldl", "-lpthread"],
                   check=True)
    return path
