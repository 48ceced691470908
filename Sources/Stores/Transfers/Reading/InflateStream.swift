import CZlib

/// Unpacks gzip as it comes, also of several parts one after the other.
final class InflateStream {
  // zlib keeps the address of its stream.
  private let stream: UnsafeMutablePointer<z_stream>
  private var isAtEnd = false
  private static let gzip: Int32 = 31

  init() throws(TransferError) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard cz_inflateInit2(stream, Self.gzip) == Z_OK else {
      throw TransferError(.file, "gzip", "there is not enough memory to unpack it")
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Unpacks all of some bytes, and appends what they hold.
  func unpack(_ packed: inout [UInt8], into output: inout [UInt8]) throws(TransferError) {
    var piece = [UInt8](repeating: 0, count: 1 << 18)
    var status = Z_OK
    packed.withUnsafeMutableBufferPointer { packed in
      stream.pointee.next_in = packed.baseAddress
      stream.pointee.avail_in = UInt32(clamping: packed.count)
      repeat {
        if isAtEnd {
          // Zeros may follow the last part.
          guard stream.pointee.next_in?.pointee == 0x1F else { break }
          inflateReset(stream)
          isAtEnd = false
        }
        let count = piece.withUnsafeMutableBufferPointer { piece in
          stream.pointee.next_out = piece.baseAddress
          stream.pointee.avail_out = UInt32(piece.count)
          status = inflate(stream, Z_NO_FLUSH)
          return piece.count - Int(stream.pointee.avail_out)
        }
        output.append(contentsOf: piece[..<count])
        isAtEnd = status == Z_STREAM_END
      } while status == Z_OK || isAtEnd && stream.pointee.avail_in > 0
    }
    guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else {
      throw TransferError(.malformed, "gzip", "it is damaged")
    }
  }

  /// Checks that nothing is missing; called at the end of the file.
  func finish() throws(TransferError) {
    guard isAtEnd else { throw TransferError(.malformed, "gzip", "its end is missing") }
  }
}
