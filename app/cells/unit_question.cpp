#include "app/cells/unit_question.hpp"

#include "app/cells/cell_list_model.hpp"
#include "app/cells/cell_texts.hpp"
#include "app/shell/bars/question_bar.hpp"
#include "widgets/theme.hpp"

#include <QStringList>

#include <algorithm>
#include <map>
#include <ranges>
#include <vector>

namespace hinesight::app {

namespace {

/// "a, b, c and 4 more".
QString namesOf(const CellListModel& cells, const std::vector<int>& rows)
{
  constexpr std::size_t kMostNames = 3;
  QStringList names;
  for (const int row : rows | std::views::take(kMostNames))
    names << cells.cells()[static_cast<std::size_t>(row)].name;
  const QString text = names.join(QStringLiteral(", "));
  return rows.size() > kMostNames ? UnitQuestion::tr("%1 and %2 more").arg(text).arg(rows.size() - kMostNames) : text;
}

} // namespace

UnitQuestion::UnitQuestion(CellListModel* ofWindow, QWidget* parent)
    : QObject(parent), cells(ofWindow), asked(new QuestionBar(QStringLiteral("units"), parent))
{
  connect(asked, &QuestionBar::agreed, this, [this] { cells->setScale(askedRows(), suggested); });
  connect(asked, &QuestionBar::declined, this, [this] {
    for (const int row : askedRows())
      letBe.insert(cells->cells()[static_cast<std::size_t>(row)].key);
    ask();
  });
}

/// Those whose warning suggests that unit.
std::vector<int> UnitQuestion::askedRows() const
{
  std::vector<int> rows = cells->rowsSuggesting(suggested);
  std::erase_if(rows, [this](int row) { return letBe.contains(cells->cells()[static_cast<std::size_t>(row)].key); });
  return rows;
}

void UnitQuestion::ask()
{
  std::map<double, std::size_t> counts;
  for (const OpenCell& cell : cells->cells())
    if (const double scale = suggestedScale(cell); scale > 0 && !letBe.contains(cell.key))
      ++counts[scale];
  const auto most = std::ranges::max_element(counts, {}, [](const auto& count) { return count.second; });
  if (most == counts.end())
    return asked->ask({});
  suggested = most->first;
  const std::size_t count = most->second;
  const QString unit = unitInWords(suggested);
  const QString number = widgets::formatNumber(static_cast<double>(count));
  asked->ask(
      {(count == 1 ? tr("%1 cell (%2) is probably in %3: in µm it would be implausibly large.")
                   : tr("%1 cells (%2) are probably in %3: in µm they would be implausibly large."))
           .arg(number, namesOf(*cells, askedRows()), unit),
       count == 1 ? tr("Scale this cell from %1").arg(unit) : tr("Scale these %1 cells from %2").arg(number, unit),
       tr("Read them in %1: %2 µm per unit of the file; undo takes it back").arg(unit).arg(suggested),
       count == 1 ? tr("Leave it") : tr("Leave them"),
       count == 1 ? tr("Keep it in µm; its badge in the list of cells stays")
                  : tr("Keep them in µm; their badges in the list of cells stay")});
}

} // namespace hinesight::app
