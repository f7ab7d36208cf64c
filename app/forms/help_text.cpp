#include "app/forms/help_text.hpp"

#include <QAbstractButton>
#include <QTextDocumentFragment>
#include <QVariant>
#include <QWidget>

namespace hinesight::app {

namespace {

constexpr const char* kTitle = "helpTitle";
constexpr const char* kSection = "helpSection";

QString sectionOf(const QWidget* widget)
{
  for (; widget; widget = widget->parentWidget())
    if (const QString section = widget->property(kSection).toString(); !section.isEmpty())
      return section;
  return QStringLiteral("The window");
}

/// What it is called on the screen; empty where it has no name.
QString nameOf(const QWidget& widget)
{
  if (!widget.accessibleName().isEmpty())
    return widget.accessibleName();
  if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
    return button->text().remove(QLatin1Char('&')).remove(QStringLiteral("…"));
  return {};
}

} // namespace

void describe(QWidget* widget, const HelpText& help)
{
  widget->setProperty(kTitle, help.title);
  widget->setProperty(kSection, help.section);
  widget->setWhatsThis(help.text);
}

HelpText helpOf(const QWidget& widget)
{
  for (const QWidget* part = &widget; part; part = part->parentWidget()) {
    if (!part->whatsThis().isEmpty())
      return {part->property(kTitle).toString(), part->whatsThis(), sectionOf(part)};
    if (!part->toolTip().isEmpty()) {
      const QString text = QTextDocumentFragment::fromHtml(part->toolTip()).toPlainText();
      const QString name = nameOf(*part);
      return {name == text ? QString() : name, text, sectionOf(part)};
    }
  }
  return {QStringLiteral("Hinesight"), QObject::tr("Point at a part of the window and press F1."), sectionOf(&widget)};
}

} // namespace hinesight::app
