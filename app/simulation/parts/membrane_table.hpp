#pragma once

#include "model/neuron_model.hpp"

#include <QWidget>

#include <vector>

class QPushButton;
class QTableWidget;

namespace hinesight::app {

/// The lines of a membrane: the parts of the cell, a mechanism, one of its parameters, and its value.
class MembraneTable : public QWidget
{
  Q_OBJECT

public:
  explicit MembraneTable(std::vector<model::MembraneEntry> lines, QWidget* parent = nullptr);

  const std::vector<model::MembraneEntry>& lines() const { return all; }

signals:
  /// By a person.
  void edited();

private:
  void add();
  void remove();
  void take(int row, int column);
  void show();
  void showLine(int row);

  std::vector<model::MembraneEntry> all;
  QTableWidget* table;
  QPushButton* removeButton;
  bool isShowing = false;
};

} // namespace hinesight::app
