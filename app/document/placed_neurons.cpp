#include "app/document/placed_neurons.hpp"

#include "study/circuit/circuit_neurons.hpp"

#include <QStringList>

namespace hinesight::app {

void PlacedNeurons::place(const JobKind& kind, const model::Project& project,
                          const std::vector<std::string>& populations, std::function<void(const Neurons&)> take,
                          JobEnds ends)
{
  const std::pair wanted(populations, study::partWith(project, populations));
  if (const Neurons* const known = placed.find(wanted)) {
    jobs->drop(kind);
    return take(*known);
  }
  QStringList names;
  for (const std::string& each : populations)
    names << QString::fromStdString(each);
  jobs->submit(
      {kind, names.join(QStringLiteral(", "))},
      [project, populations](const JobContext& context) {
        return study::neuronsOf(project, populations, context.control());
      },
      [this, wanted, take = std::move(take)](const Neurons& neurons) {
        constexpr std::uint64_t kOfNeuron = sizeof(synapse::Position) + 5; // its type and its area
        placed.keep(wanted, neurons, neurons->size() * kOfNeuron);
        take(neurons);
      },
      std::move(ends));
}

} // namespace hinesight::app
