#pragma once

#include "app/document/document_parts.hpp"
#include "app/jobs/jobs.hpp"

#include <QObject>
#include <QPointer>
#include <QString>

#include <string>

namespace hinesight::study {
struct ComparedSide;
}

namespace hinesight::app {

class NetworkComparisonDialog;

inline constexpr JobKind kComparison{.name = "Comparison of networks", .stage = "compare"};
inline constexpr JobKind kComparisonExport{.name = "Export of a comparison", .stage = "export", .newestWins = false};

/// Compares connections of the circuit, the network of the page Plasticity and those of files, two in a dialog.
class NetworkComparer : public QObject
{
  Q_OBJECT

public:
  NetworkComparer(const DocumentParts& parts, ProjectNow project, QObject* parent);

  /// The dialog begins with these connections; the same one twice: with one.
  void compare(const std::string& first, const std::string& second);

signals:
  /// The end of a job, in words.
  void told(const QString& result);

private:
  void compareIn(NetworkComparisonDialog* dialog);
  void compareSides(NetworkComparisonDialog* dialog, const study::ComparedSide& first,
                    const study::ComparedSide& second);

  DocumentParts parts;
  ProjectNow project;
  std::string grownAs; ///< how the dialog calls the network of the page Plasticity; empty: there is none
  QPointer<NetworkComparisonDialog> shown; ///< one at a time
};

} // namespace hinesight::app
