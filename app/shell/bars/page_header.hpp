#pragma once

#include <QPushButton>
#include <QString>
#include <QWidget>

#include <vector>

class QGridLayout;
class QLabel;
class QMenu;

namespace hinesight::widgets {
class ElidedLabel;
}

namespace hinesight::app {

/// A button of a page's header.
QPushButton* makeHeaderButton(const char* name, const QString& text, const QString& help);

class HeaderButton;

/// The top of a page: its title, what it shows in words, and buttons; these stand below the words where there is no
/// room beside them. The last of those that do not fit into a row are in the menu of a button more.
class PageHeader : public QWidget
{
  Q_OBJECT

public:
  /// `headlineName`: of the label's object. The buttons are of makeHeaderButton.
  PageHeader(const QString& title, const char* headlineName, const std::vector<QPushButton*>& buttons, QWidget* parent);

  /// The note, if there is one, is seen below the text when the mouse is over it.
  void setHeadline(const QString& text, const QString& note = {});

protected:
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;

private:
  void arrange();
  void fillRow(int width);
  void openMenu();

  QGridLayout* grid;
  QLabel* name;
  widgets::ElidedLabel* headline;
  QWidget* buttonRow;
  std::vector<HeaderButton*> buttons;
  QPushButton* moreButton;
  QMenu* menu;           ///< of the buttons that do not fit
  bool areBelow = false; ///< the buttons
};

} // namespace hinesight::app
