import Foundation

/// What bytes are, recognised by their beginning.
nonisolated struct BytesKind: Hashable, Sendable {
  /// The name, with the size of a picture: `JPEG 1024×768`.
  let name: String
  /// The extension of a file with these bytes.
  let fileExtension: String

  /// The most bytes that are looked at.
  private static let longestHead = 64 << 10

  private init(_ name: String, _ fileExtension: String) {
    self.name = name
    self.fileExtension = fileExtension
  }

  /// Recognises bytes; nil if they are of no known kind.
  ///
  /// - Complexity: O(1): the beginning is looked at, whatever the length.
  init?(_ data: Data) {
    let head = ByteReader(data, limit: Self.longestHead)
    guard let kind = Self.picture(head) ?? Self.document(head) ?? Self.uuid(data) else {
      return nil
    }
    self = kind
  }

  // MARK: Pictures

  private static func picture(_ head: ByteReader) -> BytesKind? {
    if head.bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      return BytesKind("JPEG" + size(jpegSize(head)), "jpg")
    } else if head.bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
      return BytesKind(
        "PNG" + size((head.bigEndian(16, size: 4), head.bigEndian(20, size: 4))), "png")
    } else if head.has("GIF8", at: 0) {
      return BytesKind(
        "GIF" + size((head.littleEndian(6, size: 2), head.littleEndian(8, size: 2))), "gif")
    } else if head.has("RIFF", at: 0), head.has("WEBP", at: 8) {
      let isExtended = head.has("VP8X", at: 12)
      let plusOne = { (index: Int) in head.littleEndian(index, size: 3).map { $0 + 1 } }
      return BytesKind("WebP" + (isExtended ? size((plusOne(24), plusOne(27))) : ""), "webp")
    } else if head.has("ftyp", at: 4) {
      return film(head)
    } else if head.has("II*\0", at: 0) || head.has("MM\0*", at: 0) {
      return BytesKind("TIFF", "tiff")
    }
    return nil
  }

  private static func size(_ size: (width: Int?, height: Int?)) -> String {
    guard let width = size.width, let height = size.height, width > 0, height > 0 else { return "" }
    return " \(width)×\(height)"
  }

  /// The size in the frame header, which follows other segments.
  private static func jpegSize(_ head: ByteReader) -> (Int?, Int?) {
    var offset = 2
    for _ in 0..<1000 {
      guard head.byte(offset) == 0xFF, let marker = head.byte(offset + 1),
        let length = head.bigEndian(offset + 2, size: 2), length >= 2
      else { break }
      let isFrame = (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
      if isFrame {
        return (head.bigEndian(offset + 7, size: 2), head.bigEndian(offset + 5, size: 2))
      }
      offset += 2 + length
    }
    return (nil, nil)
  }

  /// A HEIC picture or a film, by the brand of its first box; the size is the largest of the
  /// image's parts.
  private static func film(_ head: ByteReader) -> BytesKind? {
    let brands: [(StaticString, String, String)] = [
      ("heic", "HEIC", "heic"), ("heix", "HEIC", "heic"), ("mif1", "HEIF", "heif"),
      ("avif", "AVIF", "avif"), ("qt  ", "QuickTime", "mov"), ("M4A ", "MPEG-4 audio", "m4a"),
    ]
    guard let brand = brands.first(where: { head.has($0.0, at: 8) }) else {
      return BytesKind("MPEG-4", "mp4")
    }
    var largest = (width: 0, height: 0)
    var offset = 0
    while offset + 16 <= head.bytes.count {
      if head.has("ispe", at: offset), let width = head.bigEndian(offset + 8, size: 4),
        let height = head.bigEndian(offset + 12, size: 4),
        width.multipliedReportingOverflow(by: height).partialValue > largest.width * largest.height,
        width < 1 << 20, height < 1 << 20
      {
        largest = (width, height)
      }
      offset += 1
    }
    return BytesKind(brand.1 + size((largest.width, largest.height)), brand.2)
  }

  // MARK: Documents

  private static func document(_ head: ByteReader) -> BytesKind? {
    if head.has("%PDF-", at: 0) {
      let version = String(decoding: head.bytes.dropFirst(5).prefix(3), as: UTF8.self)
      let isVersion = version.allSatisfy { $0.isNumber && $0.isASCII || $0 == "." }
      return BytesKind("PDF" + (isVersion ? " \(version)" : ""), "pdf")
    } else if head.has("SQLite format 3\0", at: 0) {
      let pages = head.bigEndian(28, size: 4) ?? 0
      return BytesKind("SQLite database" + (pages > 0 ? ", \(pages) pages" : ""), "sqlite")
    }
    let kinds: [([UInt8], String, String)] = [
      (Array("bplist".utf8), "property list", "plist"), ([0x50, 0x4B, 3, 4], "zip", "zip"),
      ([0x1F, 0x8B], "gzip", "gz"), (Array("<?xml".utf8), "XML", "xml"),
      ([4, 0x0B] + Array("streamtyped".utf8), "NSArchiver archive", "archive"),
      (Array("OggS".utf8), "Ogg", "ogg"), (Array("ID3".utf8), "MP3", "mp3"),
      (Array("RIFF".utf8), "RIFF", "riff"),
    ]
    if let kind = kinds.first(where: { head.bytes.starts(with: $0.0) }) {
      return BytesKind(kind.1, kind.2)
    }
    return isZlib(head) ? BytesKind("zlib", "zlib") : nil
  }

  /// Whether the two bytes of a zlib header stand at the beginning; their check leaves one of 31
  /// other pairs.
  private static func isZlib(_ head: ByteReader) -> Bool {
    guard head.bytes.count > 6, let number = head.bigEndian(0, size: 2) else { return false }
    return [0x7801, 0x785E, 0x789C, 0x78DA].contains(number)
  }

  /// Sixteen bytes with the variant and a version of a UUID.
  private static func uuid(_ data: Data) -> BytesKind? {
    guard data.count == 16 else { return nil }
    let bytes = Array(data)
    guard bytes[8] & 0xC0 == 0x80, (1...8).contains(bytes[6] >> 4) else { return nil }
    let text = UUID(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }).uuidString
    return BytesKind("UUID \(text)", "uuid")
  }
}
