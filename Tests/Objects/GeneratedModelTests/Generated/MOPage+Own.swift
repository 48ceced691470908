// Hand-written code for the entity Page; `cardfile generate` never overwrites this file.

import Foundation
import ManagedObjects
import ObjectModel

extension MOPage {
}
