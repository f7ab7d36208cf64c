#include "app/selection/mistake_label.hpp"

#include "app/selection/expression_edit.hpp"
#include "widgets/theme.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace hinesight::app {

namespace {

/// The number of characters that so many bytes of UTF-8 are.
int charactersIn(const QByteArray& text, std::size_t bytes)
{
  return static_cast<int>(QString::fromUtf8(text.left(static_cast<qsizetype>(bytes))).size());
}

} // namespace

MistakeLabel::MistakeLabel(ExpressionEdit* edit, QWidget* parent) : QLabel(parent), where(edit)
{
  setWordWrap(true);
  hide();
}

void MistakeLabel::say(const selection::ExpressionError& error)
{
  const QByteArray expression = where->text().toUtf8();
  where->setMistake(std::pair(charactersIn(expression, error.begin()), charactersIn(expression, error.end())));
  say(QString::fromStdString(error.message()));
}

/// Below the place that it is about, as far as there is room.
void MistakeLabel::say(const QString& sentence)
{
  setText(sentence);
  show();
  const int room = parentWidget()->width() - QFontMetrics(font()).horizontalAdvance(sentence) - 2 * where->x();
  setIndent(std::clamp(where->mistakeX(), 0, std::max(0, room)));
  QPalette colors = palette();
  colors.setColor(QPalette::WindowText, widgets::theme().warning);
  setPalette(colors);
}

void MistakeLabel::forget()
{
  where->setMistake({});
  clear();
  hide();
}

} // namespace hinesight::app
