#include "app/file_row.hpp"

#include "app/file_dialogs.hpp"
#include "core/error.hpp"
#include "widgets/elided_label.hpp"
#include "widgets/theme.hpp"

#include <QCoreApplication>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QThreadPool>
#include <QToolButton>

#include <utility>

namespace hinesight::app {

namespace {

constexpr int kLabelWidth = 108; // as those of other rows

} // namespace

FileRow::FileRow(const ParameterText& rowText, Read readFile, QWidget* parent)
    : QWidget(parent), text(rowText), read(std::move(readFile)), said(new widgets::ElidedLabel(this)),
      sentence(new QLabel(this)), clearButton(new QToolButton(this))
{
  setObjectName(text.id + QStringLiteral("Row"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 2, 0, 2);
  column->setSpacing(2);
  auto* line = new QHBoxLayout;
  column->addLayout(line);
  column->addWidget(sentence);
  sentence->setObjectName(text.id + QStringLiteral("Problem"));
  sentence->setWordWrap(true);
  sentence->setTextFormat(Qt::PlainText);
  sentence->hide();
  auto* label = new QLabel(text.label, this);
  label->setToolTip(text.help + QLatin1Char('\n') + text.detail);
  said->setObjectName(text.id + QStringLiteral("Said"));
  label->setFixedWidth(kLabelWidth);
  auto* chooseButton = new QPushButton(this);
  chooseButton->setObjectName(text.id + QStringLiteral("Choose"));
  chooseButton->setText(tr("File\u2026"));
  chooseButton->setToolTip(text.help + QLatin1Char('\n') + text.detail);
  clearButton->setObjectName(text.id + QStringLiteral("Clear"));
  clearButton->setText(QStringLiteral("\u00d7"));
  clearButton->setToolTip(tr("Do without it"));
  line->addWidget(label);
  line->addWidget(said, 1);
  line->addWidget(chooseButton);
  line->addWidget(clearButton);
  connect(chooseButton, &QPushButton::clicked, this, &FileRow::ask);
  connect(clearButton, &QToolButton::clicked, this, &FileRow::clear);
  showSummary({});
}

void FileRow::ask()
{
  askWhatToOpen(this,
                {text.id + QStringLiteral("Dialog"),
                 text.help,
                 QStringLiteral("openFolder"),
                 {tr("Text (*.txt)"), tr("All (*)")},
                 {}},
                [this](const QStringList& paths) { open(paths.front()); });
}

void FileRow::open(const QString& path)
{
  const int number = ++*newest;
  const QString name = QFileInfo(path).fileName();
  tellOf({});
  said->setText(tr("reading %1").arg(name));
  // The worker must not touch the row, which may be gone by then.
  const auto answer = [row = QPointer<FileRow>(this), number](std::function<void(FileRow&)> then) {
    QMetaObject::invokeMethod(
        qApp,
        [row, number, then = std::move(then)] {
          if (row && *row->newest == number)
            then(*row);
        },
        Qt::QueuedConnection);
  };
  QThreadPool::globalInstance()->start([readNow = read, path, name, answer] {
    try {
      const FileContent content = readNow(path.toStdString());
      answer([content, path, name](FileRow& row) {
        content.take();
        row.settle(QString::fromStdString(content.summary) + QStringLiteral(", ") + name, path);
        emit row.taken();
      });
    } catch (const std::exception& error) {
      const QString what = QString::fromUtf8(error.what()).replace(path, name);
      answer([what](FileRow& row) {
        row.settle(row.summary, row.origin);
        row.tellOf(what);
      });
    }
  });
}

void FileRow::clear()
{
  showSummary({});
  emit cleared();
}

void FileRow::showSummary(const QString& newSummary)
{
  ++*newest; // a file that is still being read is of what was there before
  settle(newSummary, {});
  tellOf({});
}

QString FileRow::problem() const
{
  return sentence->text();
}

void FileRow::settle(const QString& newSummary, const QString& newOrigin)
{
  summary = newSummary;
  origin = newOrigin;
  said->setText(summary.isEmpty() ? tr("none") : summary);
  said->setToolTip(origin);
  clearButton->setVisible(!summary.isEmpty());
}

void FileRow::tellOf(const QString& problem)
{
  QPalette colors = palette();
  colors.setColor(QPalette::WindowText, widgets::theme().warning);
  sentence->setPalette(colors);
  sentence->setText(problem);
  sentence->setVisible(!problem.isEmpty());
}

} // namespace hinesight::app
