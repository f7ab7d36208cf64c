#include "core/error.hpp"
#include "model/project_changes.hpp"
#include "model/session_file.hpp"
#include "model/tags.hpp"
#include "study/circuit/circuit_neurons.hpp"
#include "test_main.hpp"

#include <QtTest>

#include <string>
#include <vector>

using namespace hinesight;
using namespace hinesight::model;

namespace {

using Tags = std::vector<std::string>;

/// What `make` throws, in words; empty: nothing.
std::string refusalOf(const auto& make)
{
  try {
    make();
    return {};
  } catch (const Error& error) {
    return error.message();
  }
}

Project withTags(const Tags& tags)
{
  Project project;
  project.cells.resize(1);
  project.cells[0].name = "a";
  project.cells[0].tags = tags;
  return project;
}

ReadSession parse(const std::string& tags)
{
  return parseSession(R"({"session": 1, "cells": [{"name": "a")" + tags + "}]}", "folder", "folder/a.hinesight");
}

} // namespace

class TestTags : public QObject
{
  Q_OBJECT

private slots:
  void areASetOfWords()
  {
    QVERIFY((tagsOf(" pyramidal, layer 5,,pyramidal ") == Tags{"layer 5", "pyramidal"}));
    QVERIFY(tagsOf("").empty() && tagsOf(" , ").empty());
    QCOMPARE(textOfTags({"layer 5", "pyramidal"}), std::string("layer 5, pyramidal"));
    QVERIFY((tagsOf(textOfTags({"a", "b c"})) == Tags{"a", "b c"}));
  }

  void longOnesAndManyAreRefused()
  {
    std::string longest; // of letters of two bytes
    for (std::size_t i = 0; i < kLongestTag; ++i)
      longest += "µ";
    QVERIFY((tagSet({longest}) == Tags{longest}));
    const auto refusalOfTag = [](const std::string& tag) { return refusalOf([&] { tagSet({tag}); }); };
    const std::string why = " will not do; it needs 1 to 64 characters, no comma and no control characters.";
    for (const std::string& tag : {longest + "m", std::string("a,b"), std::string("a\nb"), std::string("a\x7f")})
      QCOMPARE(refusalOfTag(tag), "The tag \"" + tag + "\"" + why);
    Tags many;
    for (std::size_t i = 0; i < kMostTags; ++i)
      many.push_back("tag" + std::to_string(i));
    QCOMPARE(tagSet(many).size(), kMostTags);
    many.push_back(many.front());
    QCOMPARE(tagSet(many).size(), kMostTags);
    many.emplace_back("one more");
    QCOMPARE(refusalOf([&] { tagSet(many); }), std::string("These are 33 tags; a cell has at most 32."));
    QVERIFY(!refusalOf([&] { validate(withTags(many)); }).empty());
    QVERIFY(refusalOf([&] { validate(withTags({"a"})); }).empty());
  }

  void areKeptInASession()
  {
    const Project project = withTags({"layer 5", "pyramidal"});
    QVERIFY(parseSession(sessionText(project, "folder"), "folder", "folder/a.hinesight").project.cells[0].tags ==
            project.cells[0].tags);
    QVERIFY(sessionText(withTags({}), "folder").find("tags") == std::string::npos);
    QVERIFY(parse("").project.cells[0].tags.empty());
    QVERIFY((parse(R"(, "tags": ["b", " a ", "b"])").project.cells[0].tags == Tags{"a", "b"}));
    QCOMPARE(refusalOf([] { parse(R"(, "tags": ["a,b"])"); }),
             std::string("The cell \"a\": The tag \"a,b\" will not do; it needs 1 to 64 characters, no comma and no "
                         "control characters."));
    QVERIFY(!refusalOf([] { parse(R"(, "tags": "a")"); }).empty());
  }

  void areSetByTheirPath()
  {
    Project project = withTags({"c"});
    setByPath(project, "cells.a.tags=b, a");
    QVERIFY((project.cells[0].tags == Tags{"a", "b"}));
    QVERIFY(!refusalOf([&] { setByPath(project, "cells.a.tags=" + std::string(65, 'x')); }).empty());
    QVERIFY((project.cells[0].tags == Tags{"a", "b"}));
    setByPath(project, "cells.a.tags=");
    QVERIFY(project.cells[0].tags.empty());
  }

  void aChangeOfThemIsAStepAndNoAssignment()
  {
    const std::vector<Change> changes = changesBetween(withTags({}), withTags({"a", "b"}));
    QVERIFY((changes == std::vector<Change>{{"cells.a.tags", "a: Tags none to a,b"}}));
    const std::vector<std::string> below{"cells."};
    QVERIFY(assignmentsBetween(withTags({}), withTags({"a"}), below).empty());
  }

  void noResultDependsOnThem()
  {
    Project project = withTags({});
    project.populations.resize(1);
    project.populations[0].placement.name = "E";
    project.populations[0].cells = {"a"};
    const Project before = study::partWith(project, {"E"});
    project.cells[0].tags = {"a"};
    project.cells[0].modified = "2026-03-01T12:34:56.789Z";
    QVERIFY(study::partWith(project, {"E"}) == before);
    project.cells[0].scale = 2;
    QVERIFY(study::partWith(project, {"E"}) != before);
  }
};

HINESIGHT_TEST(TestTags)

#include "test_tags.moc"
