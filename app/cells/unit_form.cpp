#include "app/cells/unit_form.hpp"

#include "app/cells/cell_list_model.hpp"
#include "app/cells/cell_texts.hpp"
#include "app/forms/parameter_row.hpp"
#include "morphology/unit_scale.hpp"
#include "widgets/choice_box.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace hinesight::app {

namespace {

constexpr double kLeastSlider = 0.001;
constexpr double kMostSlider = 1000;

/// Several scales have a word, which stands at the lowest number.
NumberRange rangeOf(bool isOne)
{
  const Range& range = morphology::kUnitScaleRange;
  NumberRange numbers{isOne ? range.least : 0, range.greatest, kLeastSlider, kMostSlider, 0, true,
                      QStringLiteral(" µm")};
  if (!isOne)
    numbers.lowestWord = UnitForm::tr("several");
  return numbers;
}

/// The place of the entry behind the known units.
int otherUnit()
{
  return static_cast<int>(morphology::kFileUnits.size());
}

int placeOf(double scale)
{
  const auto known = std::ranges::find(morphology::kFileUnits, scale, &morphology::FileUnit::scale);
  return static_cast<int>(known - morphology::kFileUnits.begin());
}

} // namespace

UnitForm::UnitForm(CellListModel* cells, QWidget* parent) : QWidget(parent), model(cells)
{
  setObjectName(QStringLiteral("unitForm"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(6);
  makeUnit();
  makeSuggestions();
  showCells({});
}

void UnitForm::makeUnit()
{
  const QString help = tr("The unit of length in the files of the chosen cells. Their coordinates and radii are "
                          "multiplied by the number, in µm per unit of the file.");
  unit = new widgets::ChoiceBox(this);
  unit->setObjectName(QStringLiteral("unitChoice"));
  unit->setToolTip(help);
  unit->setPlaceholderText(tr("several"));
  for (const morphology::FileUnit& known : morphology::kFileUnits)
    unit->addItem(unitInWords(known.scale));
  unit->addItem(tr("Other"));
  scale = new NumberSpinBox(this);
  scale->setObjectName(QStringLiteral("unitScale"));
  scale->setToolTip(help);
  scale->setAccessibleName(tr("µm per unit of the file"));
  label = new QLabel(this);
  label->setObjectName(QStringLiteral("unitLabel"));
  label->setBuddy(unit);
  auto* line = new QHBoxLayout;
  line->setSpacing(6);
  line->addWidget(label);
  line->addWidget(unit, 1);
  line->addWidget(scale, 1);
  static_cast<QVBoxLayout*>(layout())->addLayout(line);

  connect(unit, &QComboBox::activated, this, [this](int place) {
    if (place == otherUnit()) {
      scale->setFocus();
      scale->selectAll();
    } else {
      model->setScale(rows, morphology::kFileUnits[static_cast<std::size_t>(place)].scale);
    }
  });
  connect(scale, &QDoubleSpinBox::valueChanged, this, [this](double number) {
    if (number >= morphology::kUnitScaleRange.least)
      model->setScale(rows, number);
    else
      showScale();
  });
}

void UnitForm::makeSuggestions()
{
  const auto make = [this](const char* name) {
    auto* button = new QPushButton(this);
    button->setObjectName(QLatin1String(name));
    layout()->addWidget(button);
    return button;
  };
  takeSuggested = make("scaleSuggested");
  takeForAll = make("scaleAlike");
  connect(takeSuggested, &QPushButton::clicked, this, [this] {
    std::vector<int> warned = model->rowsSuggesting(suggested);
    std::erase_if(warned, [this](int row) { return !std::ranges::binary_search(rows, row); });
    model->setScale(warned, suggested);
  });
  connect(takeForAll, &QPushButton::clicked, this,
          [this] { model->setScale(model->rowsSuggesting(suggested), suggested); });
}

void UnitForm::showCells(const std::vector<int>& chosen)
{
  rows = chosen;
  std::erase_if(rows, [this](int row) { return model->cells()[static_cast<std::size_t>(row)].error.has_value(); });
  setVisible(!rows.empty());
  if (rows.empty())
    return;
  showScale();
  showSuggestion();
}

void UnitForm::showScale()
{
  const auto scaleOf = [this](int row) { return model->cells()[static_cast<std::size_t>(row)].source.scale; };
  const double first = scaleOf(rows.front());
  const bool isOne = std::ranges::all_of(rows, [&](int row) { return scaleOf(row) == first; });
  const QSignalBlocker blockers[] = {QSignalBlocker(unit), QSignalBlocker(scale)};
  label->setText(rows.size() == 1 ? tr("Unit") : tr("Unit of %1").arg(rows.size()));
  unit->setCurrentIndex(isOne ? placeOf(first) : -1);
  scale->setNumberRange(rangeOf(isOne));
  scale->showNumber(isOne ? first : 0);
}

/// That of the first chosen cell which has one.
void UnitForm::showSuggestion()
{
  suggested = 0;
  for (const int row : rows)
    if (suggested == 0)
      suggested = suggestedScale(model->cells()[static_cast<std::size_t>(row)]);
  const std::size_t alike = suggested > 0 ? model->rowsSuggesting(suggested).size() : 0;
  takeSuggested->setVisible(suggested > 0);
  takeForAll->setVisible(alike > 1);
  const QString name = unitInWords(suggested);
  takeSuggested->setText((rows.size() == 1 ? tr("This is in %1") : tr("These are in %1")).arg(name));
  takeSuggested->setToolTip(
      tr("Read the chosen cells with this warning in %1: %2 µm per unit of the file").arg(name).arg(suggested));
  takeForAll->setText(tr("All %1 with this warning are in %2").arg(alike).arg(name));
  takeForAll->setToolTip(
      tr("Read every open cell with this warning in %1: %2 µm per unit of the file").arg(name).arg(suggested));
}

} // namespace hinesight::app
