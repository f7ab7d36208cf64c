#pragma once

#include "widgets/background_work.hpp"
#include "widgets/figure/figure.hpp"

#include <QDialog>
#include <QTimer>

#include <atomic>
#include <functional>
#include <memory>

class QBoxLayout;
class QLabel;
class QPushButton;
class QSpinBox;

namespace hinesight::app {

class FieldForm;
class Turntable;

/// What a figure is made of.
struct FigureSubject
{
  QString name; ///< of the file that is proposed, without its ending
  widgets::Figure figure;
  std::function<widgets::Figure(double turns)> turned = {}; ///< empty: it cannot be turned
  bool hasPixels = false; ///< what lies in space is a picture of pixels in drawings, too
};

/// Makes figures of a view: what they have, a preview of it, and where they go: a file, the clipboard, or for a view
/// in space the pictures of a full turn. Not modal; the options are kept for the next time.
class FigureDialog : public QDialog
{
  Q_OBJECT

public:
  FigureDialog(FigureSubject subject, QWidget* parent);
  ~FigureDialog() override;

  const widgets::FigureOptions& options() const { return chosen; }

public slots:
  void reject() override;

signals:
  void told(const QString& sentence);
  void failed(const QString& sentence);

private:
  /// What takes long: `work` on another thread, then `finish` here, unless it failed or was cancelled.
  struct Task
  {
    QString what; ///< "Writing figure.png"
    std::function<void(const RunControl& control)> work;
    std::function<void()> finish;
  };

  void addTurntable(QBoxLayout* row);
  void takeEdit();
  void refresh();
  QString describe() const;
  void showPreview(const QImage& picture, const QString& advice);
  void askWhereToSave();
  void save(const QString& path);
  void copy();
  void askWhereToTurn();
  void writeFrame();
  void start(const Task& task);
  void takeEnd(const QString& problem, bool isCancelled, const std::function<void()>& finish);
  void tellProgress();
  void cancel();
  void refreshButtons();
  void storeOptions() const;

  FigureSubject shown;
  widgets::FigureOptions chosen;
  FieldForm* form = nullptr;
  QLabel* preview = nullptr;
  QLabel* note = nullptr;
  QPushButton* saveButton = nullptr;
  QPushButton* copyButton = nullptr;
  QPushButton* cancelButton = nullptr;
  QSpinBox* frames = nullptr;
  QPushButton* turnButton = nullptr;
  widgets::BackgroundWork previewing;
  widgets::BackgroundWork working;
  QTimer refreshing;
  QTimer progressing;
  RunControl control;                            ///< of the task
  std::shared_ptr<std::atomic<double>> fraction; ///< of the task that is done; null: there is none
  QString task;                                  ///< in words
  std::shared_ptr<const Turntable> turntable;    ///< that is being written
  int frame = 0;                                 ///< the next one of it
};

} // namespace hinesight::app
