#pragma once

#include <QIcon>
#include <QPushButton>
#include <QString>
#include <QWidget>

#include <vector>

class QGridLayout;
class QLabel;

namespace hinesight::widgets {
class ElidedLabel;
}

namespace hinesight::app {

/// A button of a page's header.
QPushButton* makeHeaderButton(const char* name, const QString& text, const QString& help);

/// The top of a page: its title, what it shows in words, and buttons; these stand below the words where there is no
/// room beside them.
class PageHeader : public QWidget
{
  Q_OBJECT

public:
  /// `headlineName`: of the label's object.
  PageHeader(const QString& title, const char* headlineName, const std::vector<QPushButton*>& buttons, QWidget* parent);

  /// The note, if there is one, is seen below the text when the mouse is over it.
  void setHeadline(const QString& text, const QString& note = {});

protected:
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;

private:
  void arrange();

  QGridLayout* grid;
  QLabel* name;
  widgets::ElidedLabel* headline;
  QWidget* buttonRow;
  bool areBelow = false; ///< the buttons
};

} // namespace hinesight::app
