#include "app/app_fixture.hpp"
#include "app/cells_fixture.hpp"
#include "app/pages/view_area.hpp"
#include "app/shell/bars/message_banner.hpp"
#include "app/shell/main_window.hpp"
#include "app/workspace/window_place.hpp"
#include "test_main.hpp"
#include "widgets/cells/tree/tree_view.hpp"
#include "widgets/charts/timing_card.hpp"
#include "widgets/elided_label.hpp"

#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QPainter>
#include <QPushButton>
#include <QSignalSpy>
#include <QStyleOptionToolButton>
#include <QTabBar>
#include <QTableView>
#include <QToolButton>
#include <QTreeView>
#include <QTreeWidget>
#include <QtTest>

#include <cstdlib>

using namespace hinesight;
using namespace hinesight::app;

/// Drives the real main window with mouse and keyboard.
class TestMainWindow : public QObject, CellsFixture
{
  Q_OBJECT

private slots:
  void init();
  void cleanup();

  void startsEmptyAndOffersHelp();
  void loadsSampleCells();
  void showsEveryView();
  void picksABranchInAllViews();
  void choosesTheCellOfAPickedBranch();
  void clearsTheSelectionByEscape();
  void keepsTheSelectionOfACellThatMoves();
  void hidesACellWithoutComputing();
  void sortsTheCellsUntilAskedNotTo();
  void saysInASmallWindowWhatIsShown();
  void marksWhatIsSwitchedOn_data();
  void marksWhatIsSwitchedOn();
  void menusShowWhatIsSwitchedOn();
  void changesThemeAndOverlay();
  void switchesViewsByKeyboard();
  void leavesTheTimingsByTab();
  void fitsTheFirstWindowIntoTheWorkArea();
  void colorsAllViewsAlike();
  void remembersItsLayout();
  void listsItsShortcuts();
};

void TestMainWindow::init()
{
  QSettings().clear();
  show();
}

void TestMainWindow::cleanup()
{
  window.reset();
}

void TestMainWindow::startsEmptyAndOffersHelp()
{
  auto& view = window->view(ViewKind::Morphology);
  QVERIFY(view.isVisible());
  QVERIFY(view.findChild<QPushButton*>("emptyOpen")->isVisible());
  QVERIFY(view.findChild<QPushButton*>("emptySamples")->isVisible());
  QVERIFY(!find<MessageBanner>("messageBanner")->isVisible());
  QVERIFY(!find<QWidget>("jobPanel")->isVisible());
  QVERIFY(!find<QAction>("exportAction")->isEnabled());
  QVERIFY(!find<QAction>("cancelAction")->isEnabled());
  QTRY_VERIFY_WITH_TIMEOUT(!find<QLabel>("deviceLabel")->text().isEmpty(), kPatience);
  QVERIFY(find<QLabel>("memoryLabel")->text().endsWith("free"));
}

void TestMainWindow::loadsSampleCells()
{
  QTest::mouseClick(window->view(ViewKind::Morphology).findChild<QPushButton*>("emptySamples"), Qt::LeftButton);
  QTRY_COMPARE_WITH_TIMEOUT(window->runs().rowCount(), 1, kPatience);
  QCOMPARE(window->cells().rowCount(), 4);
  for (const OpenCell& cell : window->cells().cells()) {
    QVERIFY2(cell.name.contains("synthetic"), qPrintable(cell.name));
    QVERIFY2(cell.morphology->comments[0].find("ynthetic") != std::string::npos, qPrintable(cell.name));
    QVERIFY(cell.morphology->warnings.empty());
  }
  QVERIFY(!window->view(ViewKind::Morphology).findChild<QPushButton*>("emptyOpen")->isVisible());
  // Samples are no files: they are not offered again under "Open recent".
  QVERIFY(!find<QMenu>("recentMenu")->isEnabled());
}

void TestMainWindow::showsEveryView()
{
  open({"stellate.swc"});
  for (const ViewKind kind : {ViewKind::Morphology, ViewKind::Tree, ViewKind::Packing, ViewKind::Splitting}) {
    window->showView(kind);
    widgets::View& view = window->view(kind);
    QVERIFY(view.isVisible());
    QVERIFY(view.scene() && view.scene()->plan == window->scene()->plan);
    const QImage picture = view.grabPicture().convertToFormat(QImage::Format_RGB32);
    const QRgb canvas = widgets::theme().canvas.rgb();
    int drawn = 0;
    for (int y = 0; y < picture.height(); ++y)
      for (int x = 0; x < picture.width(); ++x)
        drawn += picture.pixel(x, y) != canvas;
    QVERIFY2(drawn > 1000, qPrintable(QString("%1: %2 pixels").arg(view.title()).arg(drawn)));
  }
}

void TestMainWindow::picksABranchInAllViews()
{
  window->showView(ViewKind::Tree);
  open({"stellate.swc"});
  widgets::PlanarCanvas* canvas = treeView().planarCanvas();
  const std::int32_t branch = 5;
  const QRectF bar = canvas->transform().map(treeView().barOf(false, branch));
  QTest::mouseClick(canvas, Qt::LeftButton, {}, bar.center().toPoint());
  const widgets::BranchId expected{0, branch};
  QCOMPARE(window->selection(), expected);
  auto* details = find<QLabel>("branchDetails");
  QVERIFY(details->isVisible());
  QVERIFY2(details->text().contains("branch"), qPrintable(details->text()));
  for (const ViewKind kind : {ViewKind::Morphology, ViewKind::Tree, ViewKind::Packing, ViewKind::Splitting}) {
    window->showView(kind);
    QCOMPARE(window->view(kind).selection(), expected);
  }

  // A new plan of the same cell keeps it; a click on the background takes it back.
  type("blockSizeSpin", "256");
  waitForResult();
  QCOMPARE(window->selection(), expected);
  window->showView(ViewKind::Tree);
  QTest::mouseClick(canvas, Qt::LeftButton, {}, QPoint(2, 2));
  QVERIFY(window->selection().isNull());
  QVERIFY(!details->isVisible());
}

void TestMainWindow::choosesTheCellOfAPickedBranch()
{
  window->showView(ViewKind::Tree);
  open({"stellate.swc", "bipolar.swc"});
  auto* list = find<QAbstractItemView>("cellList");
  QCOMPARE(list->currentIndex().row(), 0);
  treeView().showCell(1);
  treeView().settle();
  widgets::PlanarCanvas* canvas = treeView().planarCanvas();
  const QRectF bar = canvas->transform().map(treeView().barOf(false, 3));
  QTest::mouseClick(canvas, Qt::LeftButton, {}, bar.center().toPoint());
  QCOMPARE(window->selection(), (widgets::BranchId{1, 3}));
  QCOMPARE(list->currentIndex().row(), 1);
  QVERIFY(find<QLabel>("cellDetails")->text().contains("bipolar"));
  // A click on the background takes the branch back, and leaves the cell.
  QTest::mouseClick(canvas, Qt::LeftButton, {}, QPoint(2, 2));
  QVERIFY(window->selection().isNull());
  QCOMPARE(list->currentIndex().row(), 1);
}

void TestMainWindow::clearsTheSelectionByEscape()
{
  open({"stellate.swc"});
  QVERIFY(!find<QAction>("deselectAction")->isEnabled());
  emit window->view(ViewKind::Morphology).branchPicked({0, 3});
  QVERIFY(!window->selection().isNull());

  // While a job runs, Escape ends the job and nothing else.
  startLongRun();
  press(Qt::Key_Escape);
  QVERIFY(!window->jobs().isActive());
  QVERIFY(!window->selection().isNull());
  press(Qt::Key_Escape);
  QVERIFY(window->selection().isNull());
  QVERIFY(window->view(ViewKind::Morphology).selection().isNull());
  QVERIFY(!find<QLabel>("branchDetails")->isVisible());
}

void TestMainWindow::keepsTheSelectionOfACellThatMoves()
{
  open({"stellate.swc", "bipolar.swc"});
  emit window->view(ViewKind::Morphology).branchPicked({1, 3});
  QVERIFY(window->cells().moveRows({}, 1, 1, {}, 0));
  waitForResult();
  QCOMPARE(window->selection(), (widgets::BranchId{0, 3}));
  window->cells().remove(0);
  waitForResult();
  QVERIFY(window->selection().isNull());
}

void TestMainWindow::hidesACellWithoutComputing()
{
  open({"stellate.swc", "bipolar.swc"});
  QSignalSpy started(&window->jobs(), &Jobs::submitted);
  const auto solution = window->scene()->solution;
  window->cells().setVisible(1, false);
  QCOMPARE(started.count(), 0);
  QVERIFY(!window->view(ViewKind::Morphology).scene()->cells[1].visible);
  QCOMPARE(window->scene()->solution, solution);
  // It is said where it is hidden and where it is missed.
  const QModelIndex row = window->cells().index(1);
  QVERIFY(row.data(CellListModel::SummaryRole).toString().startsWith("hidden, but solved"));
  QVERIFY(row.data(Qt::ToolTipRole).toString().contains("still part of what is solved"));
  auto* header = window->view(ViewKind::Morphology).findChild<QLabel*>("viewText");
  QVERIFY2(header->text().startsWith("1 of 2 cells, "), qPrintable(header->text()));
  QVERIFY2(header->toolTip().contains(" cells shown: ") && header->toolTip().contains("the others are solved too"),
           qPrintable(header->toolTip()));
  // It stays hidden through the next run.
  type("blockSizeSpin", "256");
  waitForResult();
  QVERIFY(!window->scene()->cells[1].visible);
  QVERIFY(window->scene()->cells[0].visible);
}

/// However often a header is clicked.
void TestMainWindow::sortsTheCellsUntilAskedNotTo()
{
  open({"stellate.swc", "bipolar.swc", "warned.swc"});
  auto* list = find<QTreeView>("cellList");
  const auto names = [&] {
    QStringList all;
    for (int row = 0; row < list->model()->rowCount(); ++row)
      all << list->model()->index(row, CellListModel::NameColumn).data().toString();
    return all;
  };
  auto* asOpened = find<QAction>("asOpenedAction");
  QVERIFY(!asOpened->isEnabled() && !asOpened->icon().isNull());
  const QStringList up{"bipolar", "stellate", "warned"};
  const QStringList down{"warned", "stellate", "bipolar"};
  for (const QStringList& expected : {up, down, up, down}) {
    QTest::mouseClick(list->header()->viewport(), Qt::LeftButton, {}, {20, list->header()->height() / 2});
    QCOMPARE(names(), expected);
  }
  QVERIFY(list->actions().contains(asOpened) && list->header()->actions().contains(asOpened));
  QVERIFY(window->menuBar()->actions().at(3)->menu()->actions().contains(asOpened));
  QVERIFY(asOpened->isEnabled());
  asOpened->trigger();
  QCOMPARE(names(), (QStringList{"stellate", "bipolar", "warned"}));
  QVERIFY(!asOpened->isEnabled());
}

/// The header of the Morphology view is not cut.
void TestMainWindow::saysInASmallWindowWhatIsShown()
{
  window.reset();
  QVERIFY(showWindow({1280, 720}));
  open({"stellate.swc", "bipolar.swc"});
  QVERIFY(find<QDockWidget>("dataDock")->isVisible());
  window->cells().setVisible(1, false);
  auto* header = window->view(ViewKind::Morphology).findChild<widgets::ElidedLabel*>("viewText");
  QTRY_VERIFY2(header->text().startsWith("1 of 2 cells, "), qPrintable(header->text()));
  QTRY_COMPARE(header->shownText(), header->text());
  // So would the longest that is likely.
  const QString longest = QStringLiteral("1 of 39 cells, 1,234,567 segments");
  QVERIFY(header->fontMetrics().horizontalAdvance(longest) <= header->width());
  // A narrow window leaves out what there is no room for, and cuts no word.
  window->resize(1000, 700);
  QTRY_COMPARE(header->shownText(), QStringLiteral("1 of 2 cells"));
}

void TestMainWindow::marksWhatIsSwitchedOn_data()
{
  QTest::addColumn<widgets::ThemeMode>("mode");
  QTest::newRow("dark") << widgets::ThemeMode::Dark;
  QTest::newRow("light") << widgets::ThemeMode::Light;
}

/// A button under the mouse is not taken for one that is on.
void TestMainWindow::marksWhatIsSwitchedOn()
{
  QFETCH(widgets::ThemeMode, mode);
  open({"stellate.swc"});
  window->setTheme(mode);
  auto* ruler = find<QToolButton>("measurePath");
  const auto fillOf = [&](QStyle::State state) {
    QStyleOptionToolButton option;
    option.initFrom(ruler);
    option.rect = QRect({}, ruler->size());
    option.subControls = QStyle::SC_ToolButton;
    option.toolButtonStyle = Qt::ToolButtonIconOnly;
    option.state = QStyle::State_Enabled | QStyle::State_AutoRaise | state;
    QImage picture(ruler->size(), QImage::Format_RGB32);
    picture.fill(window->palette().color(QPalette::Window)); // a button that is off is transparent
    QPainter painter(&picture);
    ruler->style()->drawComplexControl(QStyle::CC_ToolButton, &option, &painter, ruler);
    painter.end();
    return picture.pixelColor(ruler->width() / 2, 3); // above its picture
  };
  const auto apart = [](const QColor& a, const QColor& b) {
    return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue());
  };
  QTRY_COMPARE(ruler->palette().color(QPalette::WindowText), widgets::theme().text);
  const QColor off = fillOf(QStyle::State_None);
  const QColor under = fillOf(QStyle::State_MouseOver);
  const QColor on = fillOf(QStyle::State_On);
  QVERIFY2(apart(on, off) > 3 * apart(under, off), qPrintable(on.name() + under.name() + off.name()));
  QVERIFY(apart(on, under) > 2 * apart(under, off));
  QVERIFY(apart(on, widgets::theme().accent) < apart(under, widgets::theme().accent));
  QCOMPARE(fillOf(QStyle::State_On | QStyle::State_MouseOver), on);
  window->setTheme(widgets::ThemeMode::Dark);
}

/// By the picture of an action, which stands where others have their check mark.
void TestMainWindow::menusShowWhatIsSwitchedOn()
{
  auto* action = find<QAction>("overlayAction");
  QMenu* menu = nullptr;
  for (QAction* title : window->menuBar()->actions())
    if (title->menu()->actions().contains(action))
      menu = title->menu();
  QVERIFY(menu);
  QCursor::setPos(window->mapToGlobal(window->rect().bottomRight()));
  const auto pictureOfIt = [&] {
    menu->popup(window->mapToGlobal(QPoint(20, 40)));
    const bool isShown = QTest::qWaitForWindowExposed(menu);
    const QImage picture = isShown ? menu->grab(menu->actionGeometry(action)).toImage() : QImage();
    menu->close();
    return picture;
  };
  QVERIFY(action->isChecked());
  const QImage on = pictureOfIt();
  action->trigger();
  QVERIFY(!action->isChecked());
  const QImage off = pictureOfIt();
  QVERIFY(!on.isNull() && on.size() == off.size());
  QVERIFY(on != off);
  action->trigger();
  QCOMPARE(pictureOfIt(), on);
}

void TestMainWindow::changesThemeAndOverlay()
{
  open({"bipolar.swc"});
  widgets::View& view = window->view(ViewKind::Morphology);
  QCOMPARE(view.grabPicture().pixelColor(4, 4), widgets::theme().canvas);
  const QColor dark = widgets::theme().canvas;
  press(Qt::Key_D);
  QCOMPARE(widgets::theme().mode, widgets::ThemeMode::Light);
  QVERIFY(widgets::theme().canvas != dark);
  QTRY_COMPARE(view.grabPicture().pixelColor(4, 4), widgets::theme().canvas);
  // Whatever colours itself has the new colours, seen or not.
  for (const ViewKind kind : {ViewKind::Morphology, ViewKind::Tree, ViewKind::Packing, ViewKind::Splitting}) {
    const auto* label = window->view(kind).findChild<QLabel*>("colorByLabel");
    QTRY_COMPARE(label->palette().color(QPalette::WindowText), widgets::theme().secondaryText);
    window->showView(kind);
    // Its first picture comes a moment after it is shown.
    const auto colourAt = [&](int fromTop) {
      const QImage picture = window->view(kind).grab().toImage();
      return picture.pixelColor(2, fromTop > 0 ? fromTop : picture.height() + fromTop);
    };
    QTRY_COMPARE(colourAt(-2), widgets::theme().canvas);
    const bool hasChoice = window->view(kind).findChild<QComboBox*>("scheduleChoice") != nullptr;
    QTRY_COMPARE(colourAt(hasChoice ? 84 : 40), widgets::theme().canvas); // right below the header
  }
  window->showView(ViewKind::Morphology);
  press(Qt::Key_D);
  QCOMPARE(widgets::theme().mode, widgets::ThemeMode::Dark);

  QVERIFY(view.timingCard()->isVisible());
  press(Qt::Key_T);
  QVERIFY(!view.timingCard()->isVisible());
  press(Qt::Key_T);
  QVERIFY(view.timingCard()->isVisible());
}

void TestMainWindow::switchesViewsByKeyboard()
{
  open({"bipolar.swc"});
  ViewArea& area = window->viewArea();
  press(Qt::Key_3);
  QCOMPARE(area.current(), 2);
  press(Qt::Key_2, Qt::ControlModifier);
  QCOMPARE(area.current(), 1);
  QVERIFY(treeView().isVisible() && !window->view(ViewKind::Packing).isVisible());
  press(Qt::Key_G);
  QVERIFY(area.isGrid());
  for (const ViewKind kind : {ViewKind::Morphology, ViewKind::Tree, ViewKind::Packing, ViewKind::Splitting}) {
    QVERIFY(window->view(kind).isVisible());
    QCOMPARE(window->view(kind).scene()->plan, window->scene()->plan);
  }
  QTest::mouseClick(window->view(ViewKind::Splitting).findChild<QToolButton*>("maximize"), Qt::LeftButton);
  QVERIFY(!area.isGrid());
  QCOMPARE(area.current(), 3);
  QTest::mouseClick(window->view(ViewKind::Splitting).findChild<QToolButton*>("maximize"), Qt::LeftButton);
  QVERIFY(area.isGrid());
  auto* tabs = find<QTabBar>("viewTabs");
  QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(0).center());
  QVERIFY(!area.isGrid());
  QCOMPARE(area.current(), 0);
  // Digits typed into a field are no shortcuts.
  type("copiesSpin", "3");
  QCOMPARE(area.current(), 0);
  waitForResult();
}

void TestMainWindow::leavesTheTimingsByTab()
{
  open({"bipolar.swc"});
  press(Qt::Key_F5);
  QTRY_COMPARE_WITH_TIMEOUT(window->runs().rowCount(), 2, kPatience);
  auto* table = find<QTableView>("runTable");
  table->setFocus();
  table->setCurrentIndex(window->runs().index(0, 0));
  QVERIFY(table->hasFocus());
  QTest::keyClick(table, Qt::Key_Tab);
  QVERIFY(!table->hasFocus());
  table->setFocus();
  QTest::keyClick(table, Qt::Key_Backtab, Qt::ShiftModifier);
  QVERIFY(!table->hasFocus());
  table->setFocus();
  QTest::keyClick(table, Qt::Key_Right);
  QCOMPARE(table->currentIndex().column(), 1);
}

void TestMainWindow::fitsTheFirstWindowIntoTheWorkArea()
{
  const QMargins frame(1, 37, 1, 1);
  QCOMPARE(WindowPlace::firstSize({3840, 2160}, frame), WindowPlace::defaultSize());
  QCOMPARE(WindowPlace::firstSize({1280, 680}, frame), QSize(1278, 642));
  const QSize least = window->minimumSizeHint();
  // 1280 x 720 of a screen whose pixels are half as large, with a title.
  QVERIFY2(least.width() <= 640 && least.height() <= 330, qPrintable(QString::number(least.height())));
  cleanup();
  QSettings().clear();
  window = std::make_unique<MainWindow>();
  window->show();
  window->activateWindow(); // there may be no window manager to do so
  QVERIFY(QTest::qWaitForWindowActive(window.get()));
  QTRY_VERIFY(window->screen()->availableGeometry().contains(window->frameGeometry()));
}

void TestMainWindow::colorsAllViewsAlike()
{
  open({"bipolar.swc"});
  auto* combo = window->view(ViewKind::Morphology).findChild<QComboBox*>("colorBy");
  combo->setFocus();
  QTest::keyClick(combo, Qt::Key_Down);
  const widgets::ColorBy chosen = window->view(ViewKind::Morphology).colorBy();
  QVERIFY(chosen != widgets::ColorBy::Type);
  for (const ViewKind kind : {ViewKind::Morphology, ViewKind::Tree, ViewKind::Packing, ViewKind::Splitting})
    QCOMPARE(window->view(kind).colorBy(), chosen);
}

void TestMainWindow::remembersItsLayout()
{
  press(Qt::Key_D);
  press(Qt::Key_4);
  find<QAction>("timingsDockAction")->trigger();
  QVERIFY(!find<QDockWidget>("timingsDock")->isVisible());
  QVERIFY(window->close());
  cleanup();
  show();
  QVERIFY(!find<QDockWidget>("timingsDock")->isVisible());
  QCOMPARE(widgets::theme().mode, widgets::ThemeMode::Light);
  QCOMPARE(window->viewArea().current(), 3);
}

void TestMainWindow::listsItsShortcuts()
{
  find<QAction>("shortcutsAction")->trigger();
  auto* help = find<QDialog>("shortcutsDialog");
  QTRY_VERIFY(help->isVisible());
  auto* list = help->findChild<QTreeWidget*>("shortcutsList");
  for (const char* key : {"Ctrl+O", "F5", "Esc", "Ctrl+E", "Del"}) {
    const QList<QTreeWidgetItem*> rows = list->findItems(QLatin1String(key), Qt::MatchContains, 0);
    QVERIFY2(!rows.isEmpty(), key);
    QVERIFY2(!rows.first()->text(1).isEmpty() && !rows.first()->text(3).isEmpty(), key);
  }
  auto* text = help->findChild<QLineEdit*>("shortcutsText");
  QTest::keyClicks(text, "save session");
  const auto isShown = [&](const QString& name) {
    const QList<QTreeWidgetItem*> rows = list->findItems(name, Qt::MatchExactly, 1);
    return !rows.isEmpty() && list->visualItemRect(rows.first()).isValid();
  };
  QVERIFY(isShown(QStringLiteral("Save session")));
  QVERIFY(!isShown(QStringLiteral("Undo")));
  find<QAction>("shortcutsAction")->trigger();
  QCOMPARE(window->findChildren<QDialog*>("shortcutsDialog").size(), 1);
  QTest::mouseClick(help->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Close), Qt::LeftButton);
  QTRY_VERIFY(window->findChildren<QDialog*>("shortcutsDialog").isEmpty());
  find<QAction>("aboutAction")->trigger();
  QTRY_VERIFY(find<QMessageBox>("aboutDialog")->isVisible());
}

HINESIGHT_TEST_RUN(runWindowTest<TestMainWindow>)
#include "test_main_window.moc"
