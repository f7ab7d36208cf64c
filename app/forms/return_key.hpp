#pragma once

class QDialog;
class QPushButton;

namespace hinesight::app {

/// Return in a number, in a row of a form or in the cell of a table ends its edit alone; with Ctrl it presses the
/// button too, whose tooltip is to say so. Both live as long as the dialog.
void keepReturnInFields(QDialog* dialog, QPushButton* button);

} // namespace hinesight::app
