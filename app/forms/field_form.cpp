#include "app/forms/field_form.hpp"

#include "app/forms/parameter_group.hpp"
#include "core/error.hpp"
#include "widgets/theme.hpp"

#include <QVBoxLayout>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace hinesight::app {

namespace {

/// What a spin box offers where a parameter is above a number, but not equal to it.
constexpr double kLeastMagnitude = 1e-9;

/// The least that its row can show. No number is the nearest to a bound that is none itself: one that stands there,
/// since another choice made it a bound, is shown as it is, and refused in words where it is to be used.
double leastShown(const BoundField& field)
{
  const Range& range = field.about.range;
  const bool isNumber = field.kind == FieldKind::Whole || field.kind == FieldKind::Real;
  const bool isAtBound = isNumber && field.number() == range.least;
  return range.above && !isAtBound ? range.least + kLeastMagnitude : range.least;
}

/// Where the field stands: groups that are alike stand apart.
Section sectionOf(const BoundField& field)
{
  if (field.groups.empty() || field.groups.back().whose.empty())
    return field.about.section;
  const FieldGroup& group = field.groups.back();
  return {group.title, group.help, group.folded};
}

std::vector<ChoiceRow::Choice> choicesOf(const BoundField& field)
{
  std::vector<ChoiceRow::Choice> choices;
  for (const Choice& choice : field.choices)
    choices.push_back({widgets::inText(choice.label), widgets::inText(choice.help)});
  return choices;
}

constexpr char kItemEnd = ';';
constexpr char kValueEnd = ',';

/// Parts of a text, blanks around them left out.
std::vector<std::string> divide(const std::string& text, char end)
{
  std::vector<std::string> parts;
  for (const QString& part : QString::fromStdString(text).split(QLatin1Char(end)))
    parts.push_back(part.trimmed().toStdString());
  return parts;
}

/// As a TextRow shows it.
QString editedText(const BoundField& field)
{
  if (field.kind != FieldKind::List)
    return QString::fromStdString(field.text());
  QStringList items;
  for (std::size_t k = 0; k < field.size(); ++k) {
    QStringList values;
    for (const BoundField& part : field.item(k))
      values << QString::fromStdString(part.text());
    while (!values.isEmpty() && values.back().isEmpty())
      values.pop_back();
    items << values.join(QLatin1Char(kValueEnd));
  }
  return items.join(QStringLiteral("; "));
}

/// Throws std::invalid_argument, whose text ends with what is wrong, and as BoundField::validate.
void setEditedText(BoundField& field, const std::string& text)
{
  if (field.kind != FieldKind::List) {
    field.setText(text);
  } else {
    std::vector<std::string> items = divide(text, kItemEnd);
    std::erase(items, std::string());
    field.resize(0); // what an item leaves out is at its default
    field.resize(items.size());
    for (std::size_t k = 0; k < items.size(); ++k) {
      const std::vector<std::string> values = divide(items[k], kValueEnd);
      std::vector<BoundField> parts = field.item(k);
      if (values.size() > parts.size())
        throw std::invalid_argument("'" + items[k] + "' has more than " + std::to_string(parts.size()) + " values");
      for (std::size_t i = 0; i < values.size(); ++i)
        parts[i].setText(values[i]);
    }
  }
  field.validate();
}

bool isAllowed(const BoundField& field)
{
  try {
    field.validate();
    return true;
  } catch (const Error&) {
    return false;
  }
}

} // namespace

ParameterText parameterTextOf(const BoundField& field, const QString& prefix)
{
  const QString name = QString::fromStdString(inCamelCase(field.name));
  const QString id = prefix.isEmpty() ? name : prefix + name.left(1).toUpper() + name.mid(1);
  QString help = widgets::inText(field.about.help);
  if (const std::string range = rangeText(field); !range.empty())
    help += QStringLiteral(" ") + FieldForm::tr("Range: %1.").arg(widgets::inText(range));
  QStringList detail;
  if (!field.about.detail.empty())
    detail << widgets::inText(field.about.detail);
  for (const Choice& choice : field.choices)
    detail << QStringLiteral("%1: %2").arg(widgets::inText(choice.label), widgets::inText(choice.help));
  QString label = widgets::inText(field.about.label);
  if (field.kind == FieldKind::Series && !field.about.unit.empty()) // numbers alone have theirs beside them
    label += QStringLiteral(", ") + widgets::inText(field.about.unit);
  return {id, label, help, detail.join(QLatin1Char('\n'))};
}

NumberRange numberRangeOf(const BoundField& field)
{
  const Field& about = field.about;
  const FieldKind kind = field.kind == FieldKind::Series ? field.itemKind : field.kind;
  NumberRange range;
  range.lowest = leastShown(field);
  range.highest = about.range.greatest;
  const bool hasSlider = about.slider.least < about.slider.greatest;
  range.sliderLowest = hasSlider ? about.slider.least : range.lowest;
  range.sliderHighest = hasSlider ? about.slider.greatest : range.highest;
  if (!about.special.word.empty() && about.special.value <= range.lowest) {
    range.lowest = about.special.value;
    range.lowestWord = widgets::inText(about.special.word);
    range.sliderLowest = hasSlider ? range.sliderLowest : range.lowest;
  } else if (!about.special.word.empty() && about.special.value >= range.highest) {
    range.highest = about.special.value;
    range.highestWord = widgets::inText(about.special.word);
  }
  range.logarithmic = about.slider.logarithmic;
  range.step = kind != FieldKind::Whole ? 0 : about.multipleOf > 0 && !about.powersOfTwoBelow ? about.multipleOf : 1;
  if (!about.unit.empty())
    range.unit = QStringLiteral(" ") + widgets::inText(about.unit);
  return range;
}

FieldForm::FieldForm(QVBoxLayout* groups, QWidget* panel, Fields fields, const FieldFormOptions& options)
    : QObject(panel), fieldsOfValues(std::move(fields))
{
  for (const BoundField& field : fieldsOfValues()) {
    enter(sectionOf(field), options.prefix, panel, groups);
    if (std::find(options.without.begin(), options.without.end(), field.name) == options.without.end())
      addRow(field, options);
  }
  refresh();
}

/// Rows are added to the group of that section from now on.
void FieldForm::enter(const Section& section, const QString& prefix, QWidget* panel, QVBoxLayout* groups)
{
  if (section.title.empty() && newest)
    return;
  ParameterGroup*& entered = sections[std::string(section.title)];
  if (!entered) {
    QString id = prefix + widgets::inText(section.title).section(QLatin1Char(' '), 0, 0);
    id.replace(0, 1, id.left(1).toLower());
    entered = new ParameterGroup(id, widgets::inText(section.title), widgets::inText(section.help), panel);
    entered->setFolded(section.folded);
    groups->addWidget(entered);
  }
  newest = entered;
}

void FieldForm::addRow(const BoundField& field, const FieldFormOptions& options)
{
  QWidget* const parent = newest->parentOfRows();
  ParameterRow* row = nullptr;
  const ParameterText text = parameterTextOf(field, options.prefix);
  const double standard = field.defaultNumber();
  const std::string name = field.name;
  switch (field.kind) {
  case FieldKind::Switch:
    row = new SwitchRow(text, standard, parent);
    break;
  case FieldKind::Choice:
    row = new ChoiceRow(text, choicesOf(field), standard, parent);
    break;
  case FieldKind::Whole:
  case FieldKind::Real: {
    auto* number = new NumberRow(text, numberRangeOf(field), standard, parent);
    connect(number, &NumberRow::released, this, [this] { emit edited(true); });
    connect(number, &ParameterRow::valueChanged, this,
            [this, number, name](double value) { take(name, value, !number->isDragged()); });
    row = number;
    break;
  }
  case FieldKind::Text:
  case FieldKind::Series:
    row = new TextRow(text, QString::fromStdString(field.defaultText()), parent);
    break;
  case FieldKind::List: {
    QWidget* const list = options.makeRow ? options.makeRow(field, text) : nullptr;
    row = qobject_cast<TextRow*>(list);
    if (!list || row)
      break;
    newest->addRow(list);
    listRows.emplace(name, list);
    break;
  }
  }
  if (!row)
    return;
  if (auto* typed = qobject_cast<TextRow*>(row))
    connect(row, &ParameterRow::valueChanged, this, [this, typed, name] { takeText(name, *typed); });
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
    if (!changed)
      return;
    fields = fieldsOfValues(); // their ranges may be others now
    takeShown(fields);
    emit edited(settled);
  }
}

void FieldForm::takeText(const std::string& name, TextRow& typed)
{
  std::vector<BoundField> fields = fieldsOfValues();
  BoundField* const field = findField(fields, name);
  const std::span<const BoundField> edit(field, 1);
  const std::vector<Setting> before = settingsOf(edit);
  const auto refuse = [&](const QString& sentence) {
    applySettings(std::span(field, 1), before);
    typed.showProblem(sentence);
  };
  try {
    setEditedText(*field, typed.shownText().toStdString());
    typed.showProblem({});
  } catch (const std::invalid_argument& problem) { // the end of a sentence
    return refuse(QString::fromUtf8(problem.what()) + QLatin1Char('.'));
  } catch (const Error& problem) {
    return refuse(QString::fromUtf8(problem.what()));
  }
  const bool changed = settingsOf(edit) != before;
  refresh();
  if (changed)
    emit edited(true);
}

/// Rows show nothing that is not allowed: what is not becomes what its row shows.
void FieldForm::takeShown(std::vector<BoundField>& fields) const
{
  for (BoundField& field : fields)
    if (const auto* shown = qobject_cast<NumberRow*>(row(field.name));
        shown && field.about.applies && !isAllowed(field))
      field.setNumber(nearestAllowed(field.about, shown->value()));
}

void FieldForm::setOffered(std::string_view name, bool isOffered)
{
  if (isOffered)
    unused.erase(std::string(name));
  else
    unused.emplace(name);
  refresh();
}

void FieldForm::refresh()
{
  const auto fit = [this](QWidget* shown, const BoundField& field) {
    const bool isUnused = unused.contains(field.name) && field.isDefault();
    shown->setEnabled(field.about.applies);
    shown->setVisible(field.groupApplies && field.about.shown && !isUnused);
  };
  for (const BoundField& field : fieldsOfValues()) {
    if (const auto list = listRows.find(field.name); list != listRows.end())
      fit(list->second, field);
    ParameterRow* const shown = row(field.name);
    if (!shown)
      continue;
    fit(shown, field);
    if (auto* typed = qobject_cast<TextRow*>(shown)) {
      typed->showText(editedText(field));
      continue;
    }
    if (auto* number = qobject_cast<NumberRow*>(shown))
      number->adapt(numberRangeOf(field), field.defaultNumber(), parameterTextOf(field, {}).help);
    if (const double value = field.number(); shown->value() != value)
      shown->setValue(value);
  }
}

} // namespace hinesight::app
