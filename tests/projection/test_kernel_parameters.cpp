#include "core/error.hpp"
#include "core/fixed/fixed_math.hpp"
#include "projection/expression.hpp"
#include "projection/parameters.hpp"
#include "projection/populations/population.hpp"
#include "test_main.hpp"

#include <QTest>

#include <cmath>
#include <limits>
#include <optional>
#include <random>

using namespace hinesight;
using namespace hinesight::projection;

class TestKernelParameters : public QObject
{
  Q_OBJECT

  /// The greatest relative error of `fixed` against `exact` at random numbers between two.
  template <typename Fixed, typename Exact>
  static double worst(double low, double high, const Fixed& fixed, const Exact& exact, double scale = 0)
  {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> draw(low, high);
    double error = 0;
    for (int i = 0; i < 200'000; ++i) {
      const double x = draw(random);
      const double expected = exact(x);
      error = std::max(error, std::abs(fixed(x) - expected) / std::max(std::abs(expected), scale));
    }
    return error;
  }

private slots:
  void computesElementaryFunctions()
  {
    const auto libraryExp = [](double x) { return std::exp(x); };
    const auto ourExp = [](double x) { return fixedExp(x); };
    QVERIFY(worst(-708, 709, ourExp, libraryExp) < 3.4e-16);
    QVERIFY(worst(-1, 1, ourExp, libraryExp) < 3.4e-16);
    QCOMPARE(fixedExp(0.0), 1.0);
    QCOMPARE(fixedExp(-709.0), 0.0);
    QCOMPARE(fixedExp(-1e300), 0.0);
    QCOMPARE(fixedExp(-kInfinity), 0.0);
    QCOMPARE(fixedExp(710.0), kInfinity);
    QVERIFY(std::isnan(fixedExp(kNotANumber)));

    QVERIFY(worst(
                -700, 700, [](double x) { return fixedLog(std::exp(x)); },
                [](double x) { return std::log(std::exp(x)); }) < 5e-16);
    QVERIFY(worst(
                0.5, 2, [](double x) { return fixedLog(x); }, [](double x) { return std::log(x); }) < 5e-16);
    QCOMPARE(fixedLog(1.0), 0.0);
    QCOMPARE(fixedLog(0.0), -kInfinity);
    QVERIFY(std::isnan(fixedLog(-1.0)));
    QVERIFY(std::abs(fixedLog(5e-324) / std::log(5e-324) - 1) < 1e-15);

    QVERIFY(worst(
                -20, 20, [](double x) { return fixedSin(x); }, [](double x) { return std::sin(x); }, 1) < 4e-15);
    QVERIFY(worst(
                -20, 20, [](double x) { return fixedCos(x); }, [](double x) { return std::cos(x); }, 1) < 4e-15);
    QCOMPARE(fixedSinTurns(0.5), 0.0);
    QCOMPARE(fixedSinTurns(-3.25), -1.0);
    for (int i = -180; i <= 180; i += 5) {
      const double angle = i * 3.14159265358979 / 180;
      const double y = 3 * std::sin(angle), x = 3 * std::cos(angle);
      QVERIFY(std::abs(fixedAtan2(y, x) - std::atan2(y, x)) < 1e-15);
    }
    QCOMPARE(fixedAtan2(0, 0), 0.0);
    QCOMPARE(fixedPow(-3, 3), -27.0);
    QCOMPARE(fixedPow(2, -2), 0.25);
    QVERIFY(std::abs(fixedPow(2.5, 1.5) / std::pow(2.5, 1.5) - 1) < 1e-14);
  }

  void evaluatesExpressions_data()
  {
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("value");
    // dx 1, dy 2, dz 3, r 4; source 5, 6, 7; destination 8, 9, 10.
    QTest::newRow("number") << " 1.5e2 " << 150.0;
    QTest::newRow("order") << "1 + 2*3 - 4/8" << 6.5;
    QTest::newRow("left to right") << "10-3-2-8/4/2" << 4.0;
    QTest::newRow("power") << "-2^2 + 2^3^2 + 2^-1" << 508.5;
    QTest::newRow("parentheses") << "((1+2)*(3+4))" << 21.0;
    QTest::newRow("variables") << "dx+10*dy+100*dz+1000*r" << 4321.0;
    QTest::newRow("places") << "xs+10*ys+100*zs+1000*(xd+10*yd+100*zd)" << 1'098'765.0;
    QTest::newRow("functions") << "sqrt(16)+abs(-2)+floor(2.7)+min(3,4)+max(3,4)+pow(2,3)" << 23.0;
    QTest::newRow("pi") << "exp(0)+log(1)+sin(0)+cos(0)+atan2(0,1)+floor(pi)" << 5.0;
    QTest::newRow("choice") << "if(r < 5, if(dx >= 1, 7, 8), 9)" << 7.0;
    QTest::newRow("comparisons") << "(1<2)+(2<=2)+(3>2)+(2>=3)+(2==2)" << 4.0;
    QTest::newRow("plus sign") << "+3*+2" << 6.0;
  }

  void evaluatesExpressions()
  {
    QFETCH(QString, text);
    QFETCH(double, value);
    const double variables[kVariables] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    QCOMPARE(runProgram(compileExpression(text.toStdString()), variables), value);
  }

  void namesTheColumnOfASyntaxError_data()
  {
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("column");
    QTest::newRow("empty") << "  " << 3;
    QTest::newRow("unknown name") << "exp(-q)" << 6;
    QTest::newRow("open") << "(1+2" << 5;
    QTest::newRow("closed twice") << "(1+2))" << 6;
    QTest::newRow("two numbers") << "1 2" << 3;
    QTest::newRow("operator") << "1+*2" << 3;
    QTest::newRow("end") << "1+" << 3;
    QTest::newRow("no argument") << "exp" << 4;
    QTest::newRow("few arguments") << "min(1)" << 6;
    QTest::newRow("many arguments") << "exp(1,2)" << 6;
    QTest::newRow("character") << "r $ 2" << 3;
    QTest::newRow("large number") << "1e999" << 1;
    QTest::newRow("number and name") << "2r" << 2;
    QTest::newRow("nested") << QString("(").repeated(100'000) << 65;
    QTest::newRow("deep") << QString("1+(").repeated(20) + "1" + QString(")").repeated(20) << 50;
    QTest::newRow("long") << QString("1") + QString("+1").repeated(64) << 130;
  }

  void namesTheColumnOfASyntaxError()
  {
    QFETCH(QString, text);
    QFETCH(int, column);
    try {
      compileExpression(text.toStdString());
      QFAIL("not refused");
    } catch (const Error& error) {
      QCOMPARE(error.code(), ErrorCode::BadParameter);
      QCOMPARE(QString::fromStdString(error.message()).section(':', 0, 0),
               QString("Expression, column %1").arg(column));
    }
  }

  void refusesNumbersOutOfRange()
  {
    // Each number of each kernel that uses it: not a number, infinite, above the greatest and below the least.
    int tried = 0;
    for (const KernelKind kernel : allKernels())
      for (const ConnectionRule rule : {ConnectionRule::Weighted, ConnectionRule::Random}) {
        ProjectionParameters good;
        good.kernel = kernel;
        good.rule = rule;
        good.expression = "r";
        validate(good);
        for (std::size_t k = 0; k < fieldsOf(good).size(); ++k)
          for (int bad = 0; bad < 4; ++bad) {
            ProjectionParameters spoilt = good;
            BoundField field = fieldsOf(spoilt)[k];
            if (field.kind != FieldKind::Real)
              continue;
            const Range& range = field.about.range;
            const double values[] = {kNotANumber, kInfinity, range.greatest * 2,
                                     range.above ? range.least : std::nextafter(range.least, -kInfinity)};
            field.setNumber(values[bad]);
            if (!field.about.applies) {
              validate(spoilt);
              continue;
            }
            try {
              validate(spoilt);
              QFAIL(("not refused: " + field.name).c_str());
            } catch (const Error& error) {
              QCOMPARE(error.code(), ErrorCode::BadParameter);
              QVERIFY2(error.message().starts_with(std::string(field.about.label) + " is " + field.text()) &&
                           error.message().ends_with("; choose " + rangeText(field) + "."),
                       error.message().c_str());
              ++tried;
            }
          }
      }
    QVERIFY(tried > 400);
  }

  void refusesWhatThePopulationsDoNotAllow()
  {
    const auto points = populationAt("points", {std::vector{0.0, 1.0}, std::vector{0.0, 1.0}, std::vector{0.0, 1.0}});
    ProjectionParameters p;
    QVERIFY_EXCEPTION_THROWN(validate(p, *points, *points), Error);
    p.fieldSize = 100;
    validate(p, *points, *points);
    p.wrap = true;
    QVERIFY_EXCEPTION_THROWN(validate(p, *points, *points), Error);
    validate(p, *points, *makePopulation({}));
  }

  void knowsWhatNeedsACut()
  {
    ProjectionParameters p;
    for (const KernelKind kernel : allKernels()) {
      p = {};
      p.kernel = kernel;
      QVERIFY(!needsCut(p));
      p.cut = 0;
      QCOMPARE(needsCut(p), kernel < KernelKind::OneToOne);
      p.boxCut = 3;
      QVERIFY(!needsCut(p));
    }
    p = {};
    p.kernel = KernelKind::Gabor;
    p.cut = 0;
    p.region = 4;
    QVERIFY(!needsCut(p));
  }

  void describesWhatTheKernelUses()
  {
    ProjectionParameters p;
    p.sigma0 = 0.1;
    const auto textOf = [&](const std::string& name) -> std::optional<std::string> {
      for (const Setting& setting : describe(p))
        if (setting.name == name)
          return setting.text;
      return std::nullopt;
    };
    QCOMPARE(textOf("kernel"), std::string("widening-gaussian"));
    QCOMPARE(textOf("sigma-0"), std::string("0.1"));
    QCOMPARE(textOf("wrap"), std::string("false"));
    QVERIFY(!textOf("wavelength"));
    QVERIFY(!textOf("seed"));
    p.rule = ConnectionRule::Random;
    QCOMPARE(textOf("seed"), std::string("1"));
  }

  /// What is written by name is read to the same parameters, and the table depends on nothing else.
  void readsBackWhatItDescribes()
  {
    for (const KernelKind kernel : allKernels())
      for (const ConnectionRule rule : {ConnectionRule::Weighted, ConnectionRule::Random}) {
        ProjectionParameters p;
        // All are other than their defaults, then those that do not apply are put back.
        for (BoundField& field : fieldsOf(p))
          if (field.kind == FieldKind::Text)
            field.setText("exp(-r) * 2");
          else
            field.setNumber(field.kind == FieldKind::Switch ? 1 - field.number() : field.number() + 1.0 / 3);
        p.kernel = kernel;
        p.rule = rule;
        p.seed = 18'446'744'073'709'551'615u;
        for (BoundField& field : fieldsOf(p))
          if (!field.about.applies)
            field.reset();
        ProjectionParameters read;
        std::vector<BoundField> fields = fieldsOf(read);
        QVERIFY(applySettings(fields, describe(p)).empty());
        QVERIFY(read == p);
      }
    ProjectionParameters p;
    std::vector<BoundField> fields = fieldsOf(p);
    QVERIFY(applySettings(fields, std::vector<Setting>{{"self", "false"}}).empty());
    QVERIFY(!p.selfConnections);
    try {
      applySettings(fields, std::vector<Setting>{{"cut", "1e999"}});
      QFAIL("not refused");
    } catch (const Error& error) {
      QCOMPARE(error.code(), ErrorCode::BadFormat);
      QCOMPARE(error.message(), std::string("The value of cut, '1e999', is out of range."));
    }
  }

  void widensAsThePaperSays()
  {
    // The narrowest at fshift and below, and for sigma-m = d = 1 the difference of two logarithms above.
    ProjectionParameters p;
    p.sigmaM = 1;
    p.e2 = 0.5;
    p.sigma0 = 2;
    p.fshift = 3;
    QCOMPARE(wideningSigma(p, 1, -100), 2.0);
    QCOMPARE(wideningSigma(p, 1, 1), 2.0);
    QCOMPARE(wideningSigma(p, 1, 6), 2.0 + 0.5 * std::log(2.0));
    QVERIFY(std::abs(wideningSigma(p, 10, 6) - (2.0 + 0.05 * std::log(2.0))) < 1e-14);
  }
};

HINESIGHT_TEST(TestKernelParameters)
#include "test_kernel_parameters.moc"
