// Made by `cardfile generate` from a model. Do not edit: it is written anew each time.
// swift-format-ignore-file

import Foundation
import ManagedObjects
import ObjectModel

/// An object of the entity label.
class MOLabel: ManagedObject, EntityClass {
  /// The name of the entity.
  class var entityName: String { "label" }

  /// The attribute 1st.
  var _1st: String? {
    get { optionalString("1st") }
    set { self["1st"] = newValue.map { .string($0) } ?? .null }
  }

  /// The attribute anything.
  var anything: Value {
    get { self["anything"] }
    set { self["anything"] = newValue }
  }

  /// The attribute colour code.
  var colourCode: String? {
    get { optionalString("colour code") }
    set { self["colour code"] = newValue.map { .string($0) } ?? .null }
  }

  /// The attribute data.
  var data: Data? {
    get { data("data") }
    set { self["data"] = newValue.map { .data($0) } ?? .null }
  }

  /// The attribute entity.
  var entity_: String? {
    get { optionalString("entity") }
    set { self["entity"] = newValue.map { .string($0) } ?? .null }
  }

  /// The attribute integer.
  var integer: Int64? {
    get { integer("integer") }
    set { self["integer"] = newValue.map { .integer($0) } ?? .null }
  }

  /// The attribute made.
  var made: Date {
    get { date("made") ?? .distantPast }
    set { self["made"] = .date(newValue) }
  }

  /// The attribute shape.
  var shape: Data? {
    get { data("shape") }
    set { self["shape"] = newValue.map { .data($0) } ?? .null }
  }

  /// The attribute string.
  var string: String? {
    get { optionalString("string") }
    set { self["string"] = newValue.map { .string($0) } ?? .null }
  }

  /// The attribute url.
  var url: URL {
    get { url("url") ?? URL(fileURLWithPath: "/") }
    set { self["url"] = .url(newValue) }
  }

  /// The attribute uuid.
  var uuid: UUID {
    get { uuid("uuid") ?? UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
    set { self["uuid"] = .uuid(newValue) }
  }

  /// The relationship items.
  var items: Set<MOItem> {
    get { Set(objects(forKey: "items").compactMap { $0 as? MOItem }) }
    set { replace(Array(newValue), forKey: "items") }
  }

  /// Puts an object into items.
  func addToItems(_ value: MOItem) { include([value], forKey: "items") }

  /// Puts objects into items.
  func addToItems(_ values: some Sequence<MOItem>) { include(Array(values), forKey: "items") }

  /// Takes an object out of items.
  func removeFromItems(_ value: MOItem) { exclude([value], forKey: "items") }

  /// Takes objects out of items.
  func removeFromItems(_ values: some Sequence<MOItem>) { exclude(Array(values), forKey: "items") }

  /// The relationship objects.
  var objects: Set<MOPage> {
    get { Set(objects(forKey: "objects").compactMap { $0 as? MOPage }) }
    set { replace(Array(newValue), forKey: "objects") }
  }

  /// Puts an object into objects.
  func addToObjects(_ value: MOPage) { include([value], forKey: "objects") }

  /// Puts objects into objects.
  func addToObjects(_ values: some Sequence<MOPage>) { include(Array(values), forKey: "objects") }

  /// Takes an object out of objects.
  func removeFromObjects(_ value: MOPage) { exclude([value], forKey: "objects") }

  /// Takes objects out of objects.
  func removeFromObjects(_ values: some Sequence<MOPage>) { exclude(Array(values), forKey: "objects") }
}
