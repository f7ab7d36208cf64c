#include "widgets/orbit/vtk_widget.hpp"

#include "core/stage_timings.hpp"
#include "widgets/theme.hpp"

#include <QMouseEvent>
#include <QOpenGLContext>
#include <QOpenGLExtraFunctions>
#include <QOpenGLFramebufferObject>
#include <QOpenGLFunctions>
#include <QPointer>
#include <QResizeEvent>
#include <QScopedValueRollback>
#include <QSurfaceFormat>
#include <QTimer>
#include <QWheelEvent>

#include <vtkAutoInit.h>
#include <vtkCommand.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkGenericRenderWindowInteractor.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkOpenGLState.h>
#include <vtkRenderer.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>
#include <utility>

// The implementations of VTK's interfaces, for all programs with a widget. vtk_module_autoinit would have every file
// know where the build lies.
VTK_MODULE_INIT(vtkInteractionStyle)
VTK_MODULE_INIT(vtkRenderingOpenGL2)

namespace hinesight::widgets {

namespace {

constexpr int kWheelStep = 120; // Qt's delta of one notch of a mouse wheel
constexpr int kLogicalDpi = 72; // VTK's text size at a device pixel ratio of 1

/// The interactor of a VtkWidget: timers run in Qt's event loop, and a request to render is merged with others until
/// the next paint.
class WidgetInteractor : public vtkGenericRenderWindowInteractor
{
public:
  static WidgetInteractor* New();

  QPointer<VtkWidget> widget;

  void Render() override
  {
    if (widget) {
      widget->requestRender();
    }
  }

  void dropTimers() { timers.clear(); }

protected:
  int InternalCreateTimer(int timerId, int timerType, unsigned long duration) override
  {
    auto timer = std::make_unique<QTimer>();
    timer->setSingleShot(timerType == OneShotTimer);
    QObject::connect(timer.get(), &QTimer::timeout, [this, timerId] { fire(timerId); });
    timer->start(static_cast<int>(duration));
    timers[timerId] = std::move(timer);
    return timerId;
  }

  int InternalDestroyTimer(int platformTimerId) override
  {
    const auto found = timers.find(platformTimerId);
    if (found == timers.end()) {
      return 0;
    }
    // The timer may be the one that is firing right now: stopped at once, deleted later.
    found->second->stop();
    found->second.release()->deleteLater();
    timers.erase(found);
    return 1;
  }

private:
  void fire(int timerId)
  {
    if (GetEnabled()) {
      InvokeEvent(vtkCommand::TimerEvent, &timerId);
    }
  }

  std::unordered_map<int, std::unique_ptr<QTimer>> timers;
};

vtkStandardNewMacro(WidgetInteractor);

} // namespace

class VtkWidget::Private
{
public:
  explicit Private(VtkWidget& owner) : widget(owner)
  {
    window->SetOwnContext(0);
    window->SetReadyForRendering(false);
    window->SetMultiSamples(0);
    window->SetFrameBlitModeToNoBlit();
    window->AddRenderer(renderer);
    observers = {window->AddObserver(vtkCommand::WindowMakeCurrentEvent, this, &Private::onMakeCurrent),
                 window->AddObserver(vtkCommand::WindowIsCurrentEvent, this, &Private::onIsCurrent),
                 window->AddObserver(vtkCommand::WindowFrameEvent, this, &Private::onFrame)};

    interactor->widget = &widget;
    interactor->SetRenderWindow(window);
    interactor->SetInteractorStyle(nullptr);
    interactor->Enable();
  }

  ~Private()
  {
    interactor->dropTimers();
    interactor->SetRenderWindow(nullptr);
    for (const unsigned long observer : observers) {
      window->RemoveObserver(observer);
    }
  }

  /// Frees what VTK holds in the context, which must be current.
  void releaseGraphics()
  {
    window->Finalize();
    window->SetReadyForRendering(false);
    kept.reset();
    shownSize = {};
    surface = nullptr;
  }

  /// Rendered pixels a logical pixel.
  double pixelRatio() const { return supersampling * widget.devicePixelRatioF(); }

  void resize()
  {
    const int width =
        std::max(1, supersampling * static_cast<int>(std::lround(widget.width() * widget.devicePixelRatioF())));
    const int height =
        std::max(1, supersampling * static_cast<int>(std::lround(widget.height() * widget.devicePixelRatioF())));
    window->SetSize(width, height);
    window->SetScreenSize(width, height);
    window->SetDPI(static_cast<int>(std::lround(kLogicalDpi * pixelRatio())));
    interactor->UpdateSize(width, height);
    interactor->ConfigureEvent();
    renderPending = true;
    lastPiece = 0; // of the old size
  }

  void render()
  {
    const Stopwatch stopwatch;
    vtkOpenGLState* state = window->GetState();
    // Qt changed the state behind VTK's back.
    state->Reset();
    state->Push();
    state->vtkglEnable(GL_DEPTH_TEST);
    state->vtkglDepthFunc(GL_LEQUAL);
    window->Render();
    state->Pop();
    // Drivers only queue the work; how long a frame takes decides how much detail the next one gets.
    widget.context()->functions()->glFinish();
    renderPending = false;
    milliseconds = stopwatch.elapsed();
  }

  void endPieces()
  {
    pieces.stop();
    nextPiece = nullptr;
  }

  /// Adds the next piece to VTK's picture. Nobody sees it before it is whole.
  void renderPiece()
  {
    if (!window->GetReadyForRendering() || !widget.isVisible())
      return pieces.stop(); // until the widget is seen
    widget.makeCurrent();
    surface = widget.context()->surface();
    const bool isFirst = lastPiece == 0;
    const bool hasMore = nextPiece(lastPiece);
    const double before = isFirst ? 0 : milliseconds;
    painting = true;
    renderer->SetErase(isFirst);
    render();
    renderer->SetErase(true);
    painting = false;
    widget.doneCurrent();
    lastPiece = std::max(milliseconds, 1e-3);
    milliseconds += before;
    if (hasMore)
      return;
    endPieces();
    isWhole = true;
    widget.update();
  }

  /// Qt makes another framebuffer: what this one shows stands for the next picture until that is there.
  void keepPicture()
  {
    isBlank = true;
    const QSize size = std::exchange(shownSize, QSize());
    if (size.isEmpty())
      return;
    widget.makeCurrent();
    kept = std::make_unique<QOpenGLFramebufferObject>(size);
    copy(widget.defaultFramebufferObject(), size, kept->handle(), QRect({0, 0}, size));
    window->GetState()->Reset();
  }

  /// The background, and in its middle the picture before, as large as there is room for it.
  void paintBefore()
  {
    clear();
    if (kept) {
      const QSize room = (QSizeF(widget.size()) * widget.devicePixelRatioF()).toSize();
      QRect place({0, 0}, kept->size().scaled(room, Qt::KeepAspectRatio));
      place.moveCenter(QRect({0, 0}, room).center());
      copy(kept->handle(), kept->size(), widget.defaultFramebufferObject(), place);
    }
    window->GetState()->Reset();
  }

  /// Leaves nothing in Qt's framebuffer but the background.
  void clear()
  {
    auto* gl = widget.context()->functions();
    const double* color = renderer->GetBackground();
    gl->glBindFramebuffer(GL_FRAMEBUFFER, widget.defaultFramebufferObject());
    gl->glDisable(GL_SCISSOR_TEST);
    gl->glClearColor(static_cast<float>(color[0]), static_cast<float>(color[1]), static_cast<float>(color[2]), 1);
    gl->glClear(GL_COLOR_BUFFER_BIT);
  }

  /// All of one framebuffer of the context to a place in another one.
  void copy(GLuint from, const QSize& size, GLuint to, const QRect& place)
  {
    auto* gl = widget.context()->extraFunctions();
    gl->glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
    gl->glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
    gl->glDisable(GL_SCISSOR_TEST);
    gl->glBlitFramebuffer(0, 0, size.width(), size.height(), place.left(), place.top(), place.left() + place.width(),
                          place.top() + place.height(), GL_COLOR_BUFFER_BIT,
                          size == place.size() ? GL_NEAREST : GL_LINEAR);
    gl->glBindFramebuffer(GL_FRAMEBUFFER, widget.defaultFramebufferObject());
  }

  /// Copies VTK's last picture to Qt's framebuffer.
  void blit()
  {
    auto* gl = widget.context()->extraFunctions();
    vtkOpenGLState* state = window->GetState();
    state->Reset();
    state->Push();
    gl->glBindFramebuffer(GL_DRAW_FRAMEBUFFER, widget.defaultFramebufferObject());
    const GLenum target = GL_COLOR_ATTACHMENT0;
    gl->glDrawBuffers(1, &target);
    gl->glDisable(GL_SCISSOR_TEST);
    const int* size = window->GetSize();
    shownSize = QSize(size[0], size[1]) / supersampling;
    window->BlitDisplayFramebuffer(0, 0, 0, size[0], size[1], 0, 0, shownSize.width(), shownSize.height(),
                                   GL_COLOR_BUFFER_BIT, supersampling > 1 ? GL_LINEAR : GL_NEAREST);
    kept.reset();
    isBlank = false;
    // Alpha below 1 would blend the scene with the window behind it.
    gl->glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_TRUE);
    gl->glClearColor(0, 0, 0, 1);
    gl->glClear(GL_COLOR_BUFFER_BIT);
    gl->glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    state->Pop();
  }

  void forward(const QSinglePointEvent& event, unsigned long command, int repeat = 0)
  {
    setPosition(event.position(), event.modifiers(), repeat);
    interactor->InvokeEvent(command);
  }

  void setPosition(const QPointF& position, Qt::KeyboardModifiers modifiers, int repeat)
  {
    const double ratio = pixelRatio();
    interactor->SetEventInformationFlipY(
        static_cast<int>(std::lround(position.x() * ratio)), static_cast<int>(std::lround(position.y() * ratio)),
        modifiers.testFlag(Qt::ControlModifier), modifiers.testFlag(Qt::ShiftModifier), 0, repeat);
    interactor->SetAltKey(modifiers.testFlag(Qt::AltModifier));
  }

  void wheel(const QWheelEvent& event)
  {
    // A touchpad sends many small deltas: one step of the wheel for every whole notch.
    wheelDelta += event.angleDelta().y();
    while (std::abs(wheelDelta) >= kWheelStep) {
      const bool forwards = wheelDelta > 0;
      forward(event, forwards ? vtkCommand::MouseWheelForwardEvent : vtkCommand::MouseWheelBackwardEvent);
      wheelDelta -= forwards ? kWheelStep : -kWheelStep;
    }
  }

  void key(const QKeyEvent& event, bool pressed)
  {
    const QByteArray text = event.text().toLatin1();
    interactor->SetKeyEventInformation(event.modifiers().testFlag(Qt::ControlModifier),
                                       event.modifiers().testFlag(Qt::ShiftModifier), text.isEmpty() ? '\0' : text[0],
                                       event.count(), QKeySequence(event.key()).toString().toLatin1().constData());
    interactor->InvokeEvent(pressed ? vtkCommand::KeyPressEvent : vtkCommand::KeyReleaseEvent);
    if (pressed && !text.isEmpty()) {
      interactor->InvokeEvent(vtkCommand::CharEvent);
    }
  }

  VtkWidget& widget;
  vtkNew<vtkGenericOpenGLRenderWindow> window;
  vtkNew<vtkRenderer> renderer;
  vtkNew<WidgetInteractor> interactor;
  std::array<unsigned long, 3> observers{};
  QMetaObject::Connection contextLoss;
  QSurface* surface = nullptr; ///< what QOpenGLWidget makes its context current with
  bool renderPending = true;
  bool isGrabbed = false;       ///< a picture of it is made, seen or not
  bool isResizedUnseen = false; ///< it gets that size when it is shown
  bool rendersLater = false;    ///< Qt wants something in a new framebuffer, whose size may change before it is seen
  QTimer pieces;                ///< runs while a picture is rendered in pieces
  std::function<bool(double)> nextPiece;
  double lastPiece = 0; ///< ms
  bool isWhole = false; ///< that picture is
  bool isBlank = true;  ///< nothing was painted in Qt's framebuffer
  QSize shownSize;      ///< of the picture in Qt's framebuffer, device pixels; empty: there is none
  std::unique_ptr<QOpenGLFramebufferObject> kept; ///< the picture before, until there is one in this framebuffer
  bool painting = false;
  int supersampling = 1;
  int wheelDelta = 0;
  double milliseconds = 0;

private:
  void onMakeCurrent(vtkObject*, unsigned long, void*)
  {
    // Never QOpenGLWidget::makeCurrent(): it would bind Qt's framebuffer in the middle of VTK's rendering.
    QOpenGLContext* context = widget.context();
    if (context && surface && QOpenGLContext::currentContext() != context) {
      context->makeCurrent(surface);
    }
  }

  void onIsCurrent(vtkObject*, unsigned long, void* answer)
  {
    *static_cast<bool*>(answer) = QOpenGLContext::currentContext() == widget.context();
  }

  void onFrame(vtkObject*, unsigned long, void*)
  {
    // Frames without a swap are passes that nobody is to see.
    if (!painting && window->GetSwapBuffers()) {
      widget.update();
    }
  }
};

VtkWidget::VtkWidget(QWidget* parent) : QOpenGLWidget(parent), d(std::make_unique<Private>(*this))
{
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setUpdateBehavior(QOpenGLWidget::PartialUpdate); // what is shown stays while a picture is rendered in pieces
  d->pieces.setObjectName(QStringLiteral("picturePieces"));
  connect(&d->pieces, &QTimer::timeout, this, [this] { d->renderPiece(); });
  connect(this, &QOpenGLWidget::aboutToResize, this, [this] { d->keepPicture(); });
  setMinimumSize(120, 40);
  const QColor canvas = theme().canvas;
  d->renderer->SetBackground(canvas.redF(), canvas.greenF(), canvas.blueF());
}

VtkWidget::~VtkWidget()
{
  disconnect(d->contextLoss);
  if (context()) {
    makeCurrent();
    d->releaseGraphics();
    doneCurrent();
  }
}

void VtkWidget::setDefaultSurfaceFormat()
{
  QSurfaceFormat format;
  format.setRenderableType(QSurfaceFormat::OpenGL);
  format.setVersion(3, 2);
  format.setProfile(QSurfaceFormat::CoreProfile);
  format.setDepthBufferSize(24);
  format.setRedBufferSize(8);
  format.setGreenBufferSize(8);
  format.setBlueBufferSize(8);
  format.setAlphaBufferSize(8);
  // VTK multisamples in its own framebuffer.
  format.setSamples(0);
  QSurfaceFormat::setDefaultFormat(format);
}

vtkGenericOpenGLRenderWindow* VtkWidget::renderWindow() const
{
  return d->window;
}

vtkGenericRenderWindowInteractor* VtkWidget::interactor() const
{
  return d->interactor;
}

vtkRenderer* VtkWidget::renderer() const
{
  return d->renderer;
}

void VtkWidget::setSupersampling(int factor)
{
  if (factor != d->supersampling) {
    d->supersampling = factor;
    d->resize();
    update();
  }
}

int VtkWidget::supersampling() const
{
  return d->supersampling;
}

double VtkWidget::pixelRatio() const
{
  return d->pixelRatio();
}

void VtkWidget::requestRender()
{
  d->endPieces();
  d->renderPending = true;
  update();
}

void VtkWidget::requestPieces(std::function<bool(double)> next)
{
  d->nextPiece = std::move(next);
  d->lastPiece = 0;
  d->isWhole = false;
  d->renderPending = false;
  d->pieces.start(0);
}

bool VtkWidget::isInPieces() const
{
  return d->nextPiece != nullptr;
}

QImage VtkWidget::grabPicture()
{
  d->endPieces();
  d->renderPending = true;
  d->isGrabbed = true;
  if (std::exchange(d->isResizedUnseen, false)) {
    QResizeEvent first(size(), QSize());
    QOpenGLWidget::resizeEvent(&first);
  }
  QImage picture = grab().toImage();
  d->isGrabbed = false;
  return picture;
}

double VtkWidget::lastRenderMilliseconds() const
{
  return d->milliseconds;
}

void VtkWidget::initializeGL()
{
  // Without shared contexts a widget that moves to another window gets a new context.
  d->contextLoss = connect(context(), &QOpenGLContext::aboutToBeDestroyed, this, [this] {
    makeCurrent();
    d->releaseGraphics();
    doneCurrent();
  });
  d->surface = context()->surface();
  d->window->SetForceMaximumHardwareLineWidth(1);
  d->window->SetReadyForRendering(true);
  d->window->InitializeFromCurrentContext();
  d->window->SetOwnContext(0);
  d->resize();
}

void VtkWidget::resizeGL(int, int)
{
  d->resize();
  emit viewChanged();
}

/// A picture of anything in a window gives all that is in it its size, also what was never seen. A context for each of
/// those would hold the window for a quarter of a second.
void VtkWidget::resizeEvent(QResizeEvent* event)
{
  const QScopedValueRollback later(d->rendersLater, !d->isGrabbed);
  if (isVisible() || context() || d->isGrabbed || !window()->isVisible())
    QOpenGLWidget::resizeEvent(event);
  else
    d->isResizedUnseen = true;
}

/// Qt has made the context by then.
void VtkWidget::showEvent(QShowEvent* event)
{
  QOpenGLWidget::showEvent(event);
  if (std::exchange(d->isResizedUnseen, false))
    resizeGL(width(), height());
  if (isInPieces())
    d->pieces.start(0);
}

void VtkWidget::paintGL()
{
  d->surface = context()->surface();
  if (isInPieces() || d->rendersLater) {
    if (std::exchange(d->isBlank, false))
      d->paintBefore();
    if (isInPieces())
      d->pieces.start(0);
    else
      update();
    return;
  }
  d->painting = true;
  const bool render = d->renderPending;
  if (render) {
    d->render();
    // Handlers of VTK's progress events may have made another context current.
    makeCurrent();
  }
  d->blit();
  d->painting = false;
  if (std::exchange(d->isWhole, false) || render) {
    emit rendered();
  }
}

bool VtkWidget::event(QEvent* event)
{
  if (event->type() == QEvent::Show) {
    const QScopedValueRollback later(d->rendersLater, true);
    return QOpenGLWidget::event(event);
  }
  const auto button = [](const QMouseEvent& mouse, unsigned long left, unsigned long middle, unsigned long right) {
    switch (mouse.button()) {
    case Qt::LeftButton:
      return left;
    case Qt::MiddleButton:
      return middle;
    case Qt::RightButton:
      return right;
    default:
      return static_cast<unsigned long>(vtkCommand::NoEvent);
    }
  };
  switch (event->type()) {
  case QEvent::MouseMove:
    d->forward(static_cast<QMouseEvent&>(*event), vtkCommand::MouseMoveEvent);
    break;
  case QEvent::MouseButtonPress:
  case QEvent::MouseButtonDblClick: {
    const auto& mouse = static_cast<QMouseEvent&>(*event);
    d->forward(mouse,
               button(mouse, vtkCommand::LeftButtonPressEvent, vtkCommand::MiddleButtonPressEvent,
                      vtkCommand::RightButtonPressEvent),
               event->type() == QEvent::MouseButtonDblClick ? 1 : 0);
    break;
  }
  case QEvent::MouseButtonRelease: {
    const auto& mouse = static_cast<QMouseEvent&>(*event);
    d->forward(mouse, button(mouse, vtkCommand::LeftButtonReleaseEvent, vtkCommand::MiddleButtonReleaseEvent,
                             vtkCommand::RightButtonReleaseEvent));
    break;
  }
  case QEvent::Wheel:
    d->wheel(static_cast<QWheelEvent&>(*event));
    event->accept();
    return true;
  case QEvent::KeyPress:
    d->key(static_cast<QKeyEvent&>(*event), true);
    break;
  case QEvent::KeyRelease:
    d->key(static_cast<QKeyEvent&>(*event), false);
    break;
  case QEvent::Enter:
    d->interactor->InvokeEvent(vtkCommand::EnterEvent);
    break;
  case QEvent::Leave:
    d->interactor->InvokeEvent(vtkCommand::LeaveEvent);
    break;
  default:
    break;
  }
  return QOpenGLWidget::event(event);
}

} // namespace hinesight::widgets
