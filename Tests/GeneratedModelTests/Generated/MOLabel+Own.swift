// What objects of the entity label do, written by hand: `cardfile generate` leaves this file as it is.

import Foundation
import ManagedObjects
import ObjectModel

extension MOLabel {
}
