#include "cable/cell_builder.hpp"
#include "cable/discretization.hpp"
#include "core/fields.hpp"
#include "core/files.hpp"
#include "core/text.hpp"
#include "hines/batch.hpp"
#include "hines/branch/plan.hpp"
#include "morphology/branches.hpp"
#include "morphology/morphometry.hpp"
#include "paths/paths.hpp"
#include "selection/expression.hpp"
#include "selection/named_selection.hpp"
#include "selection/number_ranges.hpp"
#include "test_main.hpp"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <string>

using namespace hinesight;
using namespace hinesight::selection;

namespace {

/// A soma, an axon of two segments, and an apical stem that forks.
std::shared_ptr<const cable::Discretization> smallCell()
{
  CellBuilder cell;
  const auto soma = cell.soma(0, 0, 10);
  const auto axon = cell.add(morphology::kAxon, 0, -110, 0, 1, soma);
  cell.add(morphology::kAxon, 0, -210, 0, 1, axon);
  const auto stem = cell.add(morphology::kApicalDendrite, 0, 60, 0, 2, soma);
  cell.add(morphology::kApicalDendrite, 30, 100, 0, 0.5, stem);
  cell.add(morphology::kApicalDendrite, -30, 100, 0, 0.5, stem);
  const auto morphology = cell.morphology();
  return cable::discretize(morphology,
                           std::make_shared<const morphology::BranchTree>(morphology::findBranches(*morphology)), {});
}

struct Planned
{
  std::vector<std::shared_ptr<const cable::Discretization>> cells;
  std::shared_ptr<const hines::SolvePlan> plan;
  BranchTable table;
};

Planned plan(std::vector<std::shared_ptr<const cable::Discretization>> cells, const std::vector<std::string>& names)
{
  Planned planned{std::move(cells), nullptr, {}};
  std::vector<std::shared_ptr<const cable::HinesSystem>> systems;
  std::vector<TabledCell> tabled;
  for (std::size_t i = 0; i < planned.cells.size(); ++i) {
    systems.push_back(planned.cells[i]->system);
    tabled.push_back({names[i], planned.cells[i].get()});
  }
  planned.plan = hines::makePlan(hines::makeBatchOfCells(systems, static_cast<std::int64_t>(systems.size()), 1), {});
  planned.table = makeBranchTable(tabled, *planned.plan);
  return planned;
}

Planned twoCells()
{
  return plan({smallCell(), smallCell()}, {"a", "other cell"});
}

/// A table of numbers 0, 1, 2, ... as branch lengths, of one cell, in a chain.
BranchTable numbers(std::size_t rows)
{
  BranchTable table;
  table.cellNames = {"numbers"};
  for (auto& column : table.figures)
    column.assign(rows, 1);
  for (std::size_t row = 0; row < rows; ++row) {
    table.cell.push_back(0);
    table.parent.push_back(static_cast<std::int64_t>(row) - 1);
    table.figures[static_cast<std::size_t>(BranchFigure::Length)][row] = static_cast<double>(row);
    table.figures[static_cast<std::size_t>(BranchFigure::Branch)][row] = static_cast<double>(row + 1);
  }
  table.firstRow.push_back(rows);
  return table;
}

std::vector<std::size_t> rowsWhere(const BranchTable& table, const char* text)
{
  return Expression(text).evaluate(table).members();
}

using Rows = std::vector<std::size_t>;

} // namespace

class TestSelection : public QObject
{
  Q_OBJECT

private slots:
  void rowsAloneAreThoseOfTheTable()
  {
    const Planned planned = twoCells();
    const std::vector<TabledCell> cells{{"a", planned.cells[0].get()}, {"other cell", planned.cells[1].get()}};
    const BranchTable rows = makeBranchRows(cells, *planned.plan);
    QVERIFY(rows.rows() > 0);
    QCOMPARE(rows.cellNames, planned.table.cellNames);
    QCOMPARE(rows.firstRow, planned.table.firstRow);
    QCOMPARE(rows.cell, planned.table.cell);
    QCOMPARE(rows.parent, planned.table.parent);
    for (const std::vector<double>& column : rows.figures)
      QVERIFY(column.empty());
  }

  void theListOfFieldsIsInOrder()
  {
    std::set<std::string_view> names;
    for (std::size_t k = 0; k < branchFields().size(); ++k) {
      const BranchField& field = branchFields()[k];
      QCOMPARE(static_cast<std::size_t>(field.figure), k);
      QVERIFY(!field.help.empty() && !field.label.empty());
      names.insert(field.name);
    }
    for (const TypeWord& type : typeWords())
      names.insert(type.word);
    QCOMPARE(names.size(), branchFields().size() + typeWords().size());
  }

  void theFiguresOfABranchAreThoseOfItsShape()
  {
    const Planned planned = plan({smallCell()}, {"a"});
    const BranchTable& table = planned.table;
    QCOMPARE(table.rows(), std::size_t(5)); // soma, axon, stem, two tips
    const Rows axon = rowsWhere(table, "type == axon");
    QCOMPARE(axon.size(), std::size_t(1));
    const std::size_t row = axon[0];
    QCOMPARE(table.at(BranchFigure::PathDistance, row), 210.0);
    QCOMPARE(table.at(BranchFigure::PathStart, row), 0.0);
    QCOMPARE(table.at(BranchFigure::Length, row), 100.0); // without the 110 µm to the soma's centre
    QCOMPARE(rowsWhere(table, "type == apical && length == 0 && children == 2").size(), std::size_t(1));
    QCOMPARE(table.at(BranchFigure::Distance, row), 210.0);
    QCOMPARE(table.at(BranchFigure::Diameter, row), 2.0);
    QCOMPARE(table.at(BranchFigure::Compartments, row), 2.0);
    QCOMPARE(table.at(BranchFigure::Level, row), 1.0);
    QCOMPARE(table.at(BranchFigure::Order, row), 0.0);
    QCOMPARE(table.at(BranchFigure::Children, row), 0.0);
    QCOMPARE(table.at(BranchFigure::Block, row), 1.0);
    QCOMPARE(rowsWhere(table, "type == apical && order == 1 && pathStart == 60 && length == 50").size(),
             std::size_t(2));
    QCOMPARE(rowsWhere(table, "subtree == 5"), (Rows{0}));
    QCOMPARE(rowsWhere(table, "type == soma"), (Rows{0}));
    QCOMPARE(rowsWhere(table, "children == 2 and type == dendrite").size(), std::size_t(1));
  }

  /// Of each type, what Measure lists and MorphIO and NeuroM have, whatever the compartments are.
  void lengthsAndDiametersAreThoseOfMorphometry()
  {
    const auto cell = smallCell();
    const morphology::Morphology& morphology = *cell->morphology;
    const auto measured = morphology::measureBranches(morphology, morphology::findBranches(morphology));
    const BranchTable table = plan({cell}, {"a"}).table;
    for (const morphology::TypeMeasures& type : morphology::totalsByType(measured)) {
      const BranchSet set = Expression("type == " + std::to_string(type.type)).evaluate(table);
      QCOMPARE(static_cast<std::int32_t>(set.count()), type.branches);
      QCOMPARE(totalLength(table, set), type.length);
    }
    for (const morphology::BranchMeasures& branch : measured) {
      const std::string end = "type != soma && pathDistance == " + textOf(branch.endPath);
      const Rows rows = rowsWhere(table, end.c_str());
      QVERIFY(!rows.empty());
      QCOMPARE(table.at(BranchFigure::Length, rows[0]), branch.length);
      QCOMPARE(table.at(BranchFigure::Diameter, rows[0]), branch.meanDiameter);
    }
  }

  void aTreeWithoutPlaceInSpaceHasNoShape()
  {
    const Planned planned = plan({smallCell()}, {"a"});
    const TabledCell cell{"tree", nullptr};
    const BranchTable table = makeBranchTable(std::span(&cell, 1), *planned.plan);
    QCOMPARE(table.rows(), std::size_t(5));
    QVERIFY(std::isnan(table.at(BranchFigure::Length, 1)));
    QVERIFY(rowsWhere(table, "length >= 0 || length < 0 || length != 1 || type not in {axon}").empty());
    QCOMPARE(rowsWhere(table, "level >= 0").size(), std::size_t(5));
    QCOMPARE(rowsWhere(table, "!(length > 0)").size(), std::size_t(5));
    QCOMPARE(totalLength(table, ~BranchSet(5)), 0.0);
  }

  void expressionsMeanWhatTheySay_data()
  {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("rows");
    const auto row = [](const char* text, const char* rows) {
      QTest::newRow(text) << QByteArray(text) << QByteArray(rows);
    };
    row("length > 7", "8 9");
    row("length >= 7 && length != 8", "7 9");
    row("length < 1 || length == 5", "0 5");
    row("length < 1 or length == 5 and length == 6", "0");
    row("(length < 1 or length == 5) and not length == 0", "5");
    row("!length < 9", "9");
    row("2 < length <= 4", "3 4");
    row("length in {1, 3, -2, 3}", "1 3");
    row("length not in {0, 1, 2, 3, 4, 5, 6, 7}", "8 9");
    row("length * 2 == 6", "3");
    row("10 - 2 - 1 == length", "7");
    row("1 + 2 * 3 == length", "7");
    row("(1 + 2) * 3 == length", "9");
    row("-length == -4", "4");
    row("length / 0 > 1", "1 2 3 4 5 6 7 8 9");
    row("8 / 2 / 2 == length", "2");
    row("length == 2.5e0 * 2", "5");
    row("length == .5e1", "5");
    row("cell == \"numbers\" && length == 1", "1");
    row("cell == 'num*' && length == 1", "1");
    row("cell in {\"x\", '*ers'} && length == 1", "1");
    row("cell != \"numbers\"", "");
    row("cell == 1 && length == 1", "1");
    row("soma == type && length == 1", "1");
    row("type == 1 && length == 1", "1");
    row("type != soma", "");
    row("type in {axon, soma} && length == 1", "1");
    row("type == \"soma\" && length == 1", "1");
    row("type in {'soma', \"axon\"} && length == 1", "1");
    row("type == type 1 && length == 1", "1");
    row("type == \"type 1\" && length == 1", "1");
    row("type != basal dendrite && length == 1", "1");
    row("type not in {basal  dendrite, apical dendrite, type 9} and length == 1", "1");
    row("type == basal dendrite", "");
  }

  /// The legend, Details and tables call a type by this name.
  void theNameOfATypeIsAnExpression()
  {
    BranchTable table = numbers(12);
    for (std::size_t row = 0; row < table.rows(); ++row)
      table.figures[static_cast<std::size_t>(BranchFigure::Type)][row] = static_cast<double>(row);
    const auto words = expressionWords();
    for (std::int32_t type = 0; type < 12; ++type) {
      const std::string name = morphology::typeName(type);
      QCOMPARE(rowsWhere(table, ("type == " + name).c_str()), (Rows{static_cast<std::size_t>(type)}));
      QCOMPARE(rowsWhere(table, ("\"" + name + "\" == type").c_str()), (Rows{static_cast<std::size_t>(type)}));
      QCOMPARE(std::ranges::count(words, name) == 1, type <= morphology::kGlia);
    }
  }

  void expressionsMeanWhatTheySay()
  {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, rows);
    QByteArray found;
    for (const std::size_t row : rowsWhere(numbers(10), text.constData()))
      found += (found.isEmpty() ? "" : " ") + QByteArray::number(static_cast<qulonglong>(row));
    QCOMPARE(found, rows);
  }

  /// Columns are evaluated a piece at a time.
  void longTablesAreEvaluatedToTheirEnd()
  {
    const BranchTable table = numbers(2000);
    QCOMPARE(rowsWhere(table, "length >= 511 && length <= 513"), (Rows{511, 512, 513}));
    QCOMPARE(rowsWhere(table, "length >= 0").size(), std::size_t(2000));
    QVERIFY(rowsWhere(numbers(0), "length >= 0").empty());
  }

  void aWrongExpressionIsMarkedWhereItIsWrong_data()
  {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("begin");
    QTest::addColumn<int>("end");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char* text, int begin, int end, const char* says) {
      QTest::newRow(text) << QByteArray(text) << begin << end << QByteArray(says);
    };
    row("lenght > 3", 0, 6, "There is no field \"lenght\"; did you mean \"length\"?");
    row("type == axn", 8, 11, "did you mean \"axon\"?");
    row("Order > 3", 0, 5, "did you mean \"order\"?");
    row("qqqqqqqqqq > 3", 0, 10, "the fields are type, order, level");
    row("length >", 8, 8, "A field or a number is missing here, where the expression ends.");
    row("length > > 3", 9, 10, "where there is \">\"");
    row("length = 3", 7, 8, "\"==\"");
    row("length > 3 & order > 1", 11, 12, "\"&&\" or \"and\"");
    row("length > 200um", 9, 14, "\"200um\" is not a number");
    row("length > 1.2.3", 9, 14, "not a number");
    row("length", 0, 6, "\"length\" is a number; compare it");
    row("axon", 0, 4, "write type == axon");
    row("axon && length > 1", 0, 4, "write type == axon");
    row("type", 0, 4, "type == axon");
    row("cell", 0, 4, "cell == \"its name\"");
    row("length > 3 order > 1", 11, 16, "join two conditions");
    row("(length > 3", 0, 1, "not closed");
    row("length > 3)", 10, 11, "is over before \")\"");
    row("length in 3", 10, 11, "braces");
    row("length in {3", 12, 12, "ends with \"}\"");
    row("length in {order}", 11, 16, "numbers, types and names");
    row("length not 3", 11, 12, "goes on with \"in\"");
    row("length == axon", 10, 14, "only the field \"type\"");
    row("length == \"a\"", 10, 13, "only the fields \"cell\" and \"type\"");
    row("length == apical dendrite", 10, 25, "\"apical dendrite\" is a type");
    row("basal dendrite", 0, 14, "write type == basal dendrite");
    row("type == basal dendrites", 8, 23, "There is no type \"basal dendrites\"; did you mean \"basal dendrite\"?");
    row("type == \"basl dendrite\"", 8, 23, "did you mean \"basal dendrite\"?");
    row("type == qqqqqqqqqq", 8, 18, "There is no type \"qqqqqqqqqq\". The types are soma, axon, dendrite, basal, ");
    row("type in {axon, qqqqqqqqqq}", 15, 25, "There is no type");
    row("type == axon order > 1", 13, 18, "join two conditions");
    row("type < axon", 5, 6, "compared by == and !=");
    row("cell == \"a", 8, 10, "closing quotation mark");
    row("cell == pyr", 8, 11, "The name of a cell stands in quotation marks: cell == \"pyr\".");
    row("length > 1 && (cell != H17.06-1_m)", 23, 33, "quotation marks: cell != \"H17.06-1_m\".");
    row("cell == a.swc and length > 1", 8, 13, "quotation marks: cell == \"a.swc\".");
    row("cell == 04a_pyr or length > 1", 8, 15, "quotation marks: cell == \"04a_pyr\".");
    row("cell == *pyr*", 8, 13, "quotation marks: cell == \"*pyr*\".");
    row("cell == axon-2", 8, 14, "quotation marks: cell == \"axon-2\".");
    row("cell in {\"a\", other cell}", 14, 24, "quotation marks: cell in {\"a\", \"other cell\"}.");
    row("cell == branch & length > 1", 15, 16, "\"&&\" or \"and\"");
    row("cell == 1 +", 11, 11, "where the expression ends");
    row("cell < pyr", 7, 10, "There is no field \"pyr\"");
    row("type + 1 == 3", 0, 4, "not a number");
    row("(order > 1) + 1 == 2", 0, 11, "not a number");
    row("order > (length > 1)", 8, 20, "true or false");
    row("order # 3", 6, 7, "means nothing");
    row("order \xC3\xA4 3", 6, 8, "means nothing");
    row("", 0, 0, "empty");
    row("   ", 0, 3, "empty");
  }

  void aWrongExpressionIsMarkedWhereItIsWrong()
  {
    QFETCH(QByteArray, text);
    QFETCH(int, begin);
    QFETCH(int, end);
    QFETCH(QByteArray, says);
    try {
      Expression expression(text.toStdString());
      QFAIL("It was taken.");
    } catch (const ExpressionError& error) {
      QVERIFY2(QByteArray(error.what()).contains(says), error.what());
      QCOMPARE(static_cast<int>(error.begin()), begin);
      QCOMPARE(static_cast<int>(error.end()), end);
      QVERIFY(error.code() == ErrorCode::BadParameter);
    }
  }

  void absurdExpressionsAreRefused()
  {
    std::string sum = "order > 0";
    for (int i = 0; i < 100'000; ++i)
      sum += " + 1";
    QVERIFY_THROWS_EXCEPTION(ExpressionError, Expression{sum});
    QVERIFY_THROWS_EXCEPTION(ExpressionError, Expression{std::string(100'000, '(')});
    QVERIFY_THROWS_EXCEPTION(ExpressionError, Expression{std::string(100'000, '!')});
    QVERIFY_THROWS_EXCEPTION(ExpressionError, Expression{std::string(100'000, '-')});
  }

  void setsFollowTheTree()
  {
    const BranchTable table = plan({smallCell()}, {"a"}).table;
    BranchSet stem(table.rows());
    stem.add(rowsWhere(table, "type == apical && children == 2")[0]);
    QCOMPARE(subtreesOf(table, stem).members(), rowsWhere(table, "type == apical"));
    const BranchSet tips = Expression("type == apical && children == 0").evaluate(table);
    QCOMPARE(hostsOf(table, tips), stem);
    QCOMPARE(pathsToRoot(table, tips).members(), rowsWhere(table, "type in {apical, soma}"));
    QCOMPARE(subtreesOf(table, hostsOf(table, stem)), ~BranchSet(table.rows()));
    QVERIFY(hostsOf(table, Expression("type == soma").evaluate(table)).isEmpty());
    QCOMPARE(((~tips) & stem), stem);
    QCOMPARE((tips | stem) - tips, stem);
    QCOMPARE(totalLength(table, tips), 100.0);
    QCOMPARE((~tips).count(), std::size_t(3));
  }

  void aSetIsAnExpression()
  {
    const BranchTable table = twoCells().table;
    QCOMPARE(table.rows(), std::size_t(10));
    for (const char* text : {"cell == \"a\" && branch in {1, 3}",
                             "cell == \"a\" || cell == \"other cell\" && branch == 2", "cell == \"other cell\""}) {
      const BranchSet set = Expression(text).evaluate(table);
      QCOMPARE(expressionOf(table, set), std::string(text));
    }
    QCOMPARE(expressionOf(table, BranchSet(table.rows())), std::string());
    const BranchTable alike = plan({smallCell(), smallCell()}, {"a", "a"}).table;
    const BranchSet second = Expression("cell == 2 && branch == 4").evaluate(alike);
    QCOMPARE(expressionOf(alike, second), std::string("cell == 2 && branch == 4"));
  }

  void anExpressionIsKeptWithinCells()
  {
    const BranchTable table = twoCells().table;
    const std::string either = "type == axon || type == apical";
    QCOMPARE(withinCells(table, either, {1}), "(" + either + ") && cell == \"other cell\"");
    const std::string both = withinCells(table, either, {0, 1});
    QCOMPARE(both, "(" + either + ") && cell in {\"a\", \"other cell\"}");
    QCOMPARE(Expression(both).evaluate(table), Expression(either).evaluate(table));
    const BranchSet first = Expression(withinCells(table, either, {0})).evaluate(table);
    QCOMPARE(first, Expression("type in {axon, apical} && cell == 1").evaluate(table));
    QCOMPARE(withinCells(table, either, {}), either);
  }

  void numbersAreWrittenAsRanges()
  {
    const std::vector<std::size_t> numbers = {2, 3, 4, 7, 9, 10};
    QCOMPARE(rangesText(numbers, 31), std::string("2-4,7,9-10 of 31"));
    QCOMPARE(numbersOf("2-4,7,9-10 of 31", 31), numbers);
    QCOMPARE(numbersOf("1 of 1", 1), std::vector<std::size_t>{1});
    // Of a cell that was cut otherwise, and what is none.
    for (const char* text : {"2-4 of 30", "2-4", "", "0 of 31", "4-32 of 31", "a of 31", "1,,2 of 31", "3- of 31",
                             "4,2 of 31", "1-31,1-31 of 31"})
      QVERIFY2(numbersOf(text, 31).empty(), text);
  }

  /// However many numbers a range has, it takes no more room than its ends.
  void rangesOfNumbersAreRead()
  {
    QCOMPARE(rangesText({0, 1, 2, 7}), std::string("0-2,7"));
    constexpr std::size_t kMost = 4'294'967'295;
    QCOMPARE(rangesOf("0-4294967295", 0, kMost), (std::vector<NumberRange>{{0, kMost}}));
    QCOMPARE(rangesOf("0-2,7", 0, 7), (std::vector<NumberRange>{{0, 2}, {7, 7}}));
    QVERIFY(rangesOf("", 0, 7).empty());
    for (const char* text : {"0-2,8", "0-2,2", "5-3", "-1", "0-2;7", "0,-", "all"})
      QVERIFY2(rangesOf(text, 0, 7).empty(), text);
    QVERIFY(rangesOf("0-2", 1, 7).empty());
  }

  void rowsAndBranchesAreTheSame()
  {
    const BranchTable table = twoCells().table;
    for (std::size_t row = 0; row < table.rows(); ++row)
      QCOMPARE(table.rowOf(table.idOf(row)).value(), row);
    QVERIFY(!table.rowOf({2, 0}));
    QVERIFY(!table.rowOf({0, 5}));
    QVERIFY(!table.rowOf({}));
  }

  void aNamedSetHasFields()
  {
    NamedSelection set;
    auto fields = fieldsOf(set);
    applySettings(fields, std::vector<Setting>{{"name", "far axons"}, {"expression", "type == axon"}});
    QCOMPARE(set, (NamedSelection{"far axons", "type == axon"}));
  }

  void thePageNamesEveryField()
  {
    const std::string page = readFile(tests::sourceFile("docs/selection.md").toStdString());
    std::string fields;
    for (const BranchField& field : branchFields())
      fields += "| `" + std::string(field.name) + "` | " + std::string(field.unit) +
                (field.unit.empty() ? "| " : " | ") + std::string(field.help) + " |\n";
    std::string types;
    for (const TypeWord& type : typeWords())
      types += "| `" + std::string(type.word) + "` | " + std::string(type.help) + " |\n";
    QVERIFY2(page.find("| --- | --- | --- |\n" + fields + "\n") != std::string::npos, fields.c_str());
    QVERIFY2(page.find("| --- | --- |\n" + types + "\n") != std::string::npos, types.c_str());
  }
};

HINESIGHT_TEST(TestSelection)
#include "test_selection.moc"
