#include "app/simulation/simulation_welcome.hpp"

#include "study/simulation/simulation_model.hpp"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace hinesight::app {

namespace {

constexpr int kMargin = 8;

} // namespace

SimulationWelcome::SimulationWelcome(const QString& ofFile, const QString& ofCircuit, QWidget* parent)
    : QScrollArea(parent)
{
  auto* empty = new QWidget;
  empty->setObjectName(QStringLiteral("simulationEmpty"));
  auto* column = new QVBoxLayout(empty);
  column->setContentsMargins(kMargin, 3 * kMargin, kMargin, 3 * kMargin);
  column->setSpacing(kMargin);
  column->addStretch(2);
  auto* words = new QLabel(tr("Open a cell with channels (a *_fit.json of the Allen Cell Types database, its SWC file "
                              "beside it, or an *.acc of Arbor) or a SONATA simulation configuration, or try one of "
                              "these:"));
  words->setObjectName(QStringLiteral("simulationWelcome"));
  words->setWordWrap(true);
  words->setAlignment(Qt::AlignHCenter);
  column->addWidget(words);
  auto* rows = new QVBoxLayout;
  rows->setSpacing(kMargin);
  const auto add = [rows](const QString& name, const QString& text, const QString& help) {
    auto* button = new QPushButton(text);
    button->setObjectName(name);
    button->setToolTip(help);
    rows->addWidget(button, 0, Qt::AlignHCenter);
    return button;
  };
  connect(add(QStringLiteral("simulationOpenModel"), tr("Open a model…"), ofFile), &QPushButton::clicked, this,
          &SimulationWelcome::openRequested);
  connect(add(QStringLiteral("simulationOwnCircuit"), tr("Session's circuit"), ofCircuit), &QPushButton::clicked, this,
          &SimulationWelcome::circuitRequested);
  int number = 0;
  for (const study::SampleModel& sample : study::sampleModels())
    connect(add(QStringLiteral("simulationSample%1").arg(++number), QString::fromStdString(sample.title),
                QString::fromStdString(sample.help)),
            &QPushButton::clicked, this,
            [this, path = QString::fromStdString(sample.path)] { emit sampleRequested(path); });
  column->addLayout(rows);
  column->addStretch(3);
  setObjectName(QStringLiteral("simulationEmptyScroll")); // in a small window it keeps a size at which it can be read
  setWidget(empty);
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
}

} // namespace hinesight::app
