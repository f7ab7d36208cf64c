#include "cell/channel_table.hpp"

#include <algorithm>

namespace hinesight::cell {

TableChannel ChannelTable::channel() const
{
  return {gates.data(), static_cast<std::int32_t>(gates.size()), parameters, states()};
}

std::size_t ChannelTable::states() const
{
  return static_cast<std::size_t>(
      std::ranges::count_if(gates, [](const TableGate& gate) { return gate.form != TableGate::Form::AtOnce; }));
}

} // namespace hinesight::cell
