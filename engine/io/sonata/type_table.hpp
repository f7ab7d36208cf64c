#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace hinesight::io {

/// A table of node or edge types of SONATA: columns apart by blanks, a type a line.
struct TypeTable
{
  std::vector<std::string> columns;                      ///< without that of the ids
  std::map<std::int64_t, std::vector<std::string>> rows; ///< by type, a value a column; empty: the type has none

  bool has(std::int64_t type) const { return rows.contains(type); }
  /// The value of a type; empty: it has none, or there is no such type or column.
  std::string valueOf(std::int64_t type, const std::string& column) const;
  /// Whether a type has a value in that column.
  bool hasValues(const std::string& column) const;
};

/// `id`: the column of the ids, "node_type_id". Throws as readFile, Error(BadFormat) with the line: a type that has
/// another number of values than there are columns, an id that is no number or that is there twice.
TypeTable readTypeTable(const std::filesystem::path& path, const std::string& id);

} // namespace hinesight::io
