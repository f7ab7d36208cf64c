#pragma once

#include <QDir>
#include <QFileDialog>
#include <QLineEdit>

namespace hinesight::app {

/// Types a path into a dialog, unless it has it. Whether it has it now. To be called again while it has not: a dialog
/// writes over what is typed when it has read its folder, and, before it gets the keyboard, the name without its
/// folder.
inline bool typedPath(const QFileDialog& dialog, const QString& path)
{
  const auto has = [&] { return QDir::cleanPath(dialog.selectedFiles().value(0)).startsWith(QDir::cleanPath(path)); };
  if (has())
    return true;
  auto* line = dialog.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
  line->setFocus();
  line->selectAll();
  line->insert(path); // a completer would take part in what is typed
  return has();
}

} // namespace hinesight::app
