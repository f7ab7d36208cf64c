#include "app/workspace/workspace.hpp"

#include "app/forms/help_text.hpp"
#include "app/pages/pages.hpp"
#include "app/pages/view_area.hpp"
#include "app/pages/view_kind.hpp"
#include "app/shell/action_icon.hpp"
#include "app/workspace/foldable_docks.hpp"
#include "app/workspace/page_panels.hpp"
#include "app/workspace/presets.hpp"

#include <QAction>
#include <QEvent>
#include <QInputDialog>
#include <QJsonDocument>
#include <QMainWindow>
#include <QMenu>
#include <QSettings>
#include <QToolButton>

#include <algorithm>
#include <optional>

namespace hinesight::app {

namespace {

constexpr int kDocksVersion = 1; ///< of QMainWindow's state; 0 had no dock of the circuit

QString lastKey()
{
  return QStringLiteral("workspace/last");
}

QString savedGroup()
{
  return QStringLiteral("workspace/saved");
}

QJsonObject readJson(const QSettings& settings, const QString& key)
{
  return QJsonDocument::fromJson(settings.value(key).toByteArray()).object();
}

/// A name as a key of settings, in which a slash would begin a group.
QString keyOf(const QString& name)
{
  return QString::fromLatin1(name.toUtf8().toHex());
}

QString nameOf(const QString& key)
{
  return QString::fromUtf8(QByteArray::fromHex(key.toLatin1()));
}

} // namespace

Workspace::Workspace(QMainWindow* mainWindow, ViewArea* viewArea, FoldableDocks* foldableDocks)
    : QObject(mainWindow), window(mainWindow), area(viewArea), docks(foldableDocks),
      workspaces(new QMenu(tr("&Workspace"), mainWindow)), ofPerson(nullptr), removal(nullptr)
{
  addActions();
  addBesideTabs();
  addPresets();
  connect(area, &ViewArea::arrangementChanged, this, &Workspace::showDocks);
  connect(area, &ViewArea::arrangementChanged, this, &Workspace::refreshActions);
  connect(area, &ViewArea::currentChanged, this, &Workspace::refreshActions);
  area->installEventFilter(this);
  showDocks();
  refreshActions();
}

QAction* Workspace::addAction(const char* name, const QString& text, const QString& key, const QString& help)
{
  auto* action = new QAction(text, this);
  action->setObjectName(QLatin1String(name));
  action->setIcon(actionIcon(action->objectName()));
  action->setShortcut(QKeySequence(key));
  action->setToolTip(help);
  action->setStatusTip(help);
  all << action;
  return action;
}

void Workspace::addActions()
{
  splitRight = addAction("splitRightAction", tr("Split &right"), QStringLiteral("Ctrl+\\"),
                         tr("Show another page beside this one"));
  splitDown = addAction("splitDownAction", tr("Split do&wn"), QStringLiteral("Ctrl+Shift+\\"),
                        tr("Show another page below this one"));
  closePane = addAction("closePaneAction", tr("Close sp&lit"), QStringLiteral("Ctrl+W"),
                        tr("Give the room of this page to the one beside it, or close its own window"));
  ownWindow = addAction("ownWindowAction", tr("&Own window"), QStringLiteral("Ctrl+Shift+W"),
                        tr("Move this page to a window of its own, or back"));
  ownWindow->setCheckable(true);
  duplicate = addAction(
      "duplicateViewAction", tr("&Duplicate view"), QStringLiteral("Ctrl+Shift+D"),
      tr("Show this view once more, in a window of its own with a camera of its own; up to %1 times").arg(kMostCopies));
  focus = addAction("focusAction", tr("&Fold all docks"), QStringLiteral("F9"),
                    tr("Leave the whole window to the views: fold all docks to its edges, or unfold them"));
  focus->setCheckable(true);
  focus->setIconText(tr("Focus"));
  connect(splitRight, &QAction::triggered, area, [this] { area->split(Qt::Horizontal); });
  connect(splitDown, &QAction::triggered, area, [this] { area->split(Qt::Vertical); });
  connect(closePane, &QAction::triggered, area, &ViewArea::closePane);
  connect(ownWindow, &QAction::triggered, area, &ViewArea::toggleWindow);
  connect(duplicate, &QAction::triggered, area, &ViewArea::duplicate);
  connect(focus, &QAction::triggered, docks, &FoldableDocks::setFocused);
  connect(docks, &FoldableDocks::focusedChanged, focus, &QAction::setChecked);
}

void Workspace::addBesideTabs()
{
  auto* split = new QToolButton;
  split->setObjectName(QStringLiteral("splitButton"));
  split->setText(tr("Split"));
  split->setIcon(actionIcon(QStringLiteral("splitRightAction")));
  split->setToolTip(tr("Show another page beside or below this one, or this one in a window of its own"));
  split->setPopupMode(QToolButton::InstantPopup);
  auto* choices = new QMenu(split);
  choices->addActions({splitRight, splitDown, closePane, ownWindow, duplicate});
  split->setMenu(choices);
  area->addBesideTabs(split);
  auto* focusButton = new QToolButton;
  focusButton->setObjectName(QStringLiteral("focusButton"));
  focusButton->setDefaultAction(focus);
  area->addBesideTabs(focusButton);
}

void Workspace::addPresets()
{
  workspaces->setObjectName(QStringLiteral("workspaceMenu"));
  workspaces->setToolTipsVisible(true);
  for (const Preset& preset : allPresets()) {
    QAction* action = workspaces->addAction(titleOf(preset));
    action->setObjectName(QLatin1String(preset.name) + QStringLiteral("WorkspaceAction"));
    action->setIcon(actionIcon(QString::fromStdString(pagesOf(preset.panes).front()) + QStringLiteral("Action")));
    action->setToolTip(helpOf(preset));
    action->setStatusTip(helpOf(preset));
    connect(action, &QAction::triggered, this, [this, &preset] {
      docks->changeTogether([&] {
        docks->setFocused(false);
        docks->setChoices({});
        area->arrangePanes(preset.panes);
      });
    });
  }
  workspaces->addSeparator();
  ofPerson = workspaces->addMenu(actionIcon(QStringLiteral("saveWorkspaceAction")), tr("&My workspaces"));
  QAction* save = workspaces->addAction(tr("Save &workspace as…"));
  save->setObjectName(QStringLiteral("saveWorkspaceAction"));
  save->setIcon(actionIcon(save->objectName()));
  save->setToolTip(tr("Keep the arrangement of pages and docks under a name"));
  save->setStatusTip(save->toolTip());
  connect(save, &QAction::triggered, this, &Workspace::askForName);
  removal = workspaces->addMenu(actionIcon(QStringLiteral("removeAction")), tr("&Remove workspace"));
  listSaved();
}

void Workspace::refreshActions()
{
  splitRight->setEnabled(area->canSplit(Qt::Horizontal));
  splitDown->setEnabled(area->canSplit(Qt::Vertical));
  const bool isCopy = area->currentCopy() != nullptr;
  const bool isInWindow = area->isInWindow(area->current()) || isCopy;
  closePane->setEnabled(area->panes() > 1 || isInWindow);
  ownWindow->setChecked(isInWindow);
  duplicate->setEnabled(area->canDuplicate());
}

bool Workspace::eventFilter(QObject* watched, QEvent* event)
{
  if (event->type() == QEvent::Resize)
    refreshActions();
  return QObject::eventFilter(watched, event);
}

/// What is done by hand counts for the views of cells together, and for each other page.
void Workspace::showDocks()
{
  std::vector<const PageDefinition*> pages;
  QStringList kinds;
  for (int index = 0; index < area->count(); ++index)
    if (area->isSeen(index)) {
      const PageDefinition& page = allPages()[static_cast<std::size_t>(index)];
      pages.push_back(&page);
      kinds << (index < kViewCount ? QStringLiteral("cells") : QLatin1String(page.name));
    }
  kinds.removeDuplicates();
  docks->show(kinds.join(QLatin1Char('+')), panelsOf(pages));
}

// ---- kept and saved ones ----

QJsonObject Workspace::state() const
{
  return {{QStringLiteral("pages"), toJson(area->arrangement())},
          {QStringLiteral("grid"), area->isGrid()},
          {QStringLiteral("choices"), docks->choices()},
          {QStringLiteral("focus"), docks->isFocused()},
          {QStringLiteral("docks"), QString::fromLatin1(window->saveState(kDocksVersion).toBase64())}};
}

bool Workspace::take(const QJsonObject& state)
{
  const auto arrangement = arrangementFrom(state[QStringLiteral("pages")].toObject());
  if (!arrangement)
    return false;
  window->restoreState(QByteArray::fromBase64(state[QStringLiteral("docks")].toString().toLatin1()), kDocksVersion);
  docks->changeTogether([&] {
    docks->setFocused(state[QStringLiteral("focus")].toBool());
    docks->setChoices(state[QStringLiteral("choices")].toObject());
    area->arrange(*arrangement);
    area->setGrid(state[QStringLiteral("grid")].toBool());
  });
  return true;
}

/// A person of an earlier version has a page and whether there was a grid.
void Workspace::restore()
{
  const QSettings settings;
  if (take(readJson(settings, lastKey())))
    return;
  area->showView(settings.value(QStringLiteral("window/view"), 0).toInt());
  area->setGrid(settings.value(QStringLiteral("window/grid"), false).toBool());
}

void Workspace::store() const
{
  QSettings().setValue(lastKey(), QJsonDocument(state()).toJson(QJsonDocument::Compact));
}

QStringList Workspace::saved()
{
  QSettings settings;
  settings.beginGroup(savedGroup());
  QStringList names;
  for (const QString& key : settings.childKeys())
    names << nameOf(key);
  names.sort(Qt::CaseInsensitive);
  return names;
}

void Workspace::saveAs(const QString& name)
{
  if (name.trimmed().isEmpty())
    return;
  QSettings().setValue(savedGroup() + QLatin1Char('/') + keyOf(name.trimmed()),
                       QJsonDocument(state()).toJson(QJsonDocument::Compact));
  listSaved();
}

void Workspace::askForName()
{
  auto* dialog = new QInputDialog(window);
  dialog->setObjectName(QStringLiteral("workspaceNameDialog"));
  dialog->setWindowTitle(tr("Save workspace"));
  describe(dialog, {dialog->windowTitle(), tr("Keeps how pages and docks are arranged, under a name."),
                    QStringLiteral("Arranging the window")});
  dialog->setLabelText(tr("Name of the workspace"));
  dialog->setTextValue(tr("workspace %1").arg(saved().size() + 1));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QInputDialog::textValueSelected, this, &Workspace::saveAs);
  dialog->open();
}

void Workspace::listSaved()
{
  ofPerson->clear();
  removal->clear();
  for (const QString& name : saved()) {
    const QString key = savedGroup() + QLatin1Char('/') + keyOf(name);
    const QString text = QString(name).replace(QLatin1Char('&'), QStringLiteral("&&"));
    QAction* choice = ofPerson->addAction(actionIcon(QStringLiteral("saveWorkspaceAction")), text);
    choice->setToolTip(tr("Arrange pages and docks as they were saved under this name"));
    choice->setStatusTip(choice->toolTip());
    connect(choice, &QAction::triggered, this, [this, key] { take(readJson(QSettings(), key)); });
    QAction* removing = removal->addAction(actionIcon(QStringLiteral("removeAction")), tr("Remove %1").arg(text));
    removing->setToolTip(tr("Forget this workspace; what is seen stays"));
    removing->setStatusTip(removing->toolTip());
    connect(
        removing, &QAction::triggered, this,
        [this, key] {
          QSettings().remove(key);
          listSaved();
        },
        Qt::QueuedConnection);
  }
  ofPerson->menuAction()->setEnabled(!ofPerson->isEmpty());
  removal->menuAction()->setEnabled(!removal->isEmpty());
}

} // namespace hinesight::app
