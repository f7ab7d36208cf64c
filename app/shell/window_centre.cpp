#include "app/shell/window_centre.hpp"

#include "app/cells/unit_question.hpp"
#include "app/pages/view_area.hpp"
#include "app/shell/bars/message_banner.hpp"
#include "app/shell/bars/question_bar.hpp"
#include "app/shell/sessions/kept_sessions.hpp"
#include "app/shell/sessions/missing_files.hpp"

#include <QAction>
#include <QCoreApplication>
#include <QMainWindow>
#include <QToolBar>
#include <QVBoxLayout>

namespace hinesight::app {

WindowCentre::WindowCentre(QMainWindow* window, CellListModel* cells)
{
  banner = new MessageBanner(window);
  area = new ViewArea(window);
  column = new QWidget(window);
  auto* layout = new QVBoxLayout(column);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(0);
  fields = new QuestionBar(QStringLiteral("mismatch"));
  area->setBar(fields);
  pages = window->addToolBar(QCoreApplication::translate("WindowCentre", "Pages"));
  pages->setObjectName(QStringLiteral("pagesBar"));
  pages->setMovable(false);
  pages->toggleViewAction()->setVisible(false);
  pages->setContextMenuPolicy(Qt::PreventContextMenu);
  pages->ensurePolished(); // else it has other margins until it is shown
  pages->addWidget(area->row());
  recovery = new QuestionBar(QStringLiteral("recovery"));
  kept = new KeptSessions(recovery, window);
  unit = new UnitQuestion(cells, window);
  missing = new MissingFiles(window);
  layout->addWidget(recovery);
  layout->addWidget(missing->bar());
  layout->addWidget(unit->bar());
  layout->addWidget(banner);
  layout->addWidget(area, 1);
  window->setCentralWidget(column);
}

void WindowCentre::addBelow(QWidget* bar)
{
  column->layout()->addWidget(bar);
}

} // namespace hinesight::app
