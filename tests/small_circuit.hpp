#pragma once

#include "core/files.hpp"
#include "io/hdf5/hdf5_file.hpp"
#include "io/row_file.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace hinesight::tests {

/// Columns of an HDF5 file: whole numbers or not.
class Hdf5Columns
{
public:
  void addIds(const std::string& path, std::vector<std::uint64_t> values) { ids[path] = std::move(values); }
  void addNumbers(const std::string& path, std::vector<double> values) { numbers[path] = std::move(values); }
  void addText(const std::string& object, const std::string& name, const std::string& text)
  {
    texts.push_back({object, name, text});
  }

  void write(const std::string& path) const
  {
    std::vector<std::pair<std::uint64_t, const void*>> places;
    std::vector<std::size_t> bytes;
    {
      io::Hdf5Layout file(path, path);
      for (const auto& [name, values] : ids) {
        places.emplace_back(file.addColumn(name, io::StoredNumber::UInt64, values.size()), values.data());
        bytes.push_back(values.size() * sizeof(std::uint64_t));
      }
      for (const auto& [name, values] : numbers) {
        places.emplace_back(file.addColumn(name, io::StoredNumber::Float64, values.size()), values.data());
        bytes.push_back(values.size() * sizeof(double));
      }
      for (const auto& [object, name, text] : texts)
        file.addAttribute(object, name, text, io::StoredText::Variable);
      file.close();
    }
    const io::RowFile rows(path, path);
    for (std::size_t k = 0; k < places.size(); ++k)
      rows.write(places[k].first, places[k].second, bytes[k]);
  }

private:
  struct Text
  {
    std::string object, name, text;
  };

  std::map<std::string, std::vector<std::uint64_t>> ids;
  std::map<std::string, std::vector<double>> numbers;
  std::vector<Text> texts;
};

/// A SONATA circuit in a folder that is simulated in no time: two cells with channels (nodes 3 and 5), a point neuron
/// (node 4), two virtual nodes. Edges are of two groups, one in the older dialect. Files are kept as text, so that a
/// test can spoil one before it is written.
struct SmallCircuit
{
  std::map<std::string, std::string> texts = {
      {"config.json", R"({
  "manifest": {"$BASE_DIR": ".", "$OUT": "${BASE_DIR}/out"},
  "run": {"tstop": 60, "dt": 0.025, "dL": 20, "spike_threshold": -20},
  "conditions": {"celsius": 34, "v_init": -70},
  "components": {"morphologies_dir": "$BASE_DIR/cells", "biophysical_neuron_models_dir": "$BASE_DIR",
                 "point_neuron_models_dir": "$BASE_DIR", "synaptic_models_dir": "$BASE_DIR"},
  "networks": {
    "nodes": [{"nodes_file": "nodes.h5", "node_types_file": "node_types.csv"},
              {"nodes_file": "outside.h5", "node_types_file": "outside_types.csv"}],
    "edges": [{"edges_file": "edges.h5", "edge_types_file": "edge_types.csv"}]},
  "node_sets": {"somatic": {"model_type": "biophysical"}, "both": ["somatic", "outside"]},
  "inputs": {
    "trains": {"input_type": "spikes", "module": "csv", "input_file": "spikes_in.csv", "node_set": "outside"},
    "clamp": {"input_type": "current_clamp", "module": "IClamp", "node_set": {"node_id": [3]},
              "amp": 0.3, "delay": 5, "duration": 20}},
  "output": {"output_dir": "$OUT", "spikes_file": "spikes.h5"},
  "reports": {"v": {"cells": "somatic", "variable_name": "v", "sections": "all"},
              "calcium": {"cells": [3], "variable_name": "cai", "sections": "soma", "file_name": "ca.h5"}}})"},
      {"node_types.csv", "node_type_id model_type model_template morphology dynamics_params model_processing\n"
                         "10 biophysical ctdb:Biophys1.hoc small.swc small_fit.json aibs_perisomatic\n"
                         "11 point_neuron nrn:IntFire1 NULL point.json NULL\n"},
      {"outside_types.csv", "node_type_id model_type\n7 virtual\n"},
      {"edge_types.csv", "edge_type_id delay model_template dynamics_params syn_weight\n"
                         "1 2.0 Exp2Syn fast.json 0.01\n"
                         "2 1.5 NULL direct.json 0.6\n"},
      {"fast.json", R"({"tau1": 0.5, "tau2": 3.0, "erev": 0.0})"},
      {"direct.json", R"({"sign": 1})"},
      {"point.json", R"({"tau": 0.01, "refrac": 0.003})"},
      {"small_fit.json", R"({"passive": [{"ra": 100, "e_pas": -70, "cm": [{"section": "soma", "cm": 1}]}],
  "conditions": [{"celsius": 34, "v_init": -70, "erev": [{"section": "soma", "ena": 53, "ek": -107}]}],
  "genome": [
    {"section": "soma", "name": "g_pas", "mechanism": "", "value": "0.0003"},
    {"section": "dend", "name": "g_pas", "mechanism": "", "value": 0.0001},
    {"section": "axon", "name": "g_pas", "mechanism": "", "value": 0.0001},
    {"section": "soma", "name": "gbar_NaTs", "mechanism": "NaTs", "value": 0.9},
    {"section": "soma", "name": "gbar_Ca_LVA", "mechanism": "Ca_LVA", "value": 0.001},
    {"section": "soma", "name": "gamma_CaDynamics", "mechanism": "CaDynamics", "value": 0.001},
    {"section": "soma", "name": "gbar_Kv3_1", "mechanism": "Kv3_1", "value": 0.1}]})"},
      {"cells/small.swc", "1 1 0 0 0 6 -1\n2 3 6 0 0 1 1\n3 3 60 0 0 0.8 2\n4 3 100 30 0 0.6 3\n5 3 100 -30 0 0.6 3\n"},
      {"spikes_in.csv", "timestamps population node_ids\n10.0 outside 1\n12.5 outside 0\n12.6 outside 0\n"
                        "30 outside 0\n30.5 outside 0\n31 outside 0\n"}};
  Hdf5Columns nodes, outside, edges;

  SmallCircuit()
  {
    nodes.addIds("/nodes/inside/node_id", {3, 4, 5});
    nodes.addIds("/nodes/inside/node_type_id", {10, 11, 10});
    outside.addIds("/nodes/outside/node_type_id", {7, 7});
    const std::string name = "/edges/all";
    edges.addIds(name + "/edge_group_id", {0, 1, 0, 1, 0});
    edges.addIds(name + "/edge_group_index", {0, 0, 1, 1, 2});
    edges.addIds(name + "/edge_type_id", {1, 2, 1, 2, 1});
    edges.addIds(name + "/source_node_id", {0, 0, 1, 1, 0});
    edges.addIds(name + "/target_node_id", {3, 4, 5, 4, 5});
    edges.addText(name + "/source_node_id", "node_population", "outside");
    edges.addText(name + "/target_node_id", "node_population", "inside");
    edges.addIds(name + "/0/sec_id", {1, 0, 3});
    edges.addNumbers(name + "/0/sec_x", {0.5, 0.5, 0.9});
    edges.addNumbers(name + "/0/syn_weight", {0.02, 0.05, 0.03});
    edges.addIds(name + "/1/nsyns", {1, 2});
  }

  /// Returns the path of the configuration.
  std::string write(const std::filesystem::path& folder) const
  {
    std::filesystem::create_directories(folder / "cells");
    for (const auto& [name, text] : texts)
      writeFileAtomically(folder / name, [&](std::ostream& stream) { stream << text; });
    nodes.write((folder / "nodes.h5").string());
    outside.write((folder / "outside.h5").string());
    edges.write((folder / "edges.h5").string());
    return (folder / "config.json").string();
  }
};

} // namespace hinesight::tests
