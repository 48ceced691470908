package import Foundation

/// What NSKeyedArchiver wrote: objects that name each other by their places.
///
/// No class is ever looked up by its name: an object stays a dictionary of its values and the name of its class. Objects
/// are looked at when they are asked for, one step at a time, so cycles and shared parts cost nothing by themselves.
/// Whoever walks over an archive counts the steps.
package struct KeyedArchive: Sendable {
  let objects: [PropertyListValue]
  private let top: [String: PropertyListValue]

  /// Looks at a property list as an archive.
  ///
  /// - Parameter list: The property list.
  /// - Throws: ``ModelFileError`` when it is no archive.
  package init(_ list: PropertyListValue) throws(ModelFileError) {
    guard let objects = list["$objects"]?.array, let top = list["$top"]?.dictionary else {
      throw ModelFileError(.malformed, detail: "it is no keyed archive")
    }
    self.objects = objects
    self.top = top
  }

  /// Looks at a property list that is no archive as if it were one, of plain values.
  init(plain list: PropertyListValue) {
    objects = []
    top = ["root": list]
  }

  /// Reads an archive.
  ///
  /// - Parameter data: A property list, binary or XML.
  /// - Throws: ``ModelFileError`` when it is no archive, or damaged.
  package init(_ data: Data) throws(ModelFileError) {
    try self.init(PropertyListValue.read(data))
  }

  /// The object that was archived, under the key `root` or the first key there is; nil when there is none.
  package var root: ArchivedObject? {
    let key = top["root"] == nil ? top.keys.min() : "root"
    return key.flatMap { top[$0] }.flatMap { object($0) }
  }

  /// All that was archived, by key and sorted; one object alone is under `root`.
  package var roots: [(key: String, object: ArchivedObject)] {
    top.sorted { $0.key < $1.key }.compactMap { key, value in object(value).map { (key, $0) } }
  }

  /// The object that a value names, or the value itself; nil for the null object and for a place outside of the archive.
  func object(_ value: PropertyListValue) -> ArchivedObject? {
    guard case .uid(let place) = value else {
      return value == .null ? nil : ArchivedObject(self, value, place: nil)
    }
    guard place > 0, place < objects.count else { return nil }
    switch objects[place] {
    case .uid, .null, .string("$null"): return nil
    case let value: return ArchivedObject(self, value, place: place)
    }
  }
}
