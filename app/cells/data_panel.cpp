#include "app/cells/data_panel.hpp"

#include "app/cells/cell_filter.hpp"
#include "app/cells/cell_list.hpp"
#include "app/cells/cell_texts.hpp"
#include "app/cells/unit_form.hpp"
#include "app/shell/action_icon.hpp"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSettings>
#include <QSplitter>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <numeric>

namespace hinesight::app {

namespace {

constexpr const char* kColumnNames[CellListModel::kColumns] = {"name", "length", "samples",  "branches",
                                                               "tags", "types",  "problems", "file"}; ///< in sessions

constexpr int kLeastHeight = 30; // of list and texts: they scroll, and the window fits a small screen
constexpr int kManyCells = 6;    // from here the list has a filter
constexpr int kTextMargins = 30; // beside the texts, of both sides
constexpr int kColumnGap = 16;   // between the names and values of a table
constexpr int kLeastText = 60;

const QString kFoldKey = QStringLiteral("cells/detailsFolded");

/// Rows of a list that follow one another are one range: what Qt does with ranges takes longer the more there are.
QItemSelection rangesOf(const QAbstractItemModel& model, std::vector<int> rows)
{
  std::ranges::sort(rows);
  QItemSelection ranges;
  for (std::size_t first = 0; first < rows.size();) {
    std::size_t last = first;
    while (last + 1 < rows.size() && rows[last + 1] == rows[last] + 1)
      ++last;
    ranges.select(model.index(rows[first], 0), model.index(rows[last], 0));
    first = last + 1;
  }
  return ranges;
}

QLabel* makeText(const char* name)
{
  auto* label = new QLabel;
  label->setObjectName(QLatin1String(name));
  label->setWordWrap(true);
  label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

} // namespace

DataPanel::DataPanel(CellListModel* cells, QWidget* parent)
    : QWidget(parent), model(cells), filter(new CellFilter(this))
{
  setObjectName(QStringLiteral("dataPanel"));
  filter->setSourceModel(model);
  QHBoxLayout* filterLine = makeFilter(); // made from top to bottom, for the order of Tab
  makeList();
  addActions();
  QHBoxLayout* buttons = makeButtons();
  layOut(filterLine, buttons, makeTexts());
  connectModel();
  showBranch({});
  refresh();
}

void DataPanel::makeList()
{
  list = new CellList(this);
  list->setObjectName(QStringLiteral("cellList"));
  list->setModel(filter);
  auto* delegate = new CellDelegate(list);
  list->setItemDelegate(delegate);
  const int digit = list->fontMetrics().horizontalAdvance(u'0');
  static constexpr int kDigits[CellListModel::kColumns] = {24, 9, 9, 9, 20, 26, 40, 40};
  for (int column = 0; column < CellListModel::kColumns; ++column)
    list->setColumnWidth(column, kDigits[column] * digit);
  list->setColumnHidden(CellListModel::TagsColumn, true);
  list->setSelectionMode(QAbstractItemView::ExtendedSelection);
  list->setDragDropMode(QAbstractItemView::InternalMove);
  list->setMouseTracking(true);
  // Where rows are dragged to says nothing of the batch while they are sorted.
  connect(list->header(), &QHeaderView::sortIndicatorChanged, this,
          [this](int column) { list->setDragEnabled(column < 0); });
  list->setMinimumHeight(kLeastHeight);
  list->setAccessibleName(tr("Open cells"));
  connect(delegate, &CellDelegate::eyeClicked, this, &DataPanel::toggleEye);
  connect(list, &CellList::fitRequested, this,
          [this](const QModelIndex& cell) { emit fitRequested(filter->mapToSource(cell).row()); });
}

/// Of the chosen cells, in the list's context menu.
void DataPanel::addActions()
{
  const auto add = [this](const char* name, const QString& text, const QString& tip, const char* icon = nullptr) {
    auto* action = new QAction(text, list);
    action->setObjectName(QLatin1String(name));
    action->setIcon(actionIcon(QLatin1String(icon ? icon : name)));
    action->setToolTip(tip);
    action->setStatusTip(tip);
    action->setShortcutContext(Qt::WidgetShortcut);
    list->addAction(action);
    return action;
  };
  fitAction =
      add("fitCellAction", tr("&Fit to the cell"),
          tr("Fit the Morphology view to the chosen cell, which is shown if it is hidden (double click, Enter)"),
          "fitAction");
  connect(fitAction, &QAction::triggered, this, [this] {
    if (currentRow() >= 0)
      emit fitRequested(currentRow());
  });
  QAction* show = add("showCellsAction", tr("&Show the cells"), tr("Draw the chosen cells"), "showAllCellsAction");
  connect(show, &QAction::triggered, this, [this] { model->setCellsVisible(chosenRows(), true); });
  QAction* hide = add("hideCellsAction", tr("&Hide the cells"),
                      tr("Draw the chosen cells no more; they are still solved"), "hideBranchesAction");
  connect(hide, &QAction::triggered, this, [this] { model->setCellsVisible(chosenRows(), false); });
  showOnlyAction = add("showOnlyCellsAction", tr("Show &only this cell"),
                       tr("Draw the chosen cells and no others, which are still solved"));
  connect(showOnlyAction, &QAction::triggered, this, [this] { model->showOnly(chosenRows()); });
  showAllAction = add("showAllCellsAction", tr("Show all &cells"), tr("Draw all open cells"));
  connect(showAllAction, &QAction::triggered, this, [this] {
    std::vector<int> rows(static_cast<std::size_t>(model->rowCount()));
    std::iota(rows.begin(), rows.end(), 0);
    model->setCellsVisible(std::move(rows), true);
  });
  ofVisibility = {showOnlyAction, showAllAction};
  asOpenedAction =
      add("asOpenedAction", tr("As ope&ned"),
          tr("List the cells in the order in which they were opened and dragged; a click on a header sorts "
             "them again"));
  connect(asOpenedAction, &QAction::triggered, this, [this] { sortBy({}, false); });
  connect(list->header(), &QHeaderView::sortIndicatorChanged, asOpenedAction,
          [this](int column) { asOpenedAction->setEnabled(column >= 0); });
  asOpenedAction->setEnabled(false);
  list->header()->setContextMenuPolicy(Qt::ActionsContextMenu);
  list->header()->addAction(asOpenedAction);
  repairAction =
      add("repairCellAction", tr("Re&pair or turn…"),
          tr("Mend the unit, unknown radii, separate parts, soma and order of the chosen cell; centre and turn it"));
  connect(repairAction, &QAction::triggered, this, [this] { requestRepair(currentRow()); });
  placeAction =
      add("placeCellsAction", tr("P&lace…"),
          tr("Centre, scale, turn and move the chosen cells together, in µm and degrees"), "spreadCellsAction");
  connect(placeAction, &QAction::triggered, this, [this] { emit placeRequested(readChosenRows()); });
  QAction* tag = add("tagCellsAction", tr("&Tags…"),
                     tr("Change the tags of the chosen cells: words by which the list sorts and finds them"));
  connect(tag, &QAction::triggered, this, [this] { emit tagsRequested(chosenRows()); });
  exportAction = add("exportTableAction", tr("&Export table of cells…"),
                     tr("Write the listed cells with their figures to a CSV file"), "exportAction");
  connect(exportAction, &QAction::triggered, this, &DataPanel::exportRequested);
  QAction* remove =
      add("removeCellsAction", tr("&Remove the cells"), tr("Close the chosen cells (Del)"), "removeAction");
  remove->setShortcut(QKeySequence::Delete);
  connect(remove, &QAction::triggered, this, &DataPanel::removeSelected);
  removeAllAction =
      add("removeAllCellsAction", tr("Remove &all cells"),
          tr("Close all cells, also those that the filter does not list; undo brings them back"), "removeAction");
  connect(removeAllAction, &QAction::triggered, this, [this] { removeAllButton->click(); });
  ofChosen = {fitAction, show, hide, tag, remove};
  list->setContextMenuPolicy(Qt::ActionsContextMenu);
}

QList<QAction*> DataPanel::cellActions() const
{
  return list->actions();
}

QHBoxLayout* DataPanel::makeFilter()
{
  filterWords = new QLineEdit(this);
  filterWords->setObjectName(QStringLiteral("cellFilter"));
  filterWords->setPlaceholderText(tr("Filter by name or tag"));
  filterWords->setToolTip(tr("List only cells whose names or tags contain this text; all are still drawn and solved"));
  filterWords->setClearButtonEnabled(true);
  problemsOnly = new QToolButton(this);
  problemsOnly->setObjectName(QStringLiteral("problemFilter"));
  problemsOnly->setText(tr("⚠ Problems"));
  problemsOnly->setCheckable(true);
  problemsOnly->setToolTip(tr("List only cells with warnings, and those that are not read or not drawn"));
  connect(filterWords, &QLineEdit::textChanged, this,
          [this](const QString& words) { changeFilter([&] { filter->setWords(words); }); });
  connect(problemsOnly, &QToolButton::toggled, this,
          [this](bool only) { changeFilter([&] { filter->setProblemsOnly(only); }); });
  auto* line = new QHBoxLayout;
  line->setContentsMargins(8, 2, 8, 2);
  line->setSpacing(6);
  line->addWidget(filterWords, 1);
  line->addWidget(problemsOnly);
  return line;
}

QHBoxLayout* DataPanel::makeButtons()
{
  const auto make = [this](const char* name, const QString& text, const QString& tip) {
    auto* button = new QPushButton(text, this);
    button->setObjectName(QLatin1String(name));
    button->setToolTip(tip);
    return button;
  };
  openButton = make("openButton", tr("Open…"), tr("Open SWC files (Ctrl+O)"));
  removeButton = make("removeButton", tr("Remove"), tr("Close the chosen cells (Del)"));
  removeAllButton = make("removeAllButton", tr("Remove all"), removeAllAction->toolTip());
  connect(openButton, &QPushButton::clicked, this, &DataPanel::openRequested);
  connect(removeButton, &QPushButton::clicked, this, &DataPanel::removeSelected);
  connect(removeAllButton, &QPushButton::clicked, this, [this] {
    const int cells = model->rowCount();
    list->setFocus(); // the button is of no use then, and the field of the filter would take the keys of undo
    model->removeAll();
    emit allRemoved(cells);
  });
  auto* buttons = new QHBoxLayout;
  buttons->setContentsMargins(8, 6, 8, 6);
  buttons->setSpacing(6);
  for (QPushButton* button : {openButton, removeButton, removeAllButton})
    buttons->addWidget(button);
  return buttons;
}

/// Below a line that folds them.
QWidget* DataPanel::makeTexts()
{
  details = makeText("cellDetails");
  details->setTextInteractionFlags(details->textInteractionFlags() | Qt::LinksAccessibleByMouse |
                                   Qt::LinksAccessibleByKeyboard);
  details->setToolTip(tr(
      "Figures of the chosen cell, µm. Branches, bifurcations and tips are of its neurites. The length of neurites is "
      "what Measure, selections, MorphIO and NeuroM have. The total length has the segments of the soma too, and those "
      "that join it with neurites. A line leads to its place in the Morphology view"));
  connect(details, &QLabel::linkActivated, this, &DataPanel::followLink);
  unlisted = makeText("unlistedCell");
  unlisted->setText(tr("The filter does not list this cell. It stays chosen."));
  unlisted->setToolTip(tr("The cell whose figures stand below; clear the filter above the list to see it there"));
  branch = makeText("branchDetails");
  branch->setToolTip(
      tr("What is selected in the views. The root of a tree, such as a soma, has a number as branches have, which the "
         "branches of the cell below do not count. The segment to the soma is part of path distances, and of no "
         "length"));
  unit = new UnitForm(model);
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(12, 4, 12, 8);
  column->setSpacing(10);
  column->addWidget(unlisted);
  column->addWidget(branch);
  column->addWidget(unit);
  column->addWidget(details);
  column->addStretch(1);
  textsFold = new QToolButton(this);
  textsFold->setObjectName(QStringLiteral("foldDetails"));
  textsFold->setText(tr("Details"));
  textsFold->setToolTip(tr("Show or fold the unit, figures and warnings of the chosen cell"));
  textsFold->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  textsFold->setAutoRaise(true);
  textsFold->setCheckable(true);
  textsFold->setFocusPolicy(Qt::TabFocus);
  textsFold->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  textsFold->setProperty("groupHeader", true);
  connect(textsFold, &QToolButton::toggled, this, [this](bool shown) { foldTexts(!shown); });
  texts = new QScrollArea(this);
  texts->setObjectName(QStringLiteral("detailsScroll"));
  texts->setMinimumHeight(kLeastHeight);
  texts->setWidgetResizable(true);
  texts->setFrameShape(QFrame::NoFrame);
  texts->setWidget(content);
  auto* lower = new QWidget(this);
  auto* lines = new QVBoxLayout(lower);
  lines->setContentsMargins(0, 0, 0, 0);
  lines->setSpacing(0);
  lines->addWidget(textsFold);
  lines->addWidget(texts, 1);
  return lower;
}

/// The list takes the room.
void DataPanel::foldTexts(bool folded)
{
  QSettings().setValue(kFoldKey, folded);
  textsFold->setArrowType(folded ? Qt::RightArrow : Qt::DownArrow);
  texts->setVisible(!folded);
  texts->parentWidget()->setMaximumHeight(folded ? textsFold->sizeHint().height() : QWIDGETSIZE_MAX);
}

/// The list with its filter and buttons above, the texts below.
void DataPanel::layOut(QHBoxLayout* filterLine, QHBoxLayout* buttons, QWidget* lower)
{
  auto* upper = new QWidget(this);
  auto* upperColumn = new QVBoxLayout(upper);
  upperColumn->setContentsMargins(0, 0, 0, 0);
  upperColumn->setSpacing(0);
  upperColumn->addLayout(filterLine);
  upperColumn->addWidget(list, 1);
  upperColumn->addLayout(buttons);
  splitter = new QSplitter(Qt::Vertical, this);
  splitter->setObjectName(QStringLiteral("dataSplitter"));
  splitter->addWidget(upper);
  splitter->addWidget(lower);
  splitter->setSizes({340, 320}); // the figures of a cell are seen whole in a window of 1000 x 700
  splitter->setChildrenCollapsible(false);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(splitter);
  const bool folded = QSettings().value(kFoldKey, false).toBool();
  textsFold->setChecked(!folded);
  foldTexts(folded);
}

void DataPanel::connectModel()
{
  connect(list->selectionModel(), &QItemSelectionModel::currentChanged, this, &DataPanel::refresh);
  connect(list->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
    if (!isChoosing) { // another choice
      hiddenChoice.clear();
      hiddenCurrent = QPersistentModelIndex();
    }
    refresh();
  });
  connect(model, &QAbstractItemModel::dataChanged, this, &DataPanel::refresh);
  connect(model, &QAbstractItemModel::rowsRemoved, this, &DataPanel::refresh);
  connect(model, &QAbstractItemModel::modelReset, this, &DataPanel::refresh);
  connect(model, &QAbstractItemModel::rowsInserted, this, &DataPanel::refresh);
  // Undo and an opened session bring other lists: the cells that stay, stay chosen, or those in their places.
  connect(model, &QAbstractItemModel::modelAboutToBeReset, this, [this] {
    chosenBeforeReset.clear();
    for (const int row : chosenRows())
      chosenBeforeReset.emplace_back(model->cells()[static_cast<std::size_t>(row)].key, row);
  });
  connect(model, &QAbstractItemModel::modelReset, this, [this] {
    std::vector<int> rows;
    for (const auto& [key, place] : chosenBeforeReset)
      if (const int row = model->rowOfKey(key); row >= 0 || place < model->rowCount())
        rows.push_back(row >= 0 ? row : place);
    std::ranges::sort(rows);
    chooseCells(rows);
  });
  // Once for all that changes together: many files come one by one.
  fitting.setSingleShot(true);
  connect(&fitting, &QTimer::timeout, list, &CellList::fitFigures);
  const auto fitSoon = [this] { fitting.start(0); };
  connect(model, &QAbstractItemModel::rowsInserted, this, fitSoon);
  connect(model, &QAbstractItemModel::rowsRemoved, this, fitSoon);
  connect(model, &QAbstractItemModel::dataChanged, this, fitSoon);
  connect(model, &QAbstractItemModel::modelReset, this, fitSoon);
  fitSoon();
  // A scale in a sorted list carries the chosen row elsewhere. Who sorts wants to see what comes first.
  connect(filter, &QAbstractItemModel::layoutChanged, list, [this] {
    if (list->currentIndex().isValid())
      list->scrollTo(list->currentIndex());
  });
  connect(list->header(), &QHeaderView::sortIndicatorChanged, list, &QAbstractItemView::scrollToTop);
  connect(list->header(), &QHeaderView::sortIndicatorChanged, this, &DataPanel::sorted);
  // While the list holds cells, one is chosen, until a person takes the choice back.
  connect(filter, &QAbstractItemModel::rowsInserted, this, [this] {
    if (!isChoosing && !list->currentIndex().isValid() && chosenRows().empty())
      list->setCurrentIndex(filter->index(0, 0));
  });
  connect(filter, &QAbstractItemModel::rowsRemoved, this, [this](const QModelIndex&, int first) {
    if (!isChoosing && chosenRows().empty())
      list->setCurrentIndex(filter->index(std::min(first, filter->rowCount() - 1), 0));
  });
}

/// What is chosen stays chosen, whatever is listed.
void DataPanel::changeFilter(const std::function<void()>& change)
{
  std::vector<QPersistentModelIndex> chosen;
  for (const int row : chosenRows())
    chosen.emplace_back(model->index(row));
  const bool wasEmpty = filter->rowCount() == 0;
  const QPersistentModelIndex current = currentRow() < 0 ? QModelIndex() : model->index(currentRow());
  isChoosing = true;
  change();
  choose(chosen, current);
  isChoosing = false;
  if (chosen.empty() && wasEmpty && filter->rowCount() > 0)
    list->setCurrentIndex(filter->index(0, 0)); // one is chosen, until a person takes the choice back
  refresh();
}

/// Selects what is listed; the others are chosen though they are hidden.
void DataPanel::choose(const std::vector<QPersistentModelIndex>& cells, const QPersistentModelIndex& current)
{
  std::vector<int> listed;
  hiddenChoice.clear();
  for (const QPersistentModelIndex& cell : cells)
    if (const QModelIndex index = filter->mapFromSource(cell); index.isValid())
      listed.push_back(index.row());
    else
      hiddenChoice.push_back(cell);
  const QModelIndex listedCurrent = filter->mapFromSource(current);
  hiddenCurrent = listedCurrent.isValid() ? QPersistentModelIndex() : current;
  list->selectionModel()->setCurrentIndex(listedCurrent, QItemSelectionModel::NoUpdate);
  list->selectionModel()->select(rangesOf(*filter, std::move(listed)),
                                 QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

void DataPanel::showBranch(const QString& figures)
{
  branchFigures = figures;
  refreshBranch();
}

void DataPanel::refreshBranch()
{
  branch->setVisible(!branchFigures.isEmpty());
  QString html = QStringLiteral("<b>%1</b><table cellspacing=0 cellpadding=1>").arg(tr("Selection"));
  const QStringList lines = branchFigures.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
  int besides = 0; // the column of names is as wide as the widest
  for (const QString& line : lines)
    besides = std::max(besides, branch->fontMetrics().horizontalAdvance(line.section(QLatin1Char(':'), 0, 0)));
  besides += kColumnGap;
  for (const QString& line : lines) {
    const QString name = line.section(QLatin1Char(':'), 0, 0);
    const QString value = line.section(QLatin1Char(':'), 1).trimmed();
    html += QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td align=right>%2</td></tr>")
                .arg(name.toHtmlEscaped(), elided(value, besides, branch->font()).toHtmlEscaped());
  }
  branch->setText(branchFigures.isEmpty() ? QString() : html + QStringLiteral("</table>"));
}

void DataPanel::resizeEvent(QResizeEvent* event)
{
  QWidget::resizeEvent(event);
  refreshBranch();
  refresh();
}

/// So that a long name pushes nothing out of the panel. `besides`: pixels of what stands in its line.
QString DataPanel::elided(const QString& text, int besides, const QFont& letters) const
{
  const int room = width() - kTextMargins - style()->pixelMetric(QStyle::PM_ScrollBarExtent) - besides;
  return QFontMetrics(letters).elidedText(text, Qt::ElideMiddle, std::max(room, kLeastText));
}

void DataPanel::chooseCell(int row)
{
  if (row < 0 || row >= model->rowCount())
    return;
  if (!filter->mapFromSource(model->index(row)).isValid()) {
    filterWords->clear();
    problemsOnly->setChecked(false);
  }
  list->setCurrentIndex(filter->mapFromSource(model->index(row)));
  list->scrollTo(list->currentIndex());
}

void DataPanel::chooseCells(const std::vector<int>& rows)
{
  std::vector<QPersistentModelIndex> cells;
  for (const int row : rows)
    if (row >= 0 && row < model->rowCount())
      cells.emplace_back(model->index(row));
  const auto isListed = [this](const QPersistentModelIndex& cell) { return filter->mapFromSource(cell).isValid(); };
  const auto listed = std::ranges::find_if(cells, isListed);
  isChoosing = true;
  choose(cells, listed != cells.end() ? *listed : cells.empty() ? QPersistentModelIndex() : cells.front());
  isChoosing = false;
  if (listed != cells.end())
    list->scrollTo(list->currentIndex());
  refresh();
}

std::string DataPanel::sortedBy() const
{
  const int column = filter->sortColumn();
  return column < 0 ? std::string() : kColumnNames[column];
}

bool DataPanel::isDescending() const
{
  return filter->sortOrder() == Qt::DescendingOrder;
}

void DataPanel::sortBy(const std::string& column, bool isDescending)
{
  const auto named = std::ranges::find(kColumnNames, column);
  list->sortByColumn(named == std::end(kColumnNames) ? -1 : static_cast<int>(named - std::begin(kColumnNames)),
                     isDescending ? Qt::DescendingOrder : Qt::AscendingOrder);
}

QString DataPanel::table() const
{
  std::vector<int> rows;
  for (int row = 0; row < filter->rowCount(); ++row)
    rows.push_back(filter->mapToSource(filter->index(row, 0)).row());
  return model->table(rows);
}

void DataPanel::followLink(const QString& link)
{
  const int row = currentRow();
  if (row >= 0 && link == kRepairLink)
    requestRepair(row);
  else if (row >= 0 && link.startsWith(kLineLink))
    emit findingChosen(row, link.mid(kLineLink.size()).toLongLong());
  else if (row >= 0 && link == kReadAgainLink)
    model->add({std::string(model->cells()[static_cast<std::size_t>(row)].source.path)});
}

/// A preview mends the cell, and it is to be in sight, in the list and in the views.
void DataPanel::requestRepair(int row)
{
  filter->keepProblem(row);
  model->setVisible(row, true);
  emit repairRequested(row);
}

/// With the other chosen cells, if it is one of them.
void DataPanel::toggleEye(const QModelIndex& cell)
{
  const int row = filter->mapToSource(cell).row();
  const bool visible = model->cells()[static_cast<std::size_t>(row)].visible;
  const std::vector<int> chosen = chosenRows();
  const bool isChosen = std::ranges::find(chosen, row) != chosen.end();
  model->setCellsVisible(isChosen ? chosen : std::vector<int>{row}, !visible);
}

/// The choice goes to the cell that is in the place of the first one then.
void DataPanel::removeSelected()
{
  const std::vector<int> rows = listedChosenRows();
  if (rows.empty())
    return;
  const QItemSelection listed = list->selectionModel()->selection();
  const int first = std::ranges::min_element(listed, {}, &QItemSelectionRange::top)->top();
  isChoosing = true;
  choose({}, {}); // Qt takes longer for each row that goes, the more are chosen
  model->removeCells(rows);
  isChoosing = false;
  list->setCurrentIndex(filter->index(std::min(first, filter->rowCount() - 1), 0));
  refresh();
}

/// The cell that was chosen last, as a row of the model; -1: none is.
int DataPanel::currentRow() const
{
  const std::vector<int> chosen = chosenRows();
  const int current = hiddenCurrent.isValid() ? hiddenCurrent.row() : filter->mapToSource(list->currentIndex()).row();
  const bool isChosen = std::ranges::find(chosen, current) != chosen.end();
  return isChosen ? current : chosen.empty() ? -1 : chosen.back();
}

std::vector<int> DataPanel::chosenRows() const
{
  std::vector<int> rows = listedChosenRows();
  for (const QPersistentModelIndex& cell : hiddenChoice)
    if (cell.isValid())
      rows.push_back(cell.row());
  std::ranges::sort(rows);
  return rows;
}

std::vector<int> DataPanel::readChosenRows() const
{
  std::vector<int> rows = chosenRows();
  std::erase_if(rows, [this](int row) { return !model->cells()[static_cast<std::size_t>(row)].morphology; });
  return rows;
}

/// Those that are seen, and can be closed.
std::vector<int> DataPanel::listedChosenRows() const
{
  std::vector<int> rows;
  for (const QItemSelectionRange& range : list->selectionModel()->selection())
    for (int row = range.top(); row <= range.bottom(); ++row)
      rows.push_back(filter->mapToSource(filter->index(row, 0)).row());
  std::ranges::sort(rows);
  const auto repeated = std::ranges::unique(rows);
  rows.erase(repeated.begin(), repeated.end());
  return rows;
}

void DataPanel::refresh()
{
  if (isChoosing)
    return; // once, when all is as it stays
  const int row = currentRow();
  const std::vector<int> chosen = chosenRows();
  const int cells = model->rowCount();
  for (QAction* action : ofChosen)
    action->setEnabled(!chosen.empty());
  for (QAction* ofAll : {exportAction, removeAllAction})
    ofAll->setEnabled(cells > 0);
  const bool hasFilter = cells >= kManyCells || filter->isFiltering();
  filterWords->setVisible(hasFilter);
  problemsOnly->setVisible(hasFilter);
  removeButton->setEnabled(!listedChosenRows().empty());
  repairAction->setEnabled(row >= 0 && model->cells()[static_cast<std::size_t>(row)].morphology);
  placeAction->setEnabled(!readChosenRows().empty());
  removeAllButton->setEnabled(cells > 0);
  unit->showCells(chosen);
  list->showTags(std::ranges::any_of(model->cells(), [](const OpenCell& cell) { return !cell.tags.empty(); }));
  unlisted->setVisible(row >= 0 && hiddenCurrent.isValid());
  if (row >= 0) {
    const OpenCell& cell = model->cells()[static_cast<std::size_t>(row)];
    QFont bold = details->font();
    bold.setBold(true);
    details->setText(describeInDetail(cell, elided(cell.name, 0, bold)));
  } else {
    details->setText(cells > 0 ? tr("No cell of the list is chosen.")
                               : tr("Open a file, or drop files on the window."));
  }
  showOnlyAction->setText(chosen.size() > 1 ? tr("Show &only these %1 cells").arg(chosen.size())
                                            : tr("Show &only this cell"));
  showOnlyAction->setEnabled(!readChosenRows().empty()); // one that is not read has no picture
  const auto canFit = [](const OpenCell& cell) { return cell.morphology && cell.canBeDrawn; };
  fitAction->setEnabled(row >= 0 && canFit(model->cells()[static_cast<std::size_t>(row)]));
  showAllAction->setEnabled(std::ranges::any_of(model->cells(), [](const OpenCell& cell) { return !cell.visible; }));
  emit cellChosen(row);
  emit cellsChosen(chosen);
}

} // namespace hinesight::app
