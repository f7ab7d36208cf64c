#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace hinesight::morphology {

/// What is wrong with a file, gathered so that one error names up to kMostNamed lines at once.
class ProblemList
{
public:
  static constexpr std::size_t kMostNamed = 20;

  explicit ProblemList(std::string file) : path(std::move(file)) {}

  /// `line` is 1-based, 0 for the whole file.
  void add(std::int64_t line, std::string sentence);

  std::size_t size() const { return problems.size(); }
  bool isFull() const { return problems.size() >= kMostNamed; }

  /// Throws Error(BadFormat) at the first line concerned; further problems follow in the message, one a row, each
  /// with file and line. `complete`: false if more may be wrong than was looked at.
  void throwIfAny(bool complete = true);

private:
  std::string path;
  std::vector<std::pair<std::int64_t, std::string>> problems;
};

} // namespace hinesight::morphology
