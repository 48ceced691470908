package import Foundation

extension PropertyListValue {
  /// Reads a property list, binary or XML.
  ///
  /// Nothing that the bytes say makes it crash, or take more time and memory than some times the length of the data.
  ///
  /// - Parameter data: The whole of it.
  /// - Returns: Its value.
  /// - Throws: ``ModelFileError`` when it is none, or damaged, or too large.
  package static func read(_ data: Data) throws(ModelFileError) -> PropertyListValue {
    data.starts(with: BinaryPropertyListReader.signature)
      ? try BinaryPropertyListReader.value(of: data) : try XMLPropertyListReader.value(of: data)
  }
}
