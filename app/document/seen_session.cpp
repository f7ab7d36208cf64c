#include "app/document/seen_session.hpp"

#include "selection/number_ranges.hpp"

namespace hinesight::app {

model::SessionView SeenSession::whole() const
{
  model::SessionView written = view;
  if (neurons)
    for (const auto& [population, numbers] : neurons->hidden.populations())
      written.hiddenNeurons.push_back({population, selection::rangesText({numbers.begin(), numbers.end()})});
  return written;
}

} // namespace hinesight::app
