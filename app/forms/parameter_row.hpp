#pragma once

#include "app/forms/groove_slider.hpp"
#include "widgets/value_drag.hpp"

#include <QDoubleSpinBox>
#include <QLabel>
#include <QString>
#include <QWidget>

#include <vector>

class QCheckBox;
class QHBoxLayout;
class QLineEdit;
class QToolButton;

namespace hinesight::widgets {
class ChoiceBox;
}

namespace hinesight::app {

/// What a parameter is called and what it does.
struct ParameterText
{
  QString id;     ///< lower camel case: "splitLength"; its widgets are named splitLengthSpin, splitLengthSlider, ...
  QString label;  ///< "Split length"
  QString help;   ///< one line: what it does, with unit and range
  QString detail; ///< the paragraph that unfolds, with the section of the paper
};

/// One parameter of a panel: label, editor, and an explanation that unfolds. The value is a number for all kinds: the
/// index of a choice, 0 or 1 for a switch. A label in the accent colour says that the value is not the default; a
/// double click on it brings the default back.
class ParameterRow : public QWidget
{
  Q_OBJECT

public:
  ParameterRow(const ParameterText& text, double defaultValue, QWidget* parent);

  virtual double value() const = 0;
  /// Shows a value without emitting valueChanged. What a person is typing stays.
  virtual void setValue(double value) = 0;
  bool isDefault() const { return value() == defaultValue; }
  /// Back to the default, as if a person had typed it.
  void reset();

signals:
  void valueChanged(double value); ///< edited by a person

protected:
  /// Takes what is being typed, as Enter does.
  virtual void finishTyping() {}
  QString nameOf(const char* part) const { return text.id + QLatin1String(part); }
  QHBoxLayout* editors() const { return line; }     ///< behind the label
  void describe(QWidget* editor, const char* part); ///< sets its object name and tooltip
  void setHelp(const QString& help);
  void edited(); ///< to be called after every edit
  void markDefault();
  bool eventFilter(QObject* watched, QEvent* event) override;
  void changeEvent(QEvent* event) override;

  ParameterText text;
  double defaultValue;

private:
  void recolorLabel();
  void tellHelp();

  bool atDefault = true;
  std::vector<QWidget*> described; ///< editors
  QLabel* label;
  QToolButton* unfold;
  QLabel* detail;
  QHBoxLayout* line;
};

/// A slider with a tick at the default value. The wheel scrolls the panel.
class DefaultMarkSlider : public GrooveSlider
{
public:
  explicit DefaultMarkSlider(QWidget* parent) : GrooveSlider(parent) {}
  void setDefaultPosition(int position) { defaultPosition = position; }

protected:
  void paintEvent(QPaintEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

private:
  int defaultPosition = 0;
};

struct NumberRange
{
  double lowest = 0;
  double highest = 1;      ///< may be infinite
  double sliderLowest = 0; ///< what the slider spans; the spin box takes the whole range
  double sliderHighest = 1;
  double step = 0;          ///< > 0: the value is a multiple of it, such as 1 for whole numbers
  bool logarithmic = false; ///< of the slider
  QString unit;             ///< behind the number, with its space
  QString lowestWord{};     ///< what the lowest value means, where it is no number, such as "all"; shown in its place
  QString highestWord{};    ///< the same of the highest, such as "none" of infinity; the slider ends at it

  bool operator==(const NumberRange&) const = default;
};

/// A spin box for numbers of any magnitude: shows at most six significant figures, steps in the second figure where no
/// step is given, as one drag as long as an arrow is held, and leaves the wheel to the panel unless it has the focus.
/// What is typed and cannot be taken is answered by a tooltip.
class NumberSpinBox : public QDoubleSpinBox
{
public:
  explicit NumberSpinBox(QWidget* parent = nullptr);
  void setNumberRange(const NumberRange& range);
  /// The value of the range that the spin box stands at: infinity, where it is the highest.
  double number() const;
  void setNumber(double number);
  /// As setNumber, but what is being typed stays in the field, and is taken when it is finished.
  void showNumber(double number);
  void stepBy(int steps) override;

protected:
  QString textFromValue(double value) const override;
  double valueFromText(const QString& text) const override;
  QValidator::State validate(QString& input, int& position) const override;
  void fixup(QString& input) const override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

private:
  QString bare(const QString& input) const;
  bool isWord(const QString& text, const QString& word) const;
  bool isAtHighestWord() const { return !range.highestWord.isEmpty() && value() >= maximum(); }
  void fitUnit();

  NumberRange range;
  widgets::ValueDrag drag; ///< of an arrow
  double stepAtZero = 0;   ///< away from 0, which has no second figure, and the least one back to it
};

class NumberRow : public ParameterRow
{
  Q_OBJECT

public:
  NumberRow(const ParameterText& text, const NumberRange& range, double defaultValue, QWidget* parent);
  double value() const override { return exact; }
  void setValue(double value) override;
  /// Another range and default, as other parameters have them, and the help that says so. Without a signal; a value
  /// that is out of the range moves to its end.
  void adapt(const NumberRange& range, double defaultValue, const QString& help);
  /// Whether the slider is held at the moment: more values will come.
  bool isDragged() const { return slider->isSliderDown(); }

signals:
  void released(); ///< the slider was let go

protected:
  void finishTyping() override { spin->interpretText(); }

private:
  void showRange();
  int positionOf(double value) const;
  double valueAt(int position) const;

  NumberRange range;
  double exact = 0; ///< the spin box holds it rounded to its decimals
  DefaultMarkSlider* slider;
  NumberSpinBox* spin;
};

class ChoiceRow : public ParameterRow
{
  Q_OBJECT

public:
  struct Choice
  {
    QString name;
    QString help;
  };

  ChoiceRow(const ParameterText& text, const std::vector<Choice>& choices, double defaultValue, QWidget* parent);
  double value() const override;
  void setValue(double value) override;
  /// A choice that cannot be made here is greyed, and its tooltip says why. An empty reason enables it.
  void setUnavailable(int choice, const QString& why);

private:
  widgets::ChoiceBox* combo;
  std::vector<Choice> choices;
};

/// A parameter that is text, such as a formula. What is typed is taken when it is finished. Its value is 0 for the
/// default, else 1.
class TextRow : public ParameterRow
{
  Q_OBJECT

public:
  TextRow(const ParameterText& text, const QString& standard, QWidget* parent);
  double value() const override { return shownText() == standard ? 0 : 1; }
  /// 0 for the default.
  void setValue(double value) override;
  QString shownText() const;
  /// Shows a text, and no problem. The text that was shown last is not shown again: what was typed since stays.
  void showText(const QString& text);
  /// What is wrong with what was typed, which stays there.
  void showProblem(const QString& sentence);

protected:
  void finishTyping() override;

private:
  const QString standard;
  QString known; ///< that was shown last
  QLineEdit* edit;
  QLabel* problem; ///< below the row
};

class SwitchRow : public ParameterRow
{
  Q_OBJECT

public:
  SwitchRow(const ParameterText& text, double defaultValue, QWidget* parent);
  double value() const override;
  void setValue(double value) override;

private:
  QCheckBox* box;
};

} // namespace hinesight::app
