#include "widgets/theme.hpp"

#include "core/stage_timings.hpp"
#include "widgets/theme_scope.hpp"

#include <QApplication>
#include <QEvent>
#include <QLocale>
#include <QPointer>
#include <QStyle>
#include <QStyleFactory>
#include <QTimer>
#include <QWidget>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <iterator>
#include <optional>
#include <span>
#include <utility>
#include <vector>

/// A static library's resources are dropped by the linker unless something asks for them; the macro wants no namespace.
static void loadThemeImages()
{
  Q_INIT_RESOURCE(theme);
}

namespace hinesight::widgets {

namespace {

struct Shades
{
  QColor window;    ///< docks, bars
  QColor base;      ///< fields, tables
  QColor alternate; ///< every other row
  QColor button;
  QColor outline;
};

const Theme kDark = {ThemeMode::Dark,          QColor(0x12, 0x15, 0x1b), QColor(0x1c, 0x21, 0x2a, 225),
                     QColor(0xe8, 0xec, 0xf2), QColor(0x98, 0xa3, 0xb5), QColor(0x2d, 0x34, 0x40),
                     QColor(0x5b, 0x9d, 0xff), QColor(0x00, 0xff, 0xee), QColor(0xf2, 0xa9, 0x3b)};
const Shades kDarkShades = {QColor(0x1a, 0x1e, 0x26), QColor(0x13, 0x17, 0x1e), QColor(0x18, 0x1d, 0x25),
                            QColor(0x28, 0x2e, 0x3a), QColor(0x33, 0x3b, 0x49)};

const Theme kLight = {ThemeMode::Light,         QColor(0xfa, 0xfb, 0xfc), QColor(0xff, 0xff, 0xff, 230),
                      QColor(0x1a, 0x20, 0x2a), QColor(0x5b, 0x66, 0x78), QColor(0xd9, 0xde, 0xe6),
                      QColor(0x1f, 0x6f, 0xeb), QColor(0xaa, 0x00, 0xff), QColor(0xb3, 0x6b, 0x00)};
const Shades kLightShades = {QColor(0xf1, 0xf3, 0xf6), QColor(0xff, 0xff, 0xff), QColor(0xf6, 0xf8, 0xfa),
                             QColor(0xff, 0xff, 0xff), QColor(0xc9, 0xd0, 0xda)};

/// Behind the white text of what is chosen, in every theme: white can be read on it.
const QColor kChosenFill = kLight.accent;

const Theme kPrint = [] {
  Theme print = kLight;
  print.mode = ThemeMode::Print;
  print.canvas = Qt::white;
  return print;
}();

std::atomic<ThemeMode> modeOfAll = ThemeMode::Dark;
thread_local std::optional<ThemeMode> modeOfScope;

ThemeMode currentMode()
{
  return modeOfScope.value_or(modeOfAll);
}

// Okabe and Ito 2008, "Color Universal Design"; black, the eighth, is left out.
constexpr std::array<QRgb, 7> kOkabeIto = {0xffe69f00, 0xff56b4e9, 0xff009e73, 0xfff0e442,
                                           0xff0072b2, 0xffd55e00, 0xffcc79a7};

// Each is far from all before it (CIELAB distances of 21 and more), and clear of both canvases and of the colour of the
// selection. To readers without red or green only the seven are all told apart.
constexpr std::array<QRgb, 21> kBeyondOkabeIto = {
    0xffb4003c, 0xff4b6900, 0xff2dc300, 0xffff9687, 0xffa587ff, 0xff1e6969, 0xffa50f78,
    0xffb4b487, 0xff5ac3c3, 0xff87694b, 0xffff2d4b, 0xff968700, 0xff1e962d, 0xffff87f0,
    0xff963c0f, 0xffe11e78, 0xff8787b4, 0xff2d693c, 0xff0078f0, 0xff0087a5, 0xffc3965a};

// The same hues on light ground, as dark as a contrast of at least 3 takes. CIELAB distances of 19 and more; those of
// the seven of 12 and more to colour-blind readers, too.
constexpr std::array<QRgb, 7> kOkabeItoOnLight = {0xffb88800, 0xff3498d4, 0xff0c9c6c, 0xff948c38,
                                                  0xff0868a8, 0xffbc4c04, 0xffbc6c94};
constexpr std::array<QRgb, 21> kBeyondOkabeItoOnLight = {
    0xffb4003c, 0xff4b690f, 0xff00a500, 0xffe16969, 0xff9678f0, 0xff005a5a, 0xffa50f78,
    0xff879669, 0xff0f9696, 0xff87694b, 0xffff2d4b, 0xff789600, 0xff00872d, 0xffe15ac3,
    0xff872d0f, 0xffe11e78, 0xff9687b4, 0xff2d693c, 0xff0078f0, 0xff1e4b69, 0xffb4783c};

// Of the SWC types 0 to 7: undefined, which is grey, soma, axon, basal dendrite, apical dendrite, custom, unspecified
// neurite, glia.
constexpr std::array<QRgb, 8> kNamedTypes = {0xff9aa4b2,   kOkabeIto[3], kOkabeIto[1], kOkabeIto[5],
                                             kOkabeIto[6], kOkabeIto[2], kOkabeIto[0], kOkabeIto[4]};
// Their hues, darker: with a contrast of at least 3 to a light canvas, and told apart by colour-blind readers, too
// (CIELAB distances of 14 and more).
constexpr std::array<QRgb, 8> kNamedTypesOnLight = {0xff8b9097, 0xff969400, 0xff2899ce, 0xffb04500,
                                                    0xff994b78, 0xff078861, 0xff5a3c00, 0xff0865a5};

constexpr double kGoldenAngle = 0.381966; // of a turn

// Control points at equal distances, between which colours are interpolated linearly.
constexpr std::array<QRgb, 9> kViridis = {0xff440154, 0xff472d7b, 0xff3b528b, 0xff2c728e, 0xff21918c,
                                          0xff28ae80, 0xff5ec962, 0xffaddc30, 0xfffde725};
constexpr std::array<QRgb, 10> kCividis = {0xff00224e, 0xff123570, 0xff3b496c, 0xff575d6d, 0xff707173,
                                           0xff8a8678, 0xffa59c74, 0xffc3b369, 0xffe1cc55, 0xfffee838};
constexpr std::array<QRgb, 7> kDiverging = {0xff0b4f8a, 0xff3f8fca, 0xffa5cbe8, 0xfff3f3f1,
                                            0xfff3b98a, 0xffe07a2c, 0xffa84300};
// On the dark canvas the middle is dark, so that what is nearly nothing does not shine.
constexpr std::array<QRgb, 7> kDivergingDark = {0xff9ed2ff, 0xff4a9be0, 0xff2f5f88, 0xff3c3d3d,
                                                0xff8a5626, 0xffe0812e, 0xffffbe85};

// How much of a map would vanish into the canvas and is left out.
constexpr double kViridisHidden = 0.13;
constexpr double kCividisHidden = 0.24;

QColor interpolate(std::span<const QRgb> points, double fraction)
{
  const double position = std::clamp(fraction, 0.0, 1.0) * static_cast<double>(points.size() - 1);
  const auto index = std::min(static_cast<std::size_t>(position), points.size() - 2);
  const double weight = position - static_cast<double>(index);
  const auto mix = [weight](int low, int high) { return static_cast<int>(std::lround(low + weight * (high - low))); };
  const QRgb low = points[index];
  const QRgb high = points[index + 1];
  return {mix(qRed(low), qRed(high)), mix(qGreen(low), qGreen(high)), mix(qBlue(low), qBlue(high))};
}

/// Of controls that cannot be used: half way from what is said in passing to what it is said on.
QColor fadedText(const Theme& colors, const Shades& shades)
{
  const std::array ends = {shades.window.rgb(), colors.secondaryText.rgb()};
  return interpolate(ends, 0.5);
}

QPalette makePalette(const Theme& colors, const Shades& shades)
{
  QPalette palette;
  palette.setColor(QPalette::Window, shades.window);
  palette.setColor(QPalette::WindowText, colors.text);
  palette.setColor(QPalette::Base, shades.base);
  palette.setColor(QPalette::AlternateBase, shades.alternate);
  palette.setColor(QPalette::Text, colors.text);
  palette.setColor(QPalette::PlaceholderText, colors.secondaryText);
  palette.setColor(QPalette::Button, shades.button);
  palette.setColor(QPalette::ButtonText, colors.text);
  palette.setColor(QPalette::BrightText, Qt::white);
  palette.setColor(QPalette::ToolTipBase, shades.button);
  palette.setColor(QPalette::ToolTipText, colors.text);
  palette.setColor(QPalette::Highlight, kChosenFill);
  palette.setColor(QPalette::HighlightedText, Qt::white);
  palette.setColor(QPalette::Link, colors.accent);
  palette.setColor(QPalette::LinkVisited, colors.accent);
  palette.setColor(QPalette::Light, shades.outline);
  palette.setColor(QPalette::Midlight, shades.outline);
  palette.setColor(QPalette::Mid, shades.outline);
  palette.setColor(QPalette::Dark, shades.base);
  palette.setColor(QPalette::Shadow, shades.base);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
    palette.setColor(QPalette::Disabled, role, fadedText(colors, shades));
  palette.setColor(QPalette::Disabled, QPalette::Highlight, shades.outline);
  return palette;
}

/// Of buttons that are switched on: text and pictures in their own colour can be read on it.
QColor checkedFill(const Theme& colors, const Shades& shades)
{
  const std::array ends = {shades.window.rgb(), colors.accent.rgb()};
  return interpolate(ends, 0.5);
}

/// What the palette alone cannot say: flat docks, thin scroll bars, quiet headers.
QString makeStyleSheet(const Theme& colors, const Shades& shades)
{
  QString sheet = QStringLiteral(R"(
QToolTip { color: @text; background: @button; border: 1px solid @outline; padding: 2px 4px; font-size: 9pt; }
QMainWindow::separator { background: @canvas; width: 4px; height: 4px; }
QMainWindow::separator:hover { background: @accent; }
QDockWidget { titlebar-close-icon: none; titlebar-normal-icon: none; font-weight: 600; }
QDockWidget::title { background: @window; padding: 7px 10px; border-bottom: 1px solid @hairline; text-align: left; }
#dockTitle { background: @window; border-bottom: 1px solid @hairline; }
#dockTitle QLabel { font-weight: 600; }
QToolBar { background: @window; border: none; padding: 0; spacing: 2px; }
QMenuBar { background: @window; border-bottom: 1px solid @hairline; padding: 2px 4px; }
QMenuBar::item { padding: 4px 9px; border-radius: 4px; background: transparent; }
QMenuBar::item:selected { background: @button; }
QMenu { background: @window; border: 1px solid @outline; padding: 4px; }
QMenu::item { padding: 5px 26px 5px 22px; border-radius: 4px; }
QMenu::item:selected { background: @chosen; color: white; }
QMenu::item:disabled { color: @faded; }
QMenu::icon:checked { background: @button; border: 1px solid @accent; border-radius: 3px; }
QMenu::icon:checked:selected { background: transparent; border: 1px solid white; }
QMenu::separator { height: 1px; background: @hairline; margin: 4px 8px; }
QStatusBar { background: @window; border-top: 1px solid @hairline; }
QStatusBar::item { border: none; }
QTabBar::tab { background: transparent; color: @secondary; padding: 7px 14px; border: none; border-bottom: 2px solid transparent; }
QTabBar[tight="true"]::tab { padding: 7px 6px; }
QTabBar[icons="true"]::tab:!selected { padding: 7px 0px 7px 8px; }
QTabBar::tab:hover { color: @text; }
QTabBar QToolButton::left-arrow { image: url(:/theme/arrow_left.png); width: 10px; height: 10px; }
QTabBar QToolButton::right-arrow { image: url(:/theme/arrow_right.png); width: 10px; height: 10px; }
QTabBar::tab:selected { color: @text; border-bottom: 2px solid @accent; }
QTabWidget::pane { border: none; border-top: 1px solid @hairline; }
QHeaderView { background: @window; border: none; }
QHeaderView::section { background: @window; color: @secondary; border: none; border-bottom: 1px solid @hairline; padding: 5px 8px; }
QTableCornerButton::section { background: @window; border: none; }
QTableView, QTreeView, QListView { border: none; gridline-color: @hairline; selection-background-color: @chosen; selection-color: white; }
QAbstractScrollArea { border: none; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: @outline; border-radius: 3px; margin: 2px; min-width: 28px; min-height: 28px; }
QScrollBar::handle:hover { background: @secondary; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: none; }
QSlider::groove:horizontal { height: 4px; border-radius: 2px; background: @outline; }
QSlider::sub-page:horizontal { height: 4px; border-radius: 2px; background: @accent; }
QSlider::sub-page:horizontal:disabled { background: @outline; }
QSlider::handle:horizontal { width: 14px; height: 14px; margin: -5px 0; border-radius: 7px; background: @text; border: none; }
QSlider::handle:horizontal:hover { background: @accent; }
QSlider::handle:horizontal:disabled { background: @faded; }
QProgressBar { background: @outline; border: none; border-radius: 3px; max-height: 6px; text-align: center; }
QProgressBar::chunk { background: @accent; border-radius: 3px; }
QToolButton { border: 1px solid transparent; border-radius: 5px; padding: 3px 6px; color: @text; background: transparent; }
QToolButton:hover { background: @button; }
QToolButton:pressed { background: @outline; }
QToolButton:checked, QToolButton:checked:hover { background: @checked; border: 1px solid @accent; }
QToolButton:checked:disabled { background: @button; border-color: @outline; }
QToolButton:disabled { color: @faded; }
QToolButton[popupMode="1"] { padding-right: 16px; }
QToolButton::menu-button { width: 14px; border: none; background: transparent; }
QToolButton::menu-arrow { image: url(:/theme/arrow_down.png); width: 8px; height: 8px; }
QToolButton[groupHeader="true"], QToolButton[groupHeader="true"]:checked { border: none; border-radius: 0px;
  border-top: 1px solid @hairline; padding: 7px 8px; font-weight: 600; text-align: left; background: transparent; }
QToolButton[groupHeader="true"]:hover { background: @hairline; }
QToolButton[helpButton="true"], QToolButton[helpButton="true"]:checked { border: 1px solid @hairline; border-radius: 7px;
  padding: 0px; min-width: 13px; max-width: 13px; min-height: 13px; max-height: 13px; font-size: 8pt; color: @secondary; }
QToolButton[helpButton="true"]:hover, QToolButton[helpButton="true"]:checked { color: @accent; background: @button; border-color: @accent; }
QLabel[helpText="true"] { color: @secondary; padding: 2px 4px 6px 4px; }
QLabel[summary="true"] { border-top: 1px solid @hairline; }
QPushButton { background: @button; border: 1px solid @outline; border-radius: 5px; padding: 5px 14px; }
QPushButton:hover { border-color: @accent; }
QPushButton:pressed { background: @outline; }
QPushButton:checked, QPushButton:checked:hover { background: @checked; border-color: @accent; }
QPushButton:disabled { color: @faded; background: @window; border-color: @hairline; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QPushButton:default, QPushButton[primary="true"] { background: @chosen; border-color: @chosen; color: white; }
QPushButton:default:disabled, QPushButton[primary="true"]:disabled { color: @faded; background: @window; border-color: @hairline; }
QLineEdit, QAbstractSpinBox { background: @base; border: 1px solid @outline; border-radius: 5px; padding: 3px 6px; selection-background-color: @chosen; }
QComboBox { background: @button; border: 1px solid @outline; border-radius: 5px; padding: 3px 8px; color: @text; }
QComboBox:hover { border-color: @accent; }
QComboBox:disabled { color: @faded; background: @window; border-color: @hairline; }
QComboBox QAbstractItemView { background: @window; border: 1px solid @outline; selection-background-color: @chosen; selection-color: white; outline: none; }
QComboBox::drop-down { subcontrol-origin: padding; subcontrol-position: center right; width: 20px; border: none; }
QComboBox::down-arrow { image: url(:/theme/arrow_down.png); width: 10px; height: 10px; }
QAbstractSpinBox::up-button { subcontrol-origin: border; subcontrol-position: top right; width: 18px; border: none; margin: 1px; }
QAbstractSpinBox::down-button { subcontrol-origin: border; subcontrol-position: bottom right; width: 18px; border: none; margin: 1px; }
QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover { background: @button; }
QAbstractSpinBox::up-arrow { image: url(:/theme/arrow_up.png); width: 8px; height: 8px; }
QAbstractSpinBox::down-arrow { image: url(:/theme/arrow_down.png); width: 8px; height: 8px; }
QCheckBox, QRadioButton { spacing: 7px; }
QCheckBox::indicator, QRadioButton::indicator, QGroupBox::indicator, QAbstractItemView::indicator { width: 14px; height: 14px; border: 1px solid @secondary; background: @base; }
QCheckBox::indicator, QGroupBox::indicator, QAbstractItemView::indicator { border-radius: 4px; }
QRadioButton::indicator { border-radius: 8px; }
QCheckBox::indicator:hover, QRadioButton::indicator:hover { border-color: @accent; }
QCheckBox::indicator:checked, QGroupBox::indicator:checked, QAbstractItemView::indicator:checked { background: @accent; border-color: @accent; image: url(:/theme/tick.png); }
QRadioButton::indicator:checked { border: 4px solid @accent; width: 8px; height: 8px; background: white; }
QCheckBox::indicator:disabled, QRadioButton::indicator:disabled { border-color: @outline; background: @window; }
QCheckBox::indicator:checked:disabled, QGroupBox::indicator:checked:disabled { background: @outline; border-color: @outline; }
QRadioButton::indicator:checked:disabled { border: 4px solid @outline; background: @window; }
QCheckBox:disabled, QRadioButton:disabled, QLabel:disabled { color: @faded; }
QLineEdit:disabled, QAbstractSpinBox:disabled { color: @faded; background: @window; border-color: @hairline; }
QLineEdit:focus, QAbstractSpinBox:focus, QComboBox:focus, QPushButton:focus, QToolButton:focus { border-color: @accent; }
QToolButton[groupHeader="true"]:focus { border: 1px solid @accent; }
QPushButton:default:focus, QPushButton[primary="true"]:focus { border: 2px solid @text; }
QCheckBox:focus, QRadioButton:focus { color: @accent; }
QAbstractItemView:focus { border: 1px solid @accent; }
)");
  const std::pair<const char*, QColor> names[] = {{"@text", colors.text},
                                                  {"@secondary", colors.secondaryText},
                                                  {"@hairline", colors.hairline},
                                                  {"@accent", colors.accent},
                                                  {"@canvas", colors.canvas},
                                                  {"@window", shades.window},
                                                  {"@base", shades.base},
                                                  {"@button", shades.button},
                                                  {"@outline", shades.outline},
                                                  {"@faded", fadedText(colors, shades)},
                                                  {"@checked", checkedFill(colors, shades)},
                                                  {"@chosen", kChosenFill}};
  for (const auto& [name, color] : names) {
    sheet.replace(QLatin1String(name), color.name());
  }
  return sheet;
}

/// CIE 1976 L*a*b* of an sRGB colour under D65.
std::array<double, 3> labOf(const QColor& color)
{
  const auto linear = [](double value) {
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  const auto root = [](double share) { return share > 0.008856 ? std::cbrt(share) : 7.787 * share + 16.0 / 116; };
  const double red = linear(color.redF());
  const double green = linear(color.greenF());
  const double blue = linear(color.blueF());
  const double x = root((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505);
  const double y = root(0.2126 * red + 0.7152 * green + 0.0722 * blue);
  const double z = root((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089);
  return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

/// Of that hue and saturation, with a lightness of CIELAB.
QColor colorOfLightness(double hue, float saturation, double lightness)
{
  constexpr int kHalvings = 12;
  const auto at = [&](float share) { return QColor::fromHslF(static_cast<float>(hue), saturation, share).toRgb(); };
  float low = 0;
  float high = 1;
  for (int k = 0; k < kHalvings; ++k) {
    const float middle = (low + high) / 2;
    (labOf(at(middle))[0] < lightness ? low : high) = middle;
  }
  return at(low);
}

/// Of a category that has no place in the tables: hues a golden angle apart in five shades by turns. The first hue and
/// the shades keep 56 categories a distance of 8 in CIELAB from one another; on light ground the shades are dark enough
/// for a contrast of 3.
QColor categoryColorBeyond(std::int64_t index)
{
  constexpr float kSaturation = 0.6F;
  constexpr std::array<double, 5> kLightnessOnLight = {30, 38, 45, 52, 59};
  const bool isDark = currentMode() == ThemeMode::Dark;
  const double turns = (isDark ? 0.39 : 0.33) + kGoldenAngle * static_cast<double>(index);
  const double hue = turns - std::floor(turns);
  const auto shade = static_cast<std::size_t>(index % 5);
  return isDark
             ? QColor::fromHslF(static_cast<float>(hue), kSaturation, 0.58F - 0.05F * static_cast<float>(shade)).toRgb()
             : colorOfLightness(hue, kSaturation, kLightnessOnLight[shade]);
}

/// Of SWC types that have no colour of their own: hues a golden angle apart, with a contrast of at least 3 to both
/// canvases. The first hue, the lightness and the saturation keep types 8 to 19 a distance of 18 in CIELAB from one
/// another and from those that have a colour.
std::vector<QColor> makeColorsBeyond(std::size_t types)
{
  constexpr double kFirst = 0.28; // of a turn
  constexpr std::array<double, 3> kLightness = {44, 51, 58};
  constexpr std::array<float, 2> kSaturation = {1.0F, 0.4F};
  std::vector<QColor> colors(types);
  for (std::size_t type = 0; type < types; ++type) {
    const double turns = kFirst + kGoldenAngle * static_cast<double>(type);
    colors[type] = colorOfLightness(turns - std::floor(turns), kSaturation[type % 2], kLightness[type % 3]);
  }
  return colors;
}

/// Looked up, for a file may change its type with each sample. Types that far apart have one colour.
const QColor& typeColorBeyond(std::int32_t swcType)
{
  constexpr std::size_t kTypes = 1'008;
  static const std::vector<QColor> colors = makeColorsBeyond(kTypes);
  return colors[static_cast<std::size_t>(std::abs(static_cast<std::int64_t>(swcType))) % kTypes];
}

/// Whether one of them, of which some may not be valid, looks like that.
bool isAmong(const std::vector<QColor>& colors, const QColor& color)
{
  return std::ranges::any_of(colors,
                             [&color](const QColor& each) { return each.isValid() && looksAlike(each, color); });
}

/// The first category that looks like none of these; where all that are told apart do, that of the place.
QColor firstFree(const std::vector<QColor>& taken, std::int64_t place)
{
  constexpr std::int64_t kToldApart = 56;
  for (std::int64_t index = 0; index < kToldApart; ++index)
    if (const QColor category = categoryColor(index); !isAmong(taken, category))
      return category;
  return categoryColor(place);
}

/// Three significant figures without an exponent, trailing zeros dropped; `value` between 1e-4 and 1e15.
QString threeFigures(double value)
{
  const double magnitude = std::floor(std::log10(std::abs(value)));
  // Rounding may carry into the next power of ten, so round first and count decimals after.
  const double step = std::pow(10.0, magnitude - 2);
  const double rounded = std::round(value / step) * step;
  const int decimals = std::clamp(2 - static_cast<int>(std::floor(std::log10(std::abs(rounded)) + 1e-9)), 0, 7);
  QString text = QLocale(QLocale::English).toString(rounded, 'f', decimals);
  if (decimals > 0) {
    while (text.endsWith(u'0')) {
      text.chop(1);
    }
    if (text.endsWith(u'.')) {
      text.chop(1);
    }
  }
  return text;
}

} // namespace

const Theme& theme()
{
  switch (currentMode()) {
  case ThemeMode::Dark:
    return kDark;
  case ThemeMode::Light:
    return kLight;
  case ThemeMode::Print:
    break;
  }
  return kPrint;
}

namespace {

const Shades& shadesOf(ThemeMode mode)
{
  return mode == ThemeMode::Dark ? kDarkShades : kLightShades;
}

/// A new style sheet brings back the palettes that widgets had set for themselves under the old theme, and tells only
/// some of them; so every one is told.
void tellOfPalette(QWidget* widget)
{
  QEvent change(QEvent::PaletteChange);
  QCoreApplication::sendEvent(widget, &change);
}

/// Polishes all widgets for another style sheet, whose colours alone are others: no widget changes its size.
class Repolisher : public QObject
{
public:
  Repolisher()
  {
    timer.setInterval(0);
    connect(&timer, &QTimer::timeout, this, &Repolisher::polishSome);
  }

  void start()
  {
    const QWidgetList widgets = QApplication::allWidgets();
    rest.assign(widgets.begin(), widgets.end());
    // From the back: those that are not seen, then those that are.
    std::ranges::stable_partition(rest, [](const QWidget* widget) { return !widget->isVisible(); });
    toTell = rest;
    timer.start();
  }

  void stop() { timer.stop(); }

private:
  void polishSome()
  {
    constexpr int kSlice = 8; // ms
    const Stopwatch watch;
    while (!(rest.empty() && toTell.empty()) && watch.elapsed() < kSlice) {
      std::vector<QPointer<QWidget>>& from = rest.empty() ? toTell : rest;
      const QPointer<QWidget> widget = from.back();
      const bool isPolished = rest.empty();
      from.pop_back();
      if (!widget)
        continue;
      if (!isPolished)
        polish(*widget);
      tellOfPalette(widget);
      widget->update();
    }
    if (rest.empty() && toTell.empty())
      timer.stop();
  }

  static void polish(QWidget& widget)
  {
    widget.style()->polish(&widget);
    QEvent change(QEvent::StyleChange);
    QCoreApplication::sendEvent(&widget, &change);
  }

  QTimer timer;
  std::vector<QPointer<QWidget>> rest; ///< to be polished
  std::vector<QPointer<QWidget>>
      toTell; ///< once more: a widget loses, when polished, the palette that its view gave it
};

Repolisher& repolisher()
{
  static auto* made = new Repolisher; // it must not outlive the application's event loop, and has nothing to end
  return *made;
}

} // namespace

void setTheme(ThemeMode mode)
{
  static bool isApplied = false;
  if (isApplied && mode == modeOfAll)
    return; // every widget would be polished anew
  if (!std::exchange(isApplied, true))
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
  modeOfAll = mode;
  loadThemeImages();
  repolisher().stop();
  QApplication::setPalette(makePalette(theme(), shadesOf(mode)));
  qApp->setStyleSheet(makeStyleSheet(theme(), shadesOf(mode)));
  std::ranges::for_each(QApplication::allWidgets(), tellOfPalette);
}

void changeTheme(ThemeMode mode)
{
  if (mode == modeOfAll)
    return;
  modeOfAll = mode;
  // Once the style has forgotten which widgets have which rules, a style sheet polishes none of them.
  QApplication::style()->unpolish(qApp);
  QApplication::setPalette(makePalette(theme(), shadesOf(mode)));
  qApp->setStyleSheet(makeStyleSheet(theme(), shadesOf(mode)));
  repolisher().start();
}

WidgetThemeScope::WidgetThemeScope(QWidget& top)
{
  if (currentMode() == modeOfAll)
    return;
  changed = &top;
  for (QWidget* widget : QWidgetList{&top} + top.findChildren<QWidget*>())
    own.emplace_back(widget, widget->testAttribute(Qt::WA_SetPalette) ? widget->palette() : QPalette());
  // Text that no rule is about has the colour of the application's palette, unless one is about all.
  top.setStyleSheet(QStringLiteral("QWidget { color: %1; }").arg(theme().text.name()) +
                    makeStyleSheet(theme(), shadesOf(currentMode())));
  setPalettes([palette = makePalette(theme(), shadesOf(currentMode()))](const QPalette&) { return palette; });
}

WidgetThemeScope::~WidgetThemeScope()
{
  if (!changed)
    return;
  const ThemeScope scope(modeOfAll);
  changed->setStyleSheet({});
  setPalettes([](const QPalette& before) { return before; });
}

/// Of each by itself: a part that has a palette of its own does not follow what it is in.
void WidgetThemeScope::setPalettes(const std::function<QPalette(const QPalette&)>& paletteFor)
{
  for (const auto& [widget, palette] : own)
    widget->setPalette(paletteFor(palette));
  for (const auto& [widget, palette] : own)
    tellOfPalette(widget);
}

ThemeScope::ThemeScope(ThemeMode mode) : before(std::exchange(modeOfScope, mode)) {}

ThemeScope::~ThemeScope()
{
  modeOfScope = before;
}

QColor categoryColor(std::int64_t index)
{
  const bool isDark = currentMode() == ThemeMode::Dark;
  const auto& first = isDark ? kOkabeIto : kOkabeItoOnLight;
  const auto& others = isDark ? kBeyondOkabeIto : kBeyondOkabeItoOnLight;
  const auto size = static_cast<std::int64_t>(first.size());
  if (index < 0)
    return QColor::fromRgb(first[static_cast<std::size_t>(index % size + size) % first.size()]);
  const auto place = static_cast<std::size_t>(index);
  if (place < first.size())
    return QColor::fromRgb(first[place]);
  const std::size_t beyond = place - first.size();
  return beyond < others.size() ? QColor::fromRgb(others[beyond]) : categoryColorBeyond(index);
}

bool looksAlike(const QColor& a, const QColor& b)
{
  constexpr double kApart = 10; // the first 28 categories are about twice as far from one another, or more
  const auto first = labOf(a);
  const auto second = labOf(b);
  return std::hypot(first[0] - second[0], first[1] - second[1], first[2] - second[2]) < kApart;
}

QColor shownColor(const QColor& chosen)
{
  if (!chosen.isValid())
    return chosen;
  std::int64_t index = 0;
  const auto isOf = [&chosen, &index](const auto& dark, const auto& light) {
    for (std::size_t place = 0; place < dark.size(); ++place, ++index)
      if (chosen.rgba() == dark[place] || chosen.rgba() == light[place])
        return true;
    return false;
  };
  return isOf(kOkabeIto, kOkabeItoOnLight) || isOf(kBeyondOkabeIto, kBeyondOkabeItoOnLight) ? categoryColor(index)
                                                                                            : chosen;
}

std::vector<QColor> entryColors(const std::vector<QColor>& chosen)
{
  std::vector<QColor> taken;
  std::ranges::transform(chosen, std::back_inserter(taken), shownColor);
  std::vector<QColor> colors = taken;
  for (std::size_t place = 0; place < colors.size(); ++place)
    if (const QColor own = categoryColor(static_cast<std::int64_t>(place));
        !colors[place].isValid() && !isAmong(taken, own))
      colors[place] = own;
  for (std::size_t place = 0; place < colors.size(); ++place)
    if (!colors[place].isValid())
      colors[place] = firstFree(colors, static_cast<std::int64_t>(place));
  return colors;
}

QColor typeColor(std::int32_t swcType)
{
  const auto& named = currentMode() == ThemeMode::Dark ? kNamedTypes : kNamedTypesOnLight;
  if (swcType >= 0 && static_cast<std::size_t>(swcType) < named.size())
    return QColor::fromRgb(named[static_cast<std::size_t>(swcType)]);
  return typeColorBeyond(swcType);
}

QColor mapColor(ColorMap map, double fraction)
{
  if (map == ColorMap::Diverging) {
    return currentMode() == ThemeMode::Dark ? interpolate(kDivergingDark, fraction) : interpolate(kDiverging, fraction);
  }
  const bool isViridis = map == ColorMap::Viridis;
  const bool isDark = currentMode() == ThemeMode::Dark;
  const double first = !isDark ? 0 : isViridis ? kViridisHidden : kCividisHidden;
  const double last = isDark ? 1 : 1 - kViridisHidden;
  const double position = first + std::clamp(fraction, 0.0, 1.0) * (last - first);
  return isViridis ? interpolate(kViridis, position) : interpolate(kCividis, position);
}

QString formatNumber(double value)
{
  const double size = std::abs(value);
  if (!std::isfinite(value) || size == 0) {
    return QLocale::c().toString(value, 'g', 3);
  }
  if (size < 1e-4 || size >= 1e15) {
    return QString::number(value, 'g', 3);
  }
  if (value == std::round(value) || size >= 1000) {
    return QLocale(QLocale::English).toString(std::round(value), 'f', 0);
  }
  return threeFigures(value);
}

QString formatMilliseconds(double milliseconds)
{
  const double size = std::abs(milliseconds);
  if (size == 0) {
    return QStringLiteral("0 ms");
  }
  if (size >= 999.5) {
    return formatNumber(milliseconds / 1e3) + QStringLiteral(" s");
  }
  if (size >= 0.09995) {
    return formatNumber(milliseconds) + QStringLiteral(" ms");
  }
  if (size >= 0.0009995) {
    return formatNumber(milliseconds * 1e3) + QStringLiteral(" \u00b5s");
  }
  return formatNumber(milliseconds * 1e6) + QStringLiteral(" ns");
}

QString inText(std::string_view text)
{
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString colorByName(ColorBy colorBy)
{
  return inText(tableOf(colorBy)[static_cast<std::size_t>(colorBy)].label);
}

std::vector<ColorBy> allColorBys()
{
  std::vector<ColorBy> all;
  for (std::size_t rule = 0; rule < tableOf(ColorBy{}).size(); ++rule)
    all.push_back(static_cast<ColorBy>(rule));
  return all;
}

} // namespace hinesight::widgets
