// Hand-written code for the entity label; `cardfile generate` never overwrites this file.

import Foundation
import ManagedObjects
import ObjectModel

extension MOLabel {
}
