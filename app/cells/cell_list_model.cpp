#include "app/cells/cell_list_model.hpp"

#include "morphology/unit_scale.hpp"
#include "widgets/theme.hpp"

#include <QFile>
#include <QFileInfo>
#include <QLocale>
#include <QMimeData>
#include <QStringList>

#include <algorithm>
#include <map>
#include <utility>

namespace hinesight::app {

namespace {

const QString kRowMimeType = QStringLiteral("application/x-hinesight-cell-row");

QString count(std::size_t value)
{
  return QLocale(QLocale::English).toString(static_cast<qulonglong>(value));
}

QString counted(std::size_t value, const QString& one, const QString& many)
{
  return count(value) + QLatin1Char(' ') + (value == 1 ? one : many);
}

/// "Line 3: the radius is negative"
QString withLine(std::int64_t line, const std::string& message)
{
  const QString text = QString::fromStdString(message);
  return line > 0 ? CellListModel::tr("Line %1: %2").arg(line).arg(text) : text;
}

/// Without the path, which stands beside it.
QString describeError(const Error& error)
{
  return withLine(error.line(), error.message());
}

QString whyNotDrawn()
{
  return CellListModel::tr(
      "Not drawn, but solved: it reaches farther than a million km from the origin of its file. Its unit is "
      "wrong, or a number is damaged.");
}

/// Of a resource of the program, which is no file; null of others.
std::shared_ptr<const std::string> contentOf(const std::string& path)
{
  if (!path.starts_with(":/"))
    return nullptr;
  QFile resource(QString::fromStdString(path));
  return resource.open(QIODevice::ReadOnly) ? std::make_shared<const std::string>(resource.readAll().toStdString())
                                            : nullptr;
}

QString paragraph(const QString& text)
{
  return QStringLiteral("<p style='margin-top:4px;margin-bottom:0px'>%1</p>").arg(text.toHtmlEscaped());
}

} // namespace

CellListModel::CellListModel(QObject* parent) : QAbstractListModel(parent) {}

OpenCell CellListModel::newCell(const std::string& path)
{
  OpenCell cell;
  cell.source = {++lastId, path, contentOf(path)};
  cell.name = QFileInfo(QString::fromStdString(path)).completeBaseName();
  return cell;
}

void CellListModel::add(const std::vector<std::string>& paths)
{
  if (paths.empty())
    return;
  for (const std::string& path : paths) {
    OpenCell cell = newCell(path);
    const auto open = std::find_if(openCells.begin(), openCells.end(),
                                   [&](const OpenCell& other) { return other.source.path == path; });
    if (open != openCells.end()) {
      cell.visible = open->visible;
      cell.source.scale = open->source.scale;
      const OpenCell before = std::exchange(*open, std::move(cell));
      const QModelIndex changed = index(static_cast<int>(open - openCells.begin()));
      emit dataChanged(changed, changed);
      if (before.error)
        emit errorGone(*before.error);
      continue;
    }
    const int row = rowCount();
    beginInsertRows({}, row, row);
    openCells.push_back(std::move(cell));
    endInsertRows();
  }
  emit contentChanged();
}

void CellListModel::setCells(const std::vector<CellChoice>& wanted)
{
  const std::vector<CellChoice> before = choices();
  if (before == wanted)
    return;
  beginResetModel();
  std::map<std::string, OpenCell> had;
  for (OpenCell& cell : std::exchange(openCells, {}))
    had.emplace(cell.source.path, std::move(cell));
  for (const CellChoice& choice : wanted) {
    const auto open = had.extract(choice.path);
    OpenCell cell = open ? std::move(open.mapped()) : newCell(choice.path);
    cell.source.scale = choice.scale;
    cell.visible = choice.visible;
    openCells.push_back(std::move(cell));
  }
  endResetModel();
  for (const auto& [path, cell] : had)
    if (cell.error)
      emit errorGone(*cell.error);
  const auto contentOf = [](std::vector<CellChoice> cells) {
    for (CellChoice& cell : cells)
      cell.visible = true;
    return cells;
  };
  if (contentOf(before) == contentOf(wanted))
    emit visibilityChanged();
  else
    emit contentChanged();
}

std::vector<CellChoice> CellListModel::choices() const
{
  std::vector<CellChoice> choices;
  for (const OpenCell& cell : openCells)
    choices.push_back({cell.source.path, cell.source.scale, cell.visible});
  return choices;
}

void CellListModel::removeCells(std::vector<int> rows)
{
  std::ranges::sort(rows);
  const auto [repeated, end] = std::ranges::unique(rows);
  rows.erase(repeated, end);
  std::erase_if(rows, [this](int row) { return row < 0 || row >= rowCount(); });
  if (rows.empty())
    return;
  // Neighbours go together, the last ones first.
  std::vector<Error> errors;
  while (!rows.empty()) {
    const int last = rows.back();
    int first = last;
    for (rows.pop_back(); !rows.empty() && rows.back() == first - 1; rows.pop_back())
      --first;
    beginRemoveRows({}, first, last);
    const auto begin = openCells.begin() + first;
    const auto behind = openCells.begin() + last + 1;
    for (auto cell = begin; cell != behind; ++cell)
      if (cell->error)
        errors.push_back(*cell->error);
    openCells.erase(begin, behind);
    endRemoveRows();
  }
  for (const Error& error : errors)
    emit errorGone(error);
  emit contentChanged();
}

void CellListModel::removeAll()
{
  if (openCells.empty())
    return;
  beginResetModel();
  const std::vector<OpenCell> gone = std::exchange(openCells, {});
  endResetModel();
  for (const OpenCell& cell : gone)
    if (cell.error)
      emit errorGone(*cell.error);
  emit contentChanged();
}

void CellListModel::setVisible(int row, bool visible)
{
  setData(index(row), visible ? Qt::Checked : Qt::Unchecked, Qt::CheckStateRole);
}

void CellListModel::setCellsVisible(std::vector<int> rows, bool visible)
{
  std::erase_if(rows, [&](int row) {
    return std::exchange(openCells[static_cast<std::size_t>(row)].visible, visible) == visible;
  });
  if (rows.empty())
    return;
  tellChange(rows, {Qt::CheckStateRole});
  emit visibilityChanged();
}

void CellListModel::setScale(std::vector<int> rows, double scale)
{
  std::erase_if(rows, [&](int row) {
    return std::exchange(openCells[static_cast<std::size_t>(row)].source.scale, scale) == scale;
  });
  if (rows.empty())
    return;
  tellChange(rows, {});
  emit contentChanged();
}

/// At once, with what lies between them.
void CellListModel::tellChange(const std::vector<int>& rows, const QList<int>& roles)
{
  const auto [first, last] = std::ranges::minmax(rows);
  emit dataChanged(index(first), index(last), roles);
}

std::vector<int> CellListModel::rowsSuggesting(double scale) const
{
  std::vector<int> rows;
  for (std::size_t row = 0; row < openCells.size(); ++row)
    if (suggestedScale(openCells[row]) == scale)
      rows.push_back(static_cast<int>(row));
  return rows;
}

std::vector<Error> CellListModel::takeReadings(const std::vector<study::CellReading>& readings,
                                               const std::vector<bool>& canBeDrawn)
{
  std::vector<Error> errors;
  for (std::size_t i = 0; i < readings.size(); ++i) {
    const study::CellReading& reading = readings[i];
    const int row = rowOf(reading.id);
    if (row < 0)
      continue;
    OpenCell& cell = openCells[static_cast<std::size_t>(row)];
    if (cell.error || (cell.morphology && cell.morphology == reading.morphology))
      continue;
    if (reading.error) {
      errors.push_back(*reading.error);
      cell.error = reading.error;
    } else {
      cell.morphology = reading.morphology;
      cell.metrics = reading.metrics;
      cell.canBeDrawn = canBeDrawn[i];
      cell.name = QString::fromStdString(reading.morphology->name);
    }
    emit dataChanged(index(row), index(row));
  }
  return errors;
}

void CellListModel::takeResult(const study::CellResult& result)
{
  for (const study::StudiedCell& cell : result.cells) {
    const int row = rowOf(cell.source);
    if (row < 0 || !cell.discretization)
      continue;
    auto& compartments = openCells[static_cast<std::size_t>(row)].compartments;
    if (compartments == cell.discretization->compartments())
      continue;
    compartments = cell.discretization->compartments();
    emit dataChanged(index(row), index(row));
  }
}

std::vector<study::CellSource> CellListModel::sources() const
{
  std::vector<study::CellSource> sources;
  for (const OpenCell& cell : openCells)
    sources.push_back(cell.source);
  return sources;
}

int CellListModel::rowOf(std::uint64_t id) const
{
  const auto found =
      std::find_if(openCells.begin(), openCells.end(), [&](const OpenCell& cell) { return cell.source.id == id; });
  return found == openCells.end() ? -1 : static_cast<int>(found - openCells.begin());
}

int CellListModel::rowCount(const QModelIndex& parent) const
{
  return parent.isValid() ? 0 : static_cast<int>(openCells.size());
}

QVariant CellListModel::data(const QModelIndex& index, int role) const
{
  if (!checkIndex(index, CheckIndexOption::IndexIsValid))
    return {};
  const OpenCell& cell = openCells[static_cast<std::size_t>(index.row())];
  switch (role) {
  case Qt::DisplayRole:
    return cell.name;
  case Qt::ToolTipRole:
    return describeBriefly(cell);
  case Qt::CheckStateRole:
    return cell.visible ? Qt::Checked : Qt::Unchecked;
  case SummaryRole:
    return summarize(cell);
  case WarningsRole:
    return cell.morphology ? static_cast<int>(cell.morphology->warnings.size()) : 0;
  case ProblemRole:
    return cell.error ? tr("not read") : cell.canBeDrawn ? QString() : tr("not drawn");
  default:
    return {};
  }
}

bool CellListModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
  if (role != Qt::CheckStateRole || !checkIndex(index, CheckIndexOption::IndexIsValid))
    return false;
  setCellsVisible({index.row()}, value.toInt() == Qt::Checked);
  return true;
}

Qt::ItemFlags CellListModel::flags(const QModelIndex& index) const
{
  if (!index.isValid())
    return Qt::ItemIsDropEnabled;
  return Qt::ItemIsSelectable | Qt::ItemIsEnabled | Qt::ItemIsUserCheckable | Qt::ItemIsDragEnabled |
         Qt::ItemNeverHasChildren;
}

bool CellListModel::moveRows(const QModelIndex& from, int first, int count, const QModelIndex& to, int before)
{
  if (first < 0 || count < 1 || first + count > rowCount() || before < 0 || before > rowCount())
    return false;
  if (!beginMoveRows(from, first, first + count - 1, to, before))
    return false;
  const auto begin = openCells.begin();
  if (before < first)
    std::rotate(begin + before, begin + first, begin + first + count);
  else
    std::rotate(begin + first, begin + first + count, begin + before);
  endMoveRows();
  emit contentChanged();
  return true;
}

QStringList CellListModel::mimeTypes() const
{
  return {kRowMimeType};
}

QMimeData* CellListModel::mimeData(const QModelIndexList& indexes) const
{
  auto* data = new QMimeData;
  data->setData(kRowMimeType, QByteArray::number(indexes.isEmpty() ? -1 : indexes.front().row()));
  return data;
}

bool CellListModel::dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int, const QModelIndex& parent)
{
  if (action != Qt::MoveAction || !data->hasFormat(kRowMimeType))
    return false;
  const int before = row >= 0 ? row : parent.isValid() ? parent.row() : rowCount();
  moveRows({}, data->data(kRowMimeType).toInt(), 1, {}, before);
  // The rows were moved in place: the view must not remove the dragged row after the drop.
  return false;
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
        << counted(cell.metrics.branches, CellListModel::tr("branch"), CellListModel::tr("branches"));
  if (cell.compartments)
    parts << count(*cell.compartments) + CellListModel::tr(" comp.");
  return parts.join(QStringLiteral(", "));
}

QString describeBriefly(const OpenCell& cell)
{
  QStringList lines{QString::fromStdString(cell.source.path)};
  if (!cell.visible)
    lines << CellListModel::tr(
        "Hidden in the Morphology view; still part of what is solved. Remove it to leave it out.");
  if (cell.error)
    lines << describeError(*cell.error);
  if (!cell.canBeDrawn)
    lines << whyNotDrawn();
  if (cell.morphology && !cell.morphology->warnings.empty())
    lines << counted(cell.morphology->warnings.size(), CellListModel::tr("warning, see below"),
                     CellListModel::tr("warnings, see below"));
  return lines.join(QLatin1Char('\n'));
}

QString describeInDetail(const OpenCell& cell, const QString& shortName)
{
  using widgets::formatNumber;
  QString html = QStringLiteral("<b>%1</b>").arg((shortName.isEmpty() ? cell.name : shortName).toHtmlEscaped());
  if (cell.error)
    return html + paragraph(describeError(*cell.error)) +
           paragraph(CellListModel::tr("Open the file again once it is mended, or close it with Remove."));
  if (!cell.morphology)
    return html + QStringLiteral("<br>") + CellListModel::tr("This file has not been read yet.");

  const auto& m = cell.metrics;
  html += QStringLiteral("<table cellspacing=0 cellpadding=1>");
  const auto row = [&](const QString& name, const QString& value) {
    html += QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td align=right>%2</td></tr>").arg(name, value);
  };
  if (cell.morphology->unitScale != morphology::kMicrometres.scale)
    row(CellListModel::tr("Unit of the file"), unitInWords(cell.morphology->unitScale));
  row(CellListModel::tr("Samples"), count(m.samples));
  row(CellListModel::tr("Branches"), count(m.branches));
  row(CellListModel::tr("Bifurcations"), count(m.bifurcations));
  row(CellListModel::tr("Tips"), count(m.tips));
  row(CellListModel::tr("Highest branch order"), QString::number(m.maxBranchOrder));
  if (m.roots != 1)
    row(CellListModel::tr("Roots"), count(m.roots));
  row(CellListModel::tr("Soma samples"), count(m.somaSamples));
  row(CellListModel::tr("Total length"), formatNumber(m.totalLength) + QStringLiteral(" µm"));
  row(CellListModel::tr("Greatest path distance"), formatNumber(m.maxPathDistance) + QStringLiteral(" µm"));
  row(CellListModel::tr("Bounding box"),
      QStringLiteral("%1 × %2 × %3 µm")
          .arg(formatNumber(m.upper[0] - m.lower[0]), formatNumber(m.upper[1] - m.lower[1]),
               formatNumber(m.upper[2] - m.lower[2])));
  if (cell.compartments)
    row(CellListModel::tr("Compartments"), count(*cell.compartments));
  html += QStringLiteral("</table>");

  if (!cell.canBeDrawn)
    html += paragraph(QStringLiteral("⚠ ") + whyNotDrawn());
  for (const morphology::Warning& warning : cell.morphology->warnings)
    html += paragraph(QStringLiteral("⚠ ") + withLine(warning.line, warning.message));
  return html;
}

} // namespace hinesight::app
