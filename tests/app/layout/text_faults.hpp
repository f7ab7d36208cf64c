#pragma once

#include "painted_texts.hpp"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QModelIndex>
#include <QOpenGLWidget>
#include <QRegularExpression>
#include <QSplitterHandle>
#include <QStringList>
#include <QWidget>

#include <cxxabi.h>

#include <cstddef>
#include <cstdlib>
#include <string_view>
#include <typeinfo>
#include <vector>

namespace hinesight::app {

/// Finds what a person cannot read of the texts that our own widgets paint in a window as it stands: those that are
/// cut, lie over each other or under another widget, and numbers in cells of tables with dots for figures. What is
/// scrolled away is not at fault.
class TextFaults
{
public:
  explicit TextFaults(const QWidget& shown) : window(shown) {}

  /// At one that is seen.
  void look(QWidget& widget)
  {
    if (const auto* view = qobject_cast<const QAbstractItemView*>(&widget))
      lookAtNumbers(*view);
    else if (paintsTexts(widget))
      lookAtTexts(widget);
  }

  const QStringList& found() const { return faults; }

private:
  struct ShownText
  {
    const QWidget* widget;
    QString text;
    QRectF place; ///< in the window
  };

  enum class Sight
  {
    Whole,
    Cut,
    ScrolledAway,
  };

  /// What is no label, button, field or list: those are LayoutFaults' business. What OpenGL draws has no texts.
  static bool paintsTexts(const QWidget& widget)
  {
    const bool isOurs = std::string_view(typeid(widget).name()).find("hinesight") != std::string_view::npos;
    return isOurs && !qobject_cast<const QOpenGLWidget*>(&widget) && !qobject_cast<const QLabel*>(&widget) &&
           !qobject_cast<const QAbstractButton*>(&widget) && !qobject_cast<const QLineEdit*>(&widget) &&
           !qobject_cast<const QComboBox*>(&widget) && !qobject_cast<const QAbstractScrollArea*>(&widget);
  }

  /// "-1,250", "≥ 0.5", "12.5 %" or "73 µs".
  static bool isNumber(const QString& text)
  {
    static const QRegularExpression number(
        QStringLiteral("^[\u2265\u2264<>~]?\\s?[-\u2212+]?\\d[\\d.,]*([eE][-+]?\\d+)?(\\s?[^\\s\\d]{1,3})?$"));
    return number.match(text).hasMatch();
  }

  void lookAtNumbers(const QAbstractItemView& view)
  {
    if (qobject_cast<const QHeaderView*>(&view) || !view.model())
      return;
    const test::PaintedTexts painted(*view.viewport(), 1);
    for (const auto& text : painted.texts()) {
      const QString whole =
          text.text.contains(QChar(0x2026)) ? view.indexAt(text.place.center().toPoint()).data().toString() : QString();
      if (isNumber(whole))
        tell(view, QStringLiteral("has \"%1\" for %2").arg(text.text, whole));
    }
  }

  void lookAtTexts(QWidget& widget)
  {
    const test::PaintedTexts painted(widget, 1);
    const QPointF corner(widget.mapTo(&window, QPoint()));
    for (const auto& text : painted.texts()) {
      if (text.place.isEmpty()) // spaces
        continue;
      const Sight sight = sightOf(widget, text.place);
      if (sight == Sight::ScrolledAway)
        continue;
      const ShownText shown{&widget, text.text, text.place.translated(corner)};
      if (text.isCut || sight == Sight::Cut)
        tell(widget, QStringLiteral("cuts \"%1\", %2").arg(text.text, test::PaintedTexts::inWords(text.place)));
      else if (const QWidget* cover = coverOf(shown))
        tell(widget, QStringLiteral("has \"%1\" under %2").arg(text.text, nameOf(*cover)));
      compareWithOthers(shown);
      texts.push_back(shown);
    }
  }

  /// Whether the widget and all that hold it show the whole place, in pixels of the widget.
  Sight sightOf(const QWidget& widget, const QRectF& place) const
  {
    for (const QWidget* holder = &widget; holder; holder = holder->parentWidget()) {
      const QRectF there = place.translated(widget.mapTo(holder, QPoint()));
      if (!QRectF(holder->rect()).adjusted(-1, -1, 1, 1).contains(there)) {
        const auto* area = qobject_cast<const QAbstractScrollArea*>(holder->parentWidget());
        return area && area->viewport() == holder ? Sight::ScrolledAway : Sight::Cut;
      }
      if (holder == &window)
        break;
    }
    return Sight::Whole;
  }

  /// Null: none, or the mouse passes through the widget so that nothing can tell.
  const QWidget* coverOf(const ShownText& shown) const
  {
    for (const QWidget* holder = shown.widget; holder && holder != &window; holder = holder->parentWidget())
      if (holder->testAttribute(Qt::WA_TransparentForMouseEvents))
        return nullptr;
    const QPointF middle = shown.place.center();
    for (const double x : {shown.place.left() + 1, middle.x(), shown.place.right() - 1}) {
      const QWidget* top = window.childAt(QPointF(x, middle.y()).toPoint());
      if (top && top != shown.widget && !top->isAncestorOf(shown.widget) && !shown.widget->isAncestorOf(top) &&
          !qobject_cast<const QSplitterHandle*>(top) && !scrolls(*top, *shown.widget))
        return top;
    }
    return nullptr;
  }

  /// Whether it is the bar of an area that holds the other.
  static bool scrolls(const QWidget& bar, const QWidget& other)
  {
    for (const QWidget* part = &bar; part->parentWidget() && !part->isAncestorOf(&other); part = part->parentWidget())
      if (qobject_cast<const QAbstractScrollArea*>(part->parentWidget()) && part->parentWidget()->isAncestorOf(&other))
        return true;
    return false;
  }

  void compareWithOthers(const ShownText& shown)
  {
    for (const ShownText& other : texts)
      if (test::PaintedTexts::lieOverEachOther(other.place, shown.place))
        tell(*shown.widget,
             QStringLiteral("has \"%1\" over \"%2\" of %3").arg(shown.text, other.text, nameOf(*other.widget)));
  }

  /// Of the nearest that has one.
  static QString nameOf(const QWidget& widget)
  {
    const QWidget* named = &widget;
    while (named->objectName().isEmpty() && named->parentWidget())
      named = named->parentWidget();
    return named->objectName();
  }

  /// As it stands in the code: many have no meta-object of their own.
  static QString classOf(const QWidget& widget)
  {
    int status = 0;
    char* name = abi::__cxa_demangle(typeid(widget).name(), nullptr, nullptr, &status);
    const QString readable = QString::fromLatin1(status == 0 ? name : typeid(widget).name());
    std::free(name);
    return readable;
  }

  void tell(const QWidget& widget, const QString& what)
  {
    faults << QStringLiteral("%1 (%2) %3").arg(nameOf(widget), classOf(widget), what);
  }

  const QWidget& window;
  std::vector<ShownText> texts;
  QStringList faults;
};

} // namespace hinesight::app
