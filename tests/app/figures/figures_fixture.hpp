#pragma once

#include "app/cells_fixture.hpp"
#include "app/figures/figure_dialog.hpp"

#include <QFile>
#include <QImage>
#include <QLabel>
#include <QString>
#include <QtTest>

namespace hinesight::app {

/// The real main window with cells of the tests, and its dialog of figures.
class FiguresFixture : public CellsFixture
{
protected:
  /// Of the page in front, by its keys.
  void openFigureDialog()
  {
    press(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(find<FigureDialog>("figureDialog")->isVisible());
  }
  QImage previewed() const { return find<QLabel>("figurePreview")->pixmap(Qt::ReturnByValue).toImage(); }
  /// By the dialog that is open: the drawing as text.
  QString savedFigure(const char* name)
  {
    click("figureSave");
    const QString path = folder.filePath(QLatin1String(name));
    accept(dialog("saveViewDialog"), path);
    [&] { QTRY_VERIFY_WITH_TIMEOUT(!window->findChild<FigureDialog*>(), kPatience); }();
    return textOf(path);
  }
  /// Without a dialog.
  QString drawnFigure(const widgets::Figure& figure, const widgets::FigureOptions& options = {})
  {
    const QString path = folder.filePath(QStringLiteral("drawn.svg"));
    widgets::writePicture(widgets::pictureOf(figure, options), path);
    return textOf(path);
  }

private:
  static QString textOf(const QString& path)
  {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
  }
};

} // namespace hinesight::app
