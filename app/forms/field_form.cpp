#include "app/forms/field_form.hpp"

#include "app/forms/parameter_group.hpp"

#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <optional>

namespace hinesight::app {

namespace {

/// What a spin box offers where a parameter is above a number, but not equal to it.
constexpr double kLeastMagnitude = 1e-9;
/// Spin boxes count whole numbers exactly up to here.
constexpr double kMostWhole = 9007199254740992.0;

ParameterText textOf(const BoundField& field, const QString& prefix)
{
  const QString name = QString::fromStdString(inCamelCase(field.name));
  const QString id = prefix.isEmpty() ? name : prefix + name.left(1).toUpper() + name.mid(1);
  QString help = textOfLiteral(field.about.help);
  if (const std::string range = rangeText(field); !range.empty())
    help += QStringLiteral(" ") + FieldForm::tr("Range: %1.").arg(QString::fromStdString(range));
  QStringList detail;
  if (!field.about.detail.empty())
    detail << textOfLiteral(field.about.detail);
  for (const Choice& choice : field.choices)
    detail << QStringLiteral("%1: %2").arg(textOfLiteral(choice.label), textOfLiteral(choice.help));
  return {id, textOfLiteral(field.about.label), help, detail.join(QLatin1Char('\n'))};
}

NumberRange rangeOf(const BoundField& field)
{
  const Field& about = field.about;
  NumberRange range;
  range.lowest = about.range.above ? about.range.least + kLeastMagnitude : about.range.least;
  range.highest = std::min(about.range.greatest, kMostWhole);
  if (!about.special.word.empty() && about.special.value <= range.lowest) {
    range.lowest = about.special.value;
    range.lowestWord = textOfLiteral(about.special.word);
  }
  const bool hasSlider = about.slider.least < about.slider.greatest;
  range.sliderLowest = hasSlider ? about.slider.least : range.lowest;
  range.sliderHighest = hasSlider ? about.slider.greatest : range.highest;
  range.logarithmic = about.slider.logarithmic;
  range.step = field.kind != FieldKind::Whole                    ? 0
               : about.multipleOf > 0 && !about.powersOfTwoBelow ? about.multipleOf
                                                                 : 1;
  if (!about.unit.empty())
    range.unit = QStringLiteral(" ") + textOfLiteral(about.unit);
  return range;
}

std::vector<ChoiceRow::Choice> choicesOf(const BoundField& field)
{
  std::vector<ChoiceRow::Choice> choices;
  for (const Choice& choice : field.choices)
    choices.push_back({textOfLiteral(choice.label), textOfLiteral(choice.help)});
  return choices;
}

} // namespace

QString textOfLiteral(std::string_view literal)
{
  return QString::fromUtf8(literal.data(), static_cast<qsizetype>(literal.size()));
}

FieldForm::FieldForm(QVBoxLayout* groups, QWidget* panel, Fields fields, const QString& prefix,
                     const std::vector<std::string_view>& without)
    : QObject(panel), fieldsOfValues(std::move(fields))
{
  for (const BoundField& field : fieldsOfValues()) {
    const Section& section = field.about.section;
    if (!section.title.empty() || !newest) {
      QString id = prefix + textOfLiteral(section.title).section(QLatin1Char(' '), 0, 0);
      id.replace(0, 1, id.left(1).toLower());
      newest = new ParameterGroup(id, textOfLiteral(section.title), textOfLiteral(section.help), panel);
      newest->setFolded(section.folded);
      groups->addWidget(newest);
      sections.emplace(section.title, newest);
    }
    if (std::find(without.begin(), without.end(), field.name) == without.end())
      addRow(field, prefix, panel);
  }
  refresh();
}

void FieldForm::addRow(const BoundField& field, const QString& prefix, QWidget* panel)
{
  ParameterRow* row = nullptr;
  const ParameterText text = textOf(field, prefix);
  const double standard = field.defaultNumber();
  const std::string name = field.name;
  switch (field.kind) {
  case FieldKind::Switch:
    row = new SwitchRow(text, standard, panel);
    break;
  case FieldKind::Choice:
    row = new ChoiceRow(text, choicesOf(field), standard, panel);
    break;
  case FieldKind::Whole:
  case FieldKind::Real: {
    auto* number = new NumberRow(text, rangeOf(field), standard, panel);
    connect(number, &NumberRow::released, this, [this] { emit edited(true); });
    connect(number, &ParameterRow::valueChanged, this,
            [this, number, name](double value) { take(name, value, !number->isDragged()); });
    row = number;
    break;
  }
  case FieldKind::Text:
  case FieldKind::Series:
  case FieldKind::List:
    return;
  }
  if (field.kind == FieldKind::Switch || field.kind == FieldKind::Choice)
    connect(row, &ParameterRow::valueChanged, this, [this, name](double value) { take(name, value, true); });
  newest->addRow(row);
  rows.emplace(name, row);
}

ParameterRow* FieldForm::row(std::string_view name) const
{
  const auto found = rows.find(name);
  return found == rows.end() ? nullptr : found->second;
}

ParameterGroup* FieldForm::group(std::string_view title) const
{
  const auto found = sections.find(title);
  return found == sections.end() ? nullptr : found->second;
}

void FieldForm::take(const std::string& name, double number, bool settled)
{
  std::vector<BoundField> fields = fieldsOfValues();
  if (BoundField* field = findField(fields, name)) {
    const double before = field->number();
    field->setNumber(nearestAllowed(field->about, number));
    const bool changed = field->number() != before;
    refresh();
    if (changed)
      emit edited(settled);
  }
}

void FieldForm::refresh()
{
  for (const BoundField& field : fieldsOfValues()) {
    ParameterRow* const shown = row(field.name);
    if (!shown)
      continue;
    shown->setEnabled(field.about.applies);
    shown->setVisible(field.groupApplies && field.about.shown);
    if (const double value = field.number(); shown->value() != value)
      shown->setValue(value);
  }
}

} // namespace hinesight::app
