#pragma once

#include "hines/bench/benchmark_tables.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

// What the files of tables are made from. A table joins by a function and a line in its group's list; a group of tables
// joins by a function here and a line in benchmark_tables.cpp.

namespace hinesight::hines::tables {

using Source = std::shared_ptr<const BenchmarkSource>;
using Cases = std::vector<BenchmarkCase>;
using CellCounts = std::vector<std::int64_t>;

/// A table and what makes its cases.
struct TableMaker
{
  BenchmarkTable table;
  Cases (*make)(const BenchmarkScope& scope);
};

/// Copies of one cell and cells of many sizes.
std::span<const TableMaker> cellTables();
/// Chains and one system a thread (Martínez Pérez 2018, 2020).
std::span<const TableMaker> coarseTables();
/// Random trees of ring networks (Huber 2018).
std::span<const TableMaker> ringTables();
/// Large neurons and exact domain decomposition (Vooturi 2018).
std::span<const TableMaker> eddTables();
/// What the CPU does.
std::span<const TableMaker> cpuTables();

/// Those that were asked for, else the table's own.
CellCounts cellsOf(const BenchmarkScope& scope, CellCounts usual, CellCounts quick);
void append(Cases& cases, Cases more);
/// The first of the given cells, else the synthetic CA1-sized one.
Source copied(const BenchmarkScope& scope);
/// All given cells, else the synthetic ones.
Source mixed(const BenchmarkScope& scope);

} // namespace hinesight::hines::tables
