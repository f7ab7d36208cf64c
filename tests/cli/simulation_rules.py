"""Reads the output of a simulation with h5py alone and says what breaks the SONATA Developer Guide ("Output file
formats"), a line for each; the last line counts spikes and frames.

usage: simulation_rules.py FOLDER REPORT...
"""

import sys

import h5py
import numpy

BROKEN = []


def require(holds, sentence):
    if not holds:
        BROKEN.append(sentence)


folder = sys.argv[1]
with h5py.File(folder + "/spikes.h5", "r") as file:
    require(file.attrs["magic"] == 0x0A7A, "spikes.h5 has another magic number")
    spikes = 0
    lines = set()
    for name, group in file["spikes"].items():
        times, nodes = group["timestamps"][()], group["node_ids"][()]
        require(times.dtype == numpy.float64 and nodes.dtype == numpy.uint64, f"{name} has other types")
        require(len(times) == len(nodes), f"{name} has not as many nodes as times")
        require((numpy.diff(times) >= 0).all(), f"{name} is not by time")
        require(group.attrs["sorting"] == "by_time", f"{name} does not say that it is by time")
        require(group["timestamps"].attrs["units"] == "milliseconds", f"{name} has no units")
        spikes += len(times)
        lines |= {(time, name, node) for time, node in zip(times, nodes)}
with open(folder + "/spikes.csv", encoding="ascii") as file:
    require(file.readline() == "timestamps population node_ids\n", "spikes.csv has other columns")
    rows = [line.split(" ") for line in file]
    require({(float(t), p, int(n)) for t, p, n in rows} == lines, "spikes.csv has other spikes")

frames = 0
for report in sys.argv[2:]:
    with h5py.File(f"{folder}/{report}", "r") as file:
        for name, group in file["report"].items():
            data, mapping = group["data"], group["mapping"]
            ids, pointers = mapping["node_ids"][()], mapping["index_pointers"][()]
            start, stop, step = mapping["time"][()]
            require(data.ndim == 2, f"{report} has no frames")
            require(data.shape[0] == round((stop - start) / step), f"{report} has another number of frames")
            require(len(pointers) == len(ids) + 1, f"{report} has not a pointer for each node and the end")
            require(pointers[0] == 0 and pointers[-1] == data.shape[1], f"{report} has pointers to nowhere")
            require((mapping["index_pointer"][()] == pointers).all(), f"{report} has two kinds of pointers")
            require(len(mapping["element_ids"]) == data.shape[1], f"{report} has not a section for each element")
            positions = mapping["element_pos"][()]
            require(((positions > 0) & (positions < 1)).all(), f"{report} has positions off their sections")
            require(data.attrs["units"] in ("mV", "mM"), f"{report} has no units")
            require(numpy.isfinite(data[()]).all(), f"{report} has values that are no numbers")
            frames += data.shape[0]

for sentence in BROKEN:
    print(sentence)
print(f"{spikes} spikes, {frames} frames")
