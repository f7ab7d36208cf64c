#pragma once

#include "app/selection/neuron_selection.hpp"
#include "model/session_view.hpp"

#include <memory>

namespace hinesight::app {

/// What a person sees of the document, to be written by another thread: the numbers of millions of hidden neurons take
/// long to be put into words.
struct SeenSession
{
  model::SessionView view;                             ///< but for the hidden neurons
  std::shared_ptr<const SelectedNeurons> neurons = {}; ///< with those; null: none are hidden

  /// On any thread.
  model::SessionView whole() const;
};

} // namespace hinesight::app
