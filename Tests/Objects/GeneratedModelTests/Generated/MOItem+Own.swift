// Hand-written code for the entity Item; `cardfile generate` never overwrites this file.

import Foundation
import ManagedObjects
import ObjectModel

extension MOItem {
  /// The title followed by the sorted colour codes of the labels.
  var spine: String {
    ([title] + labels.compactMap(\.colourCode).sorted()).joined(separator: " ")
  }
}
