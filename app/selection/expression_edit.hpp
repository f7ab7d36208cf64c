#pragma once

#include "app/selection/expression_history.hpp"
#include "selection/vocabulary.hpp"

#include <QLineEdit>

#include <map>
#include <optional>
#include <utility>

class QCompleter;

namespace hinesight::app {

/// A line for an expression of docs/selection.md. Completes words and names of types, and underlines the part that is
/// wrong. Up and Down go through the expressions that were used: those with which Return was pressed, which the focus
/// left, or which another text replaced.
class ExpressionEdit : public QLineEdit
{
  Q_OBJECT

public:
  explicit ExpressionEdit(QWidget* parent = nullptr);

  /// What it completes words of, and goes through expressions of; of branches at first. It outlives this.
  void setVocabulary(const selection::Vocabulary& vocabulary);
  /// Shows another text; what was there counts as used.
  void replace(const QString& text);
  /// What is there counts as used, if nothing is wrong with it.
  void remember();
  /// Characters from the first to before the second; nullopt: nothing is wrong.
  void setMistake(std::optional<std::pair<int, int>> mistake);
  /// The first character of the mistake in pixels of this.
  int mistakeX() const;

protected:
  void paintEvent(QPaintEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

private:
  int xOf(int character) const;
  void walk(int by);
  void complete();
  void takeCompletion(const QString& word);
  int letterBegin(int end) const;
  int wordBegin() const;

  QCompleter* words;
  QStringList pairs; ///< the names of two words
  std::optional<std::pair<int, int>> wrong;
  std::map<const selection::Vocabulary*, ExpressionHistory> histories;
  ExpressionHistory* history = nullptr; ///< of the vocabulary
  bool isWalking = false;
};

} // namespace hinesight::app
