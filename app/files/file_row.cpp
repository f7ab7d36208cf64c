#include "app/files/file_row.hpp"

#include "app/files/file_dialogs.hpp"
#include "core/error.hpp"
#include "widgets/elided_label.hpp"
#include "widgets/theme.hpp"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace hinesight::app {

FileRow::FileRow(const ParameterText& rowText, Read readFile, QWidget* parent)
    : ParameterRow(rowText, 0, parent), read(std::move(readFile)), said(new widgets::ElidedLabel(this)),
      sentence(new QLabel(this)), clearButton(new QToolButton(this))
{
  auto* chooseButton = new QPushButton(tr("File\u2026"), this);
  describe(chooseButton, "Choose");
  describe(clearButton, "Clear");
  clearButton->setText(QStringLiteral("\u00d7"));
  clearButton->setToolTip(tr("Use no file"));
  editors()->addWidget(chooseButton, 1);
  editors()->addWidget(clearButton);
  said->setObjectName(nameOf("Said"));
  sentence->setObjectName(nameOf("Problem"));
  sentence->setWordWrap(true);
  sentence->setTextFormat(Qt::PlainText);
  auto* lines = static_cast<QVBoxLayout*>(layout());
  lines->addWidget(said);
  lines->addWidget(sentence);
  connect(chooseButton, &QPushButton::clicked, this, &FileRow::ask);
  connect(clearButton, &QToolButton::clicked, this, &FileRow::reset);
  connect(this, &FileRow::valueChanged, this, &FileRow::cleared);
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
  const QString name = QFileInfo(path).fileName();
  tellOf({});
  said->setText(tr("reading %1").arg(name));
  said->show();
  emit chosen();
  reading.restart([this, readNow = read, path, name](const RunControl&) -> std::function<void()> {
    try {
      const FileContent content = readNow(path.toStdString());
      return [this, content, path, name] {
        content.take();
        settle(QString::fromStdString(content.summary) + QStringLiteral(", ") + name, path);
        emit taken();
      };
    } catch (const std::exception& error) {
      return [this, what = QString::fromUtf8(error.what()).replace(path, name)] {
        settle(summary, origin);
        tellOf(what);
      };
    }
  });
}

void FileRow::setValue(double)
{
  showSummary({});
}

void FileRow::showSummary(const QString& newSummary)
{
  reading.restart(); // a file that is still being read is of what was there before
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
  said->setText(summary);
  said->setToolTip(origin);
  said->setVisible(!summary.isEmpty());
  clearButton->setVisible(!summary.isEmpty());
  markDefault();
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
