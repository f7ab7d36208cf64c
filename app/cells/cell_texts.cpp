#include "app/cells/cell_texts.hpp"

#include "app/cells/cell_list_model.hpp"
#include "app/files/file_findings.hpp"
#include "model/tags.hpp"
#include "morphology/unit_scale.hpp"
#include "widgets/theme.hpp"

#include <QDateTime>
#include <QLocale>
#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace hinesight::app {

namespace {

constexpr qsizetype kMostBriefly = 3; // warnings of a tooltip

QString counted(std::size_t value, const QString& one, const QString& many)
{
  return countInWords(value) + QLatin1Char(' ') + (value == 1 ? one : many);
}

/// "Line 3: the radius is negative"
QString withLine(std::int64_t line, const QString& text)
{
  return line > 0 ? CellListModel::tr("Line %1: %2").arg(line).arg(text) : text;
}

QString withLine(const morphology::Warning& warning)
{
  return withLine(warning.line, QString::fromStdString(warning.message));
}

QString whyNotDrawn()
{
  return CellListModel::tr(
      "Not drawn, but solved: it spans more than a kilometre, or lies farther than a million km from the origin of its "
      "file. Its unit is wrong, or a number is damaged.");
}

/// "2026-03-01 12:34:56 UTC", of what modificationTime says.
QString timeInWords(const std::string& time)
{
  const QDateTime utc = QDateTime::fromString(QString::fromStdString(time), Qt::ISODateWithMs);
  return utc.toUTC().toString(QStringLiteral("yyyy-MM-dd hh:mm:ss")) + QStringLiteral(" UTC");
}

QString whyOutdated()
{
  return CellListModel::tr("The file was written anew since it was read.");
}

/// A long name or path may go on in the next line.
QString wrapped(QString text)
{
  static const QRegularExpression kSeparators(QStringLiteral("([/_.-])(?=\\w)"));
  return text.replace(kSeparators, QStringLiteral("\\1\u200b"));
}

QString paragraph(const QString& text)
{
  return QStringLiteral("<p style='margin-top:4px;margin-bottom:0px'>%1</p>").arg(wrapped(text).toHtmlEscaped());
}

QString link(const QString& to, const QString& text)
{
  return QStringLiteral("<a href='%1' style='color:%2'>%3</a>")
      .arg(to, widgets::theme().accent.name(), text.toHtmlEscaped());
}

/// Its line leads to the place.
QString finding(const morphology::Warning& warning)
{
  const QString text = QString::fromStdString(warning.message).toHtmlEscaped();
  const QString place = warning.line > 0 ? link(kLineLink + QString::number(warning.line),
                                                CellListModel::tr("Line %1").arg(warning.line)) +
                                               QStringLiteral(": ")
                                         : QString();
  return QStringLiteral("<p style='margin-top:4px;margin-bottom:0px'>⚠ %1%2</p>").arg(place, text);
}

/// What a cell is warned of, and what mends it.
QString findingsInDetail(const OpenCell& cell)
{
  QString html;
  if (!cell.canBeDrawn)
    html += paragraph(QStringLiteral("⚠ ") + whyNotDrawn());
  if (cell.isOutdated)
    html += QStringLiteral("<p style='margin-top:4px;margin-bottom:0px'>⚠ %1 %2</p>")
                .arg(whyOutdated().toHtmlEscaped(), link(kReadAgainLink, CellListModel::tr("Read it again")));
  for (const morphology::Warning& warning : cell.morphology->warnings)
    html += finding(warning);
  if (!cell.morphology->warnings.empty())
    html += QStringLiteral("<p style='margin-top:4px;margin-bottom:0px'>%1</p>")
                .arg(link(kRepairLink, CellListModel::tr("Repair…")));
  return html;
}

} // namespace

QString countInWords(std::size_t value)
{
  return QLocale(QLocale::English).toString(static_cast<qulonglong>(value));
}

QString describeError(const Error& error)
{
  QStringList lines;
  for (const FileFinding& finding : findingsOf(error))
    lines << withLine(finding.line, finding.text);
  return lines.join(QLatin1Char('\n'));
}

QString warningsOf(const OpenCell& cell)
{
  QStringList lines;
  if (cell.morphology)
    for (const morphology::Warning& warning : cell.morphology->warnings)
      lines << withLine(warning);
  return lines.join(QLatin1Char('\n'));
}

morphology::TypeMeasures neuritesOf(const OpenCell& cell)
{
  morphology::TypeMeasures all;
  for (const morphology::TypeMeasures& type : cell.types) {
    if (type.type == morphology::kSoma)
      continue;
    all.branches += type.branches;
    all.bifurcations += type.bifurcations;
    all.tips += type.tips;
    all.length += type.length;
  }
  return all;
}

QString unitInWords(double scale)
{
  for (const morphology::FileUnit& unit : morphology::kFileUnits)
    if (unit.scale == scale)
      return widgets::inText(unit.name);
  return widgets::formatNumber(scale) + QStringLiteral(" µm");
}

double suggestedScale(const OpenCell& cell)
{
  if (!cell.morphology || cell.morphology->unitScale != cell.source.scale)
    return 0;
  double scale = 0;
  for (const morphology::Warning& warning : cell.morphology->warnings)
    scale = std::max(scale, warning.suggestedScale);
  return scale;
}

QString placeInWords(const morphology::CellPlace& place)
{
  const std::array<double, 3> none{};
  const auto inWords = [](const std::array<double, 3>& values) {
    return QStringLiteral("(%1, %2, %3)")
        .arg(widgets::formatNumber(values[0]), widgets::formatNumber(values[1]), widgets::formatNumber(values[2]));
  };
  QStringList parts;
  if (place.isCentred)
    parts << CellListModel::tr("soma at the origin");
  if (place.turn != none)
    parts << CellListModel::tr("turned by %1°").arg(inWords(place.turn));
  if (place.move != none)
    parts << CellListModel::tr("moved by %1 µm").arg(inWords(place.move));
  return parts.join(QStringLiteral(", "));
}

QString typesInWords(const OpenCell& cell)
{
  std::vector<morphology::TypeMeasures> types = cell.types;
  std::ranges::stable_sort(types, std::ranges::greater(), &morphology::TypeMeasures::length);
  double total = 0;
  for (const morphology::TypeMeasures& type : types)
    total += type.length;
  QStringList parts;
  for (const morphology::TypeMeasures& type : types)
    if (type.length > 0)
      parts << QStringLiteral("%1 %2 %").arg(QString::fromStdString(morphology::typeName(type.type)),
                                             QString::number(std::lround(100 * type.length / total)));
  return parts.join(QStringLiteral(", "));
}

QString tagsInWords(const OpenCell& cell)
{
  return QString::fromStdString(model::textOfTags(cell.tags));
}

QString problemInWords(const OpenCell& cell)
{
  if (cell.error)
    return describeError(*cell.error).section(QLatin1Char('\n'), 0, 0);
  if (!cell.canBeDrawn)
    return whyNotDrawn();
  if (cell.isOutdated)
    return whyOutdated();
  if (!cell.morphology || cell.morphology->warnings.empty())
    return {};
  const std::vector<morphology::Warning>& warnings = cell.morphology->warnings;
  const QString first = withLine(warnings.front());
  return warnings.size() == 1 ? first
                              : CellListModel::tr("%1; and %2 more").arg(first, countInWords(warnings.size() - 1));
}

QString summarize(const OpenCell& cell)
{
  if (cell.error)
    return describeError(*cell.error);
  if (!cell.morphology)
    return CellListModel::tr("not read yet");
  QStringList parts;
  if (!cell.visible)
    parts << CellListModel::tr("hidden, but solved");
  parts << counted(cell.metrics.samples, CellListModel::tr("sample"), CellListModel::tr("samples"))
        << counted(neuritesOf(cell).branches, CellListModel::tr("branch"), CellListModel::tr("branches"));
  if (cell.compartments)
    parts << countInWords(*cell.compartments) + CellListModel::tr(" comp.");
  return parts.join(QStringLiteral(", "));
}

QString describeBriefly(const OpenCell& cell)
{
  QStringList lines{QString::fromStdString(cell.source.path)};
  if (!cell.modified.empty())
    lines << CellListModel::tr("Written %1").arg(timeInWords(cell.modified));
  if (cell.isOutdated)
    lines << whyOutdated();
  if (!cell.tags.empty())
    lines << CellListModel::tr("Tags: %1").arg(tagsInWords(cell));
  if (!cell.visible)
    lines << CellListModel::tr(
        "Hidden in the Morphology view; still part of what is solved. Remove it to leave it out.");
  if (cell.error)
    lines << describeError(*cell.error);
  if (!cell.canBeDrawn)
    lines << whyNotDrawn();
  if (const QStringList warnings = warningsOf(cell).split(QLatin1Char('\n'), Qt::SkipEmptyParts); !warnings.isEmpty()) {
    lines << warnings.first(std::min(kMostBriefly, warnings.size()));
    if (warnings.size() > kMostBriefly)
      lines << CellListModel::tr("and %1 more")
                   .arg(countInWords(static_cast<std::size_t>(warnings.size() - kMostBriefly)));
  }
  return lines.join(QLatin1Char('\n'));
}

QString describeInDetail(const OpenCell& cell, const QString& shortName)
{
  using widgets::formatNumber;
  QString html = QStringLiteral("<b>%1</b>").arg((shortName.isEmpty() ? cell.name : shortName).toHtmlEscaped());
  if (cell.error) {
    for (const QString& line : describeError(*cell.error).split(QLatin1Char('\n')))
      html += paragraph(line);
    return html + paragraph(CellListModel::tr("Open the file again once it is mended, or close it with Remove."));
  }
  if (!cell.morphology)
    return html + QStringLiteral("<br>") + CellListModel::tr("This file has not been read yet.");

  html += findingsInDetail(cell);
  const auto& m = cell.metrics;
  html += QStringLiteral("<table cellspacing=0 cellpadding=1>");
  const auto row = [&](const QString& name, const QString& value) {
    html += QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td align=right>%2</td></tr>").arg(name, value);
  };
  if (cell.morphology->unitScale != morphology::kMicrometres.scale)
    row(CellListModel::tr("Unit of the file"), unitInWords(cell.morphology->unitScale));
  row(CellListModel::tr("Samples"), countInWords(m.samples));
  const morphology::TypeMeasures neurites = neuritesOf(cell);
  row(CellListModel::tr("Branches"), countInWords(neurites.branches));
  row(CellListModel::tr("Bifurcations"), countInWords(neurites.bifurcations));
  row(CellListModel::tr("Tips"), countInWords(neurites.tips));
  row(CellListModel::tr("Highest branch order"), QString::number(m.maxBranchOrder));
  if (m.roots != 1)
    row(CellListModel::tr("Roots"), countInWords(m.roots));
  row(CellListModel::tr("Soma samples"), countInWords(m.somaSamples));
  row(CellListModel::tr("Length of neurites"), formatNumber(neurites.length) + QStringLiteral(" µm"));
  row(CellListModel::tr("Total, soma included"), formatNumber(m.totalLength) + QStringLiteral(" µm"));
  row(CellListModel::tr("Greatest path distance"), formatNumber(m.maxPathDistance) + QStringLiteral(" µm"));
  row(CellListModel::tr("Bounding box, µm"),
      QStringLiteral("%1 × %2 × %3")
          .arg(formatNumber(m.upper[0] - m.lower[0]), formatNumber(m.upper[1] - m.lower[1]),
               formatNumber(m.upper[2] - m.lower[2])));
  if (cell.compartments)
    row(CellListModel::tr("Compartments"), countInWords(*cell.compartments));
  html += QStringLiteral("</table>");

  if (const QString place = placeInWords(cell.source.place); !place.isEmpty())
    html += paragraph(CellListModel::tr("Placed: %1").arg(place));
  if (!cell.tags.empty())
    html += paragraph(CellListModel::tr("Tags: %1").arg(tagsInWords(cell)));
  return html;
}

} // namespace hinesight::app
