#include "app/shell/help/context_help.hpp"

#include "app/forms/help_text.hpp"
#include "app/pages/pages.hpp"

#include <QAbstractTextDocumentLayout>
#include <QAction>
#include <QApplication>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QMainWindow>
#include <QMenu>
#include <QPainter>
#include <QScreen>
#include <QScrollBar>
#include <QTabBar>
#include <QTextBlock>
#include <QTextBrowser>
#include <QVBoxLayout>

#include <algorithm>

namespace hinesight::app {

namespace {

constexpr int kWidth = 420;
constexpr QSize kGuideSize{760, 640};

QString paragraphs(const QString& text)
{
  QString html;
  for (const QString& line : text.split(QLatin1Char('\n'), Qt::SkipEmptyParts))
    html += QStringLiteral("<p>%1</p>").arg(line.toHtmlEscaped());
  return html;
}

QTextBlock headingOf(const QTextDocument& document, const QString& name)
{
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
    if (block.blockFormat().headingLevel() > 0 && block.text() == name)
      return block;
  return {};
}

} // namespace

ContextHelp::ContextHelp(QMainWindow* window, const HelpText& help, QWidget* parent) : QDialog(parent, Qt::Popup)
{
  setObjectName(QStringLiteral("contextHelp"));
  setAttribute(Qt::WA_DeleteOnClose);
  const QString title =
      help.title.isEmpty() ? QString() : QStringLiteral("<h3>%1</h3>").arg(help.title.toHtmlEscaped());
  auto* text = new QLabel(title + paragraphs(help.text));
  text->setObjectName(QStringLiteral("contextHelpText"));
  text->setTextFormat(Qt::RichText);
  text->setWordWrap(true);
  auto* link = new QLabel(
      QStringLiteral("<a href=\"guide\">%1</a>").arg(tr("User guide: %1").arg(help.section).toHtmlEscaped()));
  link->setObjectName(QStringLiteral("contextHelpLink"));
  link->setToolTip(tr("Open the user guide at this section"));
  if (QApplication::activeModalWidget())
    link->hide(); // it would keep the guide from mouse and keys
  link->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(14, 4, 14, 12);
  column->addWidget(text);
  column->addWidget(link);
  connect(link, &QLabel::linkActivated, this, [this, window, section = help.section] {
    close();
    while (QWidget* menu = QApplication::activePopupWidget()) // it would keep the guide from mouse and keys
      if (!menu->close())
        break;
    showGuide(window, section);
  });
  setFixedWidth(kWidth);
  resize(kWidth, heightForWidth(kWidth));
  link->setFocus();
}

void ContextHelp::paintEvent(QPaintEvent* event)
{
  QDialog::paintEvent(event);
  QPainter painter(this);
  painter.setPen(palette().color(QPalette::Mid));
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

namespace {

/// What is seen there, also where it leaves the mouse to what it lies on.
const QWidget* seenAt(const QPoint& place)
{
  const QWidget* pointed = QApplication::widgetAt(place);
  const QWidgetList parts = pointed ? pointed->findChildren<QWidget*>() : QWidgetList();
  for (const QWidget* part : parts)
    if (part->testAttribute(Qt::WA_TransparentForMouseEvents) && part->isVisible() && !part->whatsThis().isEmpty() &&
        part->rect().contains(part->mapFromGlobal(place)))
      return part;
  return pointed;
}

void explainTab(const QTabBar& tabs, const QPoint& place, HelpText& help)
{
  const int tab = tabs.tabAt(tabs.mapFromGlobal(place));
  if (tab < 0 || tabs.tabToolTip(tab).isEmpty())
    return;
  help.title = tabs.accessibleTabName(tab).isEmpty() ? tabs.tabText(tab) : tabs.accessibleTabName(tab);
  help.text = tabs.tabToolTip(tab);
  for (const PageDefinition& page : allPages())
    if (help.title == titleOf(page))
      help.section = QLatin1String(page.section);
}

void explainColumn(const QHeaderView& headings, const QPoint& place, HelpText& help)
{
  const int column = headings.logicalIndexAt(headings.viewport()->mapFromGlobal(place));
  const auto dataOf = [&](int role) {
    return column < 0 || !headings.model()
               ? QString()
               : headings.model()->headerData(column, headings.orientation(), role).toString();
  };
  if (const QString text = dataOf(Qt::ToolTipRole); !text.isEmpty()) {
    help.title = dataOf(Qt::DisplayRole);
    help.text = text;
  }
}

void explainEntry(const QMenu& menu, const QPoint& place, HelpText& help)
{
  const QAction* entry = menu.actionAt(menu.mapFromGlobal(place));
  if (!entry || entry->isSeparator())
    return;
  help.title = entry->iconText();
  const QString text = entry->statusTip().isEmpty() ? entry->toolTip() : entry->statusTip();
  help.text = text == help.title ? QString() : text;
}

/// Tabs, columns and entries of menus are no widgets of their own.
HelpText helpAt(const QWidget& pointed, const QPoint& place)
{
  HelpText help = helpOf(pointed);
  if (const auto* tabs = qobject_cast<const QTabBar*>(&pointed))
    explainTab(*tabs, place, help);
  else if (const auto* headings = qobject_cast<const QHeaderView*>(pointed.parentWidget()))
    explainColumn(*headings, place, help);
  else if (const auto* menu = qobject_cast<const QMenu*>(&pointed))
    explainEntry(*menu, place, help);
  return help;
}

/// Also in a window of its own, such as that of a page, of a dock or of a dialog.
bool isPartOf(const QMainWindow& window, const QWidget* part)
{
  while (part && part != &window)
    part = part->parentWidget();
  return part != nullptr;
}

} // namespace

void showHelp(QMainWindow* window, const QPoint& place)
{
  const QWidget* pointed = seenAt(place);
  const bool isOurs = isPartOf(*window, pointed);
  auto* help =
      new ContextHelp(window, isOurs ? helpAt(*pointed, place) : helpOf(*window), isOurs ? pointed->window() : window);
  const QRect room = window->screen()->availableGeometry();
  const QPoint last = room.bottomRight() - QPoint(help->width(), help->height());
  help->move(std::clamp(place.x(), room.left(), std::max(room.left(), last.x())),
             std::clamp(place.y(), room.top(), std::max(room.top(), last.y())));
  help->show();
}

void showGuide(QMainWindow* window, const QString& section)
{
  auto* guide = window->findChild<QTextBrowser*>(QStringLiteral("userGuide"));
  if (!guide) {
    auto* box = new QDialog(window);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setObjectName(QStringLiteral("guideDialog"));
    box->setWindowTitle(ContextHelp::tr("User guide"));
    describe(box, {box->windowTitle(), ContextHelp::tr("All of the guide, to whose sections the help leads."),
                   QStringLiteral("Help")});
    guide = new QTextBrowser;
    guide->setObjectName(QStringLiteral("userGuide"));
    guide->setOpenLinks(false); // it has no other documents with it
    QFile file(QStringLiteral(":/user-guide.md"));
    if (file.open(QIODevice::ReadOnly))
      guide->document()->setMarkdown(QString::fromUtf8(file.readAll()));
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(guide);
    box->resize(kGuideSize.boundedTo(window->screen()->availableSize()));
  }
  guide->window()->show();
  guide->window()->raise();
  guide->window()->activateWindow();
  const QTextDocument& document = *guide->document();
  const QTextBlock heading = headingOf(document, section);
  guide->setTextCursor(QTextCursor(heading.isValid() ? heading : document.begin()));
  const double top = heading.isValid() ? document.documentLayout()->blockBoundingRect(heading).top() : 0;
  guide->verticalScrollBar()->setValue(static_cast<int>(top));
}

} // namespace hinesight::app
