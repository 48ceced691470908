import CZlib
package import Foundation

/// Packs and unpacks with zlib.
package enum Deflate {
  /// The most that is ever unpacked: 64 MB.
  ///
  /// The largest model seen has 700 KB.
  package static let maximumSize = 64 << 20

  /// What stands around packed bytes.
  enum Wrapping: Int32, CaseIterable {
    /// Nothing, as in a store's model cache.
    case raw = -15
    /// The header of zlib or of gzip, whichever is there.
    case zlibOrGzip = 47
  }

  /// Unpacks bytes.
  ///
  /// - Parameters:
  ///   - data: Packed bytes; what stands after their end is left out.
  ///   - wrapping: What stands around them.
  ///   - limit: The most bytes that are unpacked.
  /// - Returns: The bytes.
  /// - Throws: ``ModelFileError`` when they are damaged or cut off, or would be more than the limit.
  static func unpacked(
    _ data: Data, _ wrapping: Wrapping, limit: Int = maximumSize
  ) throws(ModelFileError) -> Data {
    var stream = z_stream()
    guard cz_inflateInit2(&stream, wrapping.rawValue) == Z_OK else {
      throw ModelFileError(.tooLarge, detail: "there is no memory to unpack it")
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
      throw ModelFileError(.tooLarge, detail: "it unfolds to more than \(limit >> 20) MB")
    }
    guard status == Z_STREAM_END else {
      throw ModelFileError(.malformed, detail: "it is not packed as it should be, or is cut off")
    }
    return output
  }

  /// Packs bytes as raw deflate, as they stand in a model cache.
  ///
  /// - Parameter data: The bytes.
  /// - Returns: The packed bytes.
  /// - Throws: ``ModelFileError`` when there is no memory.
  package static func packed(_ data: Data) throws(ModelFileError) -> Data {
    var stream = z_stream()
    guard cz_deflateInit2(&stream, Z_BEST_COMPRESSION, Wrapping.raw.rawValue) == Z_OK else {
      throw ModelFileError(.tooLarge, detail: "there is no memory to pack it")
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
      throw ModelFileError(.tooLarge, detail: "it cannot be packed")
    }
    return Data(output.prefix(output.count - Int(stream.avail_out)))
  }
}
