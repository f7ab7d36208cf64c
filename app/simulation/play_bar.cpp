#include "app/simulation/play_bar.hpp"

#include "app/forms/groove_slider.hpp"
#include "app/simulation/simulation_runner.hpp"
#include "widgets/choice_box.hpp"

#include <QHBoxLayout>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

namespace hinesight::app {

namespace {

constexpr int kMargin = 8;
constexpr int kScrubSteps = 1000;

/// Play speeds, ms of simulated time a second.
struct PlaySpeed
{
  double speed;
  const char* text;
};
constexpr PlaySpeed kSpeeds[] = {
    {SimulationRunner::kAsFastAsItGoes, QT_TRANSLATE_NOOP("PlayBar", "as fast as it goes")},
    {1000, QT_TRANSLATE_NOOP("PlayBar", "1,000 ms a second (real time)")},
    {300, QT_TRANSLATE_NOOP("PlayBar", "300 ms a second")},
    {100, QT_TRANSLATE_NOOP("PlayBar", "100 ms a second")},
    {30, QT_TRANSLATE_NOOP("PlayBar", "30 ms a second")},
    {10, QT_TRANSLATE_NOOP("PlayBar", "10 ms a second")},
    {3, QT_TRANSLATE_NOOP("PlayBar", "3 ms a second")},
    {1, QT_TRANSLATE_NOOP("PlayBar", "1 ms a second")},
    {0.3, QT_TRANSLATE_NOOP("PlayBar", "0.3 ms a second")},
    {0.1, QT_TRANSLATE_NOOP("PlayBar", "0.1 ms a second")},
};
constexpr int kUsualSpeed = 4;

} // namespace

PlayBar::PlayBar(QWidget* parent)
    : QWidget(parent), scrub(new GrooveSlider), newestButton(new QToolButton), speedBox(new widgets::ChoiceBox),
      movieButton(new QPushButton(tr("Movie…")))
{
  scrub->setObjectName(QStringLiteral("simulationScrub"));
  scrub->setToolTip(tr("Look back through the frames that are kept; the right end is the newest. Times in ms"));
  scrub->setRange(0, kScrubSteps);
  scrub->setValue(kScrubSteps);
  newestButton->setObjectName(QStringLiteral("simulationNewest"));
  newestButton->setText(tr("Newest"));
  newestButton->setToolTip(tr("Show the newest frame again, ms by ms as it runs"));
  newestButton->setAutoRaise(true);
  speedBox->setObjectName(QStringLiteral("simulationSpeed"));
  speedBox->setToolTip(tr("How much simulated time plays in a second, at most; in ms"));
  std::vector<widgets::ChoiceBox::Entry> entries;
  for (const PlaySpeed& speed : kSpeeds)
    entries.push_back({tr(speed.text), {}});
  speedBox->setEntries(entries);
  speedBox->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  constexpr int kLetters = 14;
  speedBox->setMinimumContentsLength(kLetters);
  speedBox->setCurrentIndex(kUsualSpeed);
  movieButton->setObjectName(QStringLiteral("simulationMovie"));
  movieButton->setToolTip(tr("Write the frames that are kept as PNG pictures into a folder, a picture each 1/30 s of "
                             "the play speed (ms a second)"));
  connect(scrub, &QSlider::valueChanged, this, [this](int value) {
    emit looked(value >= kScrubSteps ? std::nullopt : std::optional(static_cast<double>(value) / kScrubSteps));
  });
  connect(newestButton, &QToolButton::clicked, this, [this] { emit looked(std::nullopt); });
  connect(speedBox, &QComboBox::currentIndexChanged, this,
          [this](int place) { emit speedChanged(kSpeeds[place].speed); });
  connect(movieButton, &QPushButton::clicked, this, &PlayBar::movieRequested);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(kMargin, kMargin / 2, kMargin, kMargin / 2);
  row->setSpacing(kMargin);
  row->addWidget(scrub, 1);
  row->addWidget(newestButton);
  row->addWidget(speedBox);
  row->addWidget(movieButton);
}

void PlayBar::setFrames(const study::FrameRing& frames, std::optional<double> time)
{
  const QSignalBlocker blocker(scrub);
  scrub->setEnabled(frames.size() > 1);
  newestButton->setEnabled(time.has_value());
  movieButton->setEnabled(frames.size() > 1);
  if (!time || frames.size() < 2)
    return scrub->setValue(kScrubSteps);
  const double first = frames[0]->time;
  const double last = frames[frames.size() - 1]->time;
  scrub->setValue(
      std::min(kScrubSteps - 1, static_cast<int>(std::lround(kScrubSteps * (*time - first) / (last - first)))));
}

void PlayBar::setSpeed(double millisecondsPerSecond)
{
  const auto found = std::ranges::find(kSpeeds, millisecondsPerSecond, &PlaySpeed::speed);
  if (found != std::end(kSpeeds))
    speedBox->setCurrentIndex(static_cast<int>(found - std::begin(kSpeeds)));
}

double PlayBar::speed() const
{
  return kSpeeds[speedBox->currentIndex()].speed;
}

QString PlayBar::speedInWords() const
{
  return speedBox->currentText();
}

} // namespace hinesight::app
