#include "app/app_fixture.hpp"
#include "app/plasticity/plasticity_panel.hpp"
#include "app/projection/connection_panel.hpp"
#include "app/projection/network_comparison_dialog.hpp"
#include "app/projection/population_dialog.hpp"
#include "app/projection/population_panel.hpp"
#include "app/projection/projection_page.hpp"
#include "app/projection/projection_panel.hpp"
#include "app/shell/bars/message_banner.hpp"
#include "app/shell/bars/question_bar.hpp"
#include "app/synapses/formation_page.hpp"
#include "app/window_fixture.hpp"
#include "core/files.hpp"
#include "io/tables/projection_export.hpp"
#include "model/session_file.hpp"
#include "paths/paths.hpp"
#include "projection/projection.hpp"
#include "study/circuit/circuit_neurons.hpp"
#include "study/circuit/circuit_study.hpp"
#include "test_main.hpp"
#include "widgets/charts/bin_chart.hpp"
#include "widgets/projection/circuit_map.hpp"
#include "widgets/projection/projection_view.hpp"
#include "widgets/theme.hpp"

#include <QAction>
#include <QCheckBox>
#include <QColorDialog>
#include <QDialogButtonBox>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QRegularExpression>
#include <QTabWidget>
#include <QTableWidget>
#include <QThread>
#include <QtTest>

#include <numeric>

using namespace hinesight;
using namespace hinesight::app;

/// The lists of populations and of connections in the real main window.
class TestCircuitPanels : public QObject, WindowFixture
{
  Q_OBJECT

  QTemporaryDir folder;

  QString path(const char* name) const { return folder.filePath(name); }

  void open(const QStringList& paths)
  {
    window->openFiles(paths);
    QTRY_VERIFY_WITH_TIMEOUT(!window->isOpening(), kPatience);
    QVERIFY(waitForJobs());
  }

  static void tick(QListWidget* list, int row)
  {
    const QRect item = list->visualItemRect(list->item(row));
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, {item.left() + 10, item.center().y()});
  }

  PopulationDialog* dialogOf(const char* button)
  {
    click(button);
    auto* dialog = find<PopulationDialog>("populationDialog");
    return QTest::qWaitForWindowExposed(dialog) ? dialog : nullptr;
  }

  static void accept(QDialog* dialog)
  {
    QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok), Qt::LeftButton);
    QCoreApplication::processEvents();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); // the next one has the same name
  }

  /// By the last entry of the list and the dialog that it opens.
  static void chooseOtherColour(PopulationDialog* dialog, const QColor& wanted)
  {
    auto* colours = dialog->findChild<QComboBox*>("populationColour");
    colours->setFocus();
    QTest::keyClick(colours, Qt::Key_End);
    auto* asked = dialog->findChild<QColorDialog*>("colourDialog");
    QVERIFY(asked && QTest::qWaitForWindowExposed(asked));
    asked->setCurrentColor(wanted);
    accept(asked);
    QCOMPARE(colours->currentData().toString(), wanted.name());
  }

  /// The colour of the first square right of that place.
  static QColor markIn(const QImage& picture, const QPoint& from)
  {
    constexpr int kSide = 10; // pixels, at least
    const QColor ground = picture.pixelColor(from);
    QColor before = ground;
    for (int x = from.x(), alike = 0; x < picture.width(); ++x) {
      const QColor here = picture.pixelColor(x, from.y());
      alike = here == before ? alike + 1 : 1;
      before = here;
      if (alike >= kSide && here != ground)
        return here;
    }
    return {};
  }

  /// Of the marks in the list of populations, as they are painted.
  QList<QColor> shownColours() const
  {
    auto* list = find<QListWidget>("populationList");
    list->clearSelection(); // what is selected is painted in other colours
    QList<QColor> colours;
    for (int row = 0; row < list->count(); ++row) {
      list->scrollToItem(list->item(row));
      const QRect item = list->visualItemRect(list->item(row));
      colours << markIn(list->viewport()->grab().toImage(), {item.left(), item.center().y()});
    }
    return colours;
  }

  void chooseConnection(int row)
  {
    auto* list = find<QListWidget>("connectionList");
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(row)).center());
    QCoreApplication::processEvents();
    QVERIFY(waitForJobs());
  }

  static QString cellOf(const QTableWidget& table, const QString& row, int column)
  {
    for (int r = 0; r < table.rowCount(); ++r)
      if (table.item(r, 0)->text().startsWith(row))
        return table.item(r, column)->text();
    return {};
  }

private slots:
  void init()
  {
    QVERIFY(folder.isValid());
    QVERIFY(showWindow());
  }
  void cleanup()
  {
    window.reset();
    widgets::setTheme(widgets::ThemeMode::Dark);
  }

  void theMarkOfAChosenPopulationHasItsColour()
  {
    const QIcon mark = find<QListWidget>("populationList")->item(0)->icon();
    const auto colour = [&mark](QIcon::Mode mode) {
      const QImage picture = mark.pixmap(QSize(16, 16), mode).toImage();
      return picture.pixelColor(picture.rect().center());
    };
    QVERIFY(colour(QIcon::Normal).saturation() > 0);
    QCOMPARE(colour(QIcon::Selected), colour(QIcon::Normal));
  }

  void aPopulationIsAPoolOfCells()
  {
    open({dataFile("stellate.swc"), dataFile("bipolar.swc")});
    PopulationDialog* dialog = dialogOf("addPopulation");
    QVERIFY(dialog);
    auto* name = dialog->findChild<QLineEdit*>("populationName");
    name->selectAll();
    QTest::keyClicks(name, "L4");
    dialog->findChild<QComboBox*>("populationKind")->setCurrentIndex(1); // in a box
    auto* rotation = dialog->findChild<QDoubleSpinBox*>("populationRotation");
    QVERIFY(rotation->isVisible() && !rotation->isEnabled()); // points
    auto* cells = dialog->findChild<QListWidget*>("populationCells");
    QCOMPARE(cells->count(), 2);
    tick(cells, 1);
    tick(cells, 0);
    QVERIFY(rotation->isEnabled());
    QVERIFY(!dialog->findChild<QDoubleSpinBox*>("populationRotationAxisX")->isEnabled());
    rotation->setValue(30);
    dialog->findChild<QDoubleSpinBox*>("populationRotationAxisY")->setValue(0);
    auto* ok = dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
    QVERIFY(!ok->isEnabled());
    QVERIFY(dialog->findChild<QLabel*>("populationProblem")->text().contains("axis"));
    dialog->findChild<QDoubleSpinBox*>("populationRotationAxisZ")->setValue(2);
    QVERIFY(ok->isEnabled());
    dialog->findChild<QComboBox*>("populationCellsBy")->setCurrentIndex(1); // by chance
    auto* role = dialog->findChild<QComboBox*>("populationRole");
    role->setFocus();
    QTest::keyClick(role, Qt::Key_Down);
    dialog->findChild<QComboBox*>("populationColour")->setCurrentIndex(2);
    const std::string colour =
        dialog->findChild<QComboBox*>("populationColour")->currentData().toString().toStdString();
    accept(dialog);
    const auto wanted = [&](const model::Project& project) {
      return project.populations.size() == 3 && project.populations[2].role == model::Role::Inhibitory &&
             project.populations[2].cells == std::vector<std::string>{"stellate", "bipolar"} &&
             project.populations[2].order == model::CellOrder::Chance && project.populations[2].rotation == 30 &&
             project.populations[2].axis == std::array<double, 3>{0, 0, 2} && project.populations[2].colour == colour;
    };
    QVERIFY(!colour.empty());
    QVERIFY(wanted(window->project()));
    model::validate(window->project());
    auto* list = find<QListWidget>("populationList");
    QVERIFY2(list->item(2)->text().contains("inhibitory") && list->item(2)->text().contains("pool of 2 cells"),
             qPrintable(list->item(2)->text()));
    // By undo and back, and by the dialog again.
    QTRY_VERIFY(find<QAction>("undoAction")->isEnabled());
    QTRY_VERIFY(find<QAction>("undoAction")->text().contains("opulation"));
    find<QAction>("undoAction")->trigger();
    QCOMPARE(window->project().populations.size(), std::size_t{2});
    find<QAction>("redoAction")->trigger();
    QVERIFY(wanted(window->project()));
    list->setCurrentRow(2);
    dialog = dialogOf("editPopulation");
    QVERIFY(dialog);
    QCOMPARE(dialog->findChild<QListWidget*>("populationCells")->item(0)->checkState(), Qt::Checked);
    QVERIFY(dialog->population() == window->project().populations[2]);
    dialog->reject();
  }

  /// In the name it takes the population, as Ctrl+Return does everywhere.
  void returnInANumberTakesNoPopulation()
  {
    PopulationDialog* dialog = dialogOf("addPopulation");
    QVERIFY(dialog);
    const auto press = [&](const char* field, const char* text, Qt::KeyboardModifiers modifiers) {
      auto* widget = dialog->findChild<QWidget*>(QLatin1String(field));
      widget->setFocus();
      QMetaObject::invokeMethod(widget, "selectAll");
      QTest::keyClicks(widget, QLatin1String(text));
      QTest::keyClick(widget, Qt::Key_Return, modifiers);
      QCoreApplication::processEvents();
    };
    press("populationOriginX", "7", {});
    QVERIFY(dialog->isVisible());
    QCOMPARE(window->project().populations.size(), std::size_t{2});
    press("populationName", "first", {});
    QTRY_VERIFY(!window->findChild<PopulationDialog*>());
    QCOMPARE(window->project().populations.size(), std::size_t{3});
    QCOMPARE(window->project().populations[2].name(), std::string("first"));
    QCOMPARE(window->project().populations[2].placement.origin[0], 7.0);
    dialog = dialogOf("addPopulation");
    QVERIFY(dialog);
    press("populationOriginY", "9", Qt::ControlModifier);
    QTRY_VERIFY(!window->findChild<PopulationDialog*>());
    QCOMPARE(window->project().populations.size(), std::size_t{4});
    QCOMPARE(window->project().populations[3].placement.origin[1], 9.0);
  }

  /// The projection of a page that nobody has seen waits until somebody does.
  void aPopulationMakesNoTableOfAPageUnseen()
  {
    QVERIFY(!window->projections().isVisible());
    PopulationDialog* dialog = dialogOf("addPopulation");
    QVERIFY(dialog);
    accept(dialog);
    QCOMPARE(window->project().populations.size(), std::size_t{3});
    QVERIFY(waitForJobs());
    QVERIFY(!window->projections().outcome().table);
    window->showView(ViewKind::Projection);
    QVERIFY(waitForJobs());
    QVERIFY(window->projections().outcome().table);
  }

  /// Also where its figures come after it, which are a line more.
  void allOfAnAddedConnectionIsSeen()
  {
    window->showView(ViewKind::Projection);
    QVERIFY(waitForJobs());
    find<QTabWidget>("circuitTabs")->setCurrentIndex(1);
    auto* list = find<QListWidget>("connectionList");
    for (int added = 0; added < 12; ++added) {
      click("addConnection");
      QVERIFY(waitForJobs());
    }
    QVERIFY(list->visualItemRect(list->item(0)).top() < 0); // there is more than the list can show
    const QRect row = list->visualItemRect(list->currentItem());
    QCOMPARE(list->currentRow(), 12);
    QVERIFY2(list->viewport()->rect().contains(row), qPrintable(QStringLiteral("to %1").arg(row.bottom())));
  }

  /// Only where neurons are other ones, a table is made anew.
  void aRoleChangesNoTable()
  {
    window->showView(ViewKind::Projection);
    QVERIFY(waitForJobs());
    const auto table = window->projections().outcome().table;
    QVERIFY(table);
    find<QListWidget>("populationList")->setCurrentRow(0);
    PopulationDialog* dialog = dialogOf("editPopulation");
    QVERIFY(dialog);
    QVERIFY(!dialog->findChild<QListWidget*>("populationCells")->isVisible()); // no cell is open
    dialog->findChild<QComboBox*>("populationRole")->setCurrentIndex(2);
    accept(dialog);
    QVERIFY(waitForJobs());
    QCOMPARE(window->project().populations[0].role, model::Role::Relay);
    QCOMPARE(window->projections().outcome().table, table);
    QVERIFY(find<QListWidget>("populationList")->item(0)->text().contains("relay"));
    QTRY_VERIFY(find<QAction>("undoAction")->isEnabled());
    find<QAction>("undoAction")->trigger();
    QCOMPARE(window->project().populations[0].role, model::Role::Excitatory);
  }

  /// A kernel that counted the rows of a grid has the field of what comes in its place, as one step.
  void aGridBecomesABox()
  {
    window->showView(ViewKind::Projection);
    QVERIFY(waitForJobs());
    const model::Project before = window->project();
    QCOMPARE(before.connections[0].projection.kernel, projection::KernelKind::WideningGaussian);
    QCOMPARE(before.connections[0].projection.fieldSize, 0.0);
    find<QTabWidget>("circuitTabs")->setCurrentIndex(1);
    click("addConnection");
    QVERIFY(waitForJobs());
    QCoreApplication::processEvents();
    find<QTabWidget>("circuitTabs")->setCurrentIndex(0);
    const model::Project grids = window->project();
    QCOMPARE(grids.connections.size(), std::size_t{2});
    find<QListWidget>("populationList")->setCurrentRow(0);
    PopulationDialog* dialog = dialogOf("editPopulation");
    QVERIFY(dialog);
    dialog->findChild<QComboBox*>("populationKind")->setCurrentIndex(static_cast<int>(projection::PopulationKind::Box));
    dialog->findChild<QDoubleSpinBox*>("populationExtentY")->setValue(250);
    dialog->findChild<QDoubleSpinBox*>("populationCount")->setValue(300);
    accept(dialog);
    QVERIFY(waitForJobs());
    QCoreApplication::processEvents();
    QVERIFY2(find<MessageBanner>("messageBanner")->isHidden(),
             qPrintable(find<MessageBanner>("messageBanner")->text()));
    QVERIFY(!window->projections().outcome().table->projection.source->isGrid());
    for (const model::Connection& connection : window->project().connections)
      QCOMPARE(connection.projection.fieldSize, 250.0);
    QCOMPARE(find<QDoubleSpinBox>("projectionFieldSizeSpin")->value(), 250.0);
    find<QAction>("undoAction")->trigger();
    QVERIFY(waitForJobs());
    QVERIFY(window->project() == grids);
  }

  /// A small table is there before the list hears of the kernel that made it.
  void rowsAndTimeStayWhereAKernelChanges()
  {
    window->showView(ViewKind::Projection);
    QVERIFY(waitForJobs());
    const auto table = [&] { return window->projections().outcome().table; };
    const auto before = table();
    QVERIFY(before);
    find<QComboBox>("projectionKernelCombo")->setCurrentIndex(static_cast<int>(projection::KernelKind::Exponential));
    QElapsedTimer waited;
    for (waited.start(); table() == before && waited.elapsed() < kPatience;) {
      QThread::msleep(1);
      QCoreApplication::sendPostedEvents(); // what jobs deliver, but no timers
    }
    QVERIFY(table() != before);
    QTRY_VERIFY(find<QAction>("undoAction")->text().contains(QStringLiteral("Kernel")));
    auto* panel = find<ConnectionPanel>("connectionPanel");
    QVERIFY(panel->figuresOf(panel->shown()));
    QCOMPARE(panel->figuresOf(panel->shown())->rows, table()->rows());
    // Its synapses are no part of the table.
    std::vector<model::Connection> connections = panel->connections();
    connections.front().synapses.place = model::SynapsePlace::Soma;
    panel->setConnections(connections, panel->shown());
    QVERIFY(panel->figuresOf(panel->shown()));
    connections.front().projection.cut = 0.5;
    panel->setConnections(connections, panel->shown());
    QVERIFY(!panel->figuresOf(panel->shown()));
  }

  void theDialogNamesUnitsAndColours()
  {
    PopulationDialog* dialog = dialogOf("addPopulation");
    QVERIFY(dialog);
    const auto labelOf = [&](const char* editor) {
      const auto* row = dialog->findChild<QWidget*>(editor)->parentWidget();
      for (const auto* form : dialog->findChildren<QFormLayout*>())
        for (auto* each : {const_cast<QWidget*>(row), dialog->findChild<QWidget*>(editor)})
          if (const auto* label = qobject_cast<QLabel*>(form->labelForField(each)))
            return label->text();
      return QString();
    };
    QCOMPARE(labelOf("populationSpacingX"), QStringLiteral("Spacing (\u00b5m)"));
    QCOMPARE(labelOf("populationOriginX"), QStringLiteral("Origin (\u00b5m)"));
    QCOMPARE(labelOf("populationExtentX"), QStringLiteral("Sides (\u00b5m)"));
    QCOMPARE(labelOf("populationMovedX").count(QStringLiteral("\u00b5m")), 1);
    const auto* colours = dialog->findChild<QComboBox*>("populationColour");
    QSet<QString> seen;
    for (int k = 0; k < colours->count(); ++k) {
      const QString colour = colours->itemData(k).toString();
      QVERIFY2(!colours->itemText(k).startsWith('#'), qPrintable(colours->itemText(k)));
      QVERIFY2(colour.isEmpty() || !seen.contains(colour), qPrintable(colour));
      seen.insert(colour);
    }
    QVERIFY(seen.size() > 7);
    accept(dialog);
    // The new one is chosen, and a length of the kernel has its unit.
    QCOMPARE(find<QListWidget>("populationList")->currentRow(), 2);
    window->showView(ViewKind::Projection);
    QCOMPARE(find<QDoubleSpinBox>("projectionSigmaMSpin")->suffix().trimmed(), QStringLiteral("\u00b5m"));
  }

  /// A population whose colour another one takes has another, in all pictures; the others stay.
  void aChosenColourIsNoOtherPopulations()
  {
    const QColor first = widgets::categoryColor(0);
    const QColor second = widgets::categoryColor(1);
    const QColor third = widgets::categoryColor(2);
    QCOMPARE(shownColours(), (QList<QColor>{first, second}));
    PopulationDialog* dialog = dialogOf("addPopulation");
    QVERIFY(dialog);
    for (const QColor& taken : {first, second})
      QCOMPARE(dialog->findChild<QComboBox*>("populationColour")->findData(taken.name()), -1);
    chooseOtherColour(dialog, first);
    const auto* shared = dialog->findChild<QLabel*>("populationSharedColour");
    QVERIFY(!shared->isVisible()); // the other one has not chosen it
    accept(dialog);
    QVERIFY(waitForJobs());
    QCOMPARE(shownColours(), (QList<QColor>{third, second, first}));
    const auto* map = find<widgets::CircuitMap>("circuitMap");
    const auto drawn = [&] {
      QList<QColor> colours;
      for (const auto& population : map->picture().populations)
        colours << population.colour;
      return colours;
    };
    QTRY_COMPARE(drawn(), (QList<QColor>{third, second, first}));
    QVERIFY(window->project().populations[0].colour.empty());
    // One more at the end changes none.
    dialog = dialogOf("addPopulation");
    QVERIFY(dialog);
    accept(dialog);
    QVERIFY(waitForJobs());
    QCOMPARE(shownColours(), (QList<QColor>{third, second, first, widgets::categoryColor(3)}));
  }

  /// What a session keeps does not.
  void coloursFollowTheTheme()
  {
    constexpr int kChosen = 4;
    const auto colours = [] {
      return QList<QColor>{widgets::categoryColor(0), widgets::categoryColor(1), widgets::categoryColor(kChosen)};
    };
    PopulationDialog* dialog = dialogOf("addPopulation");
    QVERIFY(dialog);
    chooseOtherColour(dialog, widgets::categoryColor(kChosen));
    accept(dialog);
    QVERIFY(waitForJobs());
    const std::string kept = window->project().populations[2].colour;
    const QList<QColor> onDark = colours();
    QCOMPARE(shownColours(), onDark);
    widgets::setTheme(widgets::ThemeMode::Light);
    QVERIFY(colours() != onDark);
    QTRY_COMPARE(shownColours(), colours());
    QCOMPARE(window->project().populations[2].colour, kept);
    find<QListWidget>("populationList")->setCurrentRow(2);
    dialog = dialogOf("editPopulation");
    QVERIFY(dialog);
    const auto* offered = dialog->findChild<QComboBox*>("populationColour");
    QCOMPARE(offered->currentText(), QStringLiteral("Blue"));
    QCOMPARE(offered->currentData().toString().toStdString(), kept);
    dialog->reject();
  }

  void theDialogSaysWhoHasTheColourToo()
  {
    const QColor both = widgets::categoryColor(0);
    PopulationDialog* dialog = dialogOf("addPopulation");
    QVERIFY(dialog);
    chooseOtherColour(dialog, both);
    accept(dialog);
    QVERIFY(waitForJobs());
    find<QListWidget>("populationList")->setCurrentRow(1);
    dialog = dialogOf("editPopulation");
    QVERIFY(dialog);
    const auto* shared = dialog->findChild<QLabel*>("populationSharedColour");
    QVERIFY(!shared->isVisible());
    chooseOtherColour(dialog, both);
    QVERIFY(shared->isVisible());
    QCOMPARE(shared->text(), QStringLiteral("\"population 1\" has this colour too."));
    auto* colours = dialog->findChild<QComboBox*>("populationColour");
    colours->setFocus();
    QTest::keyClick(colours, Qt::Key_Home); // by its place
    QVERIFY(!shared->isVisible());
    chooseOtherColour(dialog, both);
    accept(dialog);
    QVERIFY(waitForJobs());
    // A session keeps both as they were chosen, and the dialog says so again; what it offers is free.
    const QList<QColor> wanted = {widgets::categoryColor(1), both, both};
    QCOMPARE(shownColours(), wanted);
    QTRY_COMPARE(window->project().populations.size(), std::size_t{3});
    model::writeSession(window->project(), path("shared.hinesight").toStdString());
    window.reset();
    QVERIFY(showWindow());
    open({path("shared.hinesight")});
    QTRY_COMPARE(shownColours(), wanted);
    find<QListWidget>("populationList")->setCurrentRow(2);
    dialog = dialogOf("editPopulation");
    QVERIFY(dialog);
    shared = dialog->findChild<QLabel*>("populationSharedColour");
    QVERIFY(shared->isVisible());
    QCOMPARE(shared->text(), QStringLiteral("\"destination\" has this colour too."));
    colours = dialog->findChild<QComboBox*>("populationColour");
    QCOMPARE(colours->currentText(), QStringLiteral("Orange"));
    QCOMPARE(colours->findData(wanted[0].name()), -1);
    colours->setFocus();
    QTest::keyClick(colours, Qt::Key_Home);
    QTest::keyClick(colours, Qt::Key_Down);
    QVERIFY(!shared->isVisible());
    const QColor free(colours->currentData().toString());
    accept(dialog);
    QVERIFY(waitForJobs());
    QCOMPARE(shownColours().mid(1), (QList<QColor>{both, free}));
  }

  /// The page draws reconstructed cells as they lie in the exported circuit, and says how many.
  void cellsAreDrawnAtTheirPlaces()
  {
    open({tests::testData("sessions/pools.hinesight")});
    find<QTabWidget>("circuitTabs")->setCurrentIndex(1);
    chooseConnection(0);
    const widgets::ProjectionView& view = window->projections().view();
    const auto table = [&] { return window->projections().outcome().table; };
    const model::Project project = window->project();
    int withCells = 0;
    for (const bool isSource : {true, false}) {
      const auto& neurons = isSource ? table()->projection.source : table()->projection.destination;
      const bool hasCells = !model::findPopulation(project, neurons->name())->cells.empty();
      withCells += hasCells;
      QTRY_COMPARE(view.cells(isSource) != nullptr, hasCells);
      if (hasCells)
        QCOMPARE(view.cells(isSource)->drawn, neurons->count()); // few enough
    }
    QVERIFY(withCells > 0);
    window->projections().settle();
    QVERIFY(!window->projections().view().grabPicture().isNull());
  }

  void removingAPopulationSaysWhichConnectionsGoWithIt()
  {
    open({tests::sourceFile("docs/example.hinesight")});
    QTRY_VERIFY(find<QAction>("undoAction"));
    const model::Project before = window->project();
    QCOMPARE(before.connections.size(), std::size_t{4});
    auto* list = find<QListWidget>("populationList");
    list->setCurrentRow(2); // basket
    click("removePopulation");
    QVERIFY(waitForJobs());
    QCOMPARE(window->project().connections.size(), std::size_t{1});
    const auto said = [this] { return find<QLabel>("messageText")->text(); };
    QTRY_VERIFY2(said().contains("feedforward, inhibition, local") && said().contains("Undo"), qPrintable(said()));
    QTRY_VERIFY(find<QAction>("undoAction")->isEnabled());
    find<QAction>("undoAction")->trigger();
    QVERIFY(window->project().connections == before.connections);
  }

  void somataAreMovedAsAWhole()
  {
    open({dataFile("stellate.swc"), dataFile("bipolar.swc")});
    PopulationDialog* dialog = dialogOf("addPopulation");
    QVERIFY(dialog);
    dialog->findChild<QComboBox*>("populationKind")->setCurrentIndex(4);            // somata
    QVERIFY(dialog->findChild<QDoubleSpinBox*>("populationRotation")->isEnabled()); // none is ticked: all of them
    accept(dialog);
    auto* panel = find<PopulationPanel>("populationPanel");
    const auto before = panel->populations().at(2).given;
    QVERIFY(before);
    find<QListWidget>("populationList")->setCurrentRow(2);
    dialog = dialogOf("editPopulation");
    QVERIFY(dialog);
    dialog->findChild<QDoubleSpinBox*>("populationMovedY")->setValue(-25);
    accept(dialog);
    const auto after = panel->populations().at(2).given;
    QCOMPARE(after->count(), std::uint64_t{2});
    for (std::uint64_t i = 0; i < 2; ++i) {
      QCOMPARE(after->position(i)[0], before->position(i)[0]);
      QCOMPARE(after->position(i)[1], before->position(i)[1] - 25);
    }
    // The circuit places them there, too.
    const study::Circuit circuit = study::makeCircuit(window->project());
    QVERIFY(circuit.neurons.at(2)->coordinates(1) == after->coordinates(1));
  }

  /// A single one of the open cells can be placed; a session keeps which.
  void someOfTheSomataAreAPopulation()
  {
    open({dataFile("stellate.swc"), dataFile("bipolar.swc")});
    QTRY_VERIFY(find<QAction>("undoAction")->isEnabled()); // the lists know the cells
    PopulationDialog* dialog = dialogOf("addPopulation");
    QVERIFY(dialog);
    dialog->findChild<QComboBox*>("populationKind")->setCurrentIndex(4); // somata
    tick(dialog->findChild<QListWidget*>("populationCells"), 1);
    dialog->findChild<QDoubleSpinBox*>("populationMovedX")->setValue(40);
    accept(dialog);
    const auto somata = [&] { return find<PopulationPanel>("populationPanel")->populations().at(2).given; };
    QCOMPARE(somata()->count(), std::uint64_t{1});
    const model::Project before = window->project();
    QCOMPARE(before.populations.at(2).cells, std::vector<std::string>{"bipolar"});
    const study::Circuit circuit = study::makeCircuit(before);
    QVERIFY(circuit.neurons.at(2)->position(0) == somata()->position(0));
    model::writeSession(before, path("one.hinesight").toStdString());
    window.reset();
    QVERIFY(showWindow());
    open({path("one.hinesight")});
    QVERIFY(window->project().populations == before.populations);
    QTRY_VERIFY(somata() && somata()->count() == 1);
    QVERIFY(somata()->position(0) == circuit.neurons[2]->position(0));
  }

  void comparesAFormedConnectionWithAProjection()
  {
    open({tests::sourceFile("docs/example.hinesight")});
    find<QTabWidget>("circuitTabs")->setCurrentIndex(1);
    chooseConnection(2); // inhibition
    click("compareConnections");
    auto* dialog = find<NetworkComparisonDialog>("networkComparisonDialog");
    QVERIFY(QTest::qWaitForWindowExposed(dialog));
    QTRY_VERIFY_WITH_TIMEOUT(!dialog->comparisons().empty(), kPatience);
    QCOMPARE(dialog->first().connection, std::string("inhibition"));
    QCOMPARE(dialog->second().connection, std::string("local")); // the one that joins the same
    QCOMPARE(dialog->comparisons().size(), std::size_t{1});
    const study::NetworkComparison& made = dialog->comparisons().front();
    QCOMPARE(made.networks[1].name, std::string("local_basket_to_pyramidal"));
    const auto* table = dialog->findChild<QTableWidget*>("comparisonTable");
    QCOMPARE(table->horizontalHeaderItem(1)->text(), QString("inhibition"));
    QCOMPARE(cellOf(*table, "Connected pairs", 2), QString::number(made.networks[1].connections));
    QVERIFY(!cellOf(*table, "Overlap", 1).isEmpty());
    const auto* distances = dialog->findChild<widgets::BinChart*>("comparisonByDistance");
    const auto* degrees = dialog->findChild<widgets::BinChart*>("comparisonOutDegrees");
    QCOMPARE(distances->histograms().size(), std::size_t{2});
    QCOMPARE(distances->axisTitle(), QStringLiteral("distance, µm"));
    QCOMPARE(distances->histograms()[0].values.size(), made.pairsByDistance.size());
    const auto& sources = degrees->histograms()[1].values;
    QCOMPARE(std::accumulate(sources.begin(), sources.end(), 0.0), static_cast<double>(made.sources));
    QVERIFY(!dialog->grab().isNull());
    // Others: the two are made and compared anew; none can be compared with itself, or with one between others.
    auto* second = dialog->findChild<QComboBox*>("comparedSecond");
    second->setCurrentText("inhibition");
    QVERIFY(dialog->comparisons().empty());
    const auto* sentence = dialog->findChild<QLabel*>("comparisonSentence");
    QVERIFY2(sentence->text().contains("differ"), qPrintable(sentence->text()));
    second->setCurrentText("input");
    QTRY_VERIFY_WITH_TIMEOUT(sentence->text().contains("do not join the same populations"), kPatience);
    second->setCurrentText("local");
    QTRY_VERIFY_WITH_TIMEOUT(!dialog->comparisons().empty(), kPatience);
    dialog->findChild<QPushButton*>("exportComparison")->click();
    auto* asked = dialog->findChild<QFileDialog*>("exportComparisonDialog");
    QVERIFY(QTest::qWaitForWindowExposed(asked));
    emit asked->fileSelected(path("comparison"));
    asked->reject();
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path("comparison/overlap.csv")), kPatience);
    QVERIFY(waitForJobs());
    QVERIFY(readFile(path("comparison/by_distance.csv").toStdString()).find("inhibition") != std::string::npos);
    dialog->close();
  }

  /// A circuit of another program has no projection: no fields make what is shown, and nothing fails.
  void anImportedCircuitShowsTheConnectionThatIsClicked()
  {
    const QString example = tests::sourceFile("docs/example.hinesight");
    const study::Circuit circuit = study::makeCircuit(model::readSession(example.toStdString()).project);
    study::exportSonata(circuit, path("circuit").toStdString());
    open({path("circuit/circuit_config.json")});
    auto* list = find<QListWidget>("connectionList");
    find<QTabWidget>("circuitTabs")->setCurrentIndex(1);
    QVERIFY(list->count() > 2);
    chooseConnection(2);
    const auto shown = [&] { return window->projections().outcome().table; };
    QVERIFY(shown());
    const auto* headline = find<QLabel>("projectionHeadline");
    QVERIFY2(headline->text().startsWith("inhibition: basket"), qPrintable(headline->text()));
    QCOMPARE(shown()->rows(), circuit.edges[2].rows());
    QVERIFY(find<QLabel>("projectionFile")->isVisible() && !find<QWidget>("projectionScroll")->isVisible());
    QVERIFY2(find<QLabel>("messageText")->text().isEmpty(), qPrintable(find<QLabel>("messageText")->text()));
    // The page shows a connection, too, where nobody clicked one.
    window.reset();
    QVERIFY(showWindow());
    open({path("circuit/circuit_config.json")});
    window->showView(ViewKind::Projection);
    QVERIFY(waitForJobs());
    QTRY_VERIFY(shown());
    QVERIFY2(find<QLabel>("projectionHeadline")->text().startsWith("input: "),
             qPrintable(find<QLabel>("projectionHeadline")->text()));
  }

  /// The file of a network has all neurons as one population, one after another.
  void aGrownNetworkIsComparedWithTheOneItGrewFrom()
  {
    open({tests::sourceFile("docs/example.hinesight")});
    find<QTabWidget>("circuitTabs")->setCurrentIndex(1);
    chooseConnection(3); // local, formed between pyramidal and basket
    QTRY_VERIFY(window->synapses().outcome().formation &&
                window->synapses().outcome().formation->population->areaNames.size() == 2);
    QVERIFY(waitForJobs());
    const FormationOutcome& formed = window->synapses().outcome();
    study::exportNetwork(formed, path("grown.h5").toStdString(), study::NetworkPart::Everything, {});
    click("compareConnections");
    auto* dialog = find<NetworkComparisonDialog>("networkComparisonDialog");
    QVERIFY(QTest::qWaitForWindowExposed(dialog));
    QTest::mouseClick(dialog->findChild<QPushButton*>("compareFile"), Qt::LeftButton);
    auto* asked = dialog->findChild<QFileDialog*>("compareFileDialog");
    QVERIFY(QTest::qWaitForWindowExposed(asked));
    emit asked->filesSelected({path("grown.h5")});
    asked->reject();
    const auto* sentence = dialog->findChild<QLabel*>("comparisonSentence");
    const auto ofFile = [&] {
      return !dialog->comparisons().empty() && dialog->second().file == path("grown.h5").toStdString();
    };
    QTRY_VERIFY2_WITH_TIMEOUT(ofFile(), qPrintable(sentence->text()), kPatience);
    QCOMPARE(dialog->comparisons().size(), std::size_t{1});
    QCOMPARE(dialog->comparisons().front().jaccard, 1.0);
    const auto* table = dialog->findChild<QTableWidget*>("comparisonTable");
    QCOMPARE(cellOf(*table, "Synapses", 1), cellOf(*table, "Synapses", 2));
    QVERIFY(cellOf(*table, "Synapses", 1) != QStringLiteral("\u2013"));
    dialog->close();
    // The page tells synapses and the pairs that have them apart, and so does the list.
    const QString headline = find<QLabel>("formationHeadline")->text();
    QVERIFY2(headline.contains(" synapses of ") && headline.contains(" pairs, "), qPrintable(headline));
    click("makeConnections");
    QVERIFY(waitForJobs());
    const QString listed = find<QListWidget>("connectionList")->item(3)->data(Qt::UserRole).toString();
    QVERIFY2(listed.contains(headline.left(headline.indexOf(" pairs") + 6)), qPrintable(listed + headline));
  }

  /// Each in a line of its own, which the names of populations do not push out.
  void theListHasKindRowsAndTimeOfEachConnection()
  {
    open({tests::sourceFile("docs/example.hinesight")});
    window->showView(ViewKind::Projection);
    const auto* list = find<QListWidget>("connectionList");
    QCOMPARE(list->count(), 4);
    const auto linesOf = [&](int row) {
      return list->item(row)->data(Qt::UserRole).toString().split(QChar::LineSeparator);
    };
    QCOMPARE(linesOf(2), (QStringList{QStringLiteral("projection, basket \u2192 pyramidal")}));
    click("makeConnections");
    QVERIFY(waitForJobs());
    const QRegularExpression projected(QStringLiteral("^projection, [0-9,]+ rows, [0-9.]+ (ms|s|\u00b5s)$"));
    const QRegularExpression formed(
        QStringLiteral("^formed, [0-9,]+ synapses of [0-9,]+ pairs, [0-9.]+ (ms|s|\u00b5s)$"));
    for (int row = 0; row < 4; ++row) {
      const QStringList lines = linesOf(row);
      QCOMPARE(lines.size(), qsizetype{2});
      QVERIFY2(lines[0].contains(row == 3 ? formed : projected), qPrintable(lines[0]));
    }
    QCOMPARE(linesOf(0)[1], QStringLiteral("thalamus \u2192 pyramidal"));
    QCOMPARE(linesOf(3)[1], QStringLiteral("between pyramidal, basket"));
  }

  /// The same choice as that of synapses; the session keeps it.
  void populationsGrowThatAreChosenOnThePage()
  {
    open({tests::sourceFile("docs/example.hinesight")});
    window->showView(ViewKind::Plasticity);
    auto* panel = find<PlasticityPanel>("plasticityPanel");
    const std::vector<std::string> all = {"thalamus", "pyramidal", "basket"};
    QVERIFY(panel->request().source.populations == all); // of a circuit that a person has open
    click("plasticityPopulations");
    auto* dialog = find<QDialog>("betweenDialog");
    QVERIFY(QTest::qWaitForWindowExposed(dialog));
    dialog->findChild<QCheckBox*>("between_thalamus")->click();
    accept(dialog);
    const auto isPlaced = [&](std::size_t neurons) {
      const auto& given = panel->request().source.given;
      return given && given->size() == neurons;
    };
    const auto neuronsOf = [&](const char* name) {
      const auto& circuit = window->project();
      return static_cast<std::size_t>(study::neuronsOf(circuit, {name})->size());
    };
    const std::size_t wanted = neuronsOf("pyramidal") + neuronsOf("basket");
    QTRY_VERIFY_WITH_TIMEOUT(isPlaced(wanted), kPatience);
    const std::vector<std::string> names = {"pyramidal", "basket"};
    QVERIFY(window->project().grow->source.populations == names);
    QVERIFY(find<QWidget>("plasticityStart")->isVisible());
    QTRY_VERIFY(find<QAction>("undoAction")->isEnabled());
    model::writeSession(window->project(), path("growing.hinesight").toStdString());
    find<QAction>("undoAction")->trigger();
    QVERIFY(panel->request().source.populations != names);
    find<QAction>("redoAction")->trigger();
    QTRY_VERIFY_WITH_TIMEOUT(isPlaced(wanted), kPatience);
    // A population that is gone grows no more.
    window.reset();
    QVERIFY(showWindow());
    open({path("growing.hinesight")});
    panel = find<PlasticityPanel>("plasticityPanel");
    QVERIFY(panel->request().source.populations == names);
    QTRY_VERIFY_WITH_TIMEOUT(isPlaced(wanted), kPatience);
    find<QListWidget>("populationList")->setCurrentRow(2); // basket
    click("removePopulation");
    QTRY_VERIFY(panel->request().source.populations.empty());
  }

  /// The page Projection shows it between the circuit's populations, and says so in place of the fields.
  void aConnectionOfAFileIsShown()
  {
    const QString example = tests::sourceFile("docs/example.hinesight");
    model::Project project = model::readSession(example.toStdString()).project;
    study::Circuit circuit = study::makeCircuit(project);
    const auto table = projection::project({circuit.neurons[2], circuit.neurons[1], project.connections[2].projection});
    const std::string file = path("inhibition.npy").toStdString();
    io::exportTable(*table, file);
    model::Connection read;
    read.name = "read";
    read.kind = model::ConnectionKind::File;
    read.source = "basket";
    read.target = "pyramidal";
    read.file = file;
    project.connections.push_back(read);
    model::writeSession(project, path("file.hinesight").toStdString());
    open({path("file.hinesight")});
    find<QTabWidget>("circuitTabs")->setCurrentIndex(1);
    auto* list = find<QListWidget>("connectionList");
    chooseConnection(0);
    const model::Project before = window->project();
    chooseConnection(4);
    QVERIFY(window->projections().isVisible());
    const auto shown = [&] { return window->projections().outcome().table; };
    QVERIFY(std::ranges::equal(shown()->destination, table->destination));
    QVERIFY(std::ranges::equal(shown()->weight, table->weight));
    QVERIFY(shown()->projection.source->coordinates(0) == circuit.neurons[2]->coordinates(0));
    QVERIFY(list->item(4)->font().bold() && !list->item(0)->font().bold());
    QVERIFY(list->item(4)->data(Qt::UserRole).toString().contains("rows"));
    QVERIFY(window->project() == before); // to look at something changes nothing
    const auto* note = find<QLabel>("projectionFile");
    const auto* rows = find<QWidget>("projectionScroll");
    QVERIFY2(note->text().startsWith("read: basket") && note->text().contains("inhibition.npy"),
             qPrintable(note->text()));
    QVERIFY(note->isVisible() && !rows->isVisible());
    QVERIFY(find<QWidget>("mismatchBar")->isHidden());
    const auto* headline = find<QLabel>("projectionHeadline");
    QVERIFY2(headline->text().startsWith(QStringLiteral("read: basket \u2192 pyramidal, ")),
             qPrintable(headline->text()));
    // The one whose fields are shown, again.
    chooseConnection(0);
    QCOMPARE(shown()->projection.source->name(), std::string("thalamus"));
    QVERIFY(list->item(0)->font().bold() && !list->item(4)->font().bold());
    QVERIFY(find<QWidget>("mismatchBar")->isHidden());
    QVERIFY(!note->isVisible() && rows->isVisible());
    QVERIFY2(headline->text().startsWith(QStringLiteral("input: thalamus \u2192 pyramidal, ")),
             qPrintable(headline->text()));
    // Compared with the projection that it was made by, they are the same.
    chooseConnection(4);
    click("compareConnections");
    auto* dialog = find<NetworkComparisonDialog>("networkComparisonDialog");
    QTRY_VERIFY_WITH_TIMEOUT(!dialog->comparisons().empty(), kPatience);
    QCOMPARE(dialog->second().connection, std::string("inhibition"));
    QCOMPARE(dialog->comparisons().front().jaccard, 1.0);
    dialog->close();
  }
};

HINESIGHT_TEST_RUN(runWindowTest<TestCircuitPanels>)

#include "test_circuit_panels.moc"
