#pragma once

#include <QImage>
#include <QOpenGLWidget>
#include <QRectF>

#include <functional>
#include <memory>

class vtkRenderer;
class vtkGenericOpenGLRenderWindow;
class vtkGenericRenderWindowInteractor;

namespace hinesight::widgets {

/// The bridge between Qt 6 and VTK: a QOpenGLWidget that owns a vtkGenericOpenGLRenderWindow and its interactor. VTK
/// renders into its own framebuffer when `requestRender` was called; painting only copies the last picture. In another
/// size that picture stays, smaller or larger, until the next one is there. Mouse, wheel and key events go to the
/// interactor with device pixels. Before QApplication: Qt::AA_ShareOpenGLContexts and `setDefaultSurfaceFormat`.
class VtkWidget : public QOpenGLWidget
{
  Q_OBJECT

public:
  explicit VtkWidget(QWidget* parent = nullptr);
  ~VtkWidget() override;

  /// OpenGL 3.2 core, 24-bit depth, no samples.
  static void setDefaultSurfaceFormat();

  vtkGenericOpenGLRenderWindow* renderWindow() const;
  vtkGenericRenderWindowInteractor* interactor() const;
  vtkRenderer* renderer() const; ///< the one renderer, already added

  /// Renders the scene before the next paint. Cheap to call often.
  void requestRender();
  /// The same in pieces with events between, for a picture that takes long: what is shown stays until it is whole.
  /// `next`: prepares the scene for the next piece, knowing how long the last one took (ms; 0: this is the first one,
  /// perhaps once more); whether there is another one after it. A request to render, or another one of this kind, ends
  /// it.
  void requestPieces(std::function<bool(double lastTook)> next);
  /// Whether such a picture is on its way.
  bool isInPieces() const;
  /// Renders and paints now; the widget with its child overlays as an image, in device pixels.
  QImage grabPicture();
  /// Renders `factor` times as many pixels each way and averages them when painting: smooth edges, also of what shaders
  /// cut out. 1 or 2.
  void setSupersampling(int factor);
  int supersampling() const;
  /// Rendered pixels a logical pixel: VTK's sizes of points and widths of lines are in rendered ones.
  double pixelRatio() const;
  /// Time of the last VTK render until the device was done with it, of all its pieces; ms.
  double lastRenderMilliseconds() const;

signals:
  void rendered();
  /// The camera moved, the view was resized: overlays that depend on them lay themselves out.
  void viewChanged();

protected:
  void initializeGL() override;
  void resizeGL(int width, int height) override;
  void paintGL() override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  bool event(QEvent* event) override;

private:
  class Private;
  std::unique_ptr<Private> d;
};

} // namespace hinesight::widgets
