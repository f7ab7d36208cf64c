#pragma once

#include "app/shell/bars/question_bar.hpp"

#include <QApplication>
#include <QDialog>
#include <QEvent>
#include <QObject>
#include <QtTest>

namespace hinesight::app {

/// Fails at each question and dialog that comes up as long as it lives.
class NoQuestions : public QObject
{
public:
  NoQuestions() { qApp->installEventFilter(this); }

  bool eventFilter(QObject* watched, QEvent* event) override
  {
    const bool asks = qobject_cast<QuestionBar*>(watched) || qobject_cast<QDialog*>(watched);
    if (asks && event->type() == QEvent::Show)
      [&] { QFAIL(qPrintable(watched->objectName())); }();
    return false;
  }
};

} // namespace hinesight::app
