#include "app/cells/cell_list_model.hpp"

#include "app/cells/cell_columns.hpp"
#include "app/cells/cell_texts.hpp"
#include "model/project.hpp"
#include "model/taken_names.hpp"

#include <QFileInfo>
#include <QMimeData>
#include <QStringList>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>
#include <utility>

namespace hinesight::app {

namespace {

const QString kRowMimeType = QStringLiteral("application/x-hinesight-cell-row");

/// Without what is shown in its place for now.
const OpenCell& ownOf(const OpenCell& cell)
{
  return cell.own ? *cell.own : cell;
}

/// Whether a session can call a cell so.
bool isName(const QString& name)
{
  try {
    model::requireName("cell", name.toStdString());
    return true;
  } catch (const Error&) {
    return false;
  }
}

/// As much of its end as is a name.
QString nameOfFile(const std::string& path)
{
  QString name = QFileInfo(QString::fromStdString(path)).completeBaseName();
  while (!name.isEmpty() && !isName(name))
    name.remove(0, 1);
  return name.isEmpty() ? QStringLiteral("cell") : name;
}

/// Empty: that of the file.
void giveName(OpenCell& cell, const std::string& name)
{
  cell.isNamed = !name.empty();
  cell.name = cell.isNamed ? QString::fromStdString(name) : nameOfFile(cell.source.path);
}

std::string givenName(const OpenCell& cell)
{
  return cell.isNamed ? cell.name.toStdString() : std::string();
}

/// It gets a number where another cell has its name.
void tellApart(OpenCell& cell, model::TakenNames& names)
{
  const std::string wanted = cell.name.toStdString();
  if (const std::string name = names.take(wanted); name != wanted)
    giveName(cell, name);
}

/// That follow one another: a choice of neighbours.
bool areNeighbours(const std::vector<int>& ascending)
{
  return ascending.back() - ascending.front() + 1 == static_cast<int>(ascending.size());
}

} // namespace

CellListModel::CellListModel(QObject* parent) : QAbstractTableModel(parent) {}

OpenCell CellListModel::newCell(const std::string& path)
{
  OpenCell cell;
  cell.source = {.id = ++lastId, .path = path};
  cell.key = cell.source.id;
  cell.name = nameOfFile(path);
  return cell;
}

void CellListModel::add(const std::vector<std::string>& paths)
{
  if (paths.empty())
    return;
  emit changeBegins();
  std::unordered_map<std::string, int> rowOfPath;
  for (int row = 0; row < openCells.size(); ++row)
    rowOfPath.emplace(openCells[row].source.path, row);
  model::TakenNames names = namesWithout({});
  std::vector<OpenCell> added;
  std::vector<int> again;
  std::vector<Error> gone;
  for (const std::string& path : paths) {
    OpenCell cell = newCell(path);
    if (const auto closed = removed.take(path)) // who opens a file wants it as it is now, but for its name
      giveName(cell, givenName(*closed));
    const auto [known, isNew] = rowOfPath.emplace(path, openCells.size() + static_cast<int>(added.size()));
    if (isNew) {
      tellApart(cell, names);
      added.push_back(std::move(cell));
    } else if (known->second < openCells.size()) {
      OpenCell& open = openCells.change()[static_cast<std::size_t>(known->second)];
      cell.visible = open.visible;
      cell.tags = open.tags;
      giveName(cell, givenName(open));
      cell.key = open.key;
      cell.source.scale = ownOf(open).source.scale;
      cell.source.place = ownOf(open).source.place;
      if (open.error)
        gone.push_back(*open.error);
      open = std::move(cell);
      again.push_back(known->second);
    }
  }
  if (!again.empty())
    tellChange(again, {});
  for (const Error& error : gone)
    emit errorGone(error);
  if (!added.empty()) {
    beginInsertRows({}, rowCount(), rowCount() + static_cast<int>(added.size()) - 1);
    std::ranges::move(added, std::back_inserter(openCells.change()));
    endInsertRows();
  }
  emit contentChanged();
}

/// Those of all cells but these.
model::TakenNames CellListModel::namesWithout(const std::vector<int>& rows) const
{
  const std::set<int> leftOut(rows.begin(), rows.end());
  model::TakenNames names;
  for (int row = 0; row < openCells.size(); ++row)
    if (!leftOut.contains(row))
      names.take(openCells[row].name.toStdString());
  return names;
}

/// Nothing but names: the batch stays.
void CellListModel::setNames(const std::vector<CellChoice>& choices)
{
  std::vector<int> rows(choices.size());
  std::iota(rows.begin(), rows.end(), 0);
  model::TakenNames names;
  for (const int row : rows) {
    giveName(openCells.at(row), choices[static_cast<std::size_t>(row)].name);
    tellApart(openCells.at(row), names);
  }
  tellChange(rows, {});
  emit visibilityChanged(); // the views draw them under their names
}

void CellListModel::setCells(std::vector<CellChoice> wanted)
{
  const auto without = [](std::vector<CellChoice> cells, const auto& part) {
    for (CellChoice& cell : cells)
      cell.*part = {};
    return cells;
  };
  for (CellChoice& choice : wanted)
    if (QString::fromStdString(choice.name) == nameOfFile(choice.path))
      choice.name.clear();
  const std::vector<CellChoice> before = choices();
  if (before == wanted)
    return;
  if (without(before, &CellChoice::name) == without(wanted, &CellChoice::name))
    return setNames(wanted);
  emit changeBegins();
  beginResetModel();
  std::map<std::string, OpenCell> had;
  for (OpenCell& cell : std::exchange(openCells.change(), {}))
    had.emplace(cell.source.path, std::move(cell));
  model::TakenNames names;
  for (const CellChoice& choice : wanted) {
    const auto open = had.extract(choice.path);
    const auto gone = open ? std::nullopt : removed.take(choice.path);
    OpenCell cell = open ? OpenCell(ownOf(open.mapped())) : gone ? *gone : newCell(choice.path);
    if (open && open.mapped().own)
      cell.source.id = ++lastId; // what was read under the other is of what was shown
    cell.source.scale = choice.scale;
    cell.source.place = choice.place;
    cell.visible = choice.visible;
    cell.tags = choice.tags;
    giveName(cell, choice.name);
    tellApart(cell, names);
    openCells.change().push_back(std::move(cell));
  }
  std::vector<OpenCell> closed;
  for (auto& [path, cell] : had)
    closed.push_back(std::move(cell));
  removed.keep(closed);
  endResetModel();
  for (const OpenCell& cell : closed)
    if (cell.error)
      emit errorGone(*cell.error);
  const std::vector<CellChoice> seenBefore = without(without(before, &CellChoice::name), &CellChoice::tags);
  const std::vector<CellChoice> seen = without(without(wanted, &CellChoice::name), &CellChoice::tags);
  if (seenBefore == seen)
    emit tagsChanged();
  else if (without(seenBefore, &CellChoice::visible) == without(seen, &CellChoice::visible))
    emit visibilityChanged();
  else
    emit contentChanged();
}

std::vector<CellChoice> CellListModel::choices() const
{
  std::vector<CellChoice> choices;
  for (const OpenCell& cell : openCells.all())
    choices.push_back({cell.source.path, ownOf(cell).source.scale, ownOf(cell).source.place, cell.visible, cell.tags,
                       givenName(cell)});
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
    closed.push_back(openCells[row]);
  // Who is told of a change may do as much as there are cells: there is one change.
  const int first = rows.front();
  if (!areNeighbours(rows))
    place(rows, first);
  const auto count = static_cast<int>(rows.size());
  beginRemoveRows({}, first, first + count - 1);
  const auto begin = openCells.change().begin() + first;
  openCells.change().erase(begin, begin + count);
  endRemoveRows();
  removed.keep(closed);
  for (const OpenCell& cell : closed)
    if (cell.error)
      emit errorGone(*cell.error);
  emit contentChanged();
}

void CellListModel::removeAll()
{
  if (openCells.size() == 0)
    return;
  emit changeBegins();
  beginResetModel();
  const std::vector<OpenCell> gone = std::exchange(openCells.change(), {});
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
  std::vector<bool> isShown(static_cast<std::size_t>(rowCount()));
  for (const int row : rows)
    isShown[static_cast<std::size_t>(row)] = true;
  std::vector<int> changed;
  for (int row = 0; row < rowCount(); ++row) {
    const bool visible = isShown[static_cast<std::size_t>(row)];
    if (std::exchange(openCells.at(row).visible, visible) != visible)
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
  std::erase_if(rows, [&](int row) { return std::exchange(openCells.at(row).visible, visible) == visible; });
  if (rows.empty())
    return;
  emit changeBegins();
  tellChange(rows, {Qt::CheckStateRole});
  emit visibilityChanged();
}

void CellListModel::setTags(const std::vector<std::pair<int, std::vector<std::string>>>& tags)
{
  std::vector<int> changed;
  for (const auto& [row, ofCell] : tags)
    if (std::exchange(openCells.at(row).tags, ofCell) != ofCell)
      changed.push_back(row);
  if (changed.empty())
    return;
  emit changeBegins();
  tellChange(changed, {});
  emit tagsChanged();
}

void CellListModel::setScale(std::vector<int> rows, double scale)
{
  std::erase_if(rows, [&](int row) { return std::exchange(openCells.at(row).source.scale, scale) == scale; });
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
    OpenCell& cell = openCells.at(row);
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
  return openCells[row].source.id;
}

std::uint64_t CellListModel::endPreview(int row)
{
  preview({{row, nullptr}});
  return openCells[row].source.id;
}

/// What was read is shown until the other is. Who knows a cell by its id is told of the new one.
void CellListModel::preview(const std::vector<Preview>& previews)
{
  std::vector<int> changed;
  for (const auto& [row, text] : previews) {
    OpenCell& cell = openCells.change()[static_cast<std::size_t>(row)];
    if (text) {
      if (!cell.own)
        cell.own = std::make_shared<const OpenCell>(cell);
      cell.source = {.id = ++lastId, .path = cell.own->source.path, .content = text, .place = cell.own->source.place};
    } else if (cell.own) {
      OpenCell own = *cell.own;
      own.visible = cell.visible;
      own.tags = cell.tags;
      giveName(own, givenName(cell));
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
  OpenCell& cell = openCells.change()[static_cast<std::size_t>(row)];
  const morphology::CellPlace place = ownOf(cell).source.place;
  const std::string before = cell.source.path;
  removed.keep({cell});
  model::TakenNames names = namesWithout({row});
  cell.own.reset();
  cell.source = {.id = ++lastId, .path = path, .place = place};
  giveName(cell, {}); // the name goes with the file
  tellApart(cell, names);
  emit changeBegins();
  tellChange({row}, {});
  emit fileReplaced(before, path);
  emit contentChanged();
}

void CellListModel::setPlacedFiles(const std::vector<std::pair<int, std::string>>& files)
{
  if (files.empty())
    return;
  std::vector<int> changed;
  for (const auto& [row, path] : files)
    changed.push_back(row);
  model::TakenNames names = namesWithout(changed);
  std::vector<OpenCell> before;
  for (const auto& [row, path] : files) {
    OpenCell& cell = openCells.change()[static_cast<std::size_t>(row)];
    before.push_back(cell);
    cell.own.reset();
    cell.source = {.id = ++lastId, .path = path};
    giveName(cell, {});
    tellApart(cell, names);
  }
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
  for (int row = 0; row < openCells.size(); ++row)
    if (suggestedScale(openCells[row]) == scale)
      rows.push_back(row);
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
    OpenCell& cell = openCells.at(row);
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
      cell.isOutdated = cell.isOutdated && cell.modified == reading.modified;
      cell.modified = reading.modified;
    }
    changed.push_back(row);
  }
  if (!changed.empty())
    tellChange(changed, {});
  return errors;
}

void CellListModel::takeFileTimes(const std::vector<std::pair<std::uint64_t, std::string>>& times)
{
  std::vector<int> changed;
  for (const auto& [key, time] : times) {
    const int row = rowOfKey(key);
    if (row < 0 || openCells[row].own)
      continue;
    OpenCell& cell = openCells.at(row);
    const bool isOutdated = !time.empty() && !cell.modified.empty() && time != cell.modified;
    if (std::exchange(cell.isOutdated, isOutdated) != isOutdated)
      changed.push_back(row);
  }
  if (!changed.empty())
    tellChange(changed, {});
}

void CellListModel::takeResult(const study::CellResult& result)
{
  std::vector<int> changed;
  for (const study::StudiedCell& cell : result.cells) {
    const int row = rowOf(cell.source);
    if (row < 0 || !cell.discretization)
      continue;
    auto& compartments = openCells.at(row).compartments;
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
  for (const OpenCell& cell : openCells.all())
    sources.push_back(cell.source);
  return sources;
}

QModelIndex CellListModel::index(int row, int column, const QModelIndex& parent) const
{
  return QAbstractTableModel::index(row, column, parent);
}

int CellListModel::rowCount(const QModelIndex& parent) const
{
  return parent.isValid() ? 0 : openCells.size();
}

int CellListModel::columnCount(const QModelIndex& parent) const
{
  return parent.isValid() ? 0 : kColumns;
}

QVariant CellListModel::headerData(int section, Qt::Orientation orientation, int role) const
{
  if (orientation != Qt::Horizontal || section < 0 || section >= kColumns)
    return {};
  return headerOf(section, role);
}

QVariant CellListModel::data(const QModelIndex& index, int role) const
{
  if (!checkIndex(index, CheckIndexOption::IndexIsValid))
    return {};
  const OpenCell& cell = openCells[index.row()];
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
    return cell.error         ? tr("not read")
           : !cell.canBeDrawn ? tr("not drawn")
           : cell.isOutdated  ? tr("file changed")
                              : QString();
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
  const auto begin = openCells.change().begin();
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
  std::ranges::sort(rows);
  std::erase_if(rows, [this](int dragged) { return dragged < 0 || dragged >= rowCount(); });
  if (place(rows, row >= 0 ? row : parent.isValid() ? parent.row() : rowCount()))
    emit contentChanged();
  // The rows were moved in place: the view must not remove the dragged ones after the drop.
  return false;
}

/// These, which ascend, together before a row, in one change. False: they are there.
bool CellListModel::place(const std::vector<int>& rows, int before)
{
  std::vector<int> order(static_cast<std::size_t>(rowCount()));
  std::iota(order.begin(), order.end(), 0);
  const auto isPlaced = [&](int row) { return std::ranges::binary_search(rows, row); };
  std::stable_partition(order.begin(), order.begin() + before, [&](int row) { return !isPlaced(row); });
  std::stable_partition(order.begin() + before, order.end(), isPlaced);
  if (std::ranges::is_sorted(order))
    return false;
  emit layoutAboutToBeChanged();
  std::vector<OpenCell> placed;
  std::vector<int> rowsNow(order.size());
  for (const int row : order) {
    rowsNow[static_cast<std::size_t>(row)] = static_cast<int>(placed.size());
    placed.push_back(std::move(openCells.at(row)));
  }
  openCells.change() = std::move(placed);
  const QModelIndexList known = persistentIndexList();
  QModelIndexList moved;
  for (const QModelIndex& each : known)
    moved << index(rowsNow[static_cast<std::size_t>(each.row())], each.column());
  changePersistentIndexList(known, moved);
  emit layoutChanged();
  return true;
}

QString CellListModel::table(const std::vector<int>& rows) const
{
  return tableOf(openCells.all(), rows);
}

} // namespace hinesight::app
