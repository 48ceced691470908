// Made by `cardfile generate` from a model. Do not edit: it is written anew each time.
// swift-format-ignore-file

import Foundation
import ManagedObjects
import ObjectModel

/// An object of the entity Item.
class MOItem: ManagedObject, EntityClass {
  /// The name of the entity.
  class var entityName: String { "Item" }

  /// The attribute code.
  var code: Int16? {
    get { integer("code").flatMap { Int16(exactly: $0) } }
    set { self["code"] = newValue.map { .integer(Int64($0)) } ?? .null }
  }

  /// The attribute date.
  var date: Date? {
    get { date("date") }
    set { self["date"] = newValue.map { .date($0) } ?? .null }
  }

  /// The attribute title.
  var title: String {
    get { optionalString("title") ?? "" }
    set { self["title"] = .string(newValue) }
  }

  /// The relationship labels.
  var labels: Set<MOLabel> {
    get { Set(objects(forKey: "labels").compactMap { $0 as? MOLabel }) }
    set { replace(Array(newValue), forKey: "labels") }
  }

  /// Puts an object into labels.
  func addToLabels(_ value: MOLabel) { include([value], forKey: "labels") }

  /// Puts objects into labels.
  func addToLabels(_ values: some Sequence<MOLabel>) { include(Array(values), forKey: "labels") }

  /// Takes an object out of labels.
  func removeFromLabels(_ value: MOLabel) { exclude([value], forKey: "labels") }

  /// Takes objects out of labels.
  func removeFromLabels(_ values: some Sequence<MOLabel>) { exclude(Array(values), forKey: "labels") }
}
