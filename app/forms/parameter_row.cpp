#include "app/forms/parameter_row.hpp"

#include "app/forms/help_text.hpp"
#include "widgets/choice_box.hpp"
#include "widgets/theme.hpp"

#include <QAbstractItemView>
#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QLocale>
#include <QPainter>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QStyle>
#include <QStyleOptionSlider>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace hinesight::app {

namespace {

constexpr int kSliderSteps = 1000;
constexpr int kLabelWidth = 108;
constexpr int kSpinWidth = 108;
constexpr int kLeastComboLetters = 12;
constexpr qsizetype kMostMarkedLetters = 15;
constexpr int kListMargin = 16;                    // pixels beside the entries of an open list
constexpr double kMostOfSpin = 9007199254740992.0; ///< whole numbers are exact up to it

/// C locale without the thousands separators that would make "1,000" ambiguous to type.
const QLocale& numberLocale()
{
  static const QLocale locale = [] {
    QLocale c = QLocale::c();
    c.setNumberOptions(QLocale::OmitGroupSeparator);
    return c;
  }();
  return locale;
}

/// Puts an explanation where Qt shows it as wrapped text.
QString tooltip(const ParameterText& text)
{
  return QStringLiteral("<span>%1<br><i>%2</i></span>")
      .arg(text.help.toHtmlEscaped(), QObject::tr("Double click the label for the default."));
}

/// A power of ten: about a hundredth of a linear slider, the lowest number of a logarithmic one.
double stepAtZeroOf(const NumberRange& range)
{
  const double step = range.logarithmic ? range.sliderLowest : (range.sliderHighest - range.sliderLowest) / 100;
  return step > 0 ? std::pow(10, std::floor(std::log10(step))) : 0;
}

} // namespace

ParameterRow::ParameterRow(const ParameterText& parameterText, double defaultOfParameter, QWidget* parent)
    : QWidget(parent), text(parameterText), defaultValue(defaultOfParameter)
{
  setObjectName(nameOf("Row"));
  label = new QLabel(text.label, this);
  label->setObjectName(nameOf("Label"));
  label->setToolTip(tooltip(text));
  label->setFixedWidth(kLabelWidth);
  label->setWordWrap(true);
  label->installEventFilter(this);

  unfold = new QToolButton(this);
  unfold->setObjectName(nameOf("Unfold"));
  unfold->setAutoRaise(true);
  unfold->setCheckable(true);
  unfold->setText(QStringLiteral("?"));
  unfold->setFocusPolicy(Qt::NoFocus);
  unfold->setProperty("helpButton", true);
  unfold->setToolTip(tr("What is %1? Unfolds the explanation.").arg(text.label));

  detail = new QLabel(text.detail, this);
  detail->setObjectName(nameOf("Detail"));
  detail->setProperty("helpText", true);
  detail->setWordWrap(true);
  detail->setTextInteractionFlags(Qt::TextSelectableByMouse);
  detail->hide();
  QSizePolicy keepsPlace = unfold->sizePolicy();
  keepsPlace.setRetainSizeWhenHidden(true);
  unfold->setSizePolicy(keepsPlace);
  unfold->setVisible(!text.detail.isEmpty());
  connect(unfold, &QToolButton::toggled, detail, &QWidget::setVisible);

  line = new QHBoxLayout;
  line->setSpacing(6);
  line->addWidget(label);
  line->addWidget(unfold);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 1, 0, 1);
  column->setSpacing(2);
  column->addLayout(line);
  column->addWidget(detail);
  tellHelp();
}

void ParameterRow::describe(QWidget* editor, const char* part)
{
  editor->setObjectName(nameOf(part));
  editor->setToolTip(tooltip(text));
  editor->setAccessibleName(text.label);
  editor->setAccessibleDescription(text.help);
  described.push_back(editor);
  tellHelp();
}

void ParameterRow::setHelp(const QString& help)
{
  text.help = help;
  tellHelp();
  label->setToolTip(tooltip(text));
  for (QWidget* editor : described) {
    editor->setToolTip(tooltip(text));
    editor->setAccessibleDescription(help);
  }
}

/// The help for what is under the mouse says what the tooltip and the unfolded paragraph say.
void ParameterRow::tellHelp()
{
  const HelpText help{text.label, text.detail.isEmpty() ? text.help : text.help + QLatin1Char('\n') + text.detail};
  app::describe(this, help);
  app::describe(label, help);
  for (QWidget* editor : described)
    app::describe(editor, help);
}

void ParameterRow::reset()
{
  finishTyping(); // else it would be taken afterwards
  if (isDefault())
    return;
  setValue(defaultValue);
  edited();
}

void ParameterRow::edited()
{
  markDefault();
  emit valueChanged(value());
}

void ParameterRow::markDefault()
{
  atDefault = isDefault();
  recolorLabel();
}

void ParameterRow::recolorLabel()
{
  QPalette colors = palette();
  if (isEnabled() && !atDefault)
    colors.setColor(QPalette::WindowText, widgets::theme().accent);
  label->setPalette(colors);
}

bool ParameterRow::eventFilter(QObject* watched, QEvent* event)
{
  if (watched == label && event->type() == QEvent::MouseButtonDblClick) {
    reset();
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

void ParameterRow::changeEvent(QEvent* event)
{
  if (event->type() == QEvent::EnabledChange || event->type() == QEvent::PaletteChange)
    recolorLabel();
  QWidget::changeEvent(event);
}

void DefaultMarkSlider::paintEvent(QPaintEvent* event)
{
  QStyleOptionSlider option;
  initStyleOption(&option);
  const int handle = style()->pixelMetric(QStyle::PM_SliderLength, &option, this);
  const int x = handle / 2 + QStyle::sliderPositionFromValue(minimum(), maximum(), defaultPosition, width() - handle);
  QPainter painter(this);
  painter.fillRect(QRect(x - 1, height() / 2 - 7, 2, 14), widgets::theme().hairline.lighter(150));
  painter.end();
  GrooveSlider::paintEvent(event);
}

void DefaultMarkSlider::wheelEvent(QWheelEvent* event)
{
  event->ignore();
}

NumberSpinBox::NumberSpinBox(QWidget* parent) : QDoubleSpinBox(parent)
{
  setFocusPolicy(Qt::StrongFocus); // not by the wheel, which would then change the number
  setKeyboardTracking(false);
  setAccelerated(true);
  connect(this, &QDoubleSpinBox::valueChanged, this, [this] { fitUnit(); });
}

void NumberSpinBox::setNumberRange(const NumberRange& numberRange)
{
  range = numberRange;
  setDecimals(range.step >= 1 ? 0 : 12);
  setRange(range.lowest, std::min(range.highest, kMostOfSpin));
  setSpecialValueText(range.lowestWord);
  if (range.step > 0)
    setSingleStep(range.step);
  setStepType(range.step > 0 ? DefaultStepType : AdaptiveDecimalStepType);
  stepAtZero = range.lowest <= 0 ? stepAtZeroOf(range) : 0;
  fitUnit();
}

double NumberSpinBox::number() const
{
  return isAtHighestWord() ? range.highest : value();
}

void NumberSpinBox::setNumber(double number)
{
  setValue(std::min(number, maximum()));
  fitUnit();
}

/// A word has no unit.
void NumberSpinBox::fitUnit()
{
  const QString wanted = isAtHighestWord() ? QString() : range.unit;
  if (suffix() != wanted)
    setSuffix(wanted);
}

QString NumberSpinBox::textFromValue(double value) const
{
  if (!range.highestWord.isEmpty() && value >= maximum())
    return range.highestWord;
  return numberLocale().toString(value, 'g', decimals() == 0 ? 12 : 6);
}

/// What was typed, without the unit and blanks.
QString NumberSpinBox::bare(const QString& input) const
{
  QString text = input.trimmed();
  const QString unit = range.unit.trimmed();
  if (!unit.isEmpty() && text.endsWith(unit))
    text.chop(unit.size());
  return text.trimmed();
}

/// Whether the text is that word, where there is one.
bool NumberSpinBox::isWord(const QString& text, const QString& word) const
{
  return !word.isEmpty() && bare(text).compare(word, Qt::CaseInsensitive) == 0;
}

double NumberSpinBox::valueFromText(const QString& input) const
{
  if (isWord(input, range.lowestWord))
    return minimum();
  return isWord(input, range.highestWord) ? maximum() : numberLocale().toDouble(bare(input));
}

QValidator::State NumberSpinBox::validate(QString& input, int&) const
{
  const QString typed = bare(input);
  for (const QString& word : {range.lowestWord, range.highestWord}) {
    if (isWord(input, word))
      return QValidator::Acceptable;
    if (!typed.isEmpty() && word.startsWith(typed, Qt::CaseInsensitive))
      return QValidator::Intermediate;
  }
  bool isNumber = false;
  const double number = numberLocale().toDouble(typed, &isNumber);
  if (isNumber)
    return number >= minimum() && number <= maximum() ? QValidator::Acceptable : QValidator::Intermediate;
  static const QString kPartOfNumber = QStringLiteral("0123456789.eE+-");
  const bool couldBecome = std::all_of(typed.begin(), typed.end(), [](QChar c) { return kPartOfNumber.contains(c); });
  return couldBecome ? QValidator::Intermediate : QValidator::Invalid;
}

void NumberSpinBox::fixup(QString& input) const
{
  QDoubleSpinBox::fixup(input);
  QString words;
  for (const QString& word : {range.lowestWord, range.highestWord})
    if (!word.isEmpty())
      words += tr(" (or \"%1\")").arg(word);
  const auto text = [this](double number) { return numberLocale().toString(number, 'g', decimals() == 0 ? 12 : 6); };
  const QString sentence = tr("Give a number from %1 to %2%3; the value stays %4.")
                               .arg(text(minimum()), text(maximum()), words, textFromValue(value()));
  QToolTip::showText(mapToGlobal(rect().bottomLeft()), sentence);
}

void NumberSpinBox::stepBy(int steps)
{
  if (isAtHighestWord()) { // no number to step from
    if (steps < 0)
      setValue(range.sliderHighest);
    return;
  }
  const bool isAdaptive = stepType() == AdaptiveDecimalStepType && stepAtZero > 0;
  const bool isTowardsZero = value() * steps < 0;
  if (isAdaptive && value() == 0)
    setValue(steps * stepAtZero);
  else if (isAdaptive && isTowardsZero && std::abs(value()) <= stepAtZero)
    setValue(0);
  else
    QDoubleSpinBox::stepBy(steps);
}

void NumberSpinBox::showNumber(double number)
{
  const QString typed = lineEdit()->text();
  const int cursor = lineEdit()->cursorPosition();
  const bool showsWord = value() == minimum() && isWord(cleanText(), range.lowestWord);
  const bool isTyping = hasFocus() && !showsWord && cleanText() != textFromValue(value());
  setNumber(number);
  if (!isTyping)
    return;
  lineEdit()->setText(typed);
  lineEdit()->setCursorPosition(cursor);
}

void NumberSpinBox::mousePressEvent(QMouseEvent* event)
{
  drag.begin();
  QDoubleSpinBox::mousePressEvent(event);
}

void NumberSpinBox::mouseReleaseEvent(QMouseEvent* event)
{
  QDoubleSpinBox::mouseReleaseEvent(event);
  drag.end();
}

void NumberSpinBox::wheelEvent(QWheelEvent* event)
{
  if (hasFocus())
    QDoubleSpinBox::wheelEvent(event);
  else
    event->ignore();
}

NumberRow::NumberRow(const ParameterText& parameterText, const NumberRange& numberRange, double defaultOfParameter,
                     QWidget* parent)
    : ParameterRow(parameterText, defaultOfParameter, parent), range(numberRange)
{
  slider = new DefaultMarkSlider(this);
  describe(slider, "Slider");
  slider->setRange(0, kSliderSteps);
  slider->setPageStep(kSliderSteps / 20);

  spin = new NumberSpinBox(this);
  describe(spin, "Spin");
  spin->setFixedWidth(kSpinWidth);
  showRange();

  editors()->addWidget(slider, 1);
  editors()->addWidget(spin);

  connect(slider, &QSlider::valueChanged, this, [this](int position) {
    if (position == positionOf(value()))
      return;
    const QSignalBlocker blocker(spin);
    exact = valueAt(position);
    spin->setNumber(exact);
    edited();
  });
  connect(slider, &QSlider::sliderReleased, this, &NumberRow::released);
  connect(spin, &QDoubleSpinBox::valueChanged, this, [this] {
    setValue(spin->number());
    edited();
  });
  setValue(defaultValue);
}

void NumberRow::adapt(const NumberRange& otherRange, double otherDefault, const QString& help)
{
  if (range == otherRange && defaultValue == otherDefault)
    return;
  range = otherRange;
  defaultValue = otherDefault;
  setHelp(help);
  showRange();
  setValue(exact);
}

void NumberRow::showRange()
{
  const QSignalBlocker blocker(spin);
  spin->setNumberRange(range);
  slider->setDefaultPosition(positionOf(defaultValue));
  slider->update();
}

void NumberRow::setValue(double value)
{
  const double snapped = range.step > 0 ? std::round(value / range.step) * range.step : value;
  exact = std::clamp(snapped, range.lowest, range.highest);
  const QSignalBlocker spinBlocker(spin);
  const QSignalBlocker sliderBlocker(slider);
  spin->showNumber(exact);
  slider->setValue(positionOf(exact));
  markDefault();
}

int NumberRow::positionOf(double value) const
{
  const double inside = std::clamp(value, range.sliderLowest, range.sliderHighest);
  const double fraction =
      range.logarithmic ? std::log(inside / range.sliderLowest) / std::log(range.sliderHighest / range.sliderLowest)
                        : (inside - range.sliderLowest) / (range.sliderHighest - range.sliderLowest);
  return static_cast<int>(std::lround(fraction * kSliderSteps));
}

double NumberRow::valueAt(int position) const
{
  if (position == kSliderSteps && !range.highestWord.isEmpty())
    return range.highest;
  const double fraction = static_cast<double>(position) / kSliderSteps;
  double value = range.logarithmic ? range.sliderLowest * std::pow(range.sliderHighest / range.sliderLowest, fraction)
                                   : range.sliderLowest + fraction * (range.sliderHighest - range.sliderLowest);
  if (range.step > 0)
    return std::round(value / range.step) * range.step;
  // A slider is a rough tool: two significant figures.
  const double magnitude = value == 0 ? 1 : std::pow(10.0, std::floor(std::log10(std::abs(value))) - 1);
  return std::round(value / magnitude) * magnitude;
}

ChoiceRow::ChoiceRow(const ParameterText& parameterText, const std::vector<Choice>& allChoices,
                     double defaultOfParameter, QWidget* parent)
    : ParameterRow(parameterText, defaultOfParameter, parent), choices(allChoices)
{
  combo = new widgets::ChoiceBox(this);
  describe(combo, "Combo");
  // Long names are shortened in the panel, not in the list that opens.
  combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  combo->setMinimumContentsLength(kLeastComboLetters);
  for (std::size_t i = 0; i < choices.size(); ++i) {
    // A long name has no room for the mark; the colour of the label says it too.
    const bool isMarked = static_cast<double>(i) == defaultValue && choices[i].name.size() <= kMostMarkedLetters;
    combo->addItem(isMarked ? tr("%1 (default)").arg(choices[i].name) : choices[i].name);
    combo->setItemData(static_cast<int>(i), choices[i].help, Qt::ToolTipRole);
  }
  combo->view()->setMinimumWidth(combo->view()->sizeHintForColumn(0) + kListMargin);
  editors()->addWidget(combo, 1);
  connect(combo, &QComboBox::currentIndexChanged, this, &ChoiceRow::edited);
  setValue(defaultValue);
}

double ChoiceRow::value() const
{
  return combo->currentIndex();
}

void ChoiceRow::setValue(double value)
{
  const QSignalBlocker blocker(combo);
  combo->setCurrentIndex(static_cast<int>(value));
  markDefault();
}

void ChoiceRow::setUnavailable(int choice, const QString& why)
{
  auto* model = qobject_cast<QStandardItemModel*>(combo->model());
  model->item(choice)->setEnabled(why.isEmpty());
  combo->setItemData(choice, why.isEmpty() ? choices[static_cast<std::size_t>(choice)].help : why, Qt::ToolTipRole);
}

TextRow::TextRow(const ParameterText& parameterText, const QString& standardText, QWidget* parent)
    : ParameterRow(parameterText, 0, parent), standard(standardText), known(standardText),
      edit(new QLineEdit(standardText, this)), problem(new QLabel(this))
{
  describe(edit, "Edit");
  editors()->addWidget(edit, 1);
  problem->setObjectName(nameOf("Problem"));
  problem->setWordWrap(true);
  problem->setTextFormat(Qt::PlainText);
  problem->hide();
  static_cast<QVBoxLayout*>(layout())->addWidget(problem);
  connect(edit, &QLineEdit::editingFinished, this, &TextRow::finishTyping);
}

QString TextRow::shownText() const
{
  return edit->text();
}

void TextRow::finishTyping()
{
  if (edit->text() != known)
    edited();
}

void TextRow::setValue(double value)
{
  if (value == 0)
    edit->setText(standard);
  markDefault();
}

void TextRow::showText(const QString& newText)
{
  if (newText == known)
    return;
  known = newText;
  if (edit->text() != newText)
    edit->setText(newText);
  showProblem({});
  markDefault();
}

void TextRow::showProblem(const QString& sentence)
{
  QPalette colors = palette();
  colors.setColor(QPalette::WindowText, widgets::theme().warning);
  problem->setPalette(colors);
  problem->setText(sentence);
  problem->setVisible(!sentence.isEmpty());
}

SwitchRow::SwitchRow(const ParameterText& parameterText, double defaultOfParameter, QWidget* parent)
    : ParameterRow(parameterText, defaultOfParameter, parent)
{
  box = new QCheckBox(this);
  describe(box, "Check");
  editors()->addWidget(box);
  editors()->addStretch(1);
  connect(box, &QCheckBox::toggled, this, &SwitchRow::edited);
  setValue(defaultValue);
}

double SwitchRow::value() const
{
  return box->isChecked() ? 1 : 0;
}

void SwitchRow::setValue(double value)
{
  const QSignalBlocker blocker(box);
  box->setChecked(value != 0);
  markDefault();
}

} // namespace hinesight::app
