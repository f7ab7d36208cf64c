#include "core/error.hpp"
#include "core/fields.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

using namespace hinesight;

namespace {

enum class Colour
{
  Red,
  Green
};
constexpr Choice kColours[] = {{"red", "Red", ""}, {"green", "Green", ""}};
std::span<const Choice> tableOf(Colour)
{
  return kColours;
}

struct Part
{
  std::uint32_t step = 1;
  std::vector<std::uint32_t> neurons;
  std::vector<std::string> areas;

  bool operator==(const Part&) const = default;
};

template <typename Visitor>
void visitFields(Part& p, Visitor&& visit)
{
  visit(Field{.name = "step", .label = "Step", .range = from(1, 100)}, p.step);
  visit(Field{.name = "neurons", .label = "Neurons", .range = from(0, 9)}, p.neurons);
  visit(Field{.name = "areas", .label = "Areas"}, p.areas);
}

struct Pool
{
  double rate = 0.5;

  bool operator==(const Pool&) const = default;
};

template <typename Visitor>
void visitFields(Pool& p, Visitor&& visit)
{
  visit(Field{.name = "rate", .label = "Rate", .range = from(0, 1)}, p.rate);
}

struct Whole
{
  double reach = std::numeric_limits<double>::infinity();
  std::uint64_t seed = 1;
  std::vector<Colour> colours = {Colour::Green};
  std::vector<double> thetas = {0.25, 0.5};
  std::vector<Part> parts;
  Pool left, right;
  int threads = 0;

  bool operator==(const Whole&) const = default;
};

template <typename Visitor>
void visitFields(Whole& p, Visitor&& visit)
{
  visit(Field{.name = "reach",
              .label = "Reach",
              .unit = "µm",
              .range = above(0, kBoundless),
              .special = {std::numeric_limits<double>::infinity(), "none"}},
        p.reach);
  visit(Field{.name = "seed", .label = "Seed", .range = from(0, 18446744073709551615.0)}, p.seed);
  visit(Field{.name = "colours", .label = "Colours"}, p.colours);
  visit(Field{.name = "thetas", .label = "Thetas", .range = above(0, 0.5)}, p.thetas);
  visit(Field{.name = "parts", .label = "Parts", .item = "a part"}, p.parts);
  visit(FieldGroup{"left", "Left", "left-", "", "the left"}, p.left);
  visit(FieldGroup{"right", "Right", "right-", "", "the right"}, p.right);
  visit(Field{.name = "threads", .label = "Threads", .concern = Concern::Machine}, p.threads);
}

Whole sample()
{
  Whole whole;
  whole.seed = std::numeric_limits<std::uint64_t>::max();
  whole.colours = {Colour::Green, Colour::Red};
  whole.thetas = {};
  whole.parts = {{7, {1, 5, 9}, {"left, upper", "a\\b\nc", ""}}, {}, {9, {}, {""}}};
  whole.right.rate = 0.75;
  return whole;
}

std::string refusalOf(const Whole& whole)
{
  try {
    validateFields(fieldsOf(whole));
  } catch (const Error& error) {
    return error.message();
  }
  return {};
}

void setText(Whole& whole, std::string_view name, std::string_view text)
{
  std::vector<BoundField> fields = fieldsOf(whole);
  findField(fields, name)->setText(text);
}

} // namespace

class TestFieldValues : public QObject
{
  Q_OBJECT

private slots:
  void settingsReadBackToTheSame()
  {
    const Whole before = sample();
    const std::vector<Setting> settings = settingsOf(fieldsOf(before));
    Whole after;
    std::vector<BoundField> fields = fieldsOf(after);
    QVERIFY(applySettings(fields, settings).empty());
    QVERIFY(after == before);
    QVERIFY(settings[0] == (Setting{"reach", "inf"}));
    QVERIFY(settings[2] == (Setting{"colours", "green,red"}));
    QVERIFY(settings[6] == (Setting{"parts.0.neurons", "1,5,9"}));
    QVERIFY(settings[7] == (Setting{"parts.0.areas", "left\\, upper,a\\\\b\\nc,,"}));
  }

  /// One line a setting, whatever its text holds.
  void settingsAreLines()
  {
    std::vector<Setting> settings = settingsOf(fieldsOf(sample()));
    settings.push_back({"area", "two\nlines = \\n\r"});
    const std::string lines = linesOf(settings);
    QCOMPARE(std::count(lines.begin(), lines.end(), '\n') + 1, static_cast<std::ptrdiff_t>(settings.size()));
    QVERIFY(settingsOfLines(lines) == settings);
    QVERIFY(settingsOfLines("").empty());
  }

  void anUnknownNameIsToldAndAMissingOneKeepsItsValue()
  {
    Whole whole = sample();
    std::vector<BoundField> fields = fieldsOf(whole);
    const std::vector<std::string> unknown = applySettings(
        fields, std::vector<Setting>{{"parts", "1"}, {"parts.0.step", "3"}, {"parts.0.hue", "2"}, {"depth", "4"}});
    QVERIFY(unknown == (std::vector<std::string>{"parts.0.hue", "depth"}));
    QCOMPARE(whole.parts.size(), std::size_t{1});
    QCOMPARE(whole.parts[0].step, 3u);
    QCOMPARE(whole.right.rate, 0.75);
  }

  void infinityIsASpecialValue()
  {
    Whole whole;
    QCOMPARE(refusalOf(whole), std::string());
    setText(whole, "reach", "50");
    QCOMPARE(whole.reach, 50.0);
    setText(whole, "reach", "none");
    QVERIFY(std::isinf(whole.reach));
    setText(whole, "reach", "inf");
    QCOMPARE(refusalOf(whole), std::string());
    whole.reach = -whole.reach;
    QCOMPARE(refusalOf(whole), std::string("Reach is -inf µm; choose above 0 µm, inf for none."));
    whole.reach = std::nan("");
    QVERIFY(!refusalOf(whole).empty());
  }

  void defaultsMayBeOthersThanThoseOfTheStruct()
  {
    const Whole standard = sample();
    Whole whole = standard;
    for (const BoundField& field : fieldsOf(whole, standard))
      QVERIFY2(field.isDefault(), field.name.c_str());
    whole.right.rate = 1;
    std::vector<BoundField> fields = fieldsOf(whole, standard);
    BoundField* const rate = findField(fields, "right-rate");
    QVERIFY(!rate->isDefault());
    QCOMPARE(rate->defaultNumber(), 0.75);
    rate->reset();
    QVERIFY(whole == standard);
  }

  void numbersStayWithinTheirTypes()
  {
    Whole whole;
    const auto set = [&](double number) {
      std::vector<BoundField> fields = fieldsOf(whole);
      findField(fields, "seed")->setNumber(number);
      return whole.seed;
    };
    QCOMPARE(set(-5), std::uint64_t{0});
    QCOMPARE(set(2.5), std::uint64_t{3});
    QCOMPARE(set(1e30), std::numeric_limits<std::uint64_t>::max());
    QVERIFY_EXCEPTION_THROWN(setText(whole, "seed", "-1"), Error);
    QVERIFY_EXCEPTION_THROWN(setText(whole, "seed", "1.5"), std::invalid_argument);
  }

  void sayWhichItemAndWhichGroupIsWrong()
  {
    Whole whole;
    whole.thetas = {0.3, 0.6};
    QCOMPARE(refusalOf(whole), std::string("Thetas is 0.6; choose above 0, at most 0.5."));
    whole = {};
    whole.parts = {{1, {3, 10}, {}}};
    QCOMPARE(refusalOf(whole), std::string("Neurons of a part is 10; choose 0 to 9."));
    whole = {};
    whole.right.rate = 2;
    QCOMPARE(refusalOf(whole), std::string("Rate of the right is 2; choose 0 to 1."));
  }

  void aSeriesIsTakenWholeOrNotAtAll()
  {
    Whole whole;
    setText(whole, "thetas", "0.1,0.2,0.3");
    QVERIFY(whole.thetas == (std::vector<double>{0.1, 0.2, 0.3}));
    QVERIFY_EXCEPTION_THROWN(setText(whole, "thetas", "0.1,x"), std::invalid_argument);
    QVERIFY_EXCEPTION_THROWN(setText(whole, "colours", "red,blue"), std::invalid_argument);
    QCOMPARE(whole.thetas.size(), std::size_t{3});
    QVERIFY(commandText(fieldsOf(whole)) == " --thetas 0.1,0.2,0.3");
  }

  void scienceIsWhatTheResultDependsOn()
  {
    Whole whole;
    const std::vector<BoundField> all = fieldsOf(whole), science = scienceOf(fieldsOf(whole));
    QCOMPARE(science.size() + 1, all.size());
    for (const BoundField& field : science)
      QVERIFY(field.name != "threads");
  }
};

HINESIGHT_TEST(TestFieldValues)
#include "test_field_values.moc"
