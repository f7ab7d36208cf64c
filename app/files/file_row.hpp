#pragma once

#include "app/forms/parameter_row.hpp"
#include "widgets/background_work.hpp"

#include <functional>
#include <string>

class QLabel;
class QToolButton;

namespace hinesight::widgets {
class ElidedLabel;
}

namespace hinesight::app {

/// What became of a file: how to take it over, on the row's thread, and what to say of it ("3 interrupts").
struct FileContent
{
  std::function<void()> take;
  std::string summary;
};

/// A parameter that is read from a file: buttons to choose a file and to forget it, below them what was read. Its value
/// is 1 where there is something, and 0, the default, where there is nothing. Files are read on another thread; only
/// the one chosen last counts. One that cannot be read changes nothing but a sentence below the row.
class FileRow : public ParameterRow
{
  Q_OBJECT

public:
  /// Reads on another thread. Throws Error, which the row shows.
  using Read = std::function<FileContent(const std::string& path)>;

  /// The widgets are named after `text.id`.
  FileRow(const ParameterText& text, Read read, QWidget* parent);

  double value() const override { return summary.isEmpty() ? 0 : 1; }
  /// 0: nothing is there any more; a file can only be opened.
  void setValue(double value) override;
  /// As if a person had chosen the file.
  void open(const QString& path);
  /// Says what there is without a file; empty: nothing. A file that is being read is no longer taken.
  void showSummary(const QString& summary);
  /// The sentence that says what is wrong with the file; empty: nothing.
  QString problem() const;

signals:
  void chosen();  ///< a file, which is being read now
  void taken();   ///< a file's content was taken over
  void cleared(); ///< a person wants nothing of it

private:
  void ask();
  void settle(const QString& newSummary, const QString& newOrigin);
  void tellOf(const QString& problem);

  Read read;
  widgets::BackgroundWork reading;
  QString summary, origin; ///< what there is, and the path of its file
  widgets::ElidedLabel* said;
  QLabel* sentence; ///< what is wrong, below the row
  QToolButton* clearButton;
};

} // namespace hinesight::app
