"""Says where the configuration of a simulation breaks the rules of the SONATA Developer Guide ("Simulation
configuration", "Node sets", "Spike trains"), a line for each place.

usage: configuration_rules.py simulation_config.json

Files are read by h5py alone. The last line counts what was looked at. sonata_rules.py looks at its circuit.
"""

import json
import os
import sys

import h5py
import numpy

BROKEN = []


def require(holds, sentence):
    if not holds:
        BROKEN.append(sentence)
    return holds


def read_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def resolved(config, path):
    for name, value in config["manifest"].items():
        path = path.replace(name, value)
    require("$" not in path, f"{path} names a variable that the manifest has not")
    return os.path.join(os.path.dirname(sys.argv[1]), path)


def check_run(config):
    run = config["run"]
    for name in ("tstop", "dt", "dL", "spike_threshold"):
        require(isinstance(run.get(name), (int, float)), f"run has no {name}")
    require(run["tstop"] > 0 and run["dt"] > 0 and run["dL"] > 0, "run has a time or a length that is not above 0")
    require(isinstance(config["conditions"].get("celsius"), (int, float)), "conditions have no celsius")


def nodes_of(circuit):
    """The ids of the nodes of each population, and which are virtual."""
    ids, virtual = {}, set()
    for entry in circuit["networks"]["nodes"]:
        with h5py.File(resolved(circuit, entry["nodes_file"]), "r") as file:
            for name, population in file["nodes"].items():
                ids[name] = set(population["node_id"][()].tolist())
        with open(resolved(circuit, entry["node_types_file"]), encoding="ascii") as file:
            if " virtual " in file.read():
                virtual.add(name)
    return ids, virtual


def check_set(name, sets, ids):
    """The populations of a set of nodes, whose ids are all there."""
    if not require(name == "all" or name in sets, f"the set of nodes {name} is not there"):
        return set()
    if name == "all":
        return set(ids)
    definition = sets[name]
    if isinstance(definition, list):
        return set().union(*(check_set(each, sets, ids) for each in definition))
    population = definition.get("population")
    require(population in ids, f"the set {name} is of {population}, which is no population")
    wanted = set(definition.get("node_id", []))
    require(wanted <= ids.get(population, set()), f"the set {name} has nodes that {population} has not")
    return {population}


def check_input(config, name, entry, populations, virtual, ids):
    kind, module = entry["input_type"], entry["module"]
    if kind == "spikes":
        require(module == "sonata", f"{name} reads spikes of {module}")
        require(populations <= virtual, f"{name} makes nodes spike that are simulated")
        with h5py.File(resolved(config, entry["input_file"]), "r") as file:
            require(set(file["spikes"]) == populations, f"{name} has spikes of other populations")
            for population, group in file["spikes"].items():
                times, nodes = group["timestamps"][()], group["node_ids"][()]
                require(len(times) == len(nodes) and times.dtype == numpy.float64, f"{name} has other columns")
                require((times >= 0).all() and (numpy.diff(times) >= 0).all(), f"{name} is not by time")
                require(set(nodes.tolist()) <= ids[population], f"{name} has spikes of nodes that are not there")
                return len(times)
    require(not populations & virtual, f"{name} goes into virtual nodes")
    needed = {
        "IClamp": {"amp", "delay", "duration"},
        "SEClamp": {"amps", "durations", "rs"},
        "sinusoidal": {"amp_start", "frequency", "delay", "duration"},
        "ornstein_uhlenbeck": {"mean", "sigma", "tau", "delay", "duration"},
    }
    require(kind in ("current_clamp", "voltage_clamp"), f"{name} is of the type {kind}")
    require(needed.get(module, {"?"}) <= set(entry), f"{name} lacks what {module} needs")
    return 0


def main():
    config = read_json(sys.argv[1])
    check_run(config)
    circuit = read_json(resolved(config, config["network"]))
    sets = read_json(resolved(config, config["node_sets_file"]))
    ids, virtual = nodes_of(circuit)
    for name in sets:
        check_set(name, sets, ids)
    spikes = 0
    for name, entry in config["inputs"].items():
        spikes += check_input(config, name, entry, check_set(entry["node_set"], sets, ids), virtual, ids)
    for name, entry in config["reports"].items():
        require(not check_set(entry["cells"], sets, ids) & virtual, f"{name} is of virtual nodes")
        require({"module", "variable_name", "sections", "file_name"} <= set(entry), f"{name} lacks what reports need")
    require("output_dir" in config["output"] and "spikes_file" in config["output"], "output has no folder or no file")
    for sentence in BROKEN:
        print(sentence)
    print(f"{len(config['inputs'])} inputs, {spikes} spikes, {len(config['reports'])} reports")


main()
