"""Says where a circuit breaks the rules of the SONATA Developer Guide (version 0.1), a line for each place.

usage: sonata_rules.py circuit_config.json

The rules are those of "Common conventions", "Representing nodes", "Representing edges", "Edges - Optional indexing",
"SWC Format additional requirements" and "Tying it all together". The files are read by h5py alone. The last line counts
what was looked at.
"""

import json
import os
import re
import sys

import h5py
import numpy

BROKEN = []
MODEL_TYPES = {"biophysical", "virtual", "single_compartment", "point_neuron"}


def require(holds, sentence):
    if not holds:
        BROKEN.append(sentence)
    return holds


def resolved(config, path):
    """A path with the variables of the manifest replaced, from the configuration's folder on."""
    for _ in range(10):
        for name, value in config["manifest"].items():
            path = path.replace(name, value)
    require("$" not in path, f"{path} names a variable that the manifest has not")
    return os.path.join(os.path.dirname(sys.argv[1]), path)


def read_types(path, key):
    """The CSV dialect: ASCII, UNIX line ends, columns apart by blanks, quotes doubled within quotes."""
    with open(path, "rb") as file:
        data = file.read()
    require(data.isascii(), f"{path} is not ASCII")
    require(b"\r" not in data and data.endswith(b"\n"), f"{path} does not end its lines with a line feed each")
    words = r'"(?:[^"]|"")*"|[^\s"]+'
    lines = []
    for line in data.decode().split("\n")[:-1]:
        require(re.fullmatch(rf" *(?:{words})(?: +(?:{words}))* *", line), f"{path}: {line!r} is not apart by blanks")
        values = re.findall(words, line)
        lines.append([v[1:-1].replace('""', '"') if v.startswith('"') else v for v in values])
    header, rows = lines[0], lines[1:]
    require(key in header, f"{path} has no column {key}")
    require("population" in header, f"{path} has no column population")
    require(all(len(row) == len(header) for row in rows), f"{path} has rows of other lengths than its first line")
    types = {int(row[header.index(key)]): dict(zip(header, row)) for row in rows}
    require(len(types) == len(rows), f"{path} has a {key} twice")
    return types


def open_file(path):
    file = h5py.File(path, "r")
    magic, version = file.attrs.get("magic"), file.attrs.get("version")
    require(magic is not None and magic.dtype == numpy.uint32 and magic == 0x0A7A, f"{path} has no magic 0x0A7A")
    require(
        version is not None and version.shape == (2,) and version.dtype == numpy.uint32, f"{path} has no version of two"
    )
    return file


def column(group, name, count, kinds):
    """A dataset of that many numbers, of one of the kinds of numpy."""
    if not require(name in group, f"{group.name} has no {name}"):
        return numpy.zeros(0)
    data = group[name]
    require(data.shape == (count,), f"{data.name} has the shape {data.shape} for {count} rows")
    require(data.dtype.kind in kinds and data.dtype.itemsize in (1, 2, 4, 8), f"{data.name} is of type {data.dtype}")
    require(data.dtype.byteorder in "=<|", f"{data.name} is not little-endian")
    return data[:]


def check_groups(population, kind, count):
    """Every node or edge has a place in a group, and no two the same."""
    group = column(population, f"{kind}_group_id", count, "iu")
    index = column(population, f"{kind}_group_index", count, "iu")
    for name in population:
        if name.isdigit():
            places = numpy.sort(index[group == int(name)])
            require((places == numpy.arange(len(places))).all(), f"{population.name}/{name} has places not used once")
            for attribute, data in population[name].items():
                if isinstance(data, h5py.Dataset):
                    require(data.shape[0] == len(places), f"{data.name} has {data.shape[0]} values for {len(places)}")
    require(all(str(each) in population for each in set(group)), f"{population.name} names a group that is not there")


def check_nodes(config, entry, populations):
    types = read_types(resolved(config, entry["node_types_file"]), "node_type_id")
    with open_file(resolved(config, entry["nodes_file"])) as file:
        for name, population in file["nodes"].items():
            count = len(population["node_type_id"])
            require(name not in populations, f"there are two populations of nodes {name}")
            populations[name] = count
            ids = column(population, "node_id", count, "iu")
            require(len(set(ids)) == count, f"{population.name} has a node_id twice")
            type_of = column(population, "node_type_id", count, "iu")
            require(set(type_of) <= set(types), f"{population.name} has nodes of types that the table has not")
            check_groups(population, "node", count)
            for attribute in ("x", "y", "z"):
                require(numpy.isfinite(column(population["0"], attribute, count, "f")).all(), f"{attribute} of {name}")
            for attribute in population["0"]:
                if attribute.startswith("rotation_angle_"):
                    require(re.fullmatch("rotation_angle_[xyz]axis", attribute), f"{attribute} is no angle")
                    column(population["0"], attribute, count, "f")
            for type_id in set(type_of):
                check_node_type(config, types[type_id], name)


def check_node_type(config, of_type, population):
    require(of_type.get("population") == population, f"a type of {population} is of {of_type.get('population')}")
    require(of_type.get("model_type") in MODEL_TYPES, f"{population} has a model_type {of_type.get('model_type')}")
    require("model_template" in of_type, f"a type of {population} has no model_template")
    morphology = of_type.get("morphology", "NULL")
    require(of_type.get("model_type") != "biophysical" or morphology != "NULL", f"{population} has no morphology")
    if morphology != "NULL":
        folder = resolved(config, config["components"]["morphologies_dir"])
        check_morphology(os.path.join(folder, morphology + ".swc"))


def check_morphology(path):
    if not require(os.path.isfile(path), f"{path} is not there"):
        return
    with open(path, encoding="ascii") as file:
        rows = [line.split() for line in file if line.strip() and not line.startswith("#")]
    require(all(len(row) == 7 for row in rows), f"{path} has lines without seven values")
    require([int(row[0]) for row in rows] == list(range(1, len(rows) + 1)), f"{path} has ids with gaps")
    require(all(int(row[6]) < int(row[0]) for row in rows), f"{path} has parents behind their children")


def check_index(group, ids, nodes):
    """Each node's ranges hold its edges, all of them, once."""
    ranges = group["range_to_edge_id"][:]
    seen = numpy.zeros(len(ids), dtype=int)
    require("node_id_to_ranges" in group, f"{group.name} has no node_id_to_ranges")
    # The name that other programs (bmtk, NEST) look for.
    require("node_id_to_range" in group, f"{group.name} has no node_id_to_range")
    of_node = group["node_id_to_ranges"]
    require(of_node.shape == (nodes, 2) and of_node.dtype.itemsize == 8, f"{of_node.name} is no 64-bit pair a node")
    require(ranges.ndim == 2 and ranges.shape[1] == 2 and ranges.dtype.itemsize == 8, f"{group.name} has no pairs")
    for node, (begin, end) in enumerate(of_node[:]):
        for first, last in ranges[begin:end]:
            require((ids[first:last] == node).all(), f"{group.name} gives node {node} edges of others")
            seen[first:last] += 1
    require((seen == 1).all(), f"{group.name} does not name every edge once")


def check_edges(config, entry, populations):
    types = read_types(resolved(config, entry["edge_types_file"]), "edge_type_id")
    edges = 0
    with open_file(resolved(config, entry["edges_file"])) as file:
        for name, population in file["edges"].items():
            count = len(population["source_node_id"])
            edges += count
            type_of = column(population, "edge_type_id", count, "iu")
            require(set(type_of) <= set(types), f"{population.name} has edges of types that the table has not")
            require(all(each["population"] == name for each in types.values()), f"types of {name} are of another")
            check_groups(population, "edge", count)
            for attribute in ("syn_weight", "delay"):
                require(numpy.isfinite(column(population["0"], attribute, count, "f")).all(), f"{attribute} of {name}")
            for end, index in (("source", "source_to_target"), ("target", "target_to_source")):
                ids = column(population, f"{end}_node_id", count, "iu")
                nodes = population[f"{end}_node_id"].attrs.get("node_population")
                if not require(isinstance(nodes, str) and nodes in populations, f"{name} has no {end} population"):
                    continue
                require(count == 0 or ids.max() < populations[nodes], f"{name} has a {end} that {nodes} has not")
                check_index(population["indices"][index], ids, populations[nodes])
    return edges


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        config = json.load(file)
    require(all(name.startswith("$") for name in config["manifest"]), "a variable of the manifest has no $")
    populations = {}
    for entry in config["networks"]["nodes"]:
        check_nodes(config, entry, populations)
    edges = sum(check_edges(config, entry, populations) for entry in config["networks"]["edges"])
    for sentence in BROKEN:
        print(sentence)
    print(f"{sum(populations.values())} nodes of {len(populations)} populations, {edges} edges")


main()
