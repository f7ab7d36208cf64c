#pragma once

class QLabel;
class QString;
class QWidget;

namespace hinesight::app {

/// A label of plain text, which goes on in the next line where it is longer than there is room for. A name in it is
/// shown as it was written, whatever its letters.
QLabel* wrappedLabel(const QString& name, QWidget* parent = nullptr);

} // namespace hinesight::app
