// Made by `cardfile generate` from a model. Do not edit: it is written anew each time.
// swift-format-ignore-file

import Foundation
import ManagedObjects
import ObjectModel

/// An object of the entity Book.
class MOBook: MOItem {
  /// The name of the entity.
  override class var entityName: String { "Book" }

  /// The attribute address.street.
  var addressStreet: String? {
    get { optionalString("address.street") }
    set { self["address.street"] = newValue.map { .string($0) } ?? .null }
  }

  /// The attribute class.
  var `class`: String? {
    get { optionalString("class") }
    set { self["class"] = newValue.map { .string($0) } ?? .null }
  }

  /// The attribute isLent.
  var isLent: Bool? {
    get { optionalBool("isLent") }
    set { self["isLent"] = newValue.map { .bool($0) } ?? .null }
  }

  /// The attribute isRead.
  var isRead: Bool {
    get { optionalBool("isRead") ?? false }
    set { self["isRead"] = .bool(newValue) }
  }

  /// The attribute pageCount. The store computes it.
  var pageCount: Int64? { integer("pageCount") }

  /// The attribute price.
  var price: Decimal {
    get { decimal("price") ?? 0 }
    set { self["price"] = .decimal(newValue) }
  }

  /// The attribute rating.
  var rating: Double? {
    get { double("rating") }
    set { self["rating"] = newValue.map { .double($0) } ?? .null }
  }

  /// The attribute shelf.
  var shelf: Int32 {
    get { integer("shelf").flatMap { Int32(exactly: $0) } ?? 0 }
    set { self["shelf"] = .integer(Int64(newValue)) }
  }

  /// The attribute weight.
  var weight: Float {
    get { double("weight").map { Float($0) } ?? 0 }
    set { self["weight"] = .double(Double(newValue)) }
  }

  /// The transient attribute draft, lost when nobody holds the object.
  var draft: String?

  /// The relationship pages, in its order.
  var pages: [MOPage] {
    get { objects(forKey: "pages").compactMap { $0 as? MOPage } }
    set { replace(newValue, forKey: "pages") }
  }

  /// Puts an object into pages.
  func addToPages(_ value: MOPage) { include([value], forKey: "pages") }

  /// Puts objects into pages.
  func addToPages(_ values: some Sequence<MOPage>) { include(Array(values), forKey: "pages") }

  /// Takes an object out of pages.
  func removeFromPages(_ value: MOPage) { exclude([value], forKey: "pages") }

  /// Takes objects out of pages.
  func removeFromPages(_ values: some Sequence<MOPage>) { exclude(Array(values), forKey: "pages") }

  /// Puts an object into pages at a place.
  func insertIntoPages(_ value: MOPage, at place: Int) { include([value], forKey: "pages", at: place) }

  /// The relationship prequel; nil when it leads nowhere.
  var prequel: MOBook? {
    get { object(forKey: "prequel") as? MOBook }
    set { relate(newValue, forKey: "prequel") }
  }

  /// The relationship sequel; nil when it leads nowhere.
  var sequel: MOBook? {
    get { object(forKey: "sequel") as? MOBook }
    set { relate(newValue, forKey: "sequel") }
  }
}
