// Hand-written code for the entity Book; `cardfile generate` never overwrites this file.

import Foundation
import ManagedObjects
import ObjectModel

extension MOBook {
}
