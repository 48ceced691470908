package import Foundation
package import ObjectModel

/// Shows a property list or a keyed archive as a tree; no object is ever instantiated.
package enum ArchiveTree {
  /// Returns the tree of a property list, binary or XML, or of the archive that it holds.
  ///
  /// Reading is bounded as ``PropertyListValue/read(_:)`` is; members are made on demand, so an
  /// archive in which an object contains itself is shown as far as it is unfolded.
  ///
  /// - Parameter data: The bytes, of any origin.
  /// - Returns: The root; nil if the bytes are not a property list, are damaged or too large.
  package static func tree(of data: Data) -> ValueTree? {
    guard data.count <= Deflate.maximumSize, let list = try? PropertyListValue.read(data) else {
      return nil
    }
    guard let archive = try? KeyedArchive(list) else {
      return node("", KeyedArchive(plain: list).root)
    }
    let roots = archive.roots
    if roots.count == 1, let root = roots.first { return node("", root.object) }
    return ValueTree(
      "", .members("archive", count: roots.count) { roots.map { node($0.key, $0.object) } })
  }

  private static func node(_ label: String, _ object: ArchivedObject?) -> ValueTree {
    guard let object else { return ValueTree(label, .plain("null")) }
    if let value = object.plainValue {
      return switch value {
      case .string(let text): ValueTree(label, .text(text))
      case .data(let data): ValueTree(label, .bytes(data))
      case .url(let url): ValueTree(label, .plain(url.absoluteString))
      default: ValueTree(label, .plain(value.description))
      }
    }
    let name = object.className ?? (object.isArray ? "array" : "dictionary")
    let isList = object.isArray || object.members != nil
    let count = isList ? object.memberCount : object.keys.count
    return ValueTree(label, .members(name, count: count) { members(of: object) })
  }

  private static func members(of object: ArchivedObject) -> [ValueTree] {
    if let members = object.array {
      return members.enumerated().map { node("\($0)", $1) }
    } else if let members = object.members {
      return members.map { key, value in
        node(key.string ?? key.plainValue?.description ?? "?", value)
      }
      .sorted { $0.label < $1.label }
    }
    return object.keys.map { node($0, object[$0]) }
  }
}
