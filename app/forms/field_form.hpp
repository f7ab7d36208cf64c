#pragma once

#include "app/forms/parameter_row.hpp"
#include "core/fields.hpp"

#include <QObject>
#include <QString>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

class QVBoxLayout;

namespace hinesight::app {

class ParameterGroup;

/// What a panel says of its form.
struct FieldFormOptions
{
  /// The row of a list. A TextRow is filled with its items, "0,1000,5; 2000,3000,5": their values by the order of
  /// their fields, of which the last may be left out. Null: it has none.
  using MakeRow = std::function<QWidget*(const BoundField& field, const ParameterText& text)>;

  QString prefix = {};                        ///< of the names of all widgets
  std::vector<std::string_view> without = {}; ///< fields without a row
  MakeRow makeRow = {};
};

/// The rows that show the fields of a struct of parameters, in their order, a foldable group a section. The widgets of
/// field "split-length" are named splitLengthRow, splitLengthSpin and so on. A field that does not apply is greyed, or
/// hidden where it says so; one of a group that does not apply is hidden. Ranges and defaults follow the fields. A
/// number that another one's edit puts out of its range becomes the nearest that its row can show.
class FieldForm : public QObject
{
  Q_OBJECT

public:
  /// Binds the fields of what is shown; called whenever a value is read or written.
  using Fields = std::function<std::vector<BoundField>()>;

  /// Adds groups to `groups`, whose widgets belong to `panel`.
  FieldForm(QVBoxLayout* groups, QWidget* panel, Fields fields, const FieldFormOptions& options = {});

  /// Of the field of that whole name; null where there is none.
  ParameterRow* row(std::string_view name) const;
  /// Of the section of that title; null where there is none.
  ParameterGroup* group(std::string_view title) const;
  /// Shows the values, without a signal.
  void refresh();
  /// A field that nobody can use here is hidden while it is at its default.
  void setOffered(std::string_view name, bool isOffered);

signals:
  /// A person changed a value; `settled`: no slider is held.
  void edited(bool settled);

private:
  void enter(const Section& section, const QString& prefix, QWidget* panel, QVBoxLayout* groups);
  void addRow(const BoundField& field, const FieldFormOptions& options);
  void take(const std::string& name, double number, bool settled);
  void takeText(const std::string& name, TextRow& row);
  void takeShown(std::vector<BoundField>& fields) const;

  const Fields fieldsOfValues;
  ParameterGroup* newest = nullptr; ///< the group that rows are added to
  std::map<std::string, ParameterRow*, std::less<>> rows;
  std::map<std::string, QWidget*, std::less<>> listRows; ///< that the panel fills
  std::map<std::string, ParameterGroup*, std::less<>> sections;
  std::set<std::string, std::less<>> unused; ///< names of fields that are not offered
};

/// What a row says of a field.
ParameterText parameterTextOf(const BoundField& field, const QString& prefix);
/// The numbers of a field, of a series those of each item.
NumberRange numberRangeOf(const BoundField& field);

} // namespace hinesight::app
