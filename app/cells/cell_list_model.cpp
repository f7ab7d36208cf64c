#include "app/cells/cell_list_model.hpp"

#include "core/text.hpp"
#include "io/csv.hpp"
#include "morphology/unit_scale.hpp"
#include "widgets/theme.hpp"

#include <QFileInfo>
#include <QLocale>
#include <QMimeData>
#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <unordered_map>
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
  QString text = withLine(error.line(), error.message());
  if (const QString path = QString::fromStdString(error.file()); !path.isEmpty())
    text.replace(path, QFileInfo(path).fileName());
  return text;
}

QString whyNotDrawn()
{
  return CellListModel::tr(
      "Not drawn, but solved: it spans more than a kilometre, or lies farther than a million km from the origin of its "
      "file. Its unit is wrong, or a number is damaged.");
}

struct ColumnText
{
  const char* title;
  const char* help;
  Qt::Alignment alignment = Qt::AlignLeft;
  Qt::SortOrder sortedFirst = Qt::AscendingOrder; ///< the most of a number is looked for, and the first of names
};

constexpr std::array<ColumnText, CellListModel::kColumns> kColumnTexts = {{
    {QT_TRANSLATE_NOOP("CellListModel", "Name"),
     QT_TRANSLATE_NOOP("CellListModel", "Name of the cell. Click a header to sort, a third time for the order of the "
                                        "batch.")},
    {QT_TRANSLATE_NOOP("CellListModel", "Length, µm"),
     QT_TRANSLATE_NOOP("CellListModel", "Length of the neurites, µm, as Measure, selections, MorphIO and NeuroM have "
                                        "it; the total length, which has the segments of the soma and those that join "
                                        "it with neurites too, is in the details"),
     Qt::AlignRight, Qt::DescendingOrder},
    {QT_TRANSLATE_NOOP("CellListModel", "Samples"), QT_TRANSLATE_NOOP("CellListModel", "Samples of the file"),
     Qt::AlignRight, Qt::DescendingOrder},
    {QT_TRANSLATE_NOOP("CellListModel", "Branches"), QT_TRANSLATE_NOOP("CellListModel", "Branches of the neurites"),
     Qt::AlignRight, Qt::DescendingOrder},
    {QT_TRANSLATE_NOOP("CellListModel", "Types"),
     QT_TRANSLATE_NOOP("CellListModel", "Shares of the length by type of neurite")},
    {QT_TRANSLATE_NOOP("CellListModel", "Problems"),
     QT_TRANSLATE_NOOP("CellListModel", "Why a cell is not read or not drawn, or the warnings of its file"),
     Qt::AlignLeft, Qt::DescendingOrder},
    {QT_TRANSLATE_NOOP("CellListModel", "File"), QT_TRANSLATE_NOOP("CellListModel", "Path of the file")},
}};

QVariant alignmentOf(int column)
{
  return QVariant::fromValue(Qt::AlignVCenter | kColumnTexts[static_cast<std::size_t>(column)].alignment);
}

/// One a line.
QString warningsOf(const OpenCell& cell)
{
  QStringList lines;
  if (cell.morphology)
    for (const morphology::Warning& warning : cell.morphology->warnings)
      lines << withLine(warning.line, warning.message);
  return lines.join(QLatin1Char('\n'));
}

/// One of a damaged file may have hundreds of digits.
QString lengthInWords(double length)
{
  constexpr double kMost = 1e9; // um: a kilometre
  return length < kMost ? QLocale(QLocale::English).toString(std::round(length), 'f', 0)
                        : QString::number(length, 'g', 3);
}

/// What the neurites come to, as Measure counts them: a soma of several samples has no branches and tips, and is no
/// bifurcation.
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

QVariant textOf(const OpenCell& cell, int column)
{
  switch (column) {
  case CellListModel::NameColumn:
    return cell.name;
  case CellListModel::LengthColumn:
    return cell.morphology ? lengthInWords(neuritesOf(cell).length) : QString();
  case CellListModel::SamplesColumn:
    return cell.morphology ? count(cell.metrics.samples) : QString();
  case CellListModel::BranchesColumn:
    return cell.morphology ? count(neuritesOf(cell).branches) : QString();
  case CellListModel::TypesColumn:
    return typesInWords(cell);
  case CellListModel::ProblemsColumn:
    return problemInWords(cell);
  default:
    return QString::fromStdString(cell.source.path);
  }
}

/// Cells that are not read have the least of all numbers, and the most of all problems.
QVariant sortValueOf(const OpenCell& cell, int column)
{
  constexpr double kUnknown = -1;
  constexpr double kNotRead = 2e9;
  constexpr double kNotDrawn = 1e9;
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
                              : orUnknown(cell.morphology ? static_cast<double>(cell.morphology->warnings.size()) : 0);
  default:
    return textOf(cell, column);
  }
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

} // namespace

CellListModel::CellListModel(QObject* parent) : QAbstractTableModel(parent) {}

namespace {

/// Without what is shown in its place for now.
const OpenCell& ownOf(const OpenCell& cell)
{
  return cell.own ? *cell.own : cell;
}

} // namespace

OpenCell CellListModel::newCell(const std::string& path)
{
  OpenCell cell;
  cell.source = {.id = ++lastId, .path = path};
  cell.key = cell.source.id;
  cell.name = QFileInfo(QString::fromStdString(path)).completeBaseName();
  return cell;
}

void CellListModel::add(const std::vector<std::string>& paths)
{
  if (paths.empty())
    return;
  emit changeBegins();
  std::unordered_map<std::string, std::size_t> rowOfPath;
  for (std::size_t row = 0; row < openCells.size(); ++row)
    rowOfPath.emplace(openCells[row].source.path, row);
  std::vector<OpenCell> added;
  std::vector<int> again;
  std::vector<Error> gone;
  for (const std::string& path : paths) {
    removed.take(path); // who opens a file wants it as it is now
    OpenCell cell = newCell(path);
    const auto [known, isNew] = rowOfPath.emplace(path, openCells.size() + added.size());
    if (isNew) {
      added.push_back(std::move(cell));
    } else if (known->second < openCells.size()) {
      OpenCell& open = openCells[known->second];
      cell.visible = open.visible;
      cell.key = open.key;
      cell.source.scale = ownOf(open).source.scale;
      cell.source.place = ownOf(open).source.place;
      if (open.error)
        gone.push_back(*open.error);
      open = std::move(cell);
      again.push_back(static_cast<int>(known->second));
    }
  }
  if (!again.empty())
    tellChange(again, {});
  for (const Error& error : gone)
    emit errorGone(error);
  if (!added.empty()) {
    beginInsertRows({}, rowCount(), rowCount() + static_cast<int>(added.size()) - 1);
    std::ranges::move(added, std::back_inserter(openCells));
    endInsertRows();
  }
  emit contentChanged();
}

void CellListModel::setCells(const std::vector<CellChoice>& wanted)
{
  const std::vector<CellChoice> before = choices();
  if (before == wanted)
    return;
  emit changeBegins();
  beginResetModel();
  std::map<std::string, OpenCell> had;
  for (OpenCell& cell : std::exchange(openCells, {}))
    had.emplace(cell.source.path, std::move(cell));
  for (const CellChoice& choice : wanted) {
    const auto open = had.extract(choice.path);
    const auto gone = open ? std::nullopt : removed.take(choice.path);
    OpenCell cell = open ? OpenCell(ownOf(open.mapped())) : gone ? *gone : newCell(choice.path);
    if (open && open.mapped().own)
      cell.source.id = ++lastId; // what was read under the other is of what was shown
    cell.source.scale = choice.scale;
    cell.source.place = choice.place;
    cell.visible = choice.visible;
    openCells.push_back(std::move(cell));
  }
  std::vector<OpenCell> closed;
  for (auto& [path, cell] : had)
    closed.push_back(std::move(cell));
  removed.keep(closed);
  endResetModel();
  for (const OpenCell& cell : closed)
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
    choices.push_back({cell.source.path, ownOf(cell).source.scale, ownOf(cell).source.place, cell.visible});
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
  emit changeBegins();
  std::vector<OpenCell> closed;
  for (const int row : rows)
    closed.push_back(openCells[static_cast<std::size_t>(row)]);
  // Neighbours go together, the last ones first.
  while (!rows.empty()) {
    const int last = rows.back();
    int first = last;
    for (rows.pop_back(); !rows.empty() && rows.back() == first - 1; rows.pop_back())
      --first;
    beginRemoveRows({}, first, last);
    openCells.erase(openCells.begin() + first, openCells.begin() + last + 1);
    endRemoveRows();
  }
  removed.keep(closed);
  for (const OpenCell& cell : closed)
    if (cell.error)
      emit errorGone(*cell.error);
  emit contentChanged();
}

void CellListModel::removeAll()
{
  if (openCells.empty())
    return;
  emit changeBegins();
  beginResetModel();
  const std::vector<OpenCell> gone = std::exchange(openCells, {});
  removed.keep(gone);
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

void CellListModel::showOnly(const std::vector<int>& rows)
{
  std::vector<int> changed;
  for (int row = 0; row < rowCount(); ++row) {
    const bool visible = std::ranges::find(rows, row) != rows.end();
    if (std::exchange(openCells[static_cast<std::size_t>(row)].visible, visible) != visible)
      changed.push_back(row);
  }
  if (changed.empty())
    return;
  emit changeBegins();
  tellChange(changed, {Qt::CheckStateRole});
  emit visibilityChanged();
}

void CellListModel::setCellsVisible(std::vector<int> rows, bool visible)
{
  std::erase_if(rows, [&](int row) {
    return std::exchange(openCells[static_cast<std::size_t>(row)].visible, visible) == visible;
  });
  if (rows.empty())
    return;
  emit changeBegins();
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

void CellListModel::setPlaces(const std::vector<Placed>& places)
{
  takePlaces(places, false);
}

void CellListModel::previewPlaces(const std::vector<Placed>& places)
{
  takePlaces(places, true);
}

void CellListModel::takePlaces(const std::vector<Placed>& places, bool isPreview)
{
  std::vector<int> changed;
  for (const auto& [row, scale, place] : places) {
    OpenCell& cell = openCells[static_cast<std::size_t>(row)];
    const bool endsPreview = !isPreview && cell.own;
    const bool isElsewhere = cell.source.scale != scale || cell.source.place != place;
    if (!endsPreview && !isElsewhere)
      continue;
    if (!isPreview)
      cell.own.reset();
    else if (!cell.own)
      cell.own = std::make_shared<const OpenCell>(cell);
    cell.source.scale = scale;
    cell.source.place = place;
    changed.push_back(row);
  }
  if (changed.empty())
    return;
  tellChange(changed, {});
  emit contentChanged();
}

std::uint64_t CellListModel::preview(int row, std::shared_ptr<const std::string> text)
{
  preview({{row, std::move(text)}});
  return openCells[static_cast<std::size_t>(row)].source.id;
}

std::uint64_t CellListModel::endPreview(int row)
{
  preview({{row, nullptr}});
  return openCells[static_cast<std::size_t>(row)].source.id;
}

/// What was read is shown until the other is. Who knows a cell by its id is told of the new one.
void CellListModel::preview(const std::vector<Preview>& previews)
{
  std::vector<int> changed;
  for (const auto& [row, text] : previews) {
    OpenCell& cell = openCells[static_cast<std::size_t>(row)];
    if (text) {
      if (!cell.own)
        cell.own = std::make_shared<const OpenCell>(cell);
      cell.source = {.id = ++lastId, .path = cell.own->source.path, .content = text, .place = cell.own->source.place};
    } else if (cell.own) {
      OpenCell own = *cell.own;
      own.visible = cell.visible;
      if (cell.source.content)
        own.source.id = ++lastId;
      cell = std::move(own);
    } else {
      continue;
    }
    changed.push_back(row);
  }
  if (changed.empty())
    return;
  tellChange(changed, {});
  emit contentChanged();
}

void CellListModel::setFile(int row, const std::string& path)
{
  OpenCell& cell = openCells[static_cast<std::size_t>(row)];
  const morphology::CellPlace place = ownOf(cell).source.place;
  const std::string before = cell.source.path;
  removed.keep({cell});
  cell.own.reset();
  cell.source = {.id = ++lastId, .path = path, .place = place};
  emit changeBegins();
  tellChange({row}, {});
  emit fileReplaced(before, path);
  emit contentChanged();
}

void CellListModel::setPlacedFiles(const std::vector<std::pair<int, std::string>>& files)
{
  std::vector<int> changed;
  std::vector<OpenCell> before;
  for (const auto& [row, path] : files) {
    OpenCell& cell = openCells[static_cast<std::size_t>(row)];
    before.push_back(cell);
    cell.own.reset();
    cell.source = {.id = ++lastId, .path = path};
    changed.push_back(row);
  }
  if (changed.empty())
    return;
  removed.keep(before);
  emit changeBegins();
  tellChange(changed, {});
  for (std::size_t k = 0; k < files.size(); ++k)
    emit fileReplaced(before[k].source.path, files[k].second);
  emit contentChanged();
}

/// At once, with what lies between them.
void CellListModel::tellChange(const std::vector<int>& rows, const QList<int>& roles)
{
  const auto [first, last] = std::ranges::minmax(rows);
  emit dataChanged(index(first, 0), index(last, kColumns - 1), roles);
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
  std::vector<int> changed;
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
      cell.unplaced = reading.unplaced;
      cell.metrics = reading.metrics;
      cell.types = reading.types;
      cell.canBeDrawn = canBeDrawn[i];
      cell.name = QString::fromStdString(reading.morphology->name);
    }
    changed.push_back(row);
  }
  if (!changed.empty())
    tellChange(changed, {});
  return errors;
}

void CellListModel::takeResult(const study::CellResult& result)
{
  std::vector<int> changed;
  for (const study::StudiedCell& cell : result.cells) {
    const int row = rowOf(cell.source);
    if (row < 0 || !cell.discretization)
      continue;
    auto& compartments = openCells[static_cast<std::size_t>(row)].compartments;
    if (compartments == cell.discretization->compartments())
      continue;
    compartments = cell.discretization->compartments();
    changed.push_back(row);
  }
  if (!changed.empty())
    tellChange(changed, {});
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

int CellListModel::rowOfKey(std::uint64_t key) const
{
  const auto found = std::ranges::find(openCells, key, &OpenCell::key);
  return found == openCells.end() ? -1 : static_cast<int>(found - openCells.begin());
}

QModelIndex CellListModel::index(int row, int column, const QModelIndex& parent) const
{
  return QAbstractTableModel::index(row, column, parent);
}

int CellListModel::rowCount(const QModelIndex& parent) const
{
  return parent.isValid() ? 0 : static_cast<int>(openCells.size());
}

int CellListModel::columnCount(const QModelIndex& parent) const
{
  return parent.isValid() ? 0 : kColumns;
}

QVariant CellListModel::headerData(int section, Qt::Orientation orientation, int role) const
{
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumns)
    return {};
  const ColumnText& column = kColumnTexts[static_cast<std::size_t>(section)];
  switch (role) {
  case Qt::DisplayRole:
    return tr(column.title);
  case Qt::ToolTipRole:
    return tr(column.help);
  case Qt::InitialSortOrderRole:
    return column.sortedFirst;
  case Qt::TextAlignmentRole:
    return alignmentOf(section);
  default:
    return {};
  }
}

/// What a cell that is not read has no figures of is empty.
QVariant CellListModel::data(const QModelIndex& index, int role) const
{
  if (!checkIndex(index, CheckIndexOption::IndexIsValid))
    return {};
  const OpenCell& cell = openCells[static_cast<std::size_t>(index.row())];
  switch (role) {
  case Qt::DisplayRole:
    return textOf(cell, index.column());
  case SortRole:
    return sortValueOf(cell, index.column());
  case Qt::TextAlignmentRole:
    return alignmentOf(index.column());
  case Qt::ToolTipRole:
    return index.column() == ProblemsColumn && cell.morphology ? warningsOf(cell) : describeBriefly(cell);
  case Qt::CheckStateRole:
    return index.column() == NameColumn ? QVariant(cell.visible ? Qt::Checked : Qt::Unchecked) : QVariant();
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
  if (role != Qt::CheckStateRole || index.column() != NameColumn || !checkIndex(index, CheckIndexOption::IndexIsValid))
    return false;
  setCellsVisible({index.row()}, value.toInt() == Qt::Checked);
  return true;
}

Qt::ItemFlags CellListModel::flags(const QModelIndex& index) const
{
  if (!index.isValid())
    return Qt::ItemIsDropEnabled;
  const Qt::ItemFlags flags =
      Qt::ItemIsSelectable | Qt::ItemIsEnabled | Qt::ItemIsDragEnabled | Qt::ItemNeverHasChildren;
  return index.column() == NameColumn ? flags | Qt::ItemIsUserCheckable : flags;
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
  QByteArrayList rows;
  for (const QModelIndex& index : indexes)
    if (index.column() == indexes.front().column())
      rows << QByteArray::number(index.row());
  auto* data = new QMimeData;
  data->setData(kRowMimeType, rows.join(','));
  return data;
}

bool CellListModel::dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int, const QModelIndex& parent)
{
  if (action != Qt::MoveAction || !data->hasFormat(kRowMimeType))
    return false;
  std::vector<int> rows;
  for (const QByteArray& dragged : data->data(kRowMimeType).split(','))
    rows.push_back(dragged.toInt());
  place(std::move(rows), row >= 0 ? row : parent.isValid() ? parent.row() : rowCount());
  // The rows were moved in place: the view must not remove the dragged ones after the drop.
  return false;
}

/// These together before a row, in their order and in one change.
void CellListModel::place(std::vector<int> rows, int before)
{
  std::ranges::sort(rows);
  std::erase_if(rows, [this](int row) { return row < 0 || row >= rowCount(); });
  bool isMoved = false;
  const auto move = [&](int from, int to) {
    if (!beginMoveRows({}, from, from, {}, to))
      return; // it is there
    const auto begin = openCells.begin();
    if (to < from)
      std::rotate(begin + to, begin + from, begin + from + 1);
    else
      std::rotate(begin + from, begin + from + 1, begin + to);
    endMoveRows();
    isMoved = true;
  };
  int above = 0;
  int below = 0;
  for (const int row : rows)
    if (row < before)
      move(row - above++, before);
    else
      move(row, before + below++);
  if (isMoved)
    emit contentChanged();
}

QString CellListModel::table(const std::vector<int>& rows) const
{
  QString text = QStringLiteral("name,length_um,samples,branches,bifurcations,tips,highest_order,roots,soma_samples,"
                                "greatest_path_um,total_length_um,width_um,height_um,depth_um,unit_um,types,problems,"
                                "file\n");
  const auto quoted = [](QString field) { // a line a cell
    field.replace(u'\n', QStringLiteral("; "));
    return QString::fromStdString(io::quoteCsv(field.toStdString()));
  };
  const auto number = [](double value) { return QString::fromStdString(hinesight::textOf(value)); };
  for (const int row : rows) {
    const OpenCell& cell = openCells[static_cast<std::size_t>(row)];
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
           << quoted(QString::fromStdString(cell.source.path));
    text += fields.join(u',') + u'\n';
  }
  return text;
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

QString problemInWords(const OpenCell& cell)
{
  if (cell.error)
    return describeError(*cell.error).section(QLatin1Char('\n'), 0, 0);
  if (!cell.canBeDrawn)
    return whyNotDrawn();
  if (!cell.morphology || cell.morphology->warnings.empty())
    return {};
  const std::vector<morphology::Warning>& warnings = cell.morphology->warnings;
  const QString first = withLine(warnings.front().line, warnings.front().message);
  return warnings.size() == 1 ? first : CellListModel::tr("%1; and %2 more").arg(first, count(warnings.size() - 1));
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
  const morphology::TypeMeasures neurites = neuritesOf(cell);
  row(CellListModel::tr("Branches"), count(neurites.branches));
  row(CellListModel::tr("Bifurcations"), count(neurites.bifurcations));
  row(CellListModel::tr("Tips"), count(neurites.tips));
  row(CellListModel::tr("Highest branch order"), QString::number(m.maxBranchOrder));
  if (m.roots != 1)
    row(CellListModel::tr("Roots"), count(m.roots));
  row(CellListModel::tr("Soma samples"), count(m.somaSamples));
  row(CellListModel::tr("Length of neurites"), formatNumber(neurites.length) + QStringLiteral(" µm"));
  row(CellListModel::tr("Total, soma included"), formatNumber(m.totalLength) + QStringLiteral(" µm"));
  row(CellListModel::tr("Greatest path distance"), formatNumber(m.maxPathDistance) + QStringLiteral(" µm"));
  row(CellListModel::tr("Bounding box, µm"),
      QStringLiteral("%1 × %2 × %3")
          .arg(formatNumber(m.upper[0] - m.lower[0]), formatNumber(m.upper[1] - m.lower[1]),
               formatNumber(m.upper[2] - m.lower[2])));
  if (cell.compartments)
    row(CellListModel::tr("Compartments"), count(*cell.compartments));
  html += QStringLiteral("</table>");

  if (const QString place = placeInWords(cell.source.place); !place.isEmpty())
    html += paragraph(CellListModel::tr("Placed: %1").arg(place));
  if (!cell.canBeDrawn)
    html += paragraph(QStringLiteral("⚠ ") + whyNotDrawn());
  for (const morphology::Warning& warning : cell.morphology->warnings)
    html += finding(warning);
  if (!cell.morphology->warnings.empty())
    html += QStringLiteral("<p style='margin-top:4px;margin-bottom:0px'>%1</p>")
                .arg(link(kRepairLink, CellListModel::tr("Repair…")));
  return html;
}

} // namespace hinesight::app
