import ObjectModel

/// Results as a file: a header, the signature, the 8-byte codes of the IDs, and sections.
///
/// The words are in the byte order of this machine. Nothing in a file is trusted before its checksum
/// is right, and no number even then.
enum CachedResults {
  /// The words at the beginning.
  private struct Header {
    /// "cardfetc", which is another number in the other byte order, and the version of the format.
    static let magic: UInt64 = 0x6361_7264_6665_7463
    static let version: UInt64 = 1
    static let wordCount = 8

    var rowCount = 0
    var signatureCount = 0
    /// The number of words that describe entities and sections.
    var wordCount = 0
    /// The number of bytes of their names.
    var textCount = 0

    var words: [UInt64] {
      let counts = [rowCount, signatureCount, wordCount, textCount]
      return [Self.magic, Self.version] + counts.map(UInt64.init)
    }

    init() {}

    /// The greatest size of a file: the codes of eight billion rows.
    private static let mostBytes = 1 << 36

    /// Reads a header; nil if it does not describe a file of a size.
    init?(_ words: [UInt64], byteCount: Int) {
      guard words.count == Self.wordCount, byteCount <= Self.mostBytes, words[0] == Self.magic,
        words[1] == Self.version,
        words[2..<6].allSatisfy({ $0 <= UInt64(byteCount) })
      else { return nil }
      rowCount = Int(words[2])
      signatureCount = Int(words[3])
      wordCount = Int(words[4])
      textCount = Int(words[5])
      // None of them is greater than the size of a file, so that the sum is far from overflowing.
      guard
        byteCount == 8 * (Self.wordCount + rowCount + wordCount) + signatureCount + textCount
      else { return nil }
    }
  }

  /// Reads results; nil if the file has those of another signature, or is damaged.
  static func read(from file: borrowing OpenFile, for signature: FetchSignature) -> FetchedIDs? {
    guard let first = file.read(Header.wordCount, as: UInt64.self),
      let header = Header(first, byteCount: file.byteCount),
      header.signatureCount == signature.bytes.count,
      let found = file.read(header.signatureCount, as: UInt8.self), found == signature.bytes,
      let codes = file.read(header.rowCount, as: Int64.self),
      let words = file.read(header.wordCount, as: UInt64.self),
      let text = file.read(header.textCount, as: UInt8.self),
      checksum(header, signature, codes, words, text) == first[6]
    else { return nil }
    return results(codes, Description(words: words, text: text))
  }

  private static func results(_ codes: [Int64], _ description: Description) -> FetchedIDs? {
    guard let strings = description.strings,
      description.counts.allSatisfy({ (0...codes.count).contains($0) }),
      strings.count == 1 + description.entityCount + description.counts.count,
      let coding = ObjectIDCoding(
        storeIdentifier: strings[0],
        entityNames: Array(strings[1..<1 + description.entityCount])),
      coding.areOfPermanentIDs(codes),
      description.counts.isEmpty || description.rowCount(atMost: codes.count) == codes.count
    else { return nil }
    let sections = zip(strings[(1 + description.entityCount)...], description.counts)
    return FetchedIDs(
      ids: ObjectIDList(codes: codes, coding),
      sections: sections.map { SectionRun(name: $0, count: $1) })
  }

  /// Writes results.
  ///
  /// - Returns: False for IDs that have no codes; nothing was written then.
  /// - Throws: `FileError`.
  static func write(
    _ results: FetchedIDs, for signature: FetchSignature, to file: Draft
  ) throws -> Bool {
    try results.ids.withCoding { (codes, coding) -> Void in
      let description = Description(coding, results.sections)
      var header = Header()
      header.rowCount = codes.count
      header.signatureCount = signature.bytes.count
      header.wordCount = description.words.count
      header.textCount = description.text.count
      let sum = checksum(header, signature, codes, description.words, description.text)
      try file.write(header.words + [sum, 0])
      try file.write(signature.bytes)
      try file.write(codes)
      try file.write(description.words)
      try file.write(description.text)
    } != nil
  }

  private static func checksum(
    _ header: Header, _ signature: FetchSignature, _ codes: [Int64], _ words: [UInt64],
    _ text: [UInt8]
  ) -> UInt64 {
    var sum = Checksum()
    sum.add(header.words)
    sum.add(signature.bytes)
    sum.add(codes)
    sum.add(words)
    sum.add(text)
    return sum.value
  }

  /// The store, the entities and the sections: their number, the lengths of all names, the numbers
  /// of rows; and the names.
  private struct Description {
    var words: [UInt64]
    var text: [UInt8]

    init(words: [UInt64], text: [UInt8]) { (self.words, self.text) = (words, text) }

    init(_ coding: ObjectIDCoding, _ sections: [SectionRun]) {
      let names = coding.entityNames
      words = [UInt64(names.count), UInt64(sections.count)]
      text = []
      for name in [coding.storeIdentifier] + names + sections.map(\.name) {
        words.append(UInt64(name.utf8.count))
        text.append(contentsOf: name.utf8)
      }
      words += sections.map { UInt64($0.count) }
    }

    var entityCount: Int { words.isEmpty ? 0 : Int(truncatingIfNeeded: words[0]) }

    /// The numbers of rows of the sections.
    var counts: ArraySlice<Int> {
      guard words.count > 1, let count = Int(exactly: words[1]), count <= words.count - 2 else {
        return []
      }
      return words.suffix(count).map { Int(truncatingIfNeeded: $0) }[...]
    }

    /// The number of rows of all sections, or a greater one than `most` if there are more.
    func rowCount(atMost most: Int) -> Int { counts.reduce(0) { min($0 + $1, most + 1) } }

    /// The names of the store, the entities and the sections; nil if the lengths are wrong.
    var strings: [String]? {
      guard words.count > 1, entityCount > 0, entityCount <= words.count else { return nil }
      var strings: [String] = []
      var start = 0
      for word in words.dropFirst(2).dropLast(counts.count) {
        guard let length = Int(exactly: word), length <= text.count - start,
          let string = String(validating: text[start..<start + length], as: UTF8.self)
        else { return nil }
        strings.append(string)
        start += length
      }
      return start == text.count ? strings : nil
    }
  }
}
