#include "app/shell/view_kind.hpp"

#include <QCoreApplication>

namespace hinesight::app {

QString questionOf(ViewKind kind)
{
  const auto question = [](const char* text) { return QCoreApplication::translate("ViewKind", text); };
  switch (kind) {
  case ViewKind::Morphology:
    return question("What does this neuron look like, and where is the work?");
  case ViewKind::Tree:
    return question("What waits for what?");
  case ViewKind::Packing:
    return question("How full are the lanes?");
  case ViewKind::Splitting:
    return question("What did the cut buy?");
  case ViewKind::Benchmark:
    return question("Which solver should I use?");
  case ViewKind::Projection:
    return question("Who talks to whom, how strongly?");
  case ViewKind::Synapses:
    return question("How does the search see space, and what did it form?");
  case ViewKind::Plasticity:
    return question("What grew, and does it make sense?");
  }
  return {};
}

QString helpOf(ViewKind kind)
{
  return QStringLiteral("%1 (Ctrl+%2)").arg(questionOf(kind)).arg(static_cast<int>(kind) + 1);
}

} // namespace hinesight::app
