#include "app/figures/figure_dialog.hpp"

#include "app/figures/legend_advice.hpp"
#include "app/figures/turntable.hpp"
#include "app/files/file_dialogs.hpp"
#include "app/forms/field_form.hpp"
#include "app/forms/help_text.hpp"
#include "app/forms/return_key.hpp"
#include "core/error.hpp"
#include "widgets/choice_box.hpp"
#include "widgets/theme.hpp"
#include "widgets/theme_scope.hpp"

#include <QClipboard>
#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QSettings>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace hinesight::app {

namespace {

constexpr QSize kPreview{460, 340};
constexpr QSize kLeastPreview{200, 120}; // on a small screen
constexpr int kFormWidth = 370;
constexpr QSize kUsualSize{900, 500};
constexpr int kTitleBar = 40;          // pixels that it takes at most
constexpr int kRefreshDelay = 60;      // ms
constexpr int kFollowDelay = 100;      // ms
constexpr int kProgressInterval = 100; // ms
constexpr int kUsualFrames = 120;
constexpr double kChecker = 8;    // pixels
constexpr int kCheckerAlpha = 26; // of 255, in the colour of the text

/// Fields that change nothing of a figure.
std::vector<std::string_view> idleFields(const widgets::Figure& figure)
{
  std::vector<std::string_view> idle;
  if (!figure.legend || figure.legend().title.isEmpty())
    idle.insert(idle.end(), {"legend", "legend-place"});
  if (!figure.hasScaleBar)
    idle.insert(idle.end(), {"scale-bar", "scale-bar-place"});
  if (!figure.hasScaleBar || !figure.isPerspective)
    idle.push_back("parallel");
  if (figure.title.isEmpty())
    idle.push_back("title");
  return idle;
}

QString keyOf(const BoundField& field)
{
  return QStringLiteral("figure/") + QString::fromStdString(field.name);
}

/// Where a person has chosen nothing.
const widgets::FigureOptions& usualOptions()
{
  static const widgets::FigureOptions usual = [] {
    widgets::FigureOptions options;
    options.isParallel = true; // the bar of a figure is true everywhere
    return options;
  }();
  return usual;
}

/// As they were the last time; what an earlier version wrote and this one does not know is left out.
widgets::FigureOptions storedOptions()
{
  widgets::FigureOptions options = usualOptions();
  const QSettings settings;
  for (BoundField& field : fieldsOf(options, usualOptions())) {
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

/// Whether one has the same views, charts and fields as another.
bool isLike(const FigureSubject& a, const FigureSubject& b)
{
  const auto has = [](const widgets::Figure& figure) {
    return std::tuple(figure.name, figure.hasScaleBar, figure.isPerspective, static_cast<bool>(figure.legend));
  };
  return a.page == b.page && a.view == b.view && has(a.figure) == has(b.figure) &&
         std::ranges::equal(a.figure.parts, b.figure.parts, {}, has, has);
}

/// A transparent picture over checkers of the canvas that its colours are made for, so that its letters can be read in
/// a window of any colour.
QPixmap onCheckers(QPixmap picture, widgets::ThemeMode mode)
{
  const widgets::ThemeScope scope(mode);
  QColor tone = widgets::theme().text;
  tone.setAlpha(kCheckerAlpha);
  QPainter painter(&picture);
  painter.setCompositionMode(QPainter::CompositionMode_DestinationOver);
  const QSizeF size = picture.deviceIndependentSize();
  for (int row = 0; row * kChecker < size.height(); ++row)
    for (int column = row % 2; column * kChecker < size.width(); column += 2)
      painter.fillRect(QRectF(column * kChecker, row * kChecker, kChecker, kChecker), tone);
  painter.fillRect(QRectF({}, size), widgets::theme().canvas);
  painter.end();
  return picture;
}

} // namespace

/// A picture as large as it is, or scaled down into its room; a text until there is one.
class FigureDialog::Preview : public QLabel
{
public:
  Preview()
  {
    setAlignment(Qt::AlignCenter);
    setMinimumSize(kLeastPreview);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored); // the dialog does not follow the picture
  }

  void showPicture(QPixmap picture)
  {
    whole = std::move(picture);
    fit();
  }

protected:
  void resizeEvent(QResizeEvent* event) override
  {
    QLabel::resizeEvent(event);
    fit();
  }

private:
  void fit()
  {
    if (whole.isNull())
      return;
    const QSize room = size() * devicePixelRatioF();
    const bool fits = whole.size().boundedTo(room) == whole.size();
    QPixmap shown = fits ? whole : whole.scaled(room, Qt::KeepAspectRatio, Qt::SmoothTransformation);
    shown.setDevicePixelRatio(devicePixelRatioF());
    setPixmap(shown);
  }

  QPixmap whole;
};

FigureDialog::FigureDialog(std::function<FigureSubject()> subject, QWidget* parent)
    : QDialog(parent), inFront(std::move(subject)), chosen(storedOptions())
{
  setObjectName(QStringLiteral("figureDialog"));
  app::describe(this, {tr("Save figure"),
                       tr("Makes a figure of what the page shows, or of one of its charts: as a file, or on the "
                          "clipboard. The preview has it as it will be written."),
                       QStringLiteral("Figures")});
  setAttribute(Qt::WA_DeleteOnClose);

  scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setMinimumWidth(kFormWidth);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* left = new QVBoxLayout;
  left->addLayout(makeHead());
  left->addWidget(scroll, 1);

  preview = new Preview;
  preview->setObjectName(QStringLiteral("figurePreview"));
  preview->setToolTip(tr("The figure as it will be written; checkers are where it is transparent"));
  sayInPreview(tr("Drawing…"));
  note = new QLabel;
  note->setObjectName(QStringLiteral("figureNote"));
  scaleNote = new QLabel(tr("The scale bar is true at the depth of the centre only."));
  scaleNote->setObjectName(QStringLiteral("figureScaleNote"));
  scaleNote->hide(); // until it is known
  for (QLabel* said : {note, scaleNote}) {
    said->setWordWrap(true);
    said->setAlignment(Qt::AlignCenter);
  }

  saveButton = new QPushButton(tr("Save…"));
  saveButton->setObjectName(QStringLiteral("figureSave"));
  saveButton->setToolTip(tr("Write the figure as PNG, SVG or PDF (Ctrl+Return)"));
  copyButton = new QPushButton(tr("Copy"));
  copyButton->setObjectName(QStringLiteral("figureCopy"));
  copyButton->setToolTip(tr("Put the figure as a picture on the clipboard"));
  cancelButton = new QPushButton(tr("Cancel"));
  cancelButton->setObjectName(QStringLiteral("figureCancel"));
  cancelButton->setToolTip(tr("Stop making the picture; nothing is written of it (Esc)"));
  auto* closeButton = new QPushButton(tr("Close"));
  closeButton->setObjectName(QStringLiteral("figureClose"));
  closeButton->setToolTip(tr("Close the dialog (Esc); what was written stays"));
  connect(closeButton, &QPushButton::clicked, this, &FigureDialog::reject);
  auto* buttons = new QHBoxLayout;
  addTurntable(buttons);
  buttons->addStretch(1);
  for (QPushButton* button : {cancelButton, copyButton, saveButton, closeButton})
    buttons->addWidget(button);
  for (QPushButton* button : {saveButton, copyButton, cancelButton, closeButton, turnButton})
    button->setAutoDefault(false);
  keepReturnInFields(this, saveButton);

  auto* right = new QVBoxLayout;
  right->addWidget(preview, 1);
  right->addWidget(note);
  right->addWidget(scaleNote);
  auto* row = new QHBoxLayout;
  row->addLayout(left);
  row->addLayout(right, 1);
  auto* column = new QVBoxLayout(this);
  column->addLayout(row, 1);
  column->addLayout(buttons);
  resize(kUsualSize.boundedTo(screen()->availableSize() - QSize(0, kTitleBar)));

  connectButtons();
  take(inFront());
  refreshing.start(0); // once the dialog is seen
  fileName->setFocus();
  fileName->selectAll();
}

/// What the figure is called, and which part it is of.
QLayout* FigureDialog::makeHead()
{
  head = new QFormLayout;
  fileName = new QLineEdit;
  fileName->setObjectName(QStringLiteral("figureName"));
  fileName->setToolTip(tr("The name of the file that Save… proposes, without its ending"));
  head->addRow(tr("Name"), fileName);
  partChoice = new widgets::ChoiceBox;
  partChoice->setObjectName(QStringLiteral("figurePart"));
  partChoice->setToolTip(tr("What is in the figure: all of the page, or one of its charts in the size of the figure"));
  head->addRow(tr("Part"), partChoice);
  connect(partChoice, &QComboBox::currentIndexChanged, this, &FigureDialog::takePart);
  return head;
}

void FigureDialog::connectButtons()
{
  connect(saveButton, &QPushButton::clicked, this, &FigureDialog::askWhereToSave);
  connect(copyButton, &QPushButton::clicked, this, &FigureDialog::copy);
  connect(cancelButton, &QPushButton::clicked, this, &FigureDialog::cancel);
  refreshing.setSingleShot(true);
  connect(&refreshing, &QTimer::timeout, this, &FigureDialog::refresh);
  following.setSingleShot(true);
  following.setInterval(kFollowDelay);
  connect(&following, &QTimer::timeout, this, &FigureDialog::look);
  connect(&working, &widgets::BackgroundWork::outOfMemory, this,
          [this] { takeEnd(tr("The figure needs more memory than is free; make it smaller."), false, {}); });
  progressing.setInterval(kProgressInterval);
  connect(&progressing, &QTimer::timeout, this, &FigureDialog::tellProgress);
}

FigureDialog::~FigureDialog()
{
  hide(); // what is being typed is taken while all is there that takes it
  control.cancel();
}

void FigureDialog::addTurntable(QBoxLayout* row)
{
  frames = new QSpinBox;
  frames->setObjectName(QStringLiteral("turntableFrames"));
  frames->setRange(2, Turntable::kMostFrames);
  frames->setValue(kUsualFrames);
  frames->setSuffix(tr(" pictures a turn"));
  frames->setToolTip(tr("How many pictures a full turn of the cells has; each is turned by 360° divided by it"));
  turnButton = new QPushButton(tr("Save turntable…"));
  turnButton->setObjectName(QStringLiteral("turntable"));
  turnButton->setToolTip(tr("Write PNG pictures of a full turn of the cells into a folder"));
  row->addWidget(frames);
  row->addWidget(turnButton);
  connect(turnButton, &QPushButton::clicked, this, &FigureDialog::askWhereToTurn);
}

// ---- what the figure is of ----

void FigureDialog::follow()
{
  if (!following.isActive())
    following.start();
}

/// Once more where something is being written.
void FigureDialog::look()
{
  if (fraction)
    return following.start();
  if (FigureSubject now = inFront(); !isLike(now, shown))
    take(std::move(now));
}

/// The part stays, where the page does.
void FigureDialog::take(FigureSubject subject)
{
  const bool isSamePage = subject.page == shown.page;
  const QString before = figure().name;
  disconnect(endOfView);
  shown = std::move(subject);
  if (shown.view)
    endOfView = connect(shown.view, &QObject::destroyed, this, [this] { delete this; });
  setWindowTitle(tr("Save figure: %1").arg(shown.page));
  const std::vector<widgets::Figure>& parts = shown.figure.parts;
  const QSignalBlocker blocker(partChoice);
  std::vector<widgets::ChoiceBox::Entry> entries{{shown.figure.name, {}}};
  for (const widgets::Figure& each : parts)
    entries.push_back({each.name, {}});
  partChoice->setEntries(entries);
  const auto same = std::ranges::find(parts, before, &widgets::Figure::name);
  if (isSamePage)
    partChoice->setCurrentIndex(same == parts.end() ? 0 : 1 + static_cast<int>(same - parts.begin()));
  else
    partChoice->setCurrentIndex(shown.figure.clickedPart ? 1 + static_cast<int>(*shown.figure.clickedPart) : 0);
  head->setRowVisible(partChoice, !parts.empty());
  takePart();
}

void FigureDialog::takePart()
{
  const bool canTurn = shown.turned && &figure() == &shown.figure;
  frames->setVisible(canTurn);
  turnButton->setVisible(canTurn);
  if (!fileName->isModified())
    fileName->setText(proposedName());
  makeForm();
  refreshButtons();
  refreshing.start(0);
}

void FigureDialog::makeForm()
{
  if (const std::unique_ptr<QWidget> before(scroll->takeWidget()); before)
    before->hide(); // what is being typed is taken
  auto* panel = new QWidget;
  auto* groups = new QVBoxLayout(panel);
  form = new FieldForm(groups, panel, [this] { return fieldsOf(chosen, usualOptions()); },
                       {.prefix = QStringLiteral("figure-"), .without = idleFields(figure())});
  groups->addStretch(1);
  connect(form, &FieldForm::edited, this, &FigureDialog::takeEdit);
  scroll->setWidget(panel);
  panel->show();
  form->refresh();
  QWidget* last = partChoice; // in the order of Tab the form stands where it is seen
  for (QWidget* field : panel->findChildren<QWidget*>())
    if (field->focusPolicy() != Qt::NoFocus && !field->focusProxy() && field->window() == this) { // not in a list
      setTabOrder(last, field);
      last = field;
    }
}

const widgets::Figure& FigureDialog::figure() const
{
  const int place = partChoice->currentIndex() - 1;
  return place < 0 || static_cast<std::size_t>(place) >= shown.figure.parts.size()
             ? shown.figure
             : shown.figure.parts[static_cast<std::size_t>(place)];
}

/// "measure-dendrogram".
QString FigureDialog::proposedName() const
{
  QString name = shown.page;
  if (&figure() != &shown.figure)
    name += QLatin1Char(' ') + figure().name;
  return name.toLower().replace(QLatin1Char(' '), QLatin1Char('-'));
}

// ---- what it looks like ----

void FigureDialog::takeEdit()
{
  refreshing.start(kRefreshDelay);
}

/// Painted on another thread where that can be.
void FigureDialog::refresh()
{
  if (fraction)
    return; // once the task is done
  refreshButtons();
  const QSize room = kPreview * devicePixelRatioF();
  try {
    widgets::validate(chosen);
    note->setText(describe());
    scaleNote->setVisible(figure().isPerspective && figure().hasScaleBar && chosen.hasScaleBar && !chosen.isParallel);
    previewing.restart();
    if (!figure().still)
      return showPreview(widgets::previewOf(figure(), chosen, room), legendAdvice(figure(), chosen));
  } catch (const Error& error) {
    previewing.restart();
    note->setText(QString::fromUtf8(error.what()));
    return sayInPreview({});
  }
  sayInPreview(tr("Drawing…"));
  previewing.restart([this, still = figure().still(widgets::themeOf(chosen)), options = chosen,
                      room](const RunControl& stop) -> widgets::BackgroundWork::Deliver {
    try {
      const QImage picture = widgets::previewOf(still, options, room, stop);
      return [this, picture, advice = legendAdvice(still, options)] { showPreview(picture, advice); };
    } catch (const Error& error) {
      return [this, problem = QString::fromUtf8(error.what())] {
        note->setText(problem);
        sayInPreview({});
      };
    }
  });
}

/// Until there is a picture.
void FigureDialog::sayInPreview(const QString& text)
{
  if (preview->pixmap().isNull())
    preview->setText(text);
}

/// What will be written.
QString FigureDialog::describe() const
{
  const QSize pixels = chosen.pixels();
  const QString asPng = tr("%1 × %2 pixels as PNG").arg(pixels.width()).arg(pixels.height());
  return figure().hasPixels ? tr("%1. In SVG and PDF, what lies in space is an embedded picture of that resolution; "
                                 "letters, legend and scale bar are drawn.")
                                  .arg(asPng)
                            : asPng;
}

/// `advice`: stands in place of what will be written; empty: there is none.
void FigureDialog::showPreview(const QImage& picture, const QString& advice)
{
  QPixmap pixmap = QPixmap::fromImage(picture);
  pixmap.setDevicePixelRatio(devicePixelRatioF()); // that of the checkers
  if (picture.hasAlphaChannel())
    pixmap = onCheckers(std::move(pixmap), widgets::themeOf(chosen));
  preview->showPicture(std::move(pixmap));
  if (!advice.isEmpty())
    note->setText(advice);
}

void FigureDialog::refreshButtons()
{
  bool isPossible = !fraction;
  try {
    widgets::validate(chosen);
  } catch (const Error&) {
    isPossible = false;
  }
  for (QPushButton* button : {saveButton, copyButton, turnButton})
    button->setEnabled(isPossible);
  cancelButton->setVisible(fraction != nullptr);
}

void FigureDialog::askWhereToSave()
{
  const QString name = fileName->text().trimmed();
  app::askWhereToSave(this,
                      {QStringLiteral("saveViewDialog"),
                       tr("Save figure"),
                       QStringLiteral("pictureFolder"),
                       {tr("PNG picture (*.png)"), tr("SVG drawing (*.svg)"), tr("PDF (*.pdf)")},
                       (name.isEmpty() ? proposedName() : name) + QStringLiteral(".png")},
                      [this](const QString& path) { save(path); });
}

/// Painted and written on another thread; a figure that only its view can paint is painted here.
void FigureDialog::save(const QString& path)
{
  const QString shownPath = QDir::toNativeSeparators(path);
  Task saving{tr("Writing %1").arg(shownPath), {}, [this, shownPath] {
                emit told(tr("Saved to %1.").arg(shownPath));
                accept();
              }};
  try {
    widgets::requirePictureName(path, true);
    if (figure().still)
      saving.work = [still = figure().still(widgets::themeOf(chosen)), options = chosen, path](const RunControl& stop) {
        widgets::writePicture(widgets::pictureOf(still, options, stop), path);
      };
    else
      saving.work = [write = widgets::pictureWriter(widgets::pictureOf(figure(), chosen), path)](const RunControl&) {
        write();
      };
  } catch (const Error& error) {
    emit failed(QString::fromUtf8(error.what()));
    return;
  }
  storeOptions();
  start(saving);
}

void FigureDialog::copy()
{
  auto pixels = std::make_shared<QImage>();
  Task copying{tr("Making the picture"), {}, [this, pixels] {
                 QGuiApplication::clipboard()->setImage(*pixels);
                 emit told(tr("The figure is on the clipboard."));
                 refresh();
               }};
  try {
    if (figure().still)
      copying.work = [still = figure().still(widgets::themeOf(chosen)), options = chosen,
                      pixels](const RunControl& stop) { *pixels = widgets::pictureOf(still, options, stop).pixels(); };
    else {
      *pixels = widgets::pictureOf(figure(), chosen).pixels();
      copying.work = [](const RunControl&) {};
    }
  } catch (const Error& error) {
    emit failed(QString::fromUtf8(error.what()));
    return;
  }
  storeOptions();
  start(copying);
}

void FigureDialog::askWhereToTurn()
{
  auto* dialog =
      new QFileDialog(this, tr("Folder for the pictures of a turn"), folderToSave(QStringLiteral("pictureFolder")));
  dialog->setObjectName(QStringLiteral("turntableDialog"));
  dialog->setFileMode(QFileDialog::Directory);
  dialog->setOption(QFileDialog::ShowDirsOnly);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& folder) {
    rememberSaved(QStringLiteral("pictureFolder"), folder);
    try {
      turntable = std::make_shared<const Turntable>(folder, frames->value());
      frame = 0;
      writeFrame();
    } catch (const Error& error) {
      emit failed(QString::fromUtf8(error.what()));
    }
  });
  dialog->open();
}

/// One picture after the other.
void FigureDialog::writeFrame()
{
  if (frame == frames->value()) {
    emit told(tr("%1 pictures of a turn were written.").arg(frame));
    turntable.reset();
    return refresh();
  }
  Task writing{tr("Picture %1 of %2").arg(frame + 1).arg(frames->value()), {}, [this] {
                 ++frame;
                 writeFrame();
               }};
  writing.work = [still = shown.turned(turntable->turns(frame)).still(widgets::themeOf(chosen)), options = chosen,
                  all = turntable,
                  number = frame](const RunControl& stop) { all->write(number, still, options, stop); };
  start(writing);
}

// ---- what takes long ----

void FigureDialog::start(const Task& wanted)
{
  task = wanted.what;
  fraction = std::make_shared<std::atomic<double>>(0);
  control = RunControl([done = fraction](std::string_view, double part) { *done = part; });
  previewing.restart(); // two pictures at once would take longer each
  refreshButtons();
  tellProgress();
  progressing.start();
  working.start([this, wanted, stop = control](const RunControl&) -> widgets::BackgroundWork::Deliver {
    QString problem;
    bool isCancelled = false;
    try {
      wanted.work(stop);
    } catch (const Error& error) {
      problem = QString::fromUtf8(error.what());
      isCancelled = error.code() == ErrorCode::Cancelled;
    }
    return [this, problem, isCancelled, finish = wanted.finish] { takeEnd(problem, isCancelled, finish); };
  });
}

void FigureDialog::takeEnd(const QString& problem, bool isCancelled, const std::function<void()>& finish)
{
  progressing.stop();
  fraction.reset();
  refreshButtons();
  if (problem.isEmpty())
    return finish();
  const bool isTurn = std::exchange(turntable, nullptr) != nullptr;
  refresh();
  if (!isCancelled)
    emit failed(problem);
  else if (isTurn)
    emit told(tr("Cancelled; %1 pictures were written.").arg(frame));
  else
    emit told(tr("Cancelled; nothing was written."));
}

void FigureDialog::tellProgress()
{
  const int percent = fraction ? static_cast<int>(100 * *fraction) : 0;
  note->setText(percent > 0 && !turntable ? tr("%1, %2 %").arg(task).arg(percent) : task);
}

void FigureDialog::cancel()
{
  control.cancel();
}

/// Esc stops what runs before it closes the dialog.
void FigureDialog::reject()
{
  if (fraction)
    return cancel();
  QDialog::reject();
}

void FigureDialog::storeOptions() const
{
  QSettings settings;
  for (const BoundField& field : fieldsOf(chosen))
    settings.setValue(keyOf(field), QString::fromStdString(field.text()));
}

} // namespace hinesight::app
