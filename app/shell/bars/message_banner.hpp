#pragma once

#include <QColor>
#include <QString>
#include <QTimer>
#include <QWidget>

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

  /// Adds a message below those that are shown. The same sentence twice in a row is shown once.
  void show(Severity severity, const QString& sentence);
  void dismiss();
  /// Takes a message away that is true no more.
  void withdraw(const QString& sentence);
  /// All messages, one a line.
  QString text() const;

protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

private:
  struct Message
  {
    Severity severity;
    QString sentence;
  };
  void refreshSoon();
  void refresh();
  QColor signalColor() const;

  std::vector<Message> messages;
  QTimer refreshTimer; ///< many files that cannot be read are laid out once
  QLabel* label;
  QScrollArea* scroll;
  QToolButton* copyButton;
  QToolButton* dismissButton;
};

} // namespace hinesight::app
