#include "app/shell/figure_maker.hpp"

#include "app/cells/cell_views.hpp"
#include "app/figures/figure_dialog.hpp"
#include "app/jobs/jobs.hpp"
#include "app/pages/view_area.hpp"
#include "app/shell/bars/messages.hpp"
#include "app/shell/frame/window_tabs.hpp"
#include "widgets/cells/morphology/morphology_view.hpp"

namespace hinesight::app {

FigureMaker::FigureMaker(const Parts& ofWindow, QWidget* parent) : QObject(parent), parts(ofWindow), window(parent) {}

FigureSubject FigureMaker::subject() const
{
  FigureSubject subject{.page = titleOf(parts.tabs->currentPage()), .figure = parts.tabs->current().figure()};
  if (!parts.tabs->isView())
    return subject;
  const ViewKind page = parts.tabs->currentView();
  widgets::View& view = parts.views->currentView(page);
  subject.view = &view; // a copy may be closed
  if (page == ViewKind::Morphology)
    subject.turned = [&ofCells = static_cast<widgets::MorphologyView&>(view)](double turns) {
      return ofCells.figureTurned(turns);
    };
  return subject;
}

/// It has the keyboard also where nothing manages windows.
void FigureMaker::open()
{
  delete dialog;
  dialog = new FigureDialog([this] { return subject(); }, window);
  connect(parts.area, &ViewArea::currentChanged, dialog, &FigureDialog::follow);
  connect(parts.jobs, &Jobs::delivered, dialog, [this] {
    if (!parts.tabs->isView()) // which may have other charts now
      dialog->follow();
  });
  connect(dialog, &FigureDialog::told, parts.messages, &Messages::showNotice);
  connect(dialog, &FigureDialog::failed, parts.messages, &Messages::showError);
  dialog->show();
  dialog->raise();
  dialog->activateWindow();
}

void FigureMaker::askWhereToSave()
{
  if (const auto& ofPage = parts.tabs->current().askWhereToSave)
    ofPage();
  else
    open();
}

} // namespace hinesight::app
