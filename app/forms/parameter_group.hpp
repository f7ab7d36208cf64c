#pragma once

#include <QString>
#include <QWidget>

class QToolButton;
class QVBoxLayout;

namespace hinesight::app {

/// A titled part of the panel that folds.
class ParameterGroup : public QWidget
{
  Q_OBJECT

public:
  /// `id` names the widgets: header `idGroup`.
  ParameterGroup(const QString& id, const QString& title, const QString& help, QWidget* parent);
  /// Of rows that are yet to be added: one that is made elsewhere is polished anew when it is added.
  QWidget* parentOfRows() const { return body; }
  void addRow(QWidget* row);
  /// Above the others.
  void addFirstRow(QWidget* row);
  void setFolded(bool folded);

private:
  QToolButton* header;
  QWidget* body;
  QVBoxLayout* rows;
};

/// Fills an empty panel with a scroll area, of that name, that shows the groups. Returns the panel's own layout, for
/// what stands below it.
QVBoxLayout* scrollInPanel(QVBoxLayout* groups, QWidget* panel, const QString& name);

} // namespace hinesight::app
