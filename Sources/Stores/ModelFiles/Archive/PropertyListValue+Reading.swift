package import Foundation

extension PropertyListValue {
  /// Reads a property list, binary or XML, in time and memory linear in its length even if it is
  /// untrusted.
  ///
  /// - Throws: ``ModelFileError`` when the data is not a property list, is damaged, or exceeds a
  ///   limit.
  package static func read(_ data: Data) throws(ModelFileError) -> PropertyListValue {
    data.starts(with: BinaryPropertyListReader.signature)
      ? try BinaryPropertyListReader.value(of: data) : try XMLPropertyListReader.value(of: data)
  }
}
