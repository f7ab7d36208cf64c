#include "widgets/choice_box.hpp"

#include <QSignalBlocker>
#include <QStyleOptionComboBox>
#include <QWheelEvent>

namespace hinesight::widgets {

ChoiceBox::ChoiceBox(QWidget* parent) : QComboBox(parent)
{
  setFocusPolicy(Qt::TabFocus);
}

void ChoiceBox::setEntries(const std::vector<Entry>& entries)
{
  const QSignalBlocker blocker(this);
  const auto wanted = static_cast<int>(entries.size());
  while (count() > wanted)
    removeItem(count() - 1);
  for (int i = 0; i < wanted; ++i) {
    const Entry& entry = entries[static_cast<std::size_t>(i)];
    if (i == count())
      addItem(entry.text);
    else if (itemText(i) != entry.text)
      setItemText(i, entry.text);
    if (itemData(i, Qt::ToolTipRole).toString() != entry.help)
      setItemData(i, entry.help, Qt::ToolTipRole);
  }
}

void ChoiceBox::initStyleOption(QStyleOptionComboBox* option) const
{
  constexpr int kBeside = 2; // the text, which the style leaves free, pixels
  QComboBox::initStyleOption(option);
  const QRect text = style()->subControlRect(QStyle::CC_ComboBox, option, QStyle::SC_ComboBoxEditField, this);
  option->currentText = option->fontMetrics.elidedText(option->currentText, Qt::ElideMiddle, text.width() - kBeside);
}

void ChoiceBox::wheelEvent(QWheelEvent* event)
{
  if (hasFocus())
    QComboBox::wheelEvent(event);
  else
    event->ignore();
}

} // namespace hinesight::widgets
