#pragma once

#include <QObject>
#include <QTimer>

namespace hinesight::app {

class QuestionBar;
class WindowTabs;

/// Asks what is to be done where the fields beside the current page are not those of its picture (Tab::mismatch). It
/// asks once all who are told of a change have heard of it, so that what is under way is not asked about.
class MismatchQuestion : public QObject
{
  Q_OBJECT

public:
  MismatchQuestion(QuestionBar* bar, const WindowTabs* tabs, QObject* parent);

  /// There may be another question, or none.
  void askSoon();
  /// Something changes: what is to be asked waits for that.
  void wait();

private:
  QTimer timer;
};

} // namespace hinesight::app
