#pragma once

#include "app/shell/main_window.hpp"
#include "slowness.hpp"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QPushButton>
#include <QtTest>

#include <algorithm>
#include <memory>
#include <ranges>

namespace hinesight::app {

constexpr int kPatience = 20'000 * tests::kSlowness; // ms; for software OpenGL on a busy machine

/// What a person does with the parts of a window or panel, which are there, by their names.
class WidgetDriver
{
public:
  virtual ~WidgetDriver() = default;

  template <typename Widget>
  Widget* find(const char* name) const
  {
    auto* widget = root().findChild<Widget*>(QLatin1String(name));
    if (!widget)
      qFatal("the window has no %s", name);
    return widget;
  }

  void click(const char* button) const { QTest::mouseClick(find<QPushButton>(button), Qt::LeftButton); }

  void type(const char* spin, const char* text) const
  {
    auto* box = find<QDoubleSpinBox>(spin);
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, text);
    QTest::keyClick(box, Qt::Key_Return);
  }

  /// An entry by keyboard, from the top.
  void choose(const char* name, int index) const
  {
    auto* combo = find<QComboBox>(name);
    combo->setFocus();
    QTest::keyClick(combo, Qt::Key_Home);
    for (int i = 0; i < index; ++i)
      QTest::keyClick(combo, Qt::Key_Down);
    QCOMPARE(combo->currentIndex(), index);
  }

protected:
  virtual const QWidget& root() const = 0;
};

/// The real main window.
class WindowFixture : public WidgetDriver
{
public:
  /// Shows the window, a new one where there is none; false where it does not get the keyboard.
  bool showWindow(const QSize& size = {1500, 950})
  {
    if (!window)
      window = std::make_unique<MainWindow>();
    window->resize(size);
    window->show();
    window->activateWindow();
    return QTest::qWaitForWindowActive(window.get());
  }

  /// Whether all jobs come to an end.
  bool waitForJobs() const
  {
    return QTest::qWaitFor([this] { return !window->jobs().isActive(); }, kPatience);
  }

  /// In the history.
  int runsOf(io::RunKind kind) const
  {
    return static_cast<int>(std::ranges::count(window->runs().runs(), kind, &io::RunRecord::kind));
  }
  const io::RunRecord& newestOf(io::RunKind kind) const
  {
    auto runs = window->runs().runs() | std::views::reverse;
    const auto newest = std::ranges::find(runs, kind, &io::RunRecord::kind);
    if (newest == runs.end())
      qFatal("there is no such run");
    return *newest;
  }

protected:
  const QWidget& root() const override { return *window; }

  std::unique_ptr<MainWindow> window;
};

} // namespace hinesight::app
