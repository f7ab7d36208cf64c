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


def check_nodes(config, entry, populations, sections):
    """`sections`: how many the nodes of a population have, of those that are cells with channels."""
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
            count_of = {}
            for type_id, of_type in types.items():
                if of_type.get("model_template", "NULL").startswith("ctdb:"):
                    folder = resolved(config, config["components"]["morphologies_dir"])
                    path = os.path.join(folder, of_type["morphology"] + ".swc")
                    count_of[type_id] = sections_of(path, of_type["model_processing"])
            if count_of:
                sections[name] = numpy.array([count_of[each] for each in type_of])


def check_node_type(config, of_type, population):
    require(of_type.get("population") == population, f"a type of {population} is of {of_type.get('population')}")
    require(of_type.get("model_type") in MODEL_TYPES, f"{population} has a model_type {of_type.get('model_type')}")
    require("model_template" in of_type, f"a type of {population} has no model_template")
    morphology = of_type.get("morphology", "NULL")
    require(of_type.get("model_type") != "biophysical" or morphology != "NULL", f"{population} has no morphology")
    template = of_type.get("model_template", "NULL")
    require(template == "NULL" or re.fullmatch(r"\w+:[\w.]+", template), f"{population} has the template {template}")
    if template.startswith("ctdb:"):
        check_fit(parameters(config, "biophysical_neuron_models_dir", of_type), population)
    elif template != "NULL":
        require(template == "nrn:IntFire1", f"{population} has the template {template}")
        require({"tau", "refrac"} <= set(parameters(config, "point_neuron_models_dir", of_type)), f"{population} has no tau")
    if morphology != "NULL":
        folder = resolved(config, config["components"]["morphologies_dir"])
        check_morphology(os.path.join(folder, morphology + ".swc"))


def parameters(config, folder, of_type):
    """The JSON of dynamics_params of a type, in a folder that the configuration names."""
    name = of_type.get("dynamics_params", "NULL")
    if not require(name != "NULL", f"a type of {of_type['population']} has no dynamics_params"):
        return {}
    path = os.path.join(resolved(config, config["components"].get(folder, "missing")), name)
    if not require(os.path.isfile(path), f"{path} is not there"):
        return {}
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def check_fit(fit, population):
    """A model as the fits of the Allen Cell Types database have it, with all that BMTK asks for."""
    require({"passive", "conditions", "genome"} <= set(fit), f"a model of {population} is no fit")
    passive, conditions = fit["passive"][0], fit["conditions"][0]
    require({"ra", "e_pas", "cm"} <= set(passive), f"a model of {population} has no passive properties")
    require({"celsius", "v_init", "erev"} <= set(conditions), f"a model of {population} has no conditions")
    for entry in fit["genome"]:
        require(set(entry) == {"section", "mechanism", "name", "value"}, f"an entry of {population} has other keys")
        require(entry["section"] in ("soma", "axon", "dend", "apic"), f"{entry['section']} of {population}")
        # pas is there by itself, and so are the properties of sections.
        known = entry["mechanism"] or "pas"
        require(entry["name"].endswith("_" + known) or entry["name"] in ("cm", "Ra"), f"{entry['name']} of {population}")
        require(numpy.isfinite(entry["value"]), f"{entry['name']} of {population} is no number")


def sections_of(path, processing):
    """How many sections NEURON's Import3d makes of a cell: unbranched, of one type; a stub of two for the axon."""
    with open(path, encoding="ascii") as file:
        rows = [[float(v) for v in line.split()] for line in file if line.strip() and not line.startswith("#")]
    kind = {int(row[0]): int(row[1]) for row in rows}
    parent = {int(row[0]): int(row[6]) for row in rows}
    children = {}
    for each, above in parent.items():
        children.setdefault(above, []).append(each)
    count, has_stub = 1, processing in ("aibs_perisomatic", "aibs_allactive")
    for each, above in parent.items():
        if kind[each] == 1 or (has_stub and kind[each] == 2):
            continue
        hangs_on_soma = kind[above] == 1
        follows = not hangs_on_soma and kind[above] == kind[each] and above == each - 1
        # A branch off the first sample of a neurite does not divide the neurite.
        divides = follows and len(children[above]) > 1 and kind[parent[above]] != 1
        count += not follows or divides
    return count + 2 * has_stub


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


def check_synapses(config, types, population, sections):
    """Edges to cells with channels: each has a place on its target, and a synapse that conducts."""
    for of_type in types.values():
        template = of_type.get("model_template", "NULL")
        require(template in ("Exp2Syn", "ExpSyn"), f"{population.name} has synapses of {template}")
        needed = {"erev"} | ({"tau1", "tau2"} if template == "Exp2Syn" else {"tau"})
        require(needed <= set(parameters(config, "synaptic_models_dir", of_type)), f"{population.name} lacks {needed}")
    count = len(population["target_node_id"])
    section = column(population["0"], "afferent_section_id", count, "iu")
    position = column(population["0"], "afferent_section_pos", count, "f")
    require((section < sections[population["target_node_id"][:]]).all(), f"{population.name} has sections of nobody")
    require(((position >= 0) & (position <= 1)).all(), f"{population.name} has positions off their sections")
    require((population["0/syn_weight"][:] >= 0).all(), f"{population.name} has negative conductances")
    require((population["0/delay"][:] > 0).all(), f"{population.name} has delays of 0")


def check_edges(config, entry, populations, sections):
    types = read_types(resolved(config, entry["edge_types_file"]), "edge_type_id")
    edges = 0
    with open_file(resolved(config, entry["edges_file"])) as file:
        for name, population in file["edges"].items():
            count = len(population["source_node_id"])
            edges += count
            type_of = column(population, "edge_type_id", count, "iu")
            require(set(type_of) <= set(types), f"{population.name} has edges of types that the table has not")
            of_edges = [types[each] for each in set(type_of) & set(types)]
            require(all(each["population"] == name for each in of_edges), f"types of {name} are of another")
            check_groups(population, "edge", count)
            for attribute in ("syn_weight", "delay"):
                require(numpy.isfinite(column(population["0"], attribute, count, "f")).all(), f"{attribute} of {name}")
            target = population["target_node_id"].attrs["node_population"]
            if target in sections and count > 0:
                check_synapses(config, types, population, sections[target])
            for end, index in (("source", "source_to_target"), ("target", "target_to_source")):
                ids = column(population, f"{end}_node_id", count, "iu")
                nodes = population[f"{end}_node_id"].attrs.get("node_population")
                # Text of fixed length comes as bytes.
                nodes = nodes.decode() if isinstance(nodes, bytes) else nodes
                if not require(isinstance(nodes, str) and nodes in populations, f"{name} has no {end} population"):
                    continue
                require(count == 0 or ids.max() < populations[nodes], f"{name} has a {end} that {nodes} has not")
                check_index(population["indices"][index], ids, populations[nodes])
    return edges


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        config = json.load(file)
    require(all(name.startswith("$") for name in config["manifest"]), "a variable of the manifest has no $")
    populations, sections = {}, {}
    for entry in config["networks"]["nodes"]:
        check_nodes(config, entry, populations, sections)
    edges = sum(check_edges(config, entry, populations, sections) for entry in config["networks"]["edges"])
    for sentence in BROKEN:
        print(sentence)
    print(f"{sum(populations.values())} nodes of {len(populations)} populations, {edges} edges")


main()
