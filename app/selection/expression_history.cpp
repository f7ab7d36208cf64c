#include "app/selection/expression_history.hpp"

namespace hinesight::app {

void ExpressionHistory::add(const QString& expression)
{
  if (used.isEmpty() || used.last() != expression)
    used << expression;
  if (used.size() > kMost)
    used.removeFirst();
  place = used.size();
}

std::optional<QString> ExpressionHistory::step(int by, const QString& text)
{
  if (place == used.size() || text != used.at(place)) {
    typed = text;
    place = used.size();
    if (!used.isEmpty() && used.last() == text)
      --place; // the one before it is another one
  }
  const qsizetype next = place + by;
  if (next < 0 || next > used.size())
    return std::nullopt;
  place = next;
  return place == used.size() ? typed : used.at(place);
}

} // namespace hinesight::app
