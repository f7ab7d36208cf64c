#pragma once

#include "core/fields.hpp"

#include <map>
#include <memory>
#include <span>
#include <typeindex>
#include <utility>
#include <vector>

namespace hinesight::hines {

namespace detail {

/// Settings of one type.
class HeldSettings
{
public:
  virtual ~HeldSettings() = default;
  virtual std::unique_ptr<HeldSettings> copy() const = 0;
  /// `other`: of the same type; null: the defaults.
  virtual bool equals(const HeldSettings* other) const = 0;
  virtual std::vector<BoundField> fields() = 0;
};

template <typename Settings>
class SettingsHolder final : public HeldSettings
{
public:
  std::unique_ptr<HeldSettings> copy() const override { return std::make_unique<SettingsHolder>(*this); }
  bool equals(const HeldSettings* other) const override
  {
    return value == (other ? static_cast<const SettingsHolder*>(other)->value : Settings{});
  }
  std::vector<BoundField> fields() override { return fieldsOf(value); }

  Settings value{};
};

} // namespace detail

/// A struct of settings that solvers read, with what it is called.
struct SettingsGroup
{
  FieldGroup about;
  std::type_index type = typeid(void);
  std::shared_ptr<const detail::HeldSettings> defaults;
  bool isDrawnAnyway = false; ///< views draw by it whatever solves
};

template <typename Settings>
SettingsGroup settingsGroup(const FieldGroup& about, bool isDrawnAnyway = false)
{
  return {about, typeid(Settings), std::make_shared<const detail::SettingsHolder<Settings>>(), isDrawnAnyway};
}

/// The settings of all solvers, in the order of these.
std::span<const SettingsGroup> solverSettings();

/// The settings of any solvers, by their type: plain structs with defaults, fields and an operator==. A value: a copy
/// is independent, and equal where all settings are.
class SolverSettings
{
public:
  SolverSettings(); ///< the defaults of all solvers
  SolverSettings(SolverSettings&&) noexcept = default;
  SolverSettings& operator=(SolverSettings&&) noexcept = default;
  SolverSettings(const SolverSettings& other)
  {
    for (const auto& [type, settings] : other.held)
      held.emplace(type, settings->copy());
  }
  SolverSettings& operator=(const SolverSettings& other) { return *this = SolverSettings(other); }
  ~SolverSettings() = default;

  template <typename Settings>
  const Settings& of() const
  {
    static const Settings defaults{};
    const auto found = held.find(typeid(Settings));
    return found == held.end() ? defaults : static_cast<const Holder<Settings>&>(*found->second).value;
  }
  /// Stays where it is until the whole is assigned to.
  template <typename Settings>
  Settings& of()
  {
    auto found = held.find(typeid(Settings));
    if (found == held.end())
      found = held.emplace(typeid(Settings), std::make_unique<Holder<Settings>>()).first;
    return static_cast<Holder<Settings>&>(*found->second).value;
  }

  /// The fields of those settings.
  std::vector<BoundField> fieldsOf(const SettingsGroup& group)
  {
    auto found = held.find(group.type);
    if (found == held.end())
      found = held.emplace(group.type, group.defaults->copy()).first;
    return found->second->fields();
  }

  /// Whether those settings are the same in both.
  bool agreesOn(const SettingsGroup& group, const SolverSettings& other) const
  {
    const detail::HeldSettings* mine = find(group);
    const detail::HeldSettings* theirs = other.find(group);
    return mine ? mine->equals(theirs) : !theirs || theirs->equals(nullptr);
  }

  bool operator==(const SolverSettings& other) const { return agreesWith(other) && other.agreesWith(*this); }

private:
  template <typename Settings>
  using Holder = detail::SettingsHolder<Settings>;

  /// Null: the defaults.
  const detail::HeldSettings* find(const SettingsGroup& group) const
  {
    const auto found = held.find(group.type);
    return found == held.end() ? nullptr : found->second.get();
  }

  /// In what is held here.
  bool agreesWith(const SolverSettings& other) const
  {
    for (const auto& [type, settings] : held) {
      const auto found = other.held.find(type);
      if (!settings->equals(found == other.held.end() ? nullptr : found->second.get()))
        return false;
    }
    return true;
  }

  std::map<std::type_index, std::unique_ptr<detail::HeldSettings>> held;
};

} // namespace hinesight::hines
