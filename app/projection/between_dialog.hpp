#pragma once

#include <QString>

#include <functional>
#include <string>
#include <vector>

class QWidget;

namespace hinesight::app {

/// Which populations are asked for, and why.
struct BetweenQuestion
{
  QString title;
  QString sentence; ///< above the choices
  QString help;     ///< of each choice
  QString section;  ///< of the user guide
  std::vector<std::string> populations;
  std::vector<std::string> ticked; ///< at first
};

/// Asks for one or more populations of the circuit, in the dialog "betweenDialog".
void askBetween(const BetweenQuestion& question, QWidget* parent,
                const std::function<void(const std::vector<std::string>&)>& take);

} // namespace hinesight::app
