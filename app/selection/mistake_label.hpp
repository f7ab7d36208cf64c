#pragma once

#include "selection/expression.hpp"

#include <QLabel>
#include <QString>

namespace hinesight::app {

class ExpressionEdit;

/// A sentence below a line for an expression, about a mistake in it, which the line marks; hidden where there is none.
class MistakeLabel : public QLabel
{
  Q_OBJECT

public:
  MistakeLabel(ExpressionEdit* where, QWidget* parent = nullptr);

  void say(const selection::ExpressionError& error);
  /// About all of it.
  void say(const QString& sentence);
  void forget();

private:
  ExpressionEdit* where;
};

} // namespace hinesight::app
