#pragma once

#include "app/document/session_work.hpp"
#include "app/shell/bars/question_bar.hpp"
#include "io/runs/run_record.hpp"
#include "widgets/figure/figure.hpp"

#include <QString>

#include <functional>
#include <memory>
#include <optional>
#include <string>

class QWidget;

namespace hinesight::selection {
struct NetworkTable;
}
namespace hinesight::widgets {
enum class AreaShape;
}

namespace hinesight::app {

class NeuronSelection;

/// What the window's panels, menus and keys mean while a view or a page is seen.
struct Tab
{
  QWidget* page = nullptr;         ///< null for views of the cells, which the window places
  QWidget* parameters = nullptr;   ///< the panel of them; null: that of the cells
  std::function<void()> seen = {}; ///< it came into view; empty: nothing is to be done
  std::function<void()> fit = {};  ///< empty: there is nothing to fit
  /// The next drag with the left button draws that to select in it, or nothing any more; empty: it has nothing that
  /// areas select.
  std::function<void(std::optional<widgets::AreaShape>)> awaitArea = {};
  std::function<void()> runAgain = {}; ///< empty: there is nothing to run
  /// Where the fields of the panel are not those of the picture, with what takes or restores them; empty, or a
  /// question without text: they are.
  std::function<Question()> mismatch = {};
  std::function<void()> takeFields = {};        ///< the picture becomes that of the fields
  std::function<void()> restoreFields = {};     ///< the fields become those of the picture
  std::function<void()> resetParameters = {};   ///< empty: of the cells
  std::function<widgets::Figure()> figure = {}; ///< empty: of the page, as it is on the screen
  /// The command that computes what is seen; throws Error with why there is none; empty: there is none.
  std::function<std::string()> command = {};
  /// The neurons and synapses that it shows, for expressions; empty: it shows none; null: none that can be selected.
  std::function<std::shared_ptr<const selection::NetworkTable>()> network = {};
  std::function<bool()> hasNeurons = {}; ///< whether it shows any, where `network` takes long; empty: `network` says it
  /// What is selected of them; empty, or null: what is selected of the circuit.
  std::function<NeuronSelection*()> selection = {};
  /// The study of the session that computes it, where no such command can; empty, or none: the command does.
  std::function<std::optional<SessionWork>()> work = {};
  std::function<void()> askWhereToSave = {}; ///< empty: for a figure, as the window does
  io::RunKind runs = io::RunKind::Solve;     ///< what runs on it
};

} // namespace hinesight::app
