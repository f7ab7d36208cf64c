#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace hinesight::selection {

/// What an expression is evaluated on: things of one kind, a row each, with a figure for each field of a vocabulary.
class FigureRows
{
public:
  virtual ~FigureRows() = default;
  virtual std::size_t rows() const = 0;
  /// That figure of the rows from `begin` on; NaN: unknown.
  virtual void read(std::size_t field, std::size_t begin, std::span<double> figures) const = 0;
  /// Of a field that is compared with names: those that the numbers 1, 2, ... stand for.
  virtual std::span<const std::string> names(std::size_t field) const = 0;
};

} // namespace hinesight::selection
