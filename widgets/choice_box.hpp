#pragma once

#include <QComboBox>
#include <QString>

#include <vector>

namespace hinesight::widgets {

/// A combo box for panels and headers. It takes the focus by the keyboard only, so that letters stay shortcuts for who
/// works with the mouse, and leaves the wheel to what it scrolls with unless it has the focus. A choice that is too
/// long has dots in its middle.
class ChoiceBox : public QComboBox
{
public:
  struct Entry
  {
    QString text;
    QString help; ///< tooltip of the entry; may be empty
  };

  explicit ChoiceBox(QWidget* parent = nullptr);
  /// Shows these entries, silently. What stays is not touched: a list that is open stays as it is, and a name that is
  /// being typed goes on. The choice stays at its place, as long as there is one.
  void setEntries(const std::vector<Entry>& entries);

protected:
  void initStyleOption(QStyleOptionComboBox* option) const override;
  void wheelEvent(QWheelEvent* event) override;
};

} // namespace hinesight::widgets
