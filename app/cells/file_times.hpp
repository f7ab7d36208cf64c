#pragma once

#include "widgets/background_work.hpp"

#include <QObject>

class QWidget;

namespace hinesight::app {

class CellListModel;

/// Looks at the times of the files of open cells, aside, when the window becomes active: a person may have been in
/// another program that wrote one of them.
class FileTimes : public QObject
{
  Q_OBJECT

public:
  FileTimes(CellListModel* cells, QWidget* window);

protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

private:
  void look();

  CellListModel* cells;
  widgets::BackgroundWork looking;
};

} // namespace hinesight::app
