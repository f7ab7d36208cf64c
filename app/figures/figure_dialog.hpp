#pragma once

#include "widgets/background_work.hpp"
#include "widgets/figure/figure.hpp"

#include <QDialog>
#include <QTimer>

#include <atomic>
#include <functional>
#include <memory>

class QBoxLayout;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;
class QSpinBox;

namespace hinesight::widgets {
class ChoiceBox;
}

namespace hinesight::app {

class FieldForm;
class Turntable;

/// What a figure is made of.
struct FigureSubject
{
  QString page; ///< in words
  widgets::Figure figure;
  std::function<widgets::Figure(double turns)> turned = {}; ///< empty: it cannot be turned
  const QObject* view = nullptr; ///< whose end is that of the dialog; null: the page lives as long as the window
};

/// Makes figures of a view, or of a chart of a page: what they have, a preview of it, and where they go: a file, the
/// clipboard, or for a view in space the pictures of a full turn. Not modal; the options are kept for the next time.
class FigureDialog : public QDialog
{
  Q_OBJECT

public:
  /// `subject`: of the page that is in front, now.
  FigureDialog(std::function<FigureSubject()> subject, QWidget* parent);
  ~FigureDialog() override;

  const widgets::FigureOptions& options() const { return chosen; }

public slots:
  /// Another page may be in front, or other charts in it. It becomes the subject once nothing is being written.
  void follow();
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

  class Preview;

  QLayout* makeHead();
  void addTurntable(QBoxLayout* row);
  void connectButtons();
  void look();
  void take(FigureSubject subject);
  void takePart();
  void makeForm();
  const widgets::Figure& figure() const;
  QString proposedName() const;
  void takeEdit();
  void refresh();
  QString describe() const;
  void showPreview(const QImage& picture, const QString& advice);
  void sayInPreview(const QString& text);
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

  const std::function<FigureSubject()> inFront;
  FigureSubject shown;
  QMetaObject::Connection endOfView;
  widgets::FigureOptions chosen;
  QFormLayout* head = nullptr;
  QLineEdit* fileName = nullptr; ///< without its ending
  widgets::ChoiceBox* partChoice = nullptr;
  QScrollArea* scroll = nullptr; ///< around the form
  FieldForm* form = nullptr;
  Preview* preview = nullptr;
  QLabel* note = nullptr;
  QLabel* scaleNote = nullptr;
  QPushButton* saveButton = nullptr;
  QPushButton* copyButton = nullptr;
  QPushButton* cancelButton = nullptr;
  QSpinBox* frames = nullptr;
  QPushButton* turnButton = nullptr;
  widgets::BackgroundWork previewing;
  widgets::BackgroundWork working;
  QTimer refreshing;
  QTimer following;
  QTimer progressing;
  RunControl control;                            ///< of the task
  std::shared_ptr<std::atomic<double>> fraction; ///< of the task that is done; null: there is none
  QString task;                                  ///< in words
  std::shared_ptr<const Turntable> turntable;    ///< that is being written
  int frame = 0;                                 ///< the next one of it
};

} // namespace hinesight::app
