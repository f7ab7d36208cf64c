// Of every test program: runs the test that the first argument names, with the other arguments as Qt Test takes them.
#include "test_main.hpp"

#include <cstdio>
#include <filesystem>
#include <map>
#include <string>

namespace hinesight::tests {

namespace {

std::map<std::string, Run>& allTests()
{
  static std::map<std::string, Run> tests;
  return tests;
}

} // namespace

Registered::Registered(const char* file, Run run)
{
  allTests().emplace(std::filesystem::path(file).stem().string(), run);
}

} // namespace hinesight::tests

int main(int argc, char** argv)
{
  const auto& tests = hinesight::tests::allTests();
  if (const auto test = argc > 1 ? tests.find(argv[1]) : tests.end(); test != tests.end()) {
    argv[1] = argv[0];
    return test->second(argc - 1, argv + 1);
  }
  std::fputs("usage: TESTS NAME [options of Qt Test], NAME one of\n", stderr);
  for (const auto& [name, run] : tests)
    std::fprintf(stderr, "  %s\n", name.c_str());
  return 2;
}
