// What objects of the entity Page do, written by hand: `cardfile generate` leaves this file as it is.

import Foundation
import ManagedObjects
import ObjectModel

extension MOPage {
}
