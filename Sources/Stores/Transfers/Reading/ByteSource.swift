import Foundation
import ObjectModel

/// The text of a file, a pipe or standard input as UTF-8, unpacked, a piece at a time.
package final class ByteSource {
  /// The name for messages.
  package let name: String
  /// The size of the file; nil for a pipe.
  package let size: Int?
  /// How many bytes of the file have been read.
  package private(set) var position = 0
  private let descriptor: Int32
  private let closes: Bool
  private var inflater: InflateStream?
  private var transcoder: TextTranscoder?
  private let wanted: TextEncoding?
  private var isAtEnd = false
  /// Unpacked bytes of which the encoding is not known yet.
  private var held: [UInt8] = []

  private static let pieceSize = 1 << 18

  /// Opens a file; `-` is standard input.
  ///
  /// - Parameters:
  ///   - path: Its path.
  ///   - encoding: How its text is encoded; nil to recognise it.
  /// - Throws: ``TransferError`` if it cannot be opened.
  package init(path: String, encoding: TextEncoding? = nil) throws(TransferError) {
    wanted = encoding
    if path == "-" {
      (name, descriptor, closes) = ("standard input", STDIN_FILENO, false)
    } else {
      let opened = open(path.fileSystemBytes, O_RDONLY | O_CLOEXEC | O_NOCTTY)
      guard opened >= 0 else { throw TransferError(FileError(errno, path)) }
      (name, descriptor, closes) = (path, opened, true)
    }
    var status = stat()
    let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    size = isFile ? Int(status.st_size) : nil
    if status.st_mode & S_IFMT == S_IFDIR {
      if closes { close(descriptor) }
      throw TransferError(FileError(EISDIR, path))
    }
  }

  deinit { if closes { close(descriptor) } }

  /// Appends the next piece.
  ///
  /// - Returns: Whether there was one; false at the end.
  /// - Throws: ``TransferError``.
  func read(into output: inout [UInt8]) throws(TransferError) -> Bool {
    let before = output.count
    while output.count == before {
      if isAtEnd { return false }
      var piece = try readPiece()
      isAtEnd = piece.isEmpty
      if position == piece.count, piece.starts(with: [0x1F, 0x8B]) {
        inflater = try InflateStream()
      }
      if let inflater {
        do throws(TransferError) {
          if isAtEnd { try inflater.finish() } else { try inflater.unpack(&piece, into: &held) }
        } catch {
          throw TransferError(error.reason, name, "gzip: \(error.detail)", try: error.remedy)
        }
      } else if transcoder?.encoding == .utf8 {
        output.append(contentsOf: piece)
        continue
      } else {
        held.append(contentsOf: piece)
      }
      transcode(into: &output)
    }
    return true
  }

  private func transcode(into output: inout [UInt8]) {
    if transcoder == nil {
      guard isAtEnd || held.count >= 512 else { return }
      let found = TextEncoding.of(held)
      let encoding = wanted ?? found.encoding
      if encoding == found.encoding { held.removeFirst(found.markLength) }
      transcoder = TextTranscoder(encoding)
    }
    transcoder?.append(held[...], to: &output)
    held.removeAll(keepingCapacity: true)
    if isAtEnd { transcoder?.finish(&output) }
  }

  private func readPiece() throws(TransferError) -> [UInt8] {
    let descriptor = descriptor
    var code: Int32 = 0
    let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, count in
      var result: Int
      repeat {
        result = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      } while result < 0 && errno == EINTR
      if result < 0 { code = errno }
      count = max(result, 0)
    }
    guard code == 0 else { throw TransferError(FileError(code, name)) }
    position += piece.count
    return piece
  }
}
