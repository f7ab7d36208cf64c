#pragma once

#include "app/projection_fixture.hpp"
#include "io/tables/projection_export.hpp"
#include "paths/paths.hpp"

#include <QApplication>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFile>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QString>
#include <QTemporaryDir>
#include <QtTest>

namespace hinesight::app {

inline void writeText(const QString& path, const char* text)
{
  QFile file(path);
  QVERIFY(file.open(QIODevice::WriteOnly));
  file.write(text);
}

/// The page of projections in the real main window, with small populations, and a folder for tables.
class TablesFixture
{
protected:
  /// Small populations, so that a table takes a few milliseconds.
  void begin()
  {
    // Letters of a name belong together however slowly they come.
    QApplication::setKeyboardInputInterval(kPatience);
    QVERIFY(window.open(30));
  }
  void end() { window.close(); }

  template <typename Widget>
  Widget* find(const char* name) const
  {
    return window.find<Widget>(name);
  }
  QString path(const char* name) const { return folder.filePath(QLatin1String(name)); }
  void writeTable(const QString& file) { io::exportTable(window.table(), file.toStdString()); }
  bool waitForOpening(const QString& file)
  {
    return QTest::qWaitFor([&] { return window.outcome().file == file.toStdString() && !window->jobs().isActive(); },
                           kPatience);
  }
  PopulationDialog* addPopulation(const char* name, projection::PopulationKind kind)
  {
    QTest::mouseClick(find<QPushButton>("addPopulation"), Qt::LeftButton);
    auto* dialog = find<PopulationDialog>("populationDialog");
    if (!QTest::qWaitForWindowExposed(dialog))
      return nullptr;
    auto* edit = dialog->findChild<QLineEdit*>("populationName");
    edit->selectAll();
    QTest::keyClicks(edit, name);
    auto* combo = dialog->findChild<QComboBox*>("populationKind");
    combo->setCurrentIndex(combo->findData(static_cast<int>(kind)));
    return dialog;
  }
  /// In its dialog.
  void renamePopulation(int row, const char* name)
  {
    find<QListWidget>("populationList")->setCurrentRow(row);
    find<QPushButton>("editPopulation")->click();
    auto* dialog = find<PopulationDialog>("populationDialog");
    QVERIFY(QTest::qWaitForWindowExposed(dialog));
    dialog->findChild<QLineEdit*>("populationName")->setText(QLatin1String(name));
    QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok), Qt::LeftButton);
    QTRY_VERIFY(!window->findChild<PopulationDialog*>());
    QVERIFY(window.waitForTable());
  }
  void openExample()
  {
    window->openFiles({tests::sourceFile("docs/example.hinesight")});
    QTRY_VERIFY_WITH_TIMEOUT(!window->isOpening(), kPatience);
    QVERIFY(window.waitForTable());
    window->showView(ViewKind::Projection);
    QVERIFY(window.waitForTable());
    QCOMPARE(window->project().connections.size(), std::size_t{4});
  }
  void acceptDialog(PopulationDialog& dialog)
  {
    const int before = find<QListWidget>("populationList")->count();
    QTest::mouseClick(dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok), Qt::LeftButton);
    QTRY_COMPARE(find<QListWidget>("populationList")->count(), before + 1);
    QVERIFY(window.waitForTable());
  }
  /// By the keyboard.
  void choose(const char* name, const char* population)
  {
    auto* combo = find<QComboBox>(name);
    QVERIFY(window.focus(combo));
    QTest::keyClicks(combo, population);
    QCOMPARE(combo->currentText(), QLatin1String(population));
    QVERIFY(window.waitForTable());
  }

  ProjectionWindow window;
  QTemporaryDir folder;
};

} // namespace hinesight::app
