import Foundation

extension AttributeDescription {
  /// The name of the file that a stored value refers to.
  ///
  /// A store hands out a file's bytes in place of the reference as long as the file is there.
  ///
  /// - Parameter stored: A value as it stands in the store.
  /// - Returns: The name; a UUID; nil for a value that is no reference.
  public func externalFileName(in stored: Value) -> String? {
    guard encoding == .externalData, case .data(let data) = stored, data.count == 38,
      data.first == 2, data.last == 0
    else { return nil }
    let name = String(decoding: data.dropFirst().dropLast(), as: UTF8.self)
    return UUID(uuidString: name) == nil ? nil : name
  }
}
