import CZlib
package import Foundation

/// Compresses and decompresses DEFLATE streams (RFC 1951) with zlib.
enum Deflate {
  /// The largest decompressed size in bytes: 64 MB; the largest model seen has 700 KB.
  static let maximumSize = 64 << 20

  /// The container of a DEFLATE stream; the raw values are zlib's `windowBits`.
  enum Container: Int32, CaseIterable {
    /// None: a raw stream, as in a store's model cache.
    case raw = -15
    /// A zlib or a gzip header, detected by zlib.
    case zlibOrGzip = 47
  }

  /// Decompresses a stream to at most `limit` bytes; bytes after its end are ignored.
  ///
  /// - Throws: ``ModelFileError`` when the stream is damaged, truncated, or larger than the limit.
  static func decompressed(
    _ data: Data, _ container: Container, limit: Int = maximumSize
  ) throws(ModelFileError) -> Data {
    var stream = z_stream()
    guard cz_inflateInit2(&stream, container.rawValue) == Z_OK else {
      throw ModelFileError(.tooLarge, detail: "there is not enough memory to decompress it")
    }
    defer { inflateEnd(&stream) }
    var input = Array(data)
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    var output = Data()
    let status = input.withUnsafeMutableBufferPointer { input in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(clamping: input.count)
      return chunk.withUnsafeMutableBufferPointer { chunk in
        var status = Z_OK
        while status == Z_OK, output.count <= limit {
          stream.next_out = chunk.baseAddress
          stream.avail_out = UInt32(chunk.count)
          status = inflate(&stream, Z_NO_FLUSH)
          let filled = chunk.count - Int(stream.avail_out)
          output.append(UnsafeBufferPointer(rebasing: chunk[..<filled]))
        }
        return status
      }
    }
    guard output.count <= limit else {
      throw ModelFileError(.tooLarge, detail: "it decompresses to more than \(limit >> 20) MB")
    }
    guard status == Z_STREAM_END else {
      throw ModelFileError(.malformed, detail: "it is not a DEFLATE stream, or is truncated")
    }
    return output
  }

  /// Compresses bytes to a raw stream, as in a store's model cache.
  ///
  /// - Parameter data: The bytes.
  /// - Returns: The compressed bytes.
  /// - Throws: ``ModelFileError`` when there is not enough memory.
  static func compressed(_ data: Data) throws(ModelFileError) -> Data {
    var stream = z_stream()
    guard cz_deflateInit2(&stream, Z_BEST_COMPRESSION, Container.raw.rawValue) == Z_OK else {
      throw ModelFileError(.tooLarge, detail: "there is not enough memory to compress it")
    }
    defer { deflateEnd(&stream) }
    var input = Array(data)
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(input.count))))
    let status = input.withUnsafeMutableBufferPointer { input in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(clamping: input.count)
      return output.withUnsafeMutableBufferPointer { output in
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(clamping: output.count)
        return deflate(&stream, Z_FINISH)
      }
    }
    guard status == Z_STREAM_END else {
      throw ModelFileError(.tooLarge, detail: "it cannot be compressed")
    }
    return Data(output.prefix(output.count - Int(stream.avail_out)))
  }
}

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
