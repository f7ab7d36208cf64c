#pragma once

#include "core/fields.hpp"
#include "model/project.hpp"

#include <QDialog>
#include <QString>
#include <QStringList>

#include <functional>
#include <vector>

class QLabel;
class QPushButton;

namespace hinesight::app {

class FieldForm;
class ParameterGroup;

/// A text of a part of the circuit that names another one, such as its population.
struct PartName
{
  QString id; ///< of the combo box
  QString label;
  QString help;
  std::vector<std::string> names; ///< that can be chosen
  std::string* chosen;            ///< outlives the dialog
  QString none = {};              ///< what an empty name is called; empty: one has to be chosen
  QString another = {};           ///< what an entry is called by which one more is made; empty: there is none
  /// Makes it, in front of the dialog, and tells its name where a person goes through with it.
  std::function<void(QWidget* dialog, std::function<void(const std::string& name)> made)> makeAnother = {};
};

/// Asks for the fields of a part of the circuit: a model, a stimulus, what is recorded. It can be taken where `problem`
/// has nothing to say.
class PartDialog : public QDialog
{
  Q_OBJECT

public:
  struct Question
  {
    QString title;
    std::function<std::vector<BoundField>()> fields; ///< of values that outlive the dialog
    std::vector<std::string_view> without = {};      ///< fields without a row
    std::vector<std::string_view> greyed = {};       ///< where they do not apply; others are hidden
    std::vector<PartName> names = {};                ///< above the fields
    QStringList files = {};                          ///< filters of what the field "file" names, where there is one
    std::vector<model::MembraneEntry>* membrane = nullptr;
    std::function<QString()> problem;     ///< a sentence; empty: it can be taken
    std::function<QString()> remark = {}; ///< what is said where it can be taken
  };

  PartDialog(const Question& question, QWidget* parent);

protected:
  void resizeEvent(QResizeEvent* event) override;

private:
  void addName(const PartName& name, ParameterGroup* rows);
  void addChoose(const QStringList& filters);
  void refresh();
  void fitProblem();

  std::function<QString()> problemOf;
  std::function<QString()> remarkOf;
  FieldForm* form = nullptr;
  QLabel* problem;
  QPushButton* accept;
};

} // namespace hinesight::app
