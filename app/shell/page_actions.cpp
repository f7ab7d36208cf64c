#include "app/shell/page_actions.hpp"

#include "app/pages/view_area.hpp"
#include "app/shell/action_icon.hpp"

#include <QAbstractButton>
#include <QAction>
#include <QCoreApplication>
#include <QEvent>
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
    {"simulationExport", QT_TRANSLATE_NOOP("PageActions", "&Export spikes or traces…"), "", "exportAction"},
    {"simulationMovie", QT_TRANSLATE_NOOP("PageActions", "Write a &movie…"), "", "saveViewAction"},
    {"exportMeasures", QT_TRANSLATE_NOOP("PageActions", "&Export measures…"), "", "exportAction"},
};

} // namespace

PageActions::PageActions(ViewArea* viewArea, QObject* parent) : QObject(parent), area(viewArea)
{
  for (const Definition& definition : kDefinitions) {
    auto* action = new QAction(QCoreApplication::translate("PageActions", definition.text), this);
    action->setObjectName(QLatin1String(definition.button) + QStringLiteral("Action"));
    action->setIcon(actionIcon(definition.icon ? QLatin1String(definition.icon) : action->objectName()));
    if (const auto* button = area->window()->findChild<QAbstractButton*>(QLatin1String(definition.button)))
      action->setToolTip(button->toolTip());
    action->setShortcut(QKeySequence(QLatin1String(definition.key)));
    connect(action, &QAction::triggered, this, [this, place = entries.size()] {
      if (QAbstractButton* button = entries[place].current)
        button->click();
      takeState(entries[place]);
    });
    entries.push_back({definition.button, action});
  }
  connect(area, &ViewArea::currentChanged, this, &PageActions::refresh);
  connect(area, &ViewArea::arrangementChanged, this, &PageActions::refresh);
  refresh();
}

QList<QAction*> PageActions::all() const
{
  QList<QAction*> actions;
  for (const Entry& entry : entries)
    actions << entry.action;
  return actions;
}

void PageActions::refresh()
{
  const QWidget* page = area->currentWidget();
  for (Entry& entry : entries)
    follow(entry, page->findChild<QAbstractButton*>(QLatin1String(entry.button)));
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
