// Made by `cardfile generate` from a model. Do not edit: it is written anew each time.
// swift-format-ignore-file

import Foundation
import ManagedObjects
import ObjectModel

/// An object of the entity Page.
class MOPage: ManagedObject, EntityClass {
  /// The name of the entity.
  class var entityName: String { "Page" }

  /// The attribute number.
  var number: Int64 {
    get { integer("number") ?? 0 }
    set { self["number"] = .integer(newValue) }
  }

  /// The attribute text.
  var text: String? {
    get { optionalString("text") }
    set { self["text"] = newValue.map { .string($0) } ?? .null }
  }

  /// The relationship book; nil when it leads nowhere.
  var book: MOBook? {
    get { object(forKey: "book") as? MOBook }
    set { relate(newValue, forKey: "book") }
  }
}
