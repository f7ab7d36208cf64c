#pragma once

#include "core/error.hpp"

#include <QColor>
#include <QString>
#include <QTimer>
#include <QWidget>

#include <cstddef>
#include <functional>
#include <vector>

class QLabel;
class QScrollArea;
class QToolButton;

namespace hinesight::app {

/// Errors and warnings above the views: they stay until they are dismissed, can be copied, and never stop the work.
class MessageBanner : public QWidget
{
  Q_OBJECT

public:
  enum class Severity
  {
    Warning,
    Error
  };

  explicit MessageBanner(QWidget* parent = nullptr);

  /// Adds a message above those that are shown. The same sentence twice in a row is shown once.
  void show(Severity severity, const QString& sentence);
  /// A file that cannot be read, of so many that are open: such files stand together, by their names, with a line for
  /// each thing that is wrong.
  void showUnreadable(const Error& error, std::size_t openFiles);
  /// A button that mends what a message says, as long as that is shown.
  struct Remedy
  {
    QString words;
    QString help;
    std::function<void()> apply;
  };
  void offer(const QString& sentence, const Remedy& remedy);
  void dismiss();
  /// Takes a message away that is true no more.
  void withdraw(const QString& sentence);
  /// All messages, one a line, with the paths of files; what is wrong with a file stands below its path, where it is
  /// more than one thing.
  QString text() const;

protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

private:
  struct Message
  {
    Severity severity;
    QString sentence;
    QString ofFile = {};   ///< without its folder; empty: it is of no file that cannot be read
    QString withPath = {}; ///< the same with it
    Remedy remedy = {};    ///< without words: none
  };
  void add(Message message);
  const Message* remediable() const;
  QString shownText() const;
  void refreshSoon();
  void refresh();
  void fitHeight();
  QColor signalColor() const;

  std::vector<Message> messages;
  std::size_t files = 0; ///< that were open when one of them could not be read
  QTimer refreshTimer;   ///< many files that cannot be read are laid out once
  QLabel* label;
  QScrollArea* scroll;
  QToolButton* remedyButton;
  QToolButton* copyButton;
  QToolButton* dismissButton;
};

} // namespace hinesight::app
