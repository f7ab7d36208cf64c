#include "gl_test.hpp"
#include "test_main.hpp"

#include <QDockWidget>
#include <QLabel>
#include <QMainWindow>
#include <QProcess>
#include <QSignalSpy>
#include <QWheelEvent>

#include <vtkActor.h>
#include <vtkCallbackCommand.h>
#include <vtkCamera.h>
#include <vtkCellArray.h>
#include <vtkCommand.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkGenericRenderWindowInteractor.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderer.h>

#include <memory>
#include <vector>

using namespace hinesight;
using namespace hinesight::widgets;
using hinesight::test::distance;

namespace {

const QColor kTriangle(230, 120, 30);

/// A right triangle that covers the lower left half of the square from -1 to 1; the view shows -2 to 2.
void addTriangle(vtkRenderer* renderer)
{
  vtkNew<vtkPoints> points;
  points->InsertNextPoint(-1, -1, 0);
  points->InsertNextPoint(1, -1, 0);
  points->InsertNextPoint(-1, 1, 0);
  vtkNew<vtkCellArray> cells;
  cells->InsertNextCell({0, 1, 2});
  vtkNew<vtkPolyData> data;
  data->SetPoints(points);
  data->SetPolys(cells);
  vtkNew<vtkPolyDataMapper> mapper;
  mapper->SetInputData(data);
  vtkNew<vtkActor> actor;
  actor->SetMapper(mapper);
  actor->GetProperty()->LightingOff();
  actor->GetProperty()->SetColor(kTriangle.redF(), kTriangle.greenF(), kTriangle.blueF());
  renderer->AddActor(actor);
  vtkCamera* camera = renderer->GetActiveCamera();
  camera->ParallelProjectionOn();
  camera->SetParallelScale(2);
  camera->SetPosition(0, 0, 10);
  camera->SetFocalPoint(0, 0, 0);
  camera->SetClippingRange(1, 20);
}

/// The colour at logical coordinates, -2 to 2 over the height of the picture.
QColor at(const QImage& picture, double x, double y)
{
  const double unit = picture.height() / 4.0;
  return picture.pixelColor(static_cast<int>(picture.width() / 2.0 + x * unit),
                            static_cast<int>(picture.height() / 2.0 - y * unit));
}

void verifyTriangle(const QImage& picture)
{
  for (const auto& [x, y] : {std::pair(-0.9, -0.9), std::pair(0.7, -0.95), std::pair(-0.5, 0.4)}) {
    QVERIFY2(distance(at(picture, x, y), kTriangle) <= 1, qPrintable(at(picture, x, y).name()));
  }
  for (const auto& [x, y] : {std::pair(0.2, 0.2), std::pair(-1.1, 0.0), std::pair(1.8, 1.8), std::pair(-1.8, -1.8)}) {
    QVERIFY2(distance(at(picture, x, y), theme().canvas) <= 1, qPrintable(at(picture, x, y).name()));
  }
}

} // namespace

class TestVtkWidget : public QObject
{
  Q_OBJECT

private slots:
  void showsBackgroundAndTriangle()
  {
    VtkWidget widget;
    widget.resize(400, 300);
    addTriangle(widget.renderer());
    widget.show();
    QVERIFY(QTest::qWaitForWindowExposed(&widget));
    const QImage picture = widget.grabPicture();
    QCOMPARE(picture.size(), widget.size() * widget.devicePixelRatioF());
    verifyTriangle(picture);
  }

  /// The same test in a process of its own: the ratio is read once, when an application starts.
  void showsTheSameAtTwicePixelRatio()
  {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("QT_SCALE_FACTOR"), QStringLiteral("2"));
    process.setProcessEnvironment(environment);
    process.start(QCoreApplication::applicationFilePath(),
                  {QStringLiteral("test_vtk_widget"), QStringLiteral("showsBackgroundAndTriangle"),
                   QStringLiteral("scalesEvents")});
    QVERIFY(process.waitForFinished());
    QVERIFY2(process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0,
             process.readAllStandardOutput().constData());
  }

  void averagesSamplesOfAPixel()
  {
    VtkWidget widget;
    widget.resize(400, 300);
    addTriangle(widget.renderer());
    widget.setSupersampling(2);
    widget.show();
    QVERIFY(QTest::qWaitForWindowExposed(&widget));
    const QImage picture = widget.grabPicture();
    QCOMPARE(picture.size(), widget.size() * widget.devicePixelRatioF());
    verifyTriangle(picture);
    // Along the slope, pixels are neither triangle nor background but in between.
    int mixed = 0;
    for (int y = 0; y < picture.height(); ++y) {
      for (int x = 0; x < picture.width(); ++x) {
        const QColor color = picture.pixelColor(x, y);
        mixed += distance(color, kTriangle) > 8 && distance(color, theme().canvas) > 8;
      }
    }
    QVERIFY2(mixed > 100, qPrintable(QString::number(mixed)));
  }

  void showsChildWidgetsOverThePicture()
  {
    VtkWidget widget;
    widget.resize(400, 300);
    addTriangle(widget.renderer());
    auto* label = new QWidget(&widget);
    label->setAutoFillBackground(true);
    label->setPalette(QPalette(Qt::green));
    label->setGeometry(190, 190, 20, 20);
    widget.show();
    QVERIFY(QTest::qWaitForWindowExposed(&widget));
    const QImage picture = widget.grabPicture();
    const double ratio = widget.devicePixelRatioF();
    QCOMPARE(picture.pixelColor(static_cast<int>(200 * ratio), static_cast<int>(200 * ratio)),
             label->palette().color(QPalette::Window));
    QVERIFY(distance(at(picture, -0.9, -0.9), kTriangle) <= 1);
  }

  void survivesFloatingAndDocking()
  {
    QMainWindow window;
    auto* central = new VtkWidget;
    addTriangle(central->renderer());
    window.setCentralWidget(central);
    auto* dock = new QDockWidget;
    auto* widget = new VtkWidget;
    addTriangle(widget->renderer());
    widget->setMinimumSize(400, 200);
    dock->setWidget(widget);
    window.addDockWidget(Qt::RightDockWidgetArea, dock);
    window.resize(900, 400);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    verifyTriangle(widget->grabPicture());
    for (int round = 0; round < 2; ++round) {
      dock->setFloating(true);
      QVERIFY(QTest::qWaitForWindowExposed(dock));
      dock->resize(420, 330);
      verifyTriangle(widget->grabPicture());
      dock->setFloating(false);
      QCoreApplication::processEvents();
      verifyTriangle(widget->grabPicture());
      verifyTriangle(central->grabPicture());
    }
    // What the user sees, blended into the window, is the same as what the widget says.
    const QImage whole = window.grab().toImage();
    const double ratio = window.devicePixelRatioF();
    const QPoint corner = central->mapTo(&window, QPoint(3, 3)) * ratio;
    QVERIFY(distance(whole.pixelColor(corner), theme().canvas) <= 1);
  }

  void followsItsSize()
  {
    VtkWidget widget;
    widget.resize(300, 300);
    addTriangle(widget.renderer());
    widget.show();
    QVERIFY(QTest::qWaitForWindowExposed(&widget));
    verifyTriangle(widget.grabPicture());
    QSignalSpy changed(&widget, &VtkWidget::viewChanged);
    widget.resize(500, 340);
    QTRY_VERIFY(!changed.empty());
    verifyTriangle(widget.grabPicture());
    QCOMPARE(widget.renderWindow()->GetSize()[0], static_cast<int>(500 * widget.devicePixelRatioF()));
  }

  void isDestroyedInAnyOrder()
  {
    for (int round = 0; round < 3; ++round) {
      auto first = std::make_unique<VtkWidget>();
      auto second = std::make_unique<VtkWidget>();
      for (VtkWidget* widget : {first.get(), second.get()}) {
        widget->resize(200, 200);
        addTriangle(widget->renderer());
        widget->show();
        QVERIFY(QTest::qWaitForWindowExposed(widget));
        widget->grabPicture();
      }
      first.reset();
      verifyTriangle(second->grabPicture());
    }
    // Never shown: there is no context to give back.
    const auto unseen = std::make_unique<VtkWidget>();
    addTriangle(unseen->renderer());
  }

  void paintsWithoutRenderingAgain()
  {
    VtkWidget widget;
    widget.resize(300, 300);
    addTriangle(widget.renderer());
    widget.show();
    QVERIFY(QTest::qWaitForWindowExposed(&widget));
    widget.grabPicture();
    QSignalSpy rendered(&widget, &VtkWidget::rendered);
    verifyTriangle(widget.grab().toImage());
    QCOMPARE(rendered.size(), 0);
    widget.requestRender();
    verifyTriangle(widget.grab().toImage());
    QCOMPARE(rendered.size(), 1);
    QVERIFY(widget.lastRenderMilliseconds() > 0);
  }

  void rendersOnceHoweverOftenItIsResized()
  {
    QWidget window;
    window.resize(500, 400);
    VtkWidget widget(&window);
    widget.setGeometry(0, 0, 300, 300);
    addTriangle(widget.renderer());
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    widget.grabPicture();
    QCoreApplication::processEvents();
    QSignalSpy rendered(&widget, &VtkWidget::rendered);
    for (const int width : {320, 340, 360})
      widget.setGeometry(0, 0, width, 320);
    QCOMPARE(rendered.size(), 0);
    QTRY_COMPARE(rendered.size(), 1);
    verifyTriangle(widget.grab().toImage());
    QCOMPARE(rendered.size(), 1);
  }

  /// Also where the widget was hidden meanwhile, until the pieces of the next picture are all there.
  void thePictureBeforeStandsForTheNext()
  {
    QWidget window;
    window.resize(600, 500);
    VtkWidget widget(&window);
    widget.setGeometry(0, 0, 300, 300);
    addTriangle(widget.renderer());
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    widget.grabPicture();
    widget.requestPieces([](double) { return true; });
    for (const QSize& size : {QSize(500, 340), QSize(320, 200), QSize(440, 440)}) {
      widget.resize(size);
      QTest::qWait(20); // some pieces
      QVERIFY(widget.isInPieces());
      const QImage picture = widget.grabFramebuffer();
      QCOMPARE(picture.size(), size * widget.devicePixelRatioF());
      verifyTriangle(picture);
    }
    widget.hide();
    QTest::qWait(20);
    widget.show();
    QTest::qWait(20);
    QVERIFY(widget.isInPieces());
    verifyTriangle(widget.grabFramebuffer());
    widget.renderer()->SetBackground(0, 0, 1);
    QSignalSpy rendered(&widget, &VtkWidget::rendered);
    widget.requestRender();
    QTRY_VERIFY(!rendered.isEmpty());
    const QImage next = widget.grabFramebuffer();
    QVERIFY(distance(at(next, -0.9, -0.9), kTriangle) <= 1);
    QVERIFY(distance(at(next, 0.2, 0.2), Qt::blue) <= 1);
  }

  void scalesEvents()
  {
    VtkWidget widget;
    widget.resize(400, 300);
    widget.show();
    QVERIFY(QTest::qWaitForWindowExposed(&widget));
    QTest::mousePress(&widget, Qt::LeftButton, Qt::ShiftModifier, QPoint(100, 50));
    const double ratio = widget.devicePixelRatioF();
    const int* position = widget.interactor()->GetEventPosition();
    QCOMPARE(position[0], static_cast<int>(100 * ratio));
    QCOMPARE(position[1], static_cast<int>(300 * ratio) - 1 - static_cast<int>(50 * ratio));
    QCOMPARE(widget.interactor()->GetShiftKey(), 1);
    QCOMPARE(widget.interactor()->GetControlKey(), 0);
  }

  void gathersSmallWheelSteps()
  {
    VtkWidget widget;
    widget.resize(200, 200);
    int forwards = 0;
    int backwards = 0;
    const auto count = [](vtkObject*, unsigned long, void* counter, void*) { ++*static_cast<int*>(counter); };
    vtkNew<vtkCallbackCommand> onForward;
    onForward->SetCallback(count);
    onForward->SetClientData(&forwards);
    vtkNew<vtkCallbackCommand> onBackward;
    onBackward->SetCallback(count);
    onBackward->SetClientData(&backwards);
    widget.interactor()->AddObserver(vtkCommand::MouseWheelForwardEvent, onForward);
    widget.interactor()->AddObserver(vtkCommand::MouseWheelBackwardEvent, onBackward);
    const auto turn = [&](int delta) {
      QWheelEvent event(QPointF(50, 50), widget.mapToGlobal(QPointF(50, 50)), QPoint(), QPoint(0, delta), Qt::NoButton,
                        Qt::NoModifier, Qt::NoScrollPhase, false);
      QApplication::sendEvent(&widget, &event);
    };
    turn(50);
    turn(50);
    QCOMPARE(forwards, 0);
    turn(50);
    QCOMPARE(forwards, 1);
    turn(240);
    QCOMPARE(forwards, 3);
    turn(-150);
    QCOMPARE(backwards, 1);
    QCOMPARE(forwards, 3);
  }

  void runsTheInteractorsTimers()
  {
    VtkWidget widget;
    widget.resize(200, 200);
    std::vector<int> fired;
    vtkNew<vtkCallbackCommand> onTimer;
    onTimer->SetCallback([](vtkObject*, unsigned long, void* data, void* timer) {
      static_cast<std::vector<int>*>(data)->push_back(*static_cast<int*>(timer));
    });
    onTimer->SetClientData(&fired);
    widget.interactor()->AddObserver(vtkCommand::TimerEvent, onTimer);
    const int once = widget.interactor()->CreateOneShotTimer(1);
    const int again = widget.interactor()->CreateRepeatingTimer(1);
    QTRY_VERIFY(std::count(fired.begin(), fired.end(), again) >= 3);
    QCOMPARE(std::count(fired.begin(), fired.end(), once), 1);
    QCOMPARE(widget.interactor()->DestroyTimer(again), 1);
    fired.clear();
    const int last = widget.interactor()->CreateOneShotTimer(20);
    QTRY_VERIFY(!fired.empty());
    QCOMPARE(fired, std::vector<int>{last});
  }
};

HINESIGHT_TEST_RUN(hinesight::test::runGlTest<TestVtkWidget>)

#include "test_vtk_widget.moc"
