package import Foundation

/// Unpacks compressed values.
package enum Inflate {
  /// Unpacks bytes with a gzip or a zlib header.
  ///
  /// - Parameters:
  ///   - data: The bytes, of any origin.
  ///   - limit: The largest size that is unpacked, in bytes.
  /// - Returns: The unpacked bytes.
  /// - Throws: ``ModelFileError`` when they are damaged, truncated, or larger than the limit.
  package static func unpacked(_ data: Data, limit: Int) throws(ModelFileError) -> Data {
    try Deflate.decompressed(data, .zlibOrGzip, limit: limit)
  }
}
