#pragma once

#include <QString>
#include <QStringList>

#include <optional>

namespace hinesight::app {

/// The expressions that were used, to be walked through as a shell does.
class ExpressionHistory
{
public:
  static constexpr int kMost = 50;

  /// Ends the walk. The same one twice in a row is kept once.
  void add(const QString& expression);
  /// What is before (-1) or after (1) `text`; nullopt: nothing. A text that the walk did not show is what is being
  /// typed, after the newest.
  std::optional<QString> step(int by, const QString& text);

private:
  QStringList used;    ///< the newest last
  qsizetype place = 0; ///< of the walk; behind the newest: at what is being typed
  QString typed;       ///< when the walk began
};

} // namespace hinesight::app
