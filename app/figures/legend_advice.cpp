#include "app/figures/legend_advice.hpp"

#include "widgets/theme.hpp"

#include <QObject>

#include <optional>

namespace hinesight::app {

QString legendAdvice(const widgets::Figure& figure, const widgets::FigureOptions& options)
{
  const std::optional<widgets::LegendShortage> shortage = widgets::legendShortage(figure, options);
  if (!shortage)
    return {};
  const auto numberText = [](std::size_t number) { return widgets::formatNumber(static_cast<double>(number)); };
  const QString lack = QObject::tr("The legend has no room for %1 of its %2 entries.")
                           .arg(numberText(shortage->leftOut), numberText(shortage->entries));
  const QString remedy =
      shortage->height ? QObject::tr("All are in a figure of this width that is at least %1 %2 high.")
                             .arg(*shortage->height)
                             .arg(widgets::inText(choiceName(options.unit)))
                       : QObject::tr("No figure of this width can be so high that all are in it; make it wider, too.");
  return lack + QLatin1Char(' ') + remedy;
}

} // namespace hinesight::app
