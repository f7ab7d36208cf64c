#pragma once

#include "app/workspace/edge_bar.hpp"
#include "widgets/elided_label.hpp"

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QAbstractSpinBox>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QStringList>
#include <QStyle>
#include <QTabBar>
#include <QToolButton>
#include <QWidget>

#include <vector>

namespace hinesight::app {

/// Finds what a person cannot read of a window as it stands: texts that are cut, controls that reach out of what holds
/// them, and controls that lie over each other. What is scrolled away up or down is not at fault.
class LayoutFaults
{
public:
  explicit LayoutFaults(const QWidget& shown) : window(shown) {}

  const QStringList& found() const { return faults; }

  static bool isControl(const QWidget& widget)
  {
    return qobject_cast<const QLabel*>(&widget) || qobject_cast<const QAbstractButton*>(&widget) ||
           qobject_cast<const QComboBox*>(&widget) || qobject_cast<const QAbstractSpinBox*>(&widget) ||
           qobject_cast<const QLineEdit*>(&widget) || widget.objectName() == QStringLiteral("timingCard") ||
           widget.objectName() == QStringLiteral("legend") || widget.objectName() == QStringLiteral("scaleBar");
  }

  /// At those that one widget holds and that are seen.
  void look(const std::vector<QWidget*>& shown)
  {
    std::vector<const QWidget*> controls;
    for (const QWidget* widget : shown)
      if (isControl(*widget) && !widget->size().isEmpty()) {
        checkText(*widget);
        checkPlace(*widget);
        controls.push_back(widget);
      }
    for (std::size_t i = 0; i < controls.size(); ++i)
      for (std::size_t k = i + 1; k < controls.size(); ++k)
        if (const QRect common = controls[i]->geometry().intersected(controls[k]->geometry());
            common.width() > 1 && common.height() > 1)
          tell(*controls[i], QStringLiteral("lies over ") + controls[k]->objectName());
  }

private:
  void tell(const QWidget& widget, const QString& what)
  {
    QString name;
    for (const QWidget* part = &widget; part && part != &window; part = part->parentWidget())
      if (!part->objectName().isEmpty() && !part->objectName().startsWith("qt_"))
        name = part->objectName() + (name.isEmpty() ? QString() : QLatin1Char('/') + name);
    faults << QStringLiteral("%1 (%2) %3").arg(name, QLatin1String(widget.metaObject()->className()), what);
  }

  /// All ancestors show it, or scroll to it.
  void checkPlace(const QWidget& widget)
  {
    bool scrolls = false;
    bool scrollsAcross = false;
    for (const QWidget* holder = widget.parentWidget(); holder; holder = holder->parentWidget()) {
      const QRect place(widget.mapTo(holder, QPoint()), widget.size());
      if (const auto* area = qobject_cast<const QAbstractScrollArea*>(holder->parentWidget());
          area && area->viewport() == holder)
        scrollsAcross = scrollsAcross || area->horizontalScrollBar()->isVisible();
      if (!scrollsAcross && (place.left() < -1 || place.right() > holder->width() + 1))
        return tell(widget, QStringLiteral("reaches out of %1 by %2 px")
                                .arg(holder->objectName().isEmpty() ? holder->metaObject()->className()
                                                                    : qPrintable(holder->objectName()))
                                .arg(std::max(-place.left(), place.right() - holder->width())));
      if (!scrolls && (place.top() < -1 || place.bottom() > holder->height() + 1)) {
        const auto* area = qobject_cast<const QAbstractScrollArea*>(holder->parentWidget());
        if (!area || area->viewport() != holder)
          return tell(widget, QStringLiteral("reaches out of %1 by %2 px up or down")
                                  .arg(holder->objectName().isEmpty() ? holder->metaObject()->className()
                                                                      : qPrintable(holder->objectName()))
                                  .arg(std::max(-place.top(), place.bottom() - holder->height())));
        scrolls = true;
      }
      if (holder == &window)
        return;
    }
  }

  void checkText(const QWidget& widget)
  {
    const QFontMetrics metrics = widget.fontMetrics();
    const auto cut = [&](int needed, int there) {
      if (needed > there + 1)
        tell(widget, QStringLiteral("is cut: needs %1 px, has %2").arg(needed).arg(there));
    };
    if (dynamic_cast<const widgets::ElidedLabel*>(&widget)) {
      cut(metrics.height(), widget.height());
    } else if (const auto* label = qobject_cast<const QLabel*>(&widget)) {
      if (label->text().isEmpty())
        return;
      const bool wraps = label->wordWrap() || label->text().contains(QLatin1Char('<'));
      if (!wraps)
        cut(label->sizeHint().width(), label->width());
      cut(wraps ? label->heightForWidth(label->width()) : metrics.height(), label->height());
    } else if (const auto* spin = qobject_cast<const QAbstractSpinBox*>(&widget)) {
      const auto* edit = spin->findChild<QLineEdit*>();
      cut(metrics.horizontalAdvance(edit->text()), edit->width());
      cut(metrics.height(), edit->height());
    } else if (const auto* combo = qobject_cast<const QComboBox*>(&widget)) {
      cut(metrics.horizontalAdvance(combo->currentText().left(6)) + 30, combo->width());
      cut(metrics.height(), combo->height());
    } else if (const auto* button = qobject_cast<const QAbstractButton*>(&widget)) {
      QSize text = metrics.size(Qt::TextShowMnemonic, button->text());
      if (const auto* tool = qobject_cast<const QToolButton*>(button);
          tool && tool->toolButtonStyle() == Qt::ToolButtonIconOnly && !tool->icon().isNull())
        text = tool->iconSize(); // its text is not seen
      if (dynamic_cast<const UprightButton*>(button))
        text.transpose();
      const bool hasBox = qobject_cast<const QCheckBox*>(&widget);
      cut(text.width() + (hasBox ? button->iconSize().width() : 0), button->width());
      cut(text.height(), button->height());
    }
  }

  const QWidget& window;
  QStringList faults;
};

} // namespace hinesight::app
