import Foundation
import ModelFiles
import ObjectModel

extension XMLDatabase {
  /// The file without objects and with the metadata of another model; those of the app stay.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - hashes: The version hashes of its entities; empty if they are not known.
  /// - Returns: The bytes.
  func emptied(for model: ManagedObjectModel, _ hashes: [String: Data]) -> [UInt8] {
    let start = objects.first?.range.lowerBound ?? end
    var head = String(decoding: bytes[..<start], as: UTF8.self)
    while head.last?.isWhitespace == true { head.removeLast() }
    let names = model.details.versionIdentifiers.map { "<string>\(XMLText.quoted($0))</string>" }
    head.replaceValue(
      of: "NSStoreModelVersionIdentifiers", "array",
      with: names.isEmpty ? "<string></string>" : names.joined(separator: "\n"))
    let entries = hashes.sorted { $0.key < $1.key }.map { name, hash in
      "<key>\(XMLText.quoted(name))</key>\n<data>\(hash.base64EncodedString())</data>"
    }
    head.replaceValue(
      of: "NSStoreModelVersionHashes", "dict",
      with: entries.isEmpty ? nil : entries.joined(separator: "\n"))
    head.replaceValue(of: Self.modelKey, "string", with: nil)
    if hashes.isEmpty, let end = head.range(of: "</dict>", options: .backwards) {
      head.insert(contentsOf: Self.modelEntry(of: model), at: end.lowerBound)
    }
    // They are sums of the hashes.
    for key in ["NSStoreModelVersionHashesDigest", "NSStoreModelVersionChecksumKey"] {
      head.replaceValue(of: key, "string", with: nil)
    }
    return Array((head + "\n").utf8) + bytes[end...]
  }
}

extension XMLDatabase {
  /// In the metadata, a hash of the model of a file whose version hashes are not known.
  private static let modelKey = "CardfileModelHash"

  /// The entry of the metadata that says with what model a file is written.
  static func modelEntry(of model: ManagedObjectModel) -> String {
    "<key>\(modelKey)</key>\n<string>\(hash(of: model))</string>\n"
  }

  private static func hash(of model: ManagedObjectModel) -> String {
    let json = (try? model.json()) ?? Data()
    let hash = Array(json).withUnsafeBufferPointer { ByteHash.hash(of: $0, seed: 0) }
    return String(hash, radix: 16)
  }

  /// The version hashes of the model that the file was written with; empty if it does not say.
  var versionHashes: [String: Data] {
    (metadata?["NSStoreModelVersionHashes"]?.dictionary ?? [:]).compactMapValues(\.data)
  }

  /// Whether the file was written with a model; nil if that is not known.
  func isOf(_ model: ManagedObjectModel) -> Bool? {
    let hashes = versionHashes
    if !hashes.isEmpty {
      let known = KnownVersionHashes.hashes(of: model)
      return known.isEmpty ? nil : known == hashes
    }
    return metadata?[Self.modelKey]?.string.map { $0 == Self.hash(of: model) }
  }
}

extension String {
  /// Replaces what is in the element after a key of a property list; removes both for nil.
  fileprivate mutating func replaceValue(of key: String, _ element: String, with content: String?) {
    guard let found = range(of: "<key>\(key)</key>"),
      let open = range(of: "<\(element)>", range: found.upperBound..<endIndex),
      self[found.upperBound..<open.lowerBound].allSatisfy(\.isWhitespace),
      let close = range(of: "</\(element)>", range: open.upperBound..<endIndex)
    else { return }
    if let content {
      replaceSubrange(open.upperBound..<close.lowerBound, with: "\n\(content)\n")
    } else {
      removeSubrange(found.lowerBound..<close.upperBound)
    }
  }
}
