#include "app/shell/bars/message_banner.hpp"

#include "app/files/file_findings.hpp"
#include "widgets/theme.hpp"

#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QResizeEvent>
#include <QScrollArea>
#include <QScrollBar>
#include <QStringList>
#include <QToolButton>

#include <algorithm>
#include <map>
#include <utility>

namespace hinesight::app {

namespace {

constexpr int kMostLines = 6;         // higher, it scrolls
constexpr int kStripe = 4;            // of the signal colour, at the left
constexpr qsizetype kMostShown = 100; // lines; a label lays out all of its text at once
constexpr int kLeastText = 200;       // of its width, pixels

/// A label that keeps how high its text is: layouts ask for it again and again, and a label lays out all of its text
/// each time. It is as wide as it may.
class MessageLabel : public QLabel
{
public:
  QSize sizeHint() const override { return minimumSizeHint(); }
  QSize minimumSizeHint() const override { return {0, fontMetrics().lineSpacing()}; }

  int heightForWidth(int width) const override
  {
    if (measured != text()) {
      heights.clear();
      measured = text();
    }
    const auto [height, isNew] = heights.try_emplace(width, 0);
    if (isNew)
      height->second = QLabel::heightForWidth(width);
    return height->second;
  }

protected:
  void changeEvent(QEvent* event) override
  {
    heights.clear(); // another font, or another style
    QLabel::changeEvent(event);
  }

private:
  mutable QString measured;           ///< the text that they are of
  mutable std::map<int, int> heights; ///< by width, pixels
};

} // namespace

MessageBanner::MessageBanner(QWidget* parent) : QWidget(parent)
{
  setObjectName(QStringLiteral("messageBanner"));
  label = new MessageLabel;
  label->setObjectName(QStringLiteral("messageText"));
  label->setWordWrap(true);
  label->setTextFormat(Qt::PlainText);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  label->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  scroll = new QScrollArea(this);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidget(label);
  // The banner's own colour shows through.
  scroll->viewport()->setAutoFillBackground(false);
  label->setAutoFillBackground(false);

  remedyButton = new QToolButton(this);
  remedyButton->setObjectName(QStringLiteral("messageRemedy"));
  remedyButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  remedyButton->hide();
  copyButton = new QToolButton(this);
  copyButton->setObjectName(QStringLiteral("copyMessages"));
  copyButton->setText(tr("Copy"));
  copyButton->setToolTip(tr("Copy the messages to the clipboard"));
  copyButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  dismissButton = new QToolButton(this);
  dismissButton->setObjectName(QStringLiteral("dismissMessages"));
  dismissButton->setText(tr("Dismiss"));
  dismissButton->setToolTip(tr("Hide the messages"));
  dismissButton->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);

  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(14, 6, 8, 6);
  row->setSpacing(4);
  row->addWidget(scroll, 1);
  row->addWidget(remedyButton, 0, Qt::AlignTop);
  row->addWidget(copyButton, 0, Qt::AlignTop);
  row->addWidget(dismissButton, 0, Qt::AlignTop);

  // It is read from its beginning; how far there is to scroll is known only after the text is laid out.
  QScrollBar* bar = scroll->verticalScrollBar();
  connect(bar, &QScrollBar::rangeChanged, bar, [bar] { bar->setValue(0); });
  refreshTimer.setSingleShot(true);
  refreshTimer.setInterval(0);
  connect(&refreshTimer, &QTimer::timeout, this, &MessageBanner::refresh);
  connect(remedyButton, &QToolButton::clicked, this, [this] {
    if (const Message* message = remediable())
      Remedy(message->remedy).apply(); // which may take the message away
  });
  connect(copyButton, &QToolButton::clicked, this, [this] { QGuiApplication::clipboard()->setText(text()); });
  connect(dismissButton, &QToolButton::clicked, this, &MessageBanner::dismiss);
  hide();
}

void MessageBanner::show(Severity severity, const QString& sentence)
{
  add({severity, sentence});
}

void MessageBanner::showUnreadable(const Error& error, std::size_t openFiles)
{
  const QString name = QFileInfo(QString::fromStdString(error.file())).fileName();
  files = openFiles;
  add({Severity::Error, QString::fromUtf8(error.what()), findingsUnder(name, findingsOf(error)), whatIsWrong(error)});
}

void MessageBanner::add(Message message)
{
  if (messages.empty() || messages.back().sentence != message.sentence)
    messages.push_back(std::move(message));
  refreshSoon();
}

void MessageBanner::offer(const QString& sentence, const Remedy& remedy)
{
  for (Message& message : messages)
    if (message.sentence == sentence)
      message.remedy = remedy;
  refreshSoon();
}

/// The newest; null: none is.
const MessageBanner::Message* MessageBanner::remediable() const
{
  const auto found = std::find_if(messages.rbegin(), messages.rend(),
                                  [](const Message& each) { return !each.remedy.words.isEmpty(); });
  return found == messages.rend() ? nullptr : &*found;
}

void MessageBanner::dismiss()
{
  messages.clear();
  refreshSoon();
}

void MessageBanner::withdraw(const QString& sentence)
{
  std::erase_if(messages, [&](const Message& message) { return message.sentence == sentence; });
  refreshSoon();
}

QString MessageBanner::text() const
{
  QStringList lines;
  for (const Message& message : messages)
    lines << (message.ofFile.isEmpty() ? message.sentence : message.withPath);
  return lines.join(QLatin1Char('\n'));
}

/// The newest first, then the files that cannot be read, the newest first, with a line for each finding.
QString MessageBanner::shownText() const
{
  QStringList others;
  QStringList unreadable;
  for (const Message& message : messages)
    if (message.ofFile.isEmpty())
      others.prepend(message.sentence);
    else
      unreadable.prepend(message.ofFile);
  if (unreadable.size() > 1)
    unreadable.prepend(
        tr("%1 of the %2 open files could not be read:")
            .arg(widgets::formatNumber(static_cast<double>(unreadable.size())),
                 widgets::formatNumber(static_cast<double>(std::max(files, std::size_t(unreadable.size()))))));
  QStringList lines = (others + unreadable).join(QLatin1Char('\n')).split(QLatin1Char('\n'));
  if (const qsizetype more = lines.size() - kMostShown; more > 0) {
    lines.resize(kMostShown);
    lines << tr("and %1 more: Copy has them all").arg(widgets::formatNumber(static_cast<double>(more)));
  }
  return lines.join(QLatin1Char('\n'));
}

void MessageBanner::refreshSoon()
{
  setVisible(!messages.empty());
  refreshTimer.start();
}

/// Lays itself and what is around it out at once: a view that takes long to draw may be painted first.
void MessageBanner::refresh()
{
  label->setText(shownText());
  const Message* const mended = remediable();
  remedyButton->setVisible(mended != nullptr);
  remedyButton->setText(mended ? mended->remedy.words : QString());
  remedyButton->setToolTip(mended ? mended->remedy.help : QString());
  label->setToolTip(text() == label->text() ? QString() : text());
  update();
  layout()->activate(); // the button takes of the width
  fitHeight();
  layout()->activate();
  parentWidget()->layout()->activate();
}

void MessageBanner::fitHeight()
{
  const int width = std::max(kLeastText, scroll->viewport()->width());
  const int lines = fontMetrics().lineSpacing() * kMostLines;
  scroll->setFixedHeight(std::clamp(label->heightForWidth(width), copyButton->sizeHint().height(), lines));
}

QColor MessageBanner::signalColor() const
{
  const bool isError = std::any_of(messages.begin(), messages.end(),
                                   [](const Message& message) { return message.severity == Severity::Error; });
  return isError ? QColor(0xd5, 0x3c, 0x3c) : widgets::theme().warning;
}

void MessageBanner::paintEvent(QPaintEvent*)
{
  QPainter painter(this);
  QColor tint = signalColor();
  painter.fillRect(rect(), widgets::theme().canvas);
  painter.fillRect(QRect(0, 0, kStripe, height()), tint);
  tint.setAlpha(60);
  painter.fillRect(rect(), tint);
}

void MessageBanner::resizeEvent(QResizeEvent* event)
{
  QWidget::resizeEvent(event);
  if (event->oldSize().width() != event->size().width() && !messages.empty())
    fitHeight();
}

} // namespace hinesight::app
