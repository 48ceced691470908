// What objects of the entity Item do, written by hand: `cardfile generate` leaves this file as it is.

import Foundation
import ManagedObjects
import ObjectModel

extension MOItem {
  /// The title and the labels' colours, as a shelf shows them.
  var spine: String {
    ([title] + labels.compactMap(\.colourCode).sorted()).joined(separator: " ")
  }
}
