import Foundation

/// An archive of NSKeyedArchiver: objects that refer to each other by index (UID).
///
/// No class is ever looked up or instantiated: an object remains a dictionary of its values with
/// its class name. References are resolved on access, one step at a time, so cycles and shared
/// objects cost nothing here; code that walks an archive must count its steps (``DecodingBudget``).
struct KeyedArchive: Sendable {
  let objects: [PropertyListValue]
  private let top: [String: PropertyListValue]

  /// Creates an archive from its property list.
  ///
  /// - Parameter list: The property list.
  /// - Throws: ``ModelFileError`` when it has no `$objects` or no `$top`.
  init(_ list: PropertyListValue) throws(ModelFileError) {
    guard let objects = list["$objects"]?.array, let top = list["$top"]?.dictionary else {
      throw ModelFileError(.malformed, detail: "it is not a keyed archive")
    }
    self.objects = objects
    self.top = top
  }

  /// Wraps a property list that is not an archive, so that it can be read as one of plain values.
  init(plain list: PropertyListValue) {
    objects = []
    top = ["root": list]
  }

  /// Reads an archive.
  ///
  /// - Parameter data: A property list, binary or XML.
  /// - Throws: ``ModelFileError`` when it is damaged or not a keyed archive.
  init(_ data: Data) throws(ModelFileError) {
    try self.init(PropertyListValue.read(data))
  }

  /// The archived object for the key `root`, else for the first key in sort order; nil if there is
  /// none.
  var root: ArchivedObject? {
    let key = top["root"] == nil ? top.keys.min() : "root"
    return key.flatMap { top[$0] }.flatMap { object($0) }
  }

  /// Whether the archive has objects of a class whose name begins so.
  func hasClass(prefixed prefix: String) -> Bool {
    objects.contains { $0["$classname"]?.string?.hasPrefix(prefix) == true }
  }

  /// All archived top-level objects with their keys, sorted by key.
  var roots: [(key: String, object: ArchivedObject)] {
    top.sorted { $0.key < $1.key }.compactMap { key, value in object(value).map { (key, $0) } }
  }

  /// Resolves a UID to its object, and wraps any other value; nil for null and for a UID out of
  /// range.
  func object(_ value: PropertyListValue) -> ArchivedObject? {
    guard case .uid(let index) = value else {
      return value == .null ? nil : ArchivedObject(self, value, index: nil)
    }
    guard index > 0, index < objects.count else { return nil }
    switch objects[index] {
    case .uid, .null, .string("$null"): return nil
    case let value: return ArchivedObject(self, value, index: index)
    }
  }
}
