#pragma once

#include "app/cells/cell_list_model.hpp"
#include "app_fixture.hpp"
#include "typed_path.hpp"
#include "widgets/cells/tree/tree_view.hpp"
#include "window_fixture.hpp"

#include <QAction>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QPointer>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include <functional>
#include <initializer_list>

namespace hinesight::app {

/// The real main window with cells of the tests, and its dialogs.
class CellsFixture : public WindowFixture
{
protected:
  void show()
  {
    window = std::make_unique<MainWindow>();
    QVERIFY(showWindow());
  }

  void open(std::initializer_list<const char*> names)
  {
    QStringList paths;
    for (const char* name : names)
      paths << dataFile(name);
    window->openFiles(paths);
    waitForResult();
  }

  void waitForResult() { QVERIFY(waitForJobs()); }

  /// A run that would take minutes, under way in its solve.
  void startLongRun()
  {
    QString stage;
    const auto connection = QObject::connect(&window->jobs(), &Jobs::progressed, &window->jobs(),
                                             [&](const JobKind&, const QString& name) { stage = name; });
    study::CellParameters parameters = window->parameters();
    parameters.batch.copies = 1000;
    parameters.solve.repeat = 1'000'000;
    window->setParameters(parameters);
    QTRY_COMPARE_WITH_TIMEOUT(stage, QStringLiteral("solve"), kPatience);
    QObject::disconnect(connection);
    QTRY_VERIFY(find<QWidget>("jobPanel")->isVisible()); // not at once: short runs do without
    QVERIFY(find<QAction>("cancelAction")->isEnabled());
  }

  /// Ends a long run by `cancel`, before any other event.
  void cancelALongRun(const std::function<void()>& cancel)
  {
    open({"stellate.swc"});
    startLongRun();
    window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    const QSignalSpy cancelled(&window->jobs(), &Jobs::cancelled);
    cancel();
    QCOMPARE(cancelled.count(), 1);
    QTRY_VERIFY_WITH_TIMEOUT(window->jobs().isIdle(), kPatience);
  }

  void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
  {
    window->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(window.get()));
    QTest::keyClick(window.get(), key, modifiers);
  }

  QFileDialog* dialog(const char* name)
  {
    auto* found = find<QFileDialog>(name);
    if (!QTest::qWaitForWindowExposed(found))
      qFatal("the dialog does not open");
    return found;
  }

  /// Pastes a path as a person does, and presses the dialog's button.
  void accept(QFileDialog* dialog, const QString& path)
  {
    // The dialog may shorten a path to the name of a file in the folder that it shows, and add the default suffix.
    QTRY_VERIFY(typedPath(*dialog, path));
    const bool saves = dialog->acceptMode() == QFileDialog::AcceptSave;
    auto* button =
        dialog->findChild<QDialogButtonBox*>()->button(saves ? QDialogButtonBox::Save : QDialogButtonBox::Open);
    QTRY_VERIFY(button->isEnabled());
    const QPointer<QFileDialog> open(dialog);
    QTest::mouseClick(button, Qt::LeftButton);
    QTRY_VERIFY(!open || !open->isVisible());
  }

  widgets::TreeView& treeView() { return static_cast<widgets::TreeView&>(window->view(ViewKind::Tree)); }

  QTemporaryDir folder;
};

} // namespace hinesight::app
