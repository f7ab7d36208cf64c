#include "app/projection/connection_panel.hpp"

#include "app/projection/between_dialog.hpp"
#include "app/projection/circuit_list.hpp"
#include "app/projection/connection_names.hpp"
#include "app/projection/field_size.hpp"
#include "core/error.hpp"
#include "model/taken_names.hpp"
#include "widgets/theme.hpp"

#include <QHBoxLayout>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace hinesight::app {

namespace {

/// "12,345 rows" or "4,768 synapses of 4,742 pairs".
QString describe(const ConnectionFigures& figures)
{
  const QString rows = widgets::formatNumber(static_cast<double>(figures.rows));
  return figures.synapses == 0 ? ConnectionPanel::tr("%1 rows").arg(rows)
                               : ConnectionPanel::tr("%1 synapses of %2 pairs")
                                     .arg(widgets::formatNumber(static_cast<double>(figures.synapses)), rows);
}

/// Whether both come to the same. Synapses are of the simulation alone.
bool areMadeAlike(model::Connection a, model::Connection b)
{
  a.synapses = b.synapses = {};
  return a == b;
}

QString joined(const std::vector<std::string>& names)
{
  QStringList list;
  for (const std::string& name : names)
    list << QString::fromStdString(name);
  return list.join(QStringLiteral(", "));
}

} // namespace

ConnectionPanel::ConnectionPanel(QWidget* parent) : QWidget(parent), list(new QListWidget(this))
{
  setObjectName(QStringLiteral("connectionPanel"));
  styleCircuitList(list, "connectionList");
  list->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  list->setToolTip(
      tr("Connections of the circuit, with their rows and the milliseconds (ms) that they took. Click one to "
         "show it on its page; double-click to rename it"));
  QPushButton* addButton = makeCircuitButton(
      "addConnection", tr("Add"),
      tr("Add a connection like the chosen one, in which populations and parameters can be changed then"));
  QPushButton* formButton = makeCircuitButton("formConnection", tr("Form…"),
                                              tr("Add synapses that axons and dendrites of some populations form"));
  QPushButton* makeAllButton = makeCircuitButton("makeConnections", tr("Make all"),
                                                 tr("Make every connection, for its rows and its time in ms"));
  compareButton = makeCircuitButton("compareConnections", tr("Compare\u2026"),
                                    tr("Compare the chosen connection with another one: by distance, degree, overlap"));
  removeButton = makeCircuitButton("removeConnection", tr("Remove"),
                                   tr("Remove the chosen connection; undo brings it back. The only projection stays, "
                                      "since the page Projection shows one"));
  auto* buttons = new QHBoxLayout;
  buttons->setContentsMargins(6, 6, 6, 6);
  buttons->setSpacing(3);
  for (QPushButton* button : {addButton, formButton, makeAllButton, compareButton, removeButton}) {
    button->setStyleSheet(QStringLiteral("QPushButton { padding: 5px 4px; }")); // all in one row of a narrow panel
    buttons->addWidget(button);
  }
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(list, 1);
  column->addLayout(buttons);
  connect(addButton, &QPushButton::clicked, this, &ConnectionPanel::addRequested);
  connect(formButton, &QPushButton::clicked, this, &ConnectionPanel::askBetween);
  connect(makeAllButton, &QPushButton::clicked, this, &ConnectionPanel::makeRequested);
  connect(compareButton, &QPushButton::clicked, this, &ConnectionPanel::compare);
  connect(removeButton, &QPushButton::clicked, this, &ConnectionPanel::remove);
  connect(list, &QListWidget::itemClicked, this, [this](QListWidgetItem* item) { choose(list->row(item)); });
  connect(list, &QListWidget::itemActivated, this, [this](QListWidgetItem* item) { choose(list->row(item)); });
  connect(list, &QListWidget::itemChanged, this, &ConnectionPanel::rename);
  connect(list, &QListWidget::currentRowChanged, this, [this](int row) {
    removeButton->setEnabled(canRemove(row));
    if (!isRefreshing)
      selected = row >= 0 ? all[static_cast<std::size_t>(row)].name : std::string();
  });
}

void ConnectionPanel::setConnections(std::vector<model::Connection> connections, const std::string& shown)
{
  if (all == connections && shownName == shown)
    return;
  all = std::move(connections);
  shownName = shown;
  refresh();
}

/// What was made of it before stays with the name of before: undo brings both back.
void ConnectionPanel::setEnds(const std::string& name, const std::string& source, const std::string& target)
{
  const auto connection = std::ranges::find(all, name, &model::Connection::name);
  if (connection == all.end() || (connection->source == source && connection->target == target))
    return;
  const bool follows = isNamedByEnds(*connection);
  connection->source = source;
  connection->target = target;
  if (follows)
    nameByItsEnds(*connection);
  refresh();
}

void ConnectionPanel::renamePopulation(std::vector<model::Connection> connections, const std::string& before,
                                       const std::string& now)
{
  const auto follow = [&](std::string& name) {
    if (name == before)
      name = now;
  };
  for (auto& [name, made] : allMade) {
    follow(made.connection.source);
    follow(made.connection.target);
    std::ranges::for_each(made.connection.between, follow);
    for (study::PopulationJoin& join : made.figures.joins) {
      follow(join.source);
      follow(join.target);
    }
  }
  const std::vector<model::Connection> old = std::exchange(all, std::move(connections));
  for (std::size_t k = 0; k < all.size(); ++k)
    if (isNamedByEnds(old[k]) && (old[k].source != all[k].source || old[k].target != all[k].target)) {
      nameByItsEnds(all[k]);
      renameMade(old[k].name, all[k].name);
    }
  refresh();
}

void ConnectionPanel::giveFieldSizes(const std::vector<study::PopulationChoice>& choices)
{
  for (model::Connection& connection : all)
    for (const study::PopulationChoice& choice : choices)
      if (connection.kind == model::ConnectionKind::Projection && connection.source == choice.parameters.name)
        giveFieldSize(connection.projection, choice);
  refresh();
}

void ConnectionPanel::setBackend(Backend backend)
{
  for (model::Connection& connection : all)
    if (connection.kind == model::ConnectionKind::Formed)
      connection.formation.backend = backend;
  refresh();
}

void ConnectionPanel::select(const std::string& name)
{
  selected = name;
  refresh();
}

void ConnectionPanel::setOnPage(const std::string& name)
{
  if (std::exchange(onPage, name) != name)
    refresh();
}

const ConnectionFigures* ConnectionPanel::figuresOf(const std::string& name) const
{
  const auto made = allMade.find(name);
  const auto listed = std::ranges::find(all, name, &model::Connection::name);
  const bool isSame = made != allMade.end() && listed != all.end() && areMadeAlike(made->second.connection, *listed);
  return isSame ? &made->second.figures : nullptr;
}

void ConnectionPanel::setFigures(const model::Connection& made, const ConnectionFigures& figures)
{
  allMade.insert_or_assign(made.name, Made{made, figures});
  refresh();
  emit figuresChanged();
}

/// The chosen connection is the same one, or that which the page shows since it shows another one.
void ConnectionPanel::refresh()
{
  isRefreshing = true;
  const std::string& shownOnPage = onPage.empty() ? shownName : onPage;
  const bool isThere = std::ranges::find(all, selected, &model::Connection::name) != all.end();
  if (std::exchange(followed, shownOnPage) != shownOnPage || !isThere)
    selected = shownOnPage;
  while (list->count() > static_cast<int>(all.size()))
    delete list->takeItem(list->count() - 1);
  int selectedRow = -1;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const int row = static_cast<int>(k);
    if (row == list->count())
      list->addItem(new QListWidgetItem);
    QListWidgetItem* item = list->item(row);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable);
    item->setText(QString::fromStdString(all[k].name));
    item->setData(kCircuitDescription, describe(all[k]));
    item->setToolTip(QStringList{item->text(), describe(all[k]).replace(QChar::LineSeparator, QLatin1Char('\n'))}.join(
        QLatin1Char('\n')));
    QFont font = list->font();
    font.setBold(all[k].name == shownOnPage);
    item->setFont(font);
    if (all[k].name == selected)
      selectedRow = row;
  }
  QListWidgetItem* const current = list->item(selectedRow);
  const bool wasInView = current && list->viewport()->rect().intersects(list->visualItemRect(current));
  list->setCurrentRow(selectedRow);
  if (wasInView)
    list->scrollToItem(current); // all of it: with its figures it has a line more
  removeButton->setEnabled(canRemove(list->currentRow()));
  compareButton->setEnabled(!all.empty());
  isRefreshing = false;
}

/// "projection, 12,345 rows, 3.2 ms" and below "thalamus → pyramidal", so that no name hides a number.
QString ConnectionPanel::describe(const model::Connection& connection) const
{
  const bool isFormed = connection.kind == model::ConnectionKind::Formed;
  const QString kind = isFormed                                         ? tr("formed")
                       : connection.kind == model::ConnectionKind::File ? tr("file")
                                                                        : tr("projection");
  const QString ends =
      isFormed ? tr("between %1").arg(joined(connection.between))
               : tr("%1 \u2192 %2")
                     .arg(QString::fromStdString(connection.source), QString::fromStdString(connection.target));
  const ConnectionFigures* const made = figuresOf(connection.name);
  if (!made)
    return kind + QLatin1String(isFormed ? " " : ", ") + ends;
  return tr("%1, %2, %3").arg(kind, app::describe(*made), widgets::formatMilliseconds(made->milliseconds)) +
         QChar::LineSeparator + ends;
}

void ConnectionPanel::choose(int row)
{
  if (row >= 0 && row < static_cast<int>(all.size()))
    emit chosen(model::Connection(all[static_cast<std::size_t>(row)]));
}

void ConnectionPanel::rename(QListWidgetItem* item)
{
  if (isRefreshing)
    return;
  const auto row = static_cast<std::size_t>(list->row(item));
  const std::string name = item->text().trimmed().toStdString();
  if (row >= all.size() || name == all[row].name)
    return refresh();
  try {
    model::requireName("connection", name);
    if (std::ranges::find(all, name, &model::Connection::name) != all.end())
      throw Error(ErrorCode::BadParameter, "There is a connection \"" + name + "\" already; choose another name.");
  } catch (const Error& error) {
    refresh();
    emit refused(QString::fromUtf8(error.what()));
    return;
  }
  const std::string before = all[row].name;
  giveName(all[row], name);
  renameMade(before, name);
  refresh();
  emit changed();
}

/// What names it follows.
void ConnectionPanel::giveName(model::Connection& connection, const std::string& name)
{
  const std::string before = std::exchange(connection.name, name);
  for (std::string* known : {&onPage, &shownName, &selected, &followed})
    if (*known == before)
      *known = name;
  emit renamed(before, name);
}

/// With a number where another one has the name.
void ConnectionPanel::nameByItsEnds(model::Connection& connection)
{
  model::TakenNames others;
  for (const model::Connection& other : all)
    if (&other != &connection)
      others.take(other.name);
  const std::string name = others.take(nameByEnds(connection.source, connection.target));
  if (name != connection.name)
    giveName(connection, name);
}

void ConnectionPanel::renameMade(const std::string& before, const std::string& now)
{
  if (auto made = allMade.extract(before)) {
    made.key() = made.mapped().connection.name = now;
    allMade.insert(std::move(made));
  }
}

/// A circuit without connections has the projection that the page shows: that one would be there again.
bool ConnectionPanel::canRemove(int row) const
{
  return row >= 0 && (all.size() > 1 || all.front().kind != model::ConnectionKind::Projection);
}

void ConnectionPanel::remove()
{
  const int row = list->currentRow();
  if (!canRemove(row))
    return;
  const bool wasShown = all[static_cast<std::size_t>(row)].name == shownName;
  all.erase(all.begin() + row);
  if (wasShown)
    shownName.clear();
  refresh();
  emit changed();
}

/// The chosen one with another that joins the same populations, where there is one.
void ConnectionPanel::compare()
{
  const auto& first = all[static_cast<std::size_t>(std::max(0, list->currentRow()))];
  const auto joins = [](const model::Connection& c, const std::string& from, const std::string& to) {
    if (c.kind != model::ConnectionKind::Formed)
      return c.source == from && c.target == to;
    return std::ranges::find(c.between, from) != c.between.end() && std::ranges::find(c.between, to) != c.between.end();
  };
  const auto joinSame = [&](const model::Connection& other) {
    if (other.name == first.name)
      return false;
    if (first.kind != model::ConnectionKind::Formed)
      return joins(other, first.source, first.target);
    return other.kind != model::ConnectionKind::Formed
               ? joins(first, other.source, other.target)
               : std::ranges::any_of(other.between, [&](const std::string& each) { return joins(first, each, each); });
  };
  const auto second = std::ranges::find_if(all, joinSame);
  emit compareRequested(first.name, second == all.end() ? first.name : second->name);
}

void ConnectionPanel::askBetween()
{
  app::askBetween({tr("Form synapses"), tr("Between the neurons of these populations:"),
                   tr("Axons of this population seek dendrites, and its dendrites are sought"),
                   QStringLiteral("The synapses page"), populations, populations},
                  this, [this](const std::vector<std::string>& chosenOnes) { emit formRequested(chosenOnes); });
}

} // namespace hinesight::app
