#include "app/pages/pages.hpp"

#include "app/forms/help_text.hpp"
#include "app/pages/view_kind.hpp"

#include <QCoreApplication>

#include <cstddef>
#include <vector>

// The pages, in the order of their tabs. One name each, of a function that returns its definition.
#define HINESIGHT_FOR_EVERY_PAGE(with)                                                                                 \
  with(benchmarkPage) with(projectionPage) with(synapsesPage) with(plasticityPage) with(measurePage)                   \
      with(simulationPage)

namespace hinesight::app {

#define HINESIGHT_DECLARE(function) PageDefinition function();
HINESIGHT_FOR_EVERY_PAGE(HINESIGHT_DECLARE)
#undef HINESIGHT_DECLARE

std::span<const PageDefinition> allPages()
{
#define HINESIGHT_TAKE(function) function(),
  static const std::vector<PageDefinition> pages = {
      {"morphology",
       QT_TRANSLATE_NOOP("Pages", "Morphology"),
       QT_TRANSLATE_NOOP("Pages", "What does this neuron look like, and where is the work?"),
       QT_TRANSLATE_NOOP("Pages", "drag turns, right drag moves, wheel zooms, drag with Shift selects in a box, with "
                                  "the right button in a loop, double click fits to a branch; with the ruler on, two "
                                  "clicks measure between them"),
       "The views",
       nullptr,
       {Panel::Data, Panel::Parameters}},
      {"tree", QT_TRANSLATE_NOOP("Pages", "Dependency tree"), QT_TRANSLATE_NOOP("Pages", "What waits for what?"),
       QT_TRANSLATE_NOOP(
           "Pages",
           "drag moves, drag with Shift selects in a box, with the right button in a loop, wheel zooms (Shift: across, "
           "Ctrl: down), double click fits"),
       "The views"},
      {"packing", QT_TRANSLATE_NOOP("Pages", "Packing"), QT_TRANSLATE_NOOP("Pages", "How full are the lanes?"),
       QT_TRANSLATE_NOOP("Pages", "drag moves, drag with Shift selects in a box, with the right button in a loop, "
                                  "wheel zooms; click a block above to see it"),
       "The views"},
      {"splitting",
       QT_TRANSLATE_NOOP("Pages", "Splitting"),
       QT_TRANSLATE_NOOP("Pages", "What did splitting gain?"),
       QT_TRANSLATE_NOOP("Pages", "drag the line of a length to split there; for the edd solver this length is K"),
       "The views",
       nullptr,
       {Panel::Parameters, Panel::Timings, Panel::Data}},
      HINESIGHT_FOR_EVERY_PAGE(HINESIGHT_TAKE)};
#undef HINESIGHT_TAKE
  return pages;
}

QString titleOf(const PageDefinition& page)
{
  return QCoreApplication::translate("Pages", page.title);
}

QString questionOf(const PageDefinition& page)
{
  return QCoreApplication::translate("Pages", page.question);
}

void describe(QWidget* widget, const PageDefinition& page)
{
  widget->setWindowTitle(titleOf(page)); // which its figure may have
  QString use = QCoreApplication::translate("Pages", page.use);
  use.replace(0, 1, use.front().toUpper());
  describe(widget, {titleOf(page), QStringLiteral("%1\n%2.").arg(questionOf(page), use), page.section});
}

QString helpOf(int place)
{
  const QString question = questionOf(allPages()[static_cast<std::size_t>(place)]);
  return place < kDigits ? QStringLiteral("%1 (Ctrl+%2)").arg(question).arg(digitOf(place)) : question;
}

} // namespace hinesight::app
