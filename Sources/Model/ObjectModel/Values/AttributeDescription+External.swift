import Foundation

extension AttributeDescription {
  /// Returns the name of the external file that a stored value refers to (core-data-stores 4.6).
  ///
  /// While the file exists, a store returns its bytes in place of the reference; so a reference is
  /// only seen if the file is missing.
  ///
  /// - Parameter stored: A value as SQLite stores it.
  /// - Returns: The file name, a UUID; nil if the value is not a reference.
  public func externalFileName(in stored: Value) -> String? {
    encoding == .externalData ? stored.externalFileName : nil
  }
}

extension Value {
  /// The name of the external file that a stored value refers to; nil if it is not a reference.
  ///
  /// Only a UUID is accepted, so that a reference never leads out of the store's folder.
  package var externalFileName: String? {
    guard case .data(let data) = self, data.count == 38, data.first == 2, data.last == 0 else {
      return nil
    }
    let name = String(decoding: data.dropFirst().dropLast(), as: UTF8.self)
    return name.utf8.count == 36 && UUID(uuidString: name) != nil ? name : nil
  }
}
