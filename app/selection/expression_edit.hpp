#pragma once

#include "selection/vocabulary.hpp"

#include <QLineEdit>

#include <optional>
#include <utility>

class QCompleter;

namespace hinesight::app {

/// A line for an expression of docs/selection.md. Completes words and names of types, and underlines the part that is
/// wrong.
class ExpressionEdit : public QLineEdit
{
  Q_OBJECT

public:
  explicit ExpressionEdit(QWidget* parent = nullptr);

  /// What it completes words of; of branches at first.
  void setVocabulary(const selection::Vocabulary& vocabulary);
  /// Characters from the first to before the second; nullopt: nothing is wrong.
  void setMistake(std::optional<std::pair<int, int>> mistake);
  /// The first character of the mistake in pixels of this.
  int mistakeX() const;

protected:
  void paintEvent(QPaintEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

private:
  int xOf(int character) const;
  void complete();
  void takeCompletion(const QString& word);
  int letterBegin(int end) const;
  int wordBegin() const;

  QCompleter* words;
  QStringList pairs; ///< the names of two words
  std::optional<std::pair<int, int>> wrong;
};

} // namespace hinesight::app
