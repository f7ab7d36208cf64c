#include "app/shell/mismatch_question.hpp"

#include "app/shell/bars/question_bar.hpp"
#include "app/shell/frame/window_tabs.hpp"

namespace hinesight::app {

MismatchQuestion::MismatchQuestion(QuestionBar* bar, const WindowTabs* tabs, QObject* parent) : QObject(parent)
{
  timer.setSingleShot(true);
  timer.setInterval(0);
  connect(&timer, &QTimer::timeout, this, [bar, tabs] {
    const auto& ask = tabs->current().mismatch;
    bar->ask(ask ? ask() : Question());
  });
  connect(bar, &QuestionBar::agreed, this, [tabs] { tabs->current().takeFields(); });
  connect(bar, &QuestionBar::declined, this, [tabs] { tabs->current().restoreFields(); });
  connect(bar, &QuestionBar::agreed, this, &MismatchQuestion::askSoon);
  connect(bar, &QuestionBar::declined, this, &MismatchQuestion::askSoon);
}

void MismatchQuestion::askSoon()
{
  timer.start();
}

void MismatchQuestion::wait()
{
  if (timer.isActive())
    timer.start();
}

} // namespace hinesight::app
