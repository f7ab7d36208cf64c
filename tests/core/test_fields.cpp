#include "core/error.hpp"
#include "core/fields.hpp"
#include "test_main.hpp"

#include <QTest>

#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

using namespace hinesight;

namespace fields_under_test {

enum class Shape
{
  Round,
  Square
};

constexpr Choice kShapes[] = {{"round", "Round", "Without corners."},
                              {"square", "Square", "With four.", "edge-length"}};

std::span<const Choice> tableOf(Shape)
{
  return kShapes;
}

struct Event
{
  std::uint32_t step = 0;
  double size = 0.5;

  bool operator==(const Event&) const = default;
};

template <typename Visitor>
void visitFields(Event& p, Visitor&& visit)
{
  visit(Field{.name = "step", .label = "Step"}, p.step);
  visit(Field{.name = "size", .label = "Size", .unit = "um", .range = above(0, 10)}, p.size);
}

struct Inner
{
  std::int32_t lanes = 0;

  bool operator==(const Inner&) const = default;
};

template <typename Visitor>
void visitFields(Inner& p, Visitor&& visit)
{
  visit(Field{.name = "lanes",
              .label = "Lanes",
              .range = from(1, 64),
              .special = {0, "automatic"},
              .multipleOf = 32,
              .powersOfTwoBelow = true},
        p.lanes);
}

struct Outer
{
  Shape shape = Shape::Round;
  double edgeLength = 2.5;
  std::uint64_t seed = 1;
  bool sorted = true;
  std::string title;
  Inner inner{8};
  std::vector<Event> events;

  bool operator==(const Outer&) const = default;
};

template <typename Visitor>
void visitFields(Outer& p, Visitor&& visit)
{
  visit(Field{.name = "shape", .label = "Shape"}, p.shape);
  visit(
      Field{.name = "edge-length", .label = "Edge length", .unit = "um", .range = from(0, 100), .former = "edge"}.when(
          p.shape == Shape::Square),
      p.edgeLength);
  visit(Field{.name = "seed", .label = "Seed", .range = from(0, kBoundless)}, p.seed);
  visit(Field{.name = "sorted", .label = "Sorted"}, p.sorted);
  visit(Field{.name = "title", .label = "Title"}, p.title);
  visit(FieldGroup{"inner", "Inner", "in-", "What is inside."}.when(p.sorted), p.inner);
  visit(Field{.name = "events", .label = "Events"}, p.events);
}

Outer changed()
{
  return {Shape::Square, 0.1, std::numeric_limits<std::uint64_t>::max(), false, "it's", {64}, {{3, 1.25}, {4, 0.5}}};
}

std::vector<std::string> namesOf(const std::vector<BoundField>& fields)
{
  std::vector<std::string> names;
  for (const BoundField& field : fields)
    names.push_back(field.name);
  return names;
}

std::string refusalOf(const Outer& parameters)
{
  try {
    validateFields(fieldsOf(parameters));
  } catch (const Error& error) {
    return error.message();
  }
  return {};
}

} // namespace fields_under_test

using namespace fields_under_test;

class TestFields : public QObject
{
  Q_OBJECT

private slots:
  void findsEveryField();
  void knowsItsDefault();
  void readsBackWhatItWrote();
  void keepsWhatIsNotNamed();
  void returnsNamesThatNobodyHas();
  void refusesWhatIsNoSuchValue();
  void validatesWhatApplies();
  void saysRangesInWords();
  void standsAtTheNearestAllowedNumber();
  void tellsTheCommandThatSetsIt();
};

void TestFields::findsEveryField()
{
  Outer parameters;
  std::vector<BoundField> fields = fieldsOf(parameters);
  QCOMPARE(namesOf(fields),
           (std::vector<std::string>{"shape", "edge-length", "seed", "sorted", "title", "in-lanes", "events"}));
  QCOMPARE(findField(fields, "edge")->name, std::string("edge-length"));
  QVERIFY(!findField(fields, "corner"));
  QCOMPARE(findField(fields, "in-lanes")->groups.front().title, std::string_view("Inner"));
}

void TestFields::knowsItsDefault()
{
  Outer parameters = changed();
  for (BoundField& field : fieldsOf(parameters)) {
    QVERIFY2(!field.isDefault(), field.name.c_str());
    field.reset();
    QVERIFY2(field.isDefault(), field.name.c_str());
  }
  QVERIFY(parameters == Outer());
  QCOMPARE(parameters.inner.lanes, 8); // as the outer struct has it
}

void TestFields::readsBackWhatItWrote()
{
  const Outer written = changed();
  Outer read;
  std::vector<BoundField> fields = fieldsOf(read);
  QVERIFY(applySettings(fields, settingsOf(fieldsOf(written))).empty());
  QVERIFY(read == written);
}

void TestFields::keepsWhatIsNotNamed()
{
  Outer parameters = changed();
  std::vector<BoundField> fields = fieldsOf(parameters);
  const std::vector<Setting> settings = {{"edge", "7"}}; // by its former name
  QVERIFY(applySettings(fields, settings).empty());
  Outer expected = changed();
  expected.edgeLength = 7;
  QVERIFY(parameters == expected);
}

void TestFields::returnsNamesThatNobodyHas()
{
  Outer parameters;
  std::vector<BoundField> fields = fieldsOf(parameters);
  const std::vector<Setting> settings = {{"corner", "7"}, {"events", "1"}, {"events.0.weight", "2"}, {"seed", "5"}};
  QCOMPARE(applySettings(fields, settings), (std::vector<std::string>{"corner", "events.0.weight"}));
  QCOMPARE(parameters.seed, 5u);
}

void TestFields::refusesWhatIsNoSuchValue()
{
  const std::vector<Setting> wrong = {{"shape", "oval"}, {"edge-length", "wide"}, {"seed", "1.5"},  {"seed", ""},
                                      {"sorted", "yes"}, {"events", "-1"},        {"events", "99"}, {"in-lanes", "x"}};
  for (const Setting& setting : wrong) {
    Outer parameters;
    std::vector<BoundField> fields = fieldsOf(parameters);
    try {
      applySettings(fields, std::span(&setting, 1));
      QFAIL(setting.name.c_str());
    } catch (const Error& error) {
      QVERIFY(error.code() == ErrorCode::BadFormat);
      QVERIFY2(error.message().find(setting.name) != std::string::npos, error.what());
    }
  }
  // A number that the type cannot hold is out of range.
  Outer parameters;
  std::vector<BoundField> fields = fieldsOf(parameters);
  for (const auto& [name, text] : {std::pair("seed", "-1"), std::pair("seed", "99999999999999999999"),
                                   std::pair("in-lanes", "3000000000"), std::pair("edge-length", "1e999")})
    QVERIFY_EXCEPTION_THROWN(findField(fields, name)->setText(text), Error);
  QVERIFY_EXCEPTION_THROWN(findField(fields, "seed")->setText("many"), std::invalid_argument);
  QVERIFY(parameters == Outer());
}

void TestFields::validatesWhatApplies()
{
  QCOMPARE(refusalOf({}), std::string());
  QCOMPARE(refusalOf(changed()), std::string());
  Outer wide;
  wide.edgeLength = 101;
  QCOMPARE(refusalOf(wide), std::string()); // of a round one
  QVERIFY_EXCEPTION_THROWN(validateAllFields(fieldsOf(wide)), Error);
  wide.shape = Shape::Square;
  QCOMPARE(refusalOf(wide), std::string("Edge length is 101 um; choose 0 to 100 um."));
  wide.edgeLength = std::numeric_limits<double>::quiet_NaN();
  QVERIFY(!refusalOf(wide).empty());
  Outer odd;
  odd.shape = static_cast<Shape>(7);
  QVERIFY(!refusalOf(odd).empty());
  Outer flat;
  flat.events = {{1, 0}};
  QCOMPARE(refusalOf(flat), std::string("Size is 0 um; choose above 0, at most 10 um."));
  Outer lanes;
  for (const int allowed : {0, 1, 2, 16, 32, 64}) {
    lanes.inner.lanes = allowed;
    QVERIFY(refusalOf(lanes).empty());
  }
  for (const int refused : {-1, 3, 33, 65, 96}) {
    lanes.inner.lanes = refused;
    QVERIFY(!refusalOf(lanes).empty());
  }
}

void TestFields::saysRangesInWords()
{
  Outer parameters;
  std::vector<BoundField> fields = fieldsOf(parameters);
  QCOMPARE(rangeText(*findField(fields, "edge-length")), std::string("0 to 100 um"));
  QCOMPARE(rangeText(*findField(fields, "seed")), std::string("0 or more"));
  QCOMPARE(rangeText(*findField(fields, "in-lanes")),
           std::string("1 to 64, a power of two or a multiple of 32, or automatic"));
  QCOMPARE(rangeText(*findField(fields, "shape")), std::string());
}

void TestFields::standsAtTheNearestAllowedNumber()
{
  Outer parameters;
  std::vector<BoundField> fields = fieldsOf(parameters);
  const Field& lanes = findField(fields, "in-lanes")->about;
  for (const auto& [asked, allowed] :
       {std::pair(0.0, 0.0), {5.0, 4.0}, {7.0, 8.0}, {40.0, 32.0}, {60.0, 64.0}, {90.0, 64.0}})
    QCOMPARE(nearestAllowed(lanes, asked), allowed);
  QCOMPARE(nearestAllowed(findField(fields, "edge-length")->about, 0.3), 0.3);
}

void TestFields::tellsTheCommandThatSetsIt()
{
  QCOMPARE(commandText(fieldsOf(Outer())), std::string());
  QCOMPARE(commandText(fieldsOf(changed())),
           std::string(" --shape square --edge-length 0.1 --seed 18446744073709551615 --no-sorted --title 'it'\\''s'"));
}

HINESIGHT_TEST(TestFields)
#include "test_fields.moc"
