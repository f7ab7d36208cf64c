#include "core/error.hpp"
#include "test_main.hpp"

#include <QTest>

using namespace hinesight;

class TestError : public QObject
{
  Q_OBJECT

private slots:
  void namesFileAndLineInFront_data()
  {
    QTest::addColumn<QString>("file");
    QTest::addColumn<qint64>("line");
    QTest::addColumn<QString>("expected");
    QTest::newRow("file and line") << "cell.swc" << qint64{12} << "cell.swc:12: the radius is no number";
    QTest::newRow("file") << "cell.swc" << qint64{0} << "cell.swc: the radius is no number";
    QTest::newRow("neither") << "" << qint64{0} << "the radius is no number";
  }
  void namesFileAndLineInFront()
  {
    QFETCH(QString, file);
    QFETCH(qint64, line);
    QFETCH(QString, expected);
    const Error error(ErrorCode::BadFormat, "the radius is no number", file.toStdString(), line);
    QCOMPARE(QString(error.what()), expected);
    QCOMPARE(error.message(), std::string("the radius is no number"));
    QCOMPARE(error.file(), file.toStdString());
    QCOMPARE(error.line(), line);
    QVERIFY(error.code() == ErrorCode::BadFormat);
  }

  void hasAStableNameForEveryCode()
  {
    const std::pair<ErrorCode, std::string_view> names[] = {
        {ErrorCode::FileNotFound, "fileNotFound"},   {ErrorCode::FileUnreadable, "fileUnreadable"},
        {ErrorCode::BadFormat, "badFormat"},         {ErrorCode::BadParameter, "badParameter"},
        {ErrorCode::NoDevice, "noDevice"},           {ErrorCode::OutOfMemory, "outOfMemory"},
        {ErrorCode::Cancelled, "cancelled"},         {ErrorCode::WriteFailed, "writeFailed"},
        {ErrorCode::DeviceFailure, "deviceFailure"}, {ErrorCode::VerificationFailed, "verificationFailed"},
        {ErrorCode::Unexpected, "unexpected"}};
    for (const auto& [code, name] : names)
      QCOMPARE(errorCodeName(code), name);
  }
};

HINESIGHT_TEST(TestError)
#include "test_error.moc"
