#pragma once

#include "app/forms/parameter_row.hpp"
#include "core/fields.hpp"

#include <QObject>
#include <QString>

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

class QVBoxLayout;

namespace hinesight::app {

class ParameterGroup;

/// The rows that show the fields of a struct of parameters, in their order, a foldable group a section. The widgets of
/// field "split-length" are named splitLengthRow, splitLengthSpin and so on. A field that does not apply is greyed, or
/// hidden where it says so; one of a group that does not apply is hidden. Texts, series and lists have no row.
class FieldForm : public QObject
{
  Q_OBJECT

public:
  /// Binds the fields of what is shown; called whenever a value is read or written.
  using Fields = std::function<std::vector<BoundField>()>;

  /// Adds groups to `groups`, whose widgets belong to `panel`. Names of widgets begin with `prefix`. Fields in
  /// `without` have no row.
  FieldForm(QVBoxLayout* groups, QWidget* panel, Fields fields, const QString& prefix = {},
            const std::vector<std::string_view>& without = {});

  /// Of the field of that whole name; null where there is none.
  ParameterRow* row(std::string_view name) const;
  /// Of the section of that title; null where there is none.
  ParameterGroup* group(std::string_view title) const;
  /// Shows the values, without a signal.
  void refresh();

signals:
  /// A person changed a value; `settled`: no slider is held.
  void edited(bool settled);

private:
  void addRow(const BoundField& field, const QString& prefix, QWidget* panel);
  void take(const std::string& name, double number, bool settled);

  const Fields fieldsOfValues;
  ParameterGroup* newest = nullptr; ///< the group that rows are added to
  std::map<std::string, ParameterRow*, std::less<>> rows;
  std::map<std::string, ParameterGroup*, std::less<>> sections;
};

/// A literal of the engine as text of the window.
QString textOfLiteral(std::string_view literal);

} // namespace hinesight::app
