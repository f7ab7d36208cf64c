#include "app/app_fixture.hpp"
#include "app/field_rows.hpp"
#include "app/forms/field_form.hpp"
#include "app/forms/parameter_group.hpp"
#include "study/parameter_sets.hpp"
#include "test_main.hpp"
#include "widgets/cells/morphology/morphology_look.hpp"
#include "widgets/cells/packing/packing_look.hpp"
#include "widgets/synapse/octree_scene.hpp"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QSlider>
#include <QToolButton>
#include <QVBoxLayout>
#include <QtTest>

#include <cmath>
#include <limits>

using namespace hinesight;
using namespace hinesight::app;

namespace {

enum class Decay
{
  Loss,
  Factor
};
constexpr Choice kDecays[] = {{"loss", "Loss", "An amount is subtracted."}, {"factor", "Factor", "Times a factor."}};
std::span<const Choice> tableOf(Decay)
{
  return kDecays;
}

struct Event
{
  std::uint32_t step = 0;

  bool operator==(const Event&) const = default;
};

template <typename Visitor>
void visitFields(Event& p, Visitor&& visit)
{
  visit(Field{.name = "step", .label = "Step", .range = from(0, 100)}, p.step);
}

struct Pool
{
  double rate = 0.5;
};

template <typename Visitor>
void visitFields(Pool& p, Visitor&& visit)
{
  visit(Field{.name = "rate", .label = "Rate", .range = from(0, 1), .help = "How fast it grows."}, p.rate);
}

struct Model
{
  double reach = std::numeric_limits<double>::infinity();
  Decay decay = Decay::Loss;
  double amount = 5;
  std::vector<Event> events;
  Pool left, right;
  std::uint32_t seed = 1;
};

template <typename Visitor>
void visitFields(Model& p, Visitor&& visit)
{
  visit(Field{.name = "reach",
              .label = "Reach",
              .unit = "µm",
              .range = above(0, kBoundless),
              .slider = {10, 1000, true},
              .special = {std::numeric_limits<double>::infinity(), "none"},
              .help = "How far it reaches.",
              .section = {"Shape", "What it is like."}},
        p.reach);
  visit(Field{.name = "decay", .label = "Decay", .help = "How it decays."}, p.decay);
  visit(Field{.name = "amount",
              .label = "Amount",
              .range = p.decay == Decay::Factor ? from(0, 1) : from(0, 10),
              .help = "How much it decays."},
        p.amount);
  visit(Field{.name = "events", .label = "Events", .help = "What happens."}, p.events);
  visit(FieldGroup{"left", "Left pool", "left-", "The one to the left.", "the left pool"}, p.left);
  visit(FieldGroup{.name = "right",
                   .title = "Right pool",
                   .prefix = "right-",
                   .help = "The one to the right.",
                   .whose = "the right pool",
                   .folded = true},
        p.right);
  visit(
      Field{.name = "seed", .label = "Seed", .range = from(0, 100), .help = "Of what is random.", .section = {"Shape"}},
      p.seed);
}

/// The same with one parameter more.
struct LargerModel
{
  Model model;
  bool isSorted = false;
};

template <typename Visitor>
void visitFields(LargerModel& p, Visitor&& visit)
{
  visit(FieldGroup{"model", "Model", "", "What there was."}, p.model);
  visit(Field{.name = "sorted", .label = "Sorted", .help = "Whether it is sorted."}, p.isSorted);
}

} // namespace

/// The rows that a struct of parameters has by its fields alone.
class TestFieldForm : public QObject
{
  Q_OBJECT

private slots:
  void init()
  {
    values = {};
    panel = std::make_unique<QWidget>();
    auto* groups = new QVBoxLayout(panel.get());
    form = new FieldForm(
        groups, panel.get(), [this] { return fieldsOf(values); },
        {.prefix = QStringLiteral("own"), .makeRow = [this](const BoundField&, const ParameterText& text) {
           auto* row = new QLabel(text.label, panel.get());
           row->setObjectName(text.id);
           return row;
         }});
    panel->show();
    panel->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(panel.get()));
  }
  void cleanup() { panel.reset(); }

  /// A parameter that is declared has a row: nobody adds it by hand.
  void everyParameterIsARow()
  {
    int rows = 0;
    for (const study::ParameterSet& set : study::allParameterSets()) {
      std::vector<BoundField> shown;
      for (const BoundField& field : set.fields)
        if (field.kind != FieldKind::List)
          shown.push_back(field);
      QWidget owner;
      const FieldForm all(new QVBoxLayout(&owner), &owner, [&] { return set.fields; });
      QCOMPARE(fieldsWithoutRow(owner, shown, {}), QStringList());
      rows += static_cast<int>(shown.size());
    }
    QVERIFY(rows > 100);
  }

  void aParameterMoreIsARowMore()
  {
    LargerModel larger;
    QWidget owner;
    const FieldForm all(new QVBoxLayout(&owner), &owner, [&] { return fieldsOf(larger); });
    const QStringList lists = {QStringLiteral("events")};
    QCOMPARE(fieldsWithoutRow(owner, fieldsOf(larger), {}), lists);
    QCOMPARE(fieldsWithoutRow(*panel, fieldsOf(larger), QStringLiteral("own")), lists + QStringList{"sorted"});
    owner.findChild<QCheckBox*>(QStringLiteral("sortedCheck"))->click();
    QVERIFY(larger.isSorted);
  }

  void everyParameterOfAPictureSaysSo()
  {
    const widgets::OctreeLook octree;
    const widgets::MorphologyLook morphology;
    const widgets::PackingLook packing;
    for (const auto& fields : {fieldsOf(octree), fieldsOf(morphology), fieldsOf(packing)})
      for (const BoundField& field : fields) {
        QVERIFY2(field.about.concern == Concern::Picture, field.name.c_str());
        QVERIFY2(!field.about.label.empty() && !field.about.help.empty(), field.name.c_str());
      }
  }

  void theGreatestSpecialValueIsAWord()
  {
    auto* spin = find<QDoubleSpinBox>("ownReachSpin");
    auto* slider = find<QSlider>("ownReachSlider");
    QCOMPARE(spin->text(), QStringLiteral("none"));
    QCOMPARE(slider->value(), slider->maximum());
    type(spin, "50");
    QCOMPARE(values.reach, 50.0);
    QCOMPARE(spin->text(), QStringLiteral("50 µm"));
    type(spin, "none");
    QVERIFY(std::isinf(values.reach));
    QCOMPARE(spin->text(), QStringLiteral("none"));
    slider->setValue(slider->minimum());
    QCOMPARE(values.reach, 10.0);
    QCOMPARE(spin->text(), QStringLiteral("10 µm"));
    slider->setValue(slider->maximum());
    QVERIFY(std::isinf(values.reach));
    // There is no number to step from: a step leads to the end of the slider.
    spin->setFocus();
    QTest::keyClick(spin, Qt::Key_Up);
    QVERIFY(std::isinf(values.reach));
    QTest::keyClick(spin, Qt::Key_Down);
    QCOMPARE(values.reach, 1000.0);
    QCOMPARE(spin->text(), QStringLiteral("1000 µm"));
    form->row("reach")->reset();
    QCOMPARE(spin->text(), QStringLiteral("none"));
  }

  void aRangeFollowsWhatIsChosen()
  {
    auto* spin = find<QDoubleSpinBox>("ownAmountSpin");
    QCOMPARE(spin->maximum(), 10.0);
    QCOMPARE(values.amount, 5.0);
    const QSignalSpy edited(form, &FieldForm::edited);
    find<QComboBox>("ownDecayCombo")->setCurrentIndex(static_cast<int>(Decay::Factor));
    QCOMPARE(edited.count(), 1);
    QCOMPARE(spin->maximum(), 1.0);
    QCOMPARE(spin->value(), 1.0);
    QVERIFY2(spin->toolTip().contains(QStringLiteral("0 to 1.")), qPrintable(spin->toolTip()));
    QCOMPARE(values.amount, 1.0); // as the row shows it
    find<QComboBox>("ownDecayCombo")->setCurrentIndex(static_cast<int>(Decay::Loss));
    type(spin, "7");
    QCOMPARE(values.amount, 7.0);
  }

  void aDefaultFollowsWhatIsChosen()
  {
    Model standard;
    standard.reach = 20;
    Model own = standard;
    QWidget owner;
    FieldForm other(new QVBoxLayout(&owner), &owner, [&] { return fieldsOf(own, standard); });
    QVERIFY(other.row("reach")->isDefault());
    standard.reach = 30;
    other.refresh();
    QVERIFY(!other.row("reach")->isDefault());
    other.row("reach")->reset();
    QCOMPARE(own.reach, 30.0);
  }

  void aListHasTheRowThatThePanelMakes()
  {
    QCOMPARE(find<QLabel>("ownEvents")->text(), QStringLiteral("Events"));
    QVERIFY(!form->row("events")); // it is no number
  }

  void aListIsTypedAsText()
  {
    Model own;
    own.events = {{3}, {4}};
    QWidget owner;
    const FieldForm other(
        new QVBoxLayout(&owner), &owner, [&] { return fieldsOf(own); },
        {.makeRow = [&](const BoundField&, const ParameterText& text) { return new TextRow(text, {}, &owner); }});
    auto* edit = owner.findChild<QLineEdit*>(QStringLiteral("eventsEdit"));
    auto* problem = owner.findChild<QLabel*>(QStringLiteral("eventsProblem"));
    const QSignalSpy edited(&other, &FieldForm::edited);
    QCOMPARE(edit->text(), QStringLiteral("3; 4"));
    const auto enter = [&](const char* text) {
      edit->setText(QLatin1String(text));
      emit edit->editingFinished();
    };
    enter("7 ;8; 9");
    QVERIFY(own.events == (std::vector<Event>{{7}, {8}, {9}}));
    QCOMPARE(edit->text(), QStringLiteral("7; 8; 9"));
    QCOMPARE(edited.count(), 1);
    for (const char* wrong : {"7; x", "7; 8,9", "200"}) {
      enter(wrong);
      QVERIFY2(own.events == (std::vector<Event>{{7}, {8}, {9}}), wrong);
      QVERIFY2(!problem->text().isEmpty(), wrong);
      QCOMPARE(edit->text(), QLatin1String(wrong)); // to be mended
    }
    QCOMPARE(edited.count(), 1);
    enter("");
    QVERIFY(own.events.empty());
    QVERIFY(problem->text().isEmpty());
    QVERIFY(other.row("events")->isDefault());
  }

  void groupsThatAreAlikeStandApart()
  {
    for (const char* title : {"Shape", "Left pool", "Right pool"})
      QVERIFY2(form->group(title), title);
    QVERIFY(!form->group("left"));
    const auto stands = [&](const char* row, const char* group) {
      return form->group(group)->isAncestorOf(form->row(row));
    };
    QVERIFY(stands("left-rate", "Left pool"));
    QVERIFY(stands("right-rate", "Right pool"));
    QVERIFY(form->row("left-rate")->isVisible());
    QVERIFY(!form->row("right-rate")->isVisible()); // folded
    QVERIFY(stands("seed", "Shape"));               // goes on
  }

private:
  template <typename Widget>
  Widget* find(const char* name) const
  {
    auto* widget = panel->findChild<Widget*>(QLatin1String(name));
    if (!widget)
      qFatal("the panel has no %s", name);
    return widget;
  }
  static void type(QDoubleSpinBox* box, const char* text)
  {
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, QLatin1String(text));
    QTest::keyClick(box, Qt::Key_Return);
  }

  Model values;
  std::unique_ptr<QWidget> panel;
  FieldForm* form = nullptr;
};

HINESIGHT_TEST_RUN(runWindowTest<TestFieldForm>)
#include "test_field_form.moc"
