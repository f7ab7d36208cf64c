#include "app/figures/figure_dialog.hpp"

#include "app/figures/turntable.hpp"
#include "app/files/file_dialogs.hpp"
#include "app/forms/field_form.hpp"
#include "core/error.hpp"
#include "widgets/theme.hpp"

#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSettings>
#include <QSpinBox>
#include <QVBoxLayout>

#include <stdexcept>
#include <utility>

namespace hinesight::app {

namespace {

constexpr QSize kPreview{460, 340};
constexpr int kFormWidth = 330;
constexpr int kRefreshDelay = 60; // ms
constexpr int kUsualFrames = 120;

QString keyOf(const BoundField& field)
{
  return QStringLiteral("figure/") + QString::fromStdString(field.name);
}

/// As they were the last time; what an earlier version wrote and this one does not know is left out.
widgets::FigureOptions storedOptions()
{
  widgets::FigureOptions options;
  const QSettings settings;
  for (BoundField& field : fieldsOf(options)) {
    try {
      if (const QVariant value = settings.value(keyOf(field)); value.isValid())
        field.setText(value.toString().toStdString());
      field.validate();
    } catch (const std::invalid_argument&) {
      field.reset();
    } catch (const Error&) {
      field.reset();
    }
  }
  return options;
}

} // namespace

FigureDialog::FigureDialog(FigureSubject subject, QWidget* parent)
    : QDialog(parent), shown(std::move(subject)), chosen(storedOptions())
{
  setObjectName(QStringLiteral("figureDialog"));
  setWindowTitle(tr("Save figure"));
  setAttribute(Qt::WA_DeleteOnClose);

  auto* panel = new QWidget;
  auto* groups = new QVBoxLayout(panel);
  form = new FieldForm(groups, panel, [this] { return fieldsOf(chosen); }, {.prefix = QStringLiteral("figure-")});
  groups->addStretch(1);
  auto* scroll = new QScrollArea;
  scroll->setWidget(panel);
  scroll->setWidgetResizable(true);
  scroll->setMinimumWidth(kFormWidth);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);

  preview = new QLabel;
  preview->setObjectName(QStringLiteral("figurePreview"));
  preview->setAlignment(Qt::AlignCenter);
  preview->setMinimumSize(kPreview);
  preview->setToolTip(tr("The figure as it will be written"));
  note = new QLabel;
  note->setObjectName(QStringLiteral("figureNote"));
  note->setWordWrap(true);
  note->setAlignment(Qt::AlignCenter);

  saveButton = new QPushButton(tr("Save…"));
  saveButton->setObjectName(QStringLiteral("figureSave"));
  saveButton->setToolTip(tr("Write the figure as PNG, SVG or PDF"));
  saveButton->setDefault(true);
  copyButton = new QPushButton(tr("Copy"));
  copyButton->setObjectName(QStringLiteral("figureCopy"));
  copyButton->setToolTip(tr("Put the figure as a picture on the clipboard"));
  auto* buttons = new QHBoxLayout;
  if (shown.turned)
    addTurntable(buttons);
  buttons->addStretch(1);
  buttons->addWidget(copyButton);
  buttons->addWidget(saveButton);

  auto* right = new QVBoxLayout;
  right->addWidget(preview, 1);
  right->addWidget(note);
  right->addLayout(buttons);
  auto* row = new QHBoxLayout(this);
  row->addWidget(scroll);
  row->addLayout(right, 1);

  connect(form, &FieldForm::edited, this, &FigureDialog::takeEdit);
  connect(saveButton, &QPushButton::clicked, this, &FigureDialog::askWhereToSave);
  connect(copyButton, &QPushButton::clicked, this, &FigureDialog::copy);
  refreshing.setSingleShot(true);
  connect(&refreshing, &QTimer::timeout, this, &FigureDialog::refresh);
  connect(&turning, &QTimer::timeout, this, &FigureDialog::writeFrame);
  form->refresh();
  refreshing.start(0); // once the dialog is seen
}

FigureDialog::~FigureDialog() = default;

void FigureDialog::addTurntable(QBoxLayout* row)
{
  frames = new QSpinBox;
  frames->setObjectName(QStringLiteral("turntableFrames"));
  frames->setRange(2, Turntable::kMostFrames);
  frames->setValue(kUsualFrames);
  frames->setSuffix(tr(" pictures"));
  frames->setToolTip(tr("Pictures of a full turn"));
  turnButton = new QPushButton(tr("Turntable…"));
  turnButton->setObjectName(QStringLiteral("turntable"));
  turnButton->setToolTip(tr("Write PNG pictures of a full turn of the cells into a folder"));
  row->addWidget(frames);
  row->addWidget(turnButton);
  connect(turnButton, &QPushButton::clicked, this, [this] {
    if (turntable)
      endTurn(tr("Cancelled; %1 pictures were written.").arg(frame));
    else
      askWhereToTurn();
  });
}

void FigureDialog::takeEdit()
{
  refreshing.start(kRefreshDelay);
}

void FigureDialog::refresh()
{
  QString problem;
  try {
    QImage picture = widgets::previewOf(shown.figure, chosen, kPreview * devicePixelRatioF());
    picture.setDevicePixelRatio(devicePixelRatioF());
    preview->setPixmap(QPixmap::fromImage(picture));
    const QSize pixels = chosen.pixels();
    note->setText(tr("%1 × %2 pixels as PNG").arg(pixels.width()).arg(pixels.height()));
  } catch (const Error& error) {
    problem = QString::fromUtf8(error.what());
    note->setText(problem);
  }
  saveButton->setEnabled(problem.isEmpty());
  copyButton->setEnabled(problem.isEmpty());
  if (turnButton)
    turnButton->setEnabled(problem.isEmpty() || turntable);
}

void FigureDialog::askWhereToSave()
{
  app::askWhereToSave(this,
                      {QStringLiteral("saveViewDialog"),
                       tr("Save figure"),
                       QStringLiteral("pictureFolder"),
                       {tr("PNG picture (*.png)"), tr("SVG drawing (*.svg)"), tr("PDF (*.pdf)")},
                       shown.name + QStringLiteral(".png")},
                      [this](const QString& path) { save(path); });
}

/// It is painted here, where OpenGL and the theme are, and compressed and written on another thread.
void FigureDialog::save(const QString& path)
{
  std::function<void()> write;
  try {
    widgets::requirePictureName(path, true);
    write = widgets::pictureWriter(widgets::pictureOf(shown.figure, chosen), path);
  } catch (const Error& error) {
    emit failed(QString::fromUtf8(error.what()));
    return;
  }
  storeOptions();
  saveButton->setEnabled(false);
  note->setText(tr("Writing %1").arg(QDir::toNativeSeparators(path)));
  saving.start([this, write, path](const RunControl&) -> widgets::BackgroundWork::Deliver {
    QString problem;
    try {
      write();
    } catch (const Error& error) {
      problem = QString::fromUtf8(error.what());
    }
    return [this, path, problem] { takeSaved(path, problem); };
  });
}

void FigureDialog::takeSaved(const QString& path, const QString& problem)
{
  if (problem.isEmpty()) {
    emit told(tr("Saved to %1.").arg(QDir::toNativeSeparators(path)));
    return accept();
  }
  refresh();
  emit failed(problem);
}

void FigureDialog::copy()
{
  try {
    QGuiApplication::clipboard()->setImage(widgets::pictureOf(shown.figure, chosen).pixels());
    storeOptions();
    emit told(tr("The figure is on the clipboard."));
  } catch (const Error& error) {
    emit failed(QString::fromUtf8(error.what()));
  }
}

void FigureDialog::askWhereToTurn()
{
  auto* dialog = new QFileDialog(this, tr("Folder for the pictures of a turn"),
                                 QSettings().value(QStringLiteral("pictureFolder"), QDir::homePath()).toString());
  dialog->setObjectName(QStringLiteral("turntableDialog"));
  dialog->setFileMode(QFileDialog::Directory);
  dialog->setOption(QFileDialog::ShowDirsOnly);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& folder) {
    try {
      turntable = std::make_unique<Turntable>(folder, frames->value());
      frame = 0;
      turnButton->setText(tr("Cancel"));
      turning.start(0);
    } catch (const Error& error) {
      emit failed(QString::fromUtf8(error.what()));
    }
  });
  dialog->open();
}

/// One picture at a time, so that the window lives on between them.
void FigureDialog::writeFrame()
{
  if (!turntable)
    return;
  try {
    turntable->write(frame, shown.turned(turntable->turns(frame)), chosen);
  } catch (const Error& error) {
    emit failed(QString::fromUtf8(error.what()));
    return endTurn({});
  }
  ++frame;
  note->setText(tr("Picture %1 of %2").arg(frame).arg(frames->value()));
  if (frame == frames->value())
    endTurn(tr("%1 pictures of a turn were written.").arg(frame));
}

void FigureDialog::endTurn(const QString& sentence)
{
  turning.stop();
  turntable.reset();
  turnButton->setText(tr("Turntable…"));
  refresh();
  if (!sentence.isEmpty())
    emit told(sentence);
}

void FigureDialog::reject()
{
  if (turntable)
    return endTurn(tr("Cancelled; %1 pictures were written.").arg(frame));
  QDialog::reject();
}

void FigureDialog::storeOptions() const
{
  QSettings settings;
  for (const BoundField& field : fieldsOf(chosen))
    settings.setValue(keyOf(field), QString::fromStdString(field.text()));
}

} // namespace hinesight::app
