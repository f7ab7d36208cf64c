#include "app/selection/expression_edit.hpp"

#include "selection/expression.hpp"
#include "widgets/theme.hpp"

#include <QAbstractItemView>
#include <QCompleter>
#include <QKeyEvent>
#include <QPainter>
#include <QScopedValueRollback>
#include <QStringListModel>

#include <algorithm>

namespace hinesight::app {

namespace {

constexpr int kLeastMark = 6; // pixels
constexpr int kMarkWidth = 2;

} // namespace

ExpressionEdit::ExpressionEdit(QWidget* parent) : QLineEdit(parent), words(new QCompleter(this))
{
  words->setWidget(this);
  words->setCaseSensitivity(Qt::CaseInsensitive);
  setVocabulary(selection::branchVocabulary());
  connect(this, &QLineEdit::textEdited, this, &ExpressionEdit::complete);
  connect(this, &QLineEdit::returnPressed, this, &ExpressionEdit::remember);
  connect(words, qOverload<const QString&>(&QCompleter::activated), this, &ExpressionEdit::takeCompletion);
}

void ExpressionEdit::setVocabulary(const selection::Vocabulary& vocabulary)
{
  QStringList list;
  for (const std::string_view word : selection::expressionWords(vocabulary))
    list << widgets::inText(word);
  pairs = list.filter(QStringLiteral(" "));
  words->setModel(new QStringListModel(list, words));
  history = &histories[&vocabulary];
}

void ExpressionEdit::replace(const QString& text)
{
  remember();
  setText(text);
}

void ExpressionEdit::remember()
{
  if (!wrong && !text().trimmed().isEmpty())
    history->add(text());
}

void ExpressionEdit::setMistake(std::optional<std::pair<int, int>> mistake)
{
  wrong = mistake;
  update();
}

/// The text may be scrolled: the cursor says where it is.
int ExpressionEdit::xOf(int character) const
{
  const QFontMetrics metrics(font());
  const auto widthTo = [&](int end) { return metrics.horizontalAdvance(text().left(end)); };
  return cursorRect().center().x() + widthTo(character) - widthTo(cursorPosition());
}

int ExpressionEdit::mistakeX() const
{
  return wrong ? std::clamp(xOf(wrong->first), 0, width()) : 0;
}

void ExpressionEdit::paintEvent(QPaintEvent* event)
{
  QLineEdit::paintEvent(event);
  if (!wrong)
    return;
  const int from = xOf(wrong->first);
  const int to = std::max(xOf(wrong->second), from + kLeastMark);
  const int y = (height() + QFontMetrics(font()).height()) / 2;
  QPainter painter(this);
  painter.setClipRect(contentsRect());
  painter.fillRect(from, y - kMarkWidth / 2, to - from, kMarkWidth, widgets::theme().warning);
}

void ExpressionEdit::keyPressEvent(QKeyEvent* event)
{
  const bool isPlain = (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
  if (isPlain && (event->key() == Qt::Key_Up || event->key() == Qt::Key_Down) && !words->popup()->isVisible())
    walk(event->key() == Qt::Key_Up ? -1 : 1);
  else
    QLineEdit::keyPressEvent(event);
}

/// As if the expression were typed.
void ExpressionEdit::walk(int by)
{
  const std::optional<QString> found = history->step(by, text());
  if (!found)
    return;
  const QScopedValueRollback guard(isWalking, true);
  selectAll();
  insert(*found);
}

void ExpressionEdit::focusOutEvent(QFocusEvent* event)
{
  QLineEdit::focusOutEvent(event);
  if (event->reason() == Qt::PopupFocusReason)
    return;
  words->popup()->hide();
  remember();
}

int ExpressionEdit::letterBegin(int end) const
{
  while (end > 0 && text().at(end - 1).isLetter())
    --end;
  return end;
}

/// Of the word before the cursor, with the one before that where both begin a name of two words.
int ExpressionEdit::wordBegin() const
{
  const int begin = letterBegin(cursorPosition());
  if (begin == 0 || text().at(begin - 1) != QLatin1Char(' '))
    return begin;
  const int before = letterBegin(begin - 1);
  const QString both = text().mid(before, cursorPosition() - before);
  const auto begins = [&](const QString& pair) { return pair.startsWith(both, Qt::CaseInsensitive); };
  return before < begin - 1 && std::ranges::any_of(pairs, begins) ? before : begin;
}

void ExpressionEdit::complete()
{
  if (isWalking)
    return;
  const QString word = text().mid(wordBegin(), cursorPosition() - wordBegin());
  words->setCompletionPrefix(word);
  const bool isWhole = words->completionCount() == 1 && words->currentCompletion() == word;
  if (word.isEmpty() || words->completionCount() == 0 || isWhole)
    words->popup()->hide();
  else
    words->complete();
}

void ExpressionEdit::takeCompletion(const QString& word)
{
  const int begin = wordBegin();
  const QString rest = text().mid(cursorPosition());
  const QString done = text().left(begin) + word;
  setText(done + rest);
  setCursorPosition(static_cast<int>(done.size()));
  emit textEdited(text());
}

} // namespace hinesight::app
