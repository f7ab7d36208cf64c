#pragma once

#include <QCoreApplication>
#include <QTest>

namespace hinesight::tests {

using Run = int (*)(int argc, char** argv);

/// Adds a test to its program, under the name of its file: test_plan.cpp is run by `tests_hines test_plan`.
struct Registered
{
  Registered(const char* file, Run run);
};

/// Runs a test object in an application of its own.
template <typename Test, typename Application = QCoreApplication>
int runTest(int argc, char** argv)
{
  Application application(argc, argv);
  Test test;
  return QTest::qExec(&test, argc, argv);
}

} // namespace hinesight::tests

/// Stands at the end of a test's file. The tests of a folder are one program; `run` sets up what its test needs.
#define HINESIGHT_TEST_RUN(...) static const hinesight::tests::Registered registered(__FILE__, __VA_ARGS__);

/// The same for a test that needs no window.
#define HINESIGHT_TEST(Test) HINESIGHT_TEST_RUN(hinesight::tests::runTest<Test>)
