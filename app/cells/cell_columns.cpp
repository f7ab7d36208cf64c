#include "app/cells/cell_columns.hpp"

#include "app/cells/cell_texts.hpp"
#include "core/text.hpp"
#include "io/csv.hpp"

#include <QLocale>
#include <QStringList>

#include <array>
#include <cmath>

namespace hinesight::app {

namespace {

struct ColumnText
{
  const char* title;
  const char* help;
  Qt::Alignment alignment = Qt::AlignLeft;
  Qt::SortOrder sortedFirst = Qt::AscendingOrder; ///< the most of a number is looked for, and the first of names
};

constexpr std::array<ColumnText, CellListModel::kColumns> kColumnTexts = {{
    {QT_TRANSLATE_NOOP("CellListModel", "Name"),
     QT_TRANSLATE_NOOP("CellListModel", "Name of the cell. Click a header to sort by it, once more to turn the order "
                                        "round; As opened, in the context menu, brings back the order of the batch.")},
    {QT_TRANSLATE_NOOP("CellListModel", "Length, µm"),
     QT_TRANSLATE_NOOP("CellListModel", "Length of the neurites, µm, as Measure, selections, MorphIO and NeuroM have "
                                        "it; the total length, which has the segments of the soma and those that join "
                                        "it with neurites too, is in the details"),
     Qt::AlignRight, Qt::DescendingOrder},
    {QT_TRANSLATE_NOOP("CellListModel", "Samples"), QT_TRANSLATE_NOOP("CellListModel", "Samples of the file"),
     Qt::AlignRight, Qt::DescendingOrder},
    {QT_TRANSLATE_NOOP("CellListModel", "Branches"), QT_TRANSLATE_NOOP("CellListModel", "Branches of the neurites"),
     Qt::AlignRight, Qt::DescendingOrder},
    {QT_TRANSLATE_NOOP("CellListModel", "Tags"),
     QT_TRANSLATE_NOOP("CellListModel", "Words of your own; Tags… in the context menu of the list changes them")},
    {QT_TRANSLATE_NOOP("CellListModel", "Types"),
     QT_TRANSLATE_NOOP("CellListModel", "Shares of the length by type of neurite")},
    {QT_TRANSLATE_NOOP("CellListModel", "Problems"),
     QT_TRANSLATE_NOOP("CellListModel", "Why a cell is not read or not drawn, or the warnings of its file"),
     Qt::AlignLeft, Qt::DescendingOrder},
    {QT_TRANSLATE_NOOP("CellListModel", "File"), QT_TRANSLATE_NOOP("CellListModel", "Path of the file")},
}};

/// One of a damaged file may have hundreds of digits.
QString lengthInWords(double length)
{
  constexpr double kMost = 1e9; // um: a kilometre
  return length < kMost ? QLocale(QLocale::English).toString(std::round(length), 'f', 0)
                        : QString::number(length, 'g', 3);
}

} // namespace

QVariant headerOf(int column, int role)
{
  const ColumnText& text = kColumnTexts[static_cast<std::size_t>(column)];
  switch (role) {
  case Qt::DisplayRole:
    return CellListModel::tr(text.title);
  case Qt::ToolTipRole:
    return CellListModel::tr(text.help);
  case Qt::InitialSortOrderRole:
    return text.sortedFirst;
  case Qt::TextAlignmentRole:
    return alignmentOf(column);
  default:
    return {};
  }
}

QVariant alignmentOf(int column)
{
  return QVariant::fromValue(Qt::AlignVCenter | kColumnTexts[static_cast<std::size_t>(column)].alignment);
}

QVariant textOf(const OpenCell& cell, int column)
{
  switch (column) {
  case CellListModel::NameColumn:
    return cell.name;
  case CellListModel::LengthColumn:
    return cell.morphology ? lengthInWords(neuritesOf(cell).length) : QString();
  case CellListModel::SamplesColumn:
    return cell.morphology ? countInWords(cell.metrics.samples) : QString();
  case CellListModel::BranchesColumn:
    return cell.morphology ? countInWords(neuritesOf(cell).branches) : QString();
  case CellListModel::TagsColumn:
    return tagsInWords(cell);
  case CellListModel::TypesColumn:
    return typesInWords(cell);
  case CellListModel::ProblemsColumn:
    return problemInWords(cell);
  default:
    return QString::fromStdString(cell.source.path);
  }
}

QVariant sortValueOf(const OpenCell& cell, int column)
{
  constexpr double kUnknown = -1;
  constexpr double kNotRead = 2e9;
  constexpr double kNotDrawn = 1e9;
  constexpr double kOutdated = 5e8;
  const auto orUnknown = [&](double figure) { return cell.morphology ? figure : kUnknown; };
  switch (column) {
  case CellListModel::LengthColumn:
    return orUnknown(neuritesOf(cell).length);
  case CellListModel::SamplesColumn:
    return orUnknown(static_cast<double>(cell.metrics.samples));
  case CellListModel::BranchesColumn:
    return orUnknown(neuritesOf(cell).branches);
  case CellListModel::ProblemsColumn:
    return cell.error         ? kNotRead
           : !cell.canBeDrawn ? kNotDrawn
           : cell.isOutdated  ? kOutdated
                              : orUnknown(cell.morphology ? static_cast<double>(cell.morphology->warnings.size()) : 0);
  default:
    return textOf(cell, column);
  }
}

QString tableOf(const std::vector<OpenCell>& cells, const std::vector<int>& rows)
{
  QString text = QStringLiteral("name,length_um,samples,branches,bifurcations,tips,highest_order,roots,soma_samples,"
                                "greatest_path_um,total_length_um,width_um,height_um,depth_um,unit_um,types,problems,"
                                "file,tags\n");
  const auto quoted = [](QString field) { // a line a cell
    field.replace(u'\n', QStringLiteral("; "));
    return QString::fromStdString(io::quoteCsv(field.toStdString()));
  };
  const auto number = [](double value) { return QString::fromStdString(hinesight::textOf(value)); };
  for (const int row : rows) {
    const OpenCell& cell = cells[static_cast<std::size_t>(row)];
    const morphology::MorphologyMetrics& m = cell.metrics;
    QStringList fields{quoted(cell.name)};
    if (cell.morphology) {
      const morphology::TypeMeasures neurites = neuritesOf(cell);
      fields << number(neurites.length);
      fields << QString::number(m.samples);
      for (const std::int32_t whole : {neurites.branches, neurites.bifurcations, neurites.tips, m.maxBranchOrder})
        fields << QString::number(whole);
      fields << QString::number(m.roots) << QString::number(m.somaSamples);
      fields << number(m.maxPathDistance) << number(m.totalLength);
      for (std::size_t axis = 0; axis < 3; ++axis)
        fields << number(m.upper[axis] - m.lower[axis]);
    } else {
      fields << QStringList(13, QString());
    }
    fields << number(cell.source.scale) << quoted(typesInWords(cell))
           << quoted(cell.error ? describeError(*cell.error) : warningsOf(cell))
           << quoted(QString::fromStdString(cell.source.path)) << quoted(tagsInWords(cell));
    text += fields.join(u',') + u'\n';
  }
  return text;
}

} // namespace hinesight::app
