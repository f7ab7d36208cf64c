#include "app/shell/page_actions.hpp"

#include "app/pages/view_area.hpp"
#include "app/shell/action_icon.hpp"

#include <QAbstractButton>
#include <QAction>
#include <QCoreApplication>
#include <QEvent>
#include <QHash>
#include <QKeySequence>

namespace hinesight::app {

namespace {

struct Definition
{
  const char* button; ///< its object's name; the action is called so, with "Action"
  const char* text;
  const char* key = "";       ///< none
  const char* icon = nullptr; ///< of another action; null: of its own
};

/// In the order of pages and headers. What is in the menus by another name is left out: figure, fit, timing card.
constexpr Definition kDefinitions[] = {
    {"spreadCells", QT_TRANSLATE_NOOP("PageActions", "&Spread cells"), "S"},
    {"parallelProjection", QT_TRANSLATE_NOOP("PageActions", "&Parallel projection"), "P"},
    {"clipPlane", QT_TRANSLATE_NOOP("PageActions", "&Clipping plane"), "C"},
    {"measurePath", QT_TRANSLATE_NOOP("PageActions", "&Ruler"), "M", "measureAction"},
    {"packingSorted", QT_TRANSLATE_NOOP("PageActions", "&Sorted bars"), "Shift+S"},
    {"packingByCell", QT_TRANSLATE_NOOP("PageActions", "&Colours of cells"), "Shift+C", "colorBy"},
    {"scheduleCompare", QT_TRANSLATE_NOOP("PageActions", "Com&pare schedules"), "B"},
    {"connectionsTogether", QT_TRANSLATE_NOOP("PageActions", "All connections &together"), "A", "circuitDockAction"},
    {"clearSources", QT_TRANSLATE_NOOP("PageActions", "&Clear sources"), "", "deselectAction"},
    {"projectionExport", QT_TRANSLATE_NOOP("PageActions", "&Export table…"), "", "exportAction"},
    {"formationForm", QT_TRANSLATE_NOOP("PageActions", "&Form synapses"), "", "runAction"},
    {"formationDeselect", QT_TRANSLATE_NOOP("PageActions", "&Deselect neuron"), "", "deselectAction"},
    {"formationGrow", QT_TRANSLATE_NOOP("PageActions", "&Grow this network"), "", "plasticityAction"},
    {"formationImport", QT_TRANSLATE_NOOP("PageActions", "&Import neurons or a network…"), "", "openAction"},
    {"formationExport", QT_TRANSLATE_NOOP("PageActions", "&Export synapses…"), "", "exportAction"},
    {"plasticityRun", QT_TRANSLATE_NOOP("PageActions", "&Run or pause the model"), "", "runAction"},
    {"plasticityStep", QT_TRANSLATE_NOOP("PageActions", "&Step to the next update"), "N"},
    {"plasticityReset", QT_TRANSLATE_NOOP("PageActions", "Rese&t the model"), "", "resetAction"},
    {"plasticityOpen", QT_TRANSLATE_NOOP("PageActions", "&Open a checkpoint…"), "", "openAction"},
    {"plasticityExport", QT_TRANSLATE_NOOP("PageActions", "&Export records…"), "", "exportAction"},
    {"simulationRun", QT_TRANSLATE_NOOP("PageActions", "&Run or pause the simulation"), "", "runAction"},
    {"simulationStep", QT_TRANSLATE_NOOP("PageActions", "&Step of the simulation"), "J", "plasticityStepAction"},
    {"simulationMore", QT_TRANSLATE_NOOP("PageActions", "&100 ms more"), "K", "runAction"},
    {"simulationReset", QT_TRANSLATE_NOOP("PageActions", "Rese&t the simulation"), "", "resetAction"},
    {"simulationNewest", QT_TRANSLATE_NOOP("PageActions", "Show the &newest frame"), "L", "lastAction"},
    {"simulationOpen", QT_TRANSLATE_NOOP("PageActions", "&Open a model…"), "", "openAction"},
    {"simulationCircuit", QT_TRANSLATE_NOOP("PageActions", "Simulate the &circuit of the session"), "",
     "circuitDockAction"},
    {"simulationExport", QT_TRANSLATE_NOOP("PageActions", "&Export spikes or traces…"), "", "exportAction"},
    {"simulationMovie", QT_TRANSLATE_NOOP("PageActions", "Write a &movie…"), "", "saveViewAction"},
    {"exportMeasures", QT_TRANSLATE_NOOP("PageActions", "&Export measures…"), "", "exportAction"},
};

/// Of the dock Circuit.
constexpr Definition kCircuitDefinitions[] = {
    {"addPopulation", QT_TRANSLATE_NOOP("PageActions", "&Add population…"), "", "addAction"},
    {"editPopulation", QT_TRANSLATE_NOOP("PageActions", "&Change population…"), "", "editAction"},
    {"removePopulation", QT_TRANSLATE_NOOP("PageActions", "&Remove population"), "", "removeAction"},
    {"addConnection", QT_TRANSLATE_NOOP("PageActions", "Add c&onnection"), "", "addAction"},
    {"formConnection", QT_TRANSLATE_NOOP("PageActions", "&Form synapses between populations…"), "", "synapsesAction"},
    {"makeConnections", QT_TRANSLATE_NOOP("PageActions", "&Make all connections"), "", "runAction"},
    {"compareConnections", QT_TRANSLATE_NOOP("PageActions", "Com&pare connections…"), "", "scheduleCompareAction"},
    {"removeConnection", QT_TRANSLATE_NOOP("PageActions", "Remove co&nnection"), "", "removeAction"},
    {"editSimulatedPart", QT_TRANSLATE_NOOP("PageActions", "Change how it is &simulated…"), "", "editAction"},
    {"removeSimulatedPart", QT_TRANSLATE_NOOP("PageActions", "Remove from the simula&tion"), "", "removeAction"},
};

} // namespace

PageActions::PageActions(ViewArea* viewArea, QObject* parent) : QObject(parent), area(viewArea)
{
  const auto addAll = [this](const auto& definitions, bool isOfPage) {
    QList<QAction*> actions;
    for (const Definition& definition : definitions) {
      const QString icon = QLatin1String(definition.icon ? definition.icon : "");
      actions << add(definition.button, QCoreApplication::translate("PageActions", definition.text), definition.key,
                     icon, isOfPage);
    }
    return actions;
  };
  ofHeaders = addAll(kDefinitions, true);
  ofPanels = addAll(kCircuitDefinitions, false);
  connect(area, &ViewArea::currentChanged, this, &PageActions::refresh);
  connect(area, &ViewArea::arrangementChanged, this, &PageActions::refresh);
  refresh();
}

/// `icon`: of another action; empty: of its own.
QAction* PageActions::add(const char* button, const QString& text, const char* key, const QString& icon, bool isOfPage)
{
  auto* action = new QAction(text, this);
  action->setObjectName(QLatin1String(button) + QStringLiteral("Action"));
  action->setIcon(actionIcon(icon.isEmpty() ? action->objectName() : icon));
  if (const auto* described = area->window()->findChild<QAbstractButton*>(QLatin1String(button)))
    action->setToolTip(described->toolTip());
  action->setShortcut(QKeySequence(QLatin1String(key)));
  connect(action, &QAction::triggered, this, [this, place = entries.size()] {
    if (QAbstractButton* current = entries[place].current)
      current->click();
    takeState(entries[place]);
  });
  entries.push_back({button, action, isOfPage});
  return action;
}

void PageActions::refresh()
{
  QHash<QString, QAbstractButton*> ofPage; // looked for once: a page has hundreds of children
  for (QAbstractButton* button : area->currentWidget()->findChildren<QAbstractButton*>())
    ofPage.insert(button->objectName(), button);
  for (Entry& entry : entries) {
    const QLatin1String name(entry.button);
    if (entry.isOfPage)
      follow(entry, ofPage.value(name));
    else // panels stay
      follow(entry, entry.current ? entry.current.data() : area->window()->findChild<QAbstractButton*>(name));
  }
}

void PageActions::follow(Entry& entry, QAbstractButton* button)
{
  if (entry.current != button) {
    if (entry.current) {
      entry.current->removeEventFilter(this);
      entry.current->disconnect(this);
    }
    entry.current = button;
    if (button) {
      button->installEventFilter(this);
      connect(button, &QAbstractButton::toggled, this, [entry] { takeState(entry); });
    }
  }
  takeState(entry);
}

void PageActions::takeState(const Entry& entry)
{
  const QAbstractButton* button = entry.current;
  entry.action->setVisible(button != nullptr);
  entry.action->setEnabled(button && button->isEnabled() && !button->isHidden());
  entry.action->setCheckable(button && button->isCheckable());
  entry.action->setChecked(button && button->isChecked());
  if (button)
    entry.action->setToolTip(button->toolTip()); // a button that runs or pauses has two
  entry.action->setStatusTip(entry.action->toolTip());
}

bool PageActions::eventFilter(QObject* watched, QEvent* event)
{
  if (event->type() == QEvent::EnabledChange || event->type() == QEvent::ShowToParent ||
      event->type() == QEvent::HideToParent)
    for (const Entry& entry : entries)
      if (entry.current == watched)
        takeState(entry);
  return QObject::eventFilter(watched, event);
}

} // namespace hinesight::app
