#include "widgets/value_drag.hpp"

#include <utility>

namespace hinesight::widgets {

namespace {

std::uint64_t newest = 0;
std::uint64_t going = 0;

} // namespace

void ValueDrag::begin()
{
  number = ++newest;
  going = number;
}

void ValueDrag::end()
{
  if (std::exchange(number, 0) == going)
    going = 0;
}

std::uint64_t ValueDrag::current()
{
  return going;
}

} // namespace hinesight::widgets
