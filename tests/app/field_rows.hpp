#pragma once

#include "app/forms/field_form.hpp"

#include <QLabel>
#include <QStringList>
#include <QWidget>

#include <string>
#include <vector>

namespace hinesight::app {

/// Names of the fields that no row of the panel shows with what is declared of them; names of rows begin with `prefix`.
inline QStringList fieldsWithoutRow(const QWidget& panel, const std::vector<BoundField>& fields, const QString& prefix)
{
  QStringList missing;
  for (const BoundField& field : fields) {
    const ParameterText text = parameterTextOf(field, prefix);
    const auto* label = panel.findChild<QLabel*>(text.id + QStringLiteral("Label"));
    if (!panel.findChild<QWidget*>(text.id + QStringLiteral("Row")) || !label || label->text() != text.label ||
        !label->toolTip().contains(text.help.toHtmlEscaped()))
      missing << QString::fromStdString(field.name);
  }
  return missing;
}

} // namespace hinesight::app
