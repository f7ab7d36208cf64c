#pragma once

#include "app/forms/parameter_group.hpp"
#include "app/forms/parameter_row.hpp"

#include <QVBoxLayout>

#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace hinesight::app {

/// Rows that show the members of a struct, grouped; a panel owns one. Members are named by a function that gives a
/// reference to them, and defaults are those of the struct.
template <typename Values>
class ParameterForm
{
public:
  using Condition = std::function<bool(const Values&)>;

  /// `edited(settled)`: a person changed a value; settled: no slider is being dragged.
  ParameterForm(QVBoxLayout* groupsOfPanel, QWidget* owningPanel, std::function<void(bool)> whenEdited)
      : groups(groupsOfPanel), owner(owningPanel), edited(std::move(whenEdited))
  {}

  QVBoxLayout* layout() const { return groups; }
  const Values& values() const { return current; }
  /// Shows them, without a word to whoever listens to edits.
  void setValues(const Values& values)
  {
    current = values;
    refresh();
  }

  /// Rows that are added from now on take a typed number when it is finished, not at every key.
  void takeTypedNumbersWhole() { takesWhole = true; }

  ParameterGroup* addGroup(const QString& id, const QString& title, const QString& help)
  {
    newestGroup = new ParameterGroup(id, title, help, owner);
    groups->addWidget(newestGroup);
    return newestGroup;
  }
  /// The one that rows are added to.
  ParameterGroup* group() const { return newestGroup; }

  template <typename Member>
  NumberRow* addNumber(const ParameterText& text, const NumberRange& range, Member member)
  {
    auto* row = new NumberRow(text, range, numberOf(Values{}, member), owner);
    QObject::connect(row, &NumberRow::released, owner, [this] { edited(true); });
    if (takesWhole)
      row->takeTypedNumberWhole();
    bind(row, member, [row] { return !row->isDragged(); });
    return row;
  }

  template <typename Member>
  ChoiceRow* addChoice(const ParameterText& text, const std::vector<ChoiceRow::Choice>& choices, Member member)
  {
    auto* row = new ChoiceRow(text, choices, numberOf(Values{}, member), owner);
    bind(row, member, [] { return true; });
    return row;
  }

  /// The row exists only while the condition holds.
  void showWhen(QWidget* row, Condition condition) { conditions.push_back({row, std::move(condition)}); }

  void refresh()
  {
    for (const Binding& binding : bindings)
      if (const double value = binding.read(current); binding.row->value() != value)
        binding.row->setValue(value);
    for (const Shown& shown : conditions)
      shown.row->setVisible(shown.when(current));
  }

private:
  struct Binding
  {
    ParameterRow* row;
    std::function<double(const Values&)> read;
  };
  struct Shown
  {
    QWidget* row;
    Condition when;
  };

  template <typename Member>
  static double numberOf(Values values, const Member& member)
  {
    return static_cast<double>(member(values));
  }

  template <typename Member, typename Settled>
  void bind(ParameterRow* row, Member member, Settled isSettled)
  {
    using Field = std::remove_reference_t<decltype(member(current))>;
    bindings.push_back({row, [member](const Values& values) { return numberOf(values, member); }});
    QObject::connect(row, &ParameterRow::valueChanged, owner, [this, member, isSettled](double value) {
      if constexpr (std::is_enum_v<Field>)
        member(current) = static_cast<Field>(static_cast<int>(value));
      else
        member(current) = static_cast<Field>(value);
      refresh();
      edited(isSettled());
    });
    newestGroup->addRow(row);
  }

  QVBoxLayout* groups;
  QWidget* owner;
  std::function<void(bool)> edited;
  ParameterGroup* newestGroup = nullptr;
  bool takesWhole = false;
  Values current;
  std::vector<Binding> bindings;
  std::vector<Shown> conditions;
};

} // namespace hinesight::app
