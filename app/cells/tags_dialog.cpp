#include "app/cells/tags_dialog.hpp"

#include "app/cells/cell_list_model.hpp"
#include "app/forms/help_text.hpp"
#include "app/forms/wrapped_label.hpp"
#include "core/error.hpp"
#include "model/tags.hpp"

#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <iterator>

namespace hinesight::app {

namespace {

constexpr int kWidth = 440; // pixels

QString inWords(const std::vector<std::string>& tags)
{
  return QString::fromStdString(model::textOfTags(tags));
}

} // namespace

TagsDialog::TagsDialog(CellListModel* list, const std::vector<int>& rows, QWidget* parent)
    : QDialog(parent), model(list)
{
  setObjectName(QStringLiteral("tagsDialog"));
  describe(this, {tr("Tags"), tr("Changes the tags of all chosen cells, in one step that can be undone."),
                  QStringLiteral("Cells")});
  setAttribute(Qt::WA_DeleteOnClose);
  setMinimumWidth(kWidth);
  Tags ofAny;
  for (const int row : rows) {
    const OpenCell& cell = model->cells()[static_cast<std::size_t>(row)];
    Tags ofAll;
    std::ranges::set_intersection(shared, cell.tags, std::back_inserter(ofAll));
    shared = cells.empty() ? cell.tags : ofAll;
    ofAny.insert(ofAny.end(), cell.tags.begin(), cell.tags.end());
    cells.push_back(cell.key);
  }
  std::ranges::sort(ofAny);
  const auto repeated = std::ranges::unique(ofAny);
  ofAny.erase(repeated.begin(), repeated.end());
  Tags ofSome;
  std::ranges::set_difference(ofAny, shared, std::back_inserter(ofSome));

  setWindowTitle(rows.size() == 1 ? tr("Tags of %1").arg(model->index(rows.front()).data().toString())
                                  : tr("Tags of %1 cells").arg(rows.size()));
  field = new QLineEdit(inWords(shared), this);
  field->setObjectName(QStringLiteral("cellTags"));
  field->setPlaceholderText(tr("pyramidal, layer 5"));
  field->setToolTip(tr("Tags of the chosen cells, a comma between two of them; up to %1 a cell, of up to %2 characters")
                        .arg(model::kMostTags)
                        .arg(model::kLongestTag));
  field->setClearButtonEnabled(true);
  auto* rest = wrappedLabel(QStringLiteral("tagsOfSome"), this);
  rest->setText(tr("Some of these cells have more tags, which stay: %1").arg(inWords(ofSome)));
  rest->setVisible(!ofSome.empty());
  problem = wrappedLabel(QStringLiteral("tagsProblem"), this);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  keepButton = buttons->button(QDialogButtonBox::Ok);
  keepButton->setToolTip(tr("Keep these tags in the session, in one step; undo takes them back (Return)"));
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(field, &QLineEdit::textChanged, this, &TagsDialog::refresh);
  auto* column = new QVBoxLayout(this);
  for (QWidget* part : std::initializer_list<QWidget*>{field, rest, problem, buttons})
    column->addWidget(part);
  refresh();
}

/// The tags of each cell that is still open, by its row. Throws Error(BadParameter) where one cannot have them.
std::vector<std::pair<int, TagsDialog::Tags>> TagsDialog::wanted() const
{
  const Tags entered = model::tagsOf(field->text().toStdString());
  std::vector<std::pair<int, Tags>> all;
  for (const std::uint64_t key : cells) {
    const int row = model->rowOfKey(key);
    if (row < 0)
      continue;
    Tags tags = entered;
    std::ranges::set_difference(model->cells()[static_cast<std::size_t>(row)].tags, shared, std::back_inserter(tags));
    all.emplace_back(row, model::tagSet(std::move(tags)));
  }
  return all;
}

void TagsDialog::refresh()
{
  QString sentence;
  try {
    wanted();
  } catch (const Error& error) {
    sentence = QString::fromStdString(error.message());
  }
  problem->setText(sentence);
  problem->setVisible(!sentence.isEmpty());
  keepButton->setEnabled(sentence.isEmpty());
}

void TagsDialog::accept()
{
  model->setTags(wanted());
  QDialog::accept();
}

} // namespace hinesight::app
