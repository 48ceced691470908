import Foundation
import ObjectModel
import TestSupport
import Testing

@testable import FetchedResults

struct CacheFileTests {
  private let folder: TemporaryFolder
  private let cache: FetchedResultsCache
  private let file: CacheFile
  private static let signature = FetchSignature(bytes: [1, 2, 3])

  init() throws {
    folder = try TemporaryFolder()
    cache = FetchedResultsCache(path: folder.path("caches/lists"))
    file = try #require(CacheFile(name: "people", storeIdentifier: "S", in: cache))
  }

  private static let results = FetchedIDs(
    ids: ids([7, -3, .max, 2, 40]),
    sections: [
      SectionRun(name: "", count: 1), SectionRun(name: "É", count: 3),
      SectionRun(name: "\u{10FFE9}\0", count: 1),
    ])

  private func bytes() throws -> Data { try Data(contentsOf: URL(fileURLWithPath: file.path)) }

  private func write(_ data: Data) throws { try data.write(to: URL(fileURLWithPath: file.path)) }

  @Test func `the results that were kept are found by their signature only`() {
    #expect(file.results(for: Self.signature) == nil)
    file.keep(Self.results, for: Self.signature)
    #expect(file.results(for: Self.signature) == Self.results)
    #expect(file.results(for: FetchSignature(bytes: [1, 2, 4])) == nil)
    #expect(file.results(for: FetchSignature(bytes: [1, 2, 3, 0])) == nil)
    file.keep(FetchedIDs(ids: ids([])), for: FetchSignature(bytes: []))
    #expect(file.results(for: Self.signature) == nil)
    #expect(file.results(for: FetchSignature(bytes: []))?.ids.isEmpty == true)
  }

  @Test func `objects of several entities are found again, in lists that can be compared`() throws {
    let coding = try #require(ObjectIDCoding(storeIdentifier: "S", entityNames: ["B", "A"]))
    let codes = try [(5, 0), (5, 1), (9, 1)].map {
      try #require(coding.code(ofKey: $0.0, entityIndex: $0.1))
    }
    let results = FetchedIDs(ids: ObjectIDList(codes: codes, coding))
    file.keep(results, for: Self.signature)
    let found = try #require(file.results(for: Self.signature))
    #expect(found == results && found.ids.sharesCodes(with: results.ids))
    #expect(found.ids.map(\.entityName) == ["B", "A", "A"])
  }

  @Test func `IDs without codes are not kept`() {
    file.keep(FetchedIDs(ids: ObjectIDList([id(1), id(2)])), for: Self.signature)
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test(arguments: [0o000, 0o077] as [mode_t])
  func `the file and its folder are the user's alone`(umask mask: mode_t) async throws {
    // A process has one umask: another process has this one.
    await #expect(processExitsWith: .success) {
      [path = cache.path as String, mask = mask as mode_t] in
      umask(mask)
      let file = CacheFile(
        name: "people", storeIdentifier: "S", in: FetchedResultsCache(path: path))
      try #require(file).keep(Self.results, for: Self.signature)
    }
    var (status, parent) = (stat(), stat())
    #expect(lstat(file.path, &status) == 0 && lstat(cache.path, &parent) == 0)
    #expect(status.st_mode & 0o7777 == 0o600 && parent.st_mode & 0o7777 == 0o700)
    #expect(try FileManager.default.contentsOfDirectory(atPath: cache.path).count == 1)
    #expect(file.results(for: Self.signature) == Self.results)
  }

  @Test func `a file with any bit flipped gives nothing`() throws {
    file.keep(Self.results, for: Self.signature)
    let whole = try bytes()
    // The last word of the header has no meaning.
    let unused = 56..<64
    for index in whole.indices where !unused.contains(index) {
      for bit in 0..<8 {
        var damaged = whole
        damaged[index] ^= 1 << bit
        try write(damaged)
        #expect(file.results(for: Self.signature) == nil, "byte \(index), bit \(bit)")
      }
    }
    try write(whole)
    #expect(file.results(for: Self.signature) == Self.results)
  }

  @Test func `a file that is cut off or too long gives nothing`() throws {
    file.keep(Self.results, for: Self.signature)
    let whole = try bytes()
    for count in 0..<whole.count {
      try write(whole.prefix(count))
      #expect(file.results(for: Self.signature) == nil, "\(count) bytes")
    }
    try write(whole + [0])
    #expect(file.results(for: Self.signature) == nil)
  }

  @Test func `a file with exchanged rows gives nothing`() throws {
    file.keep(Self.results, for: Self.signature)
    var bytes = try bytes()
    let first = 64 + 3
    let (one, other) = (bytes[first..<first + 8], bytes[first + 8..<first + 16])
    bytes.replaceSubrange(first..<first + 16, with: Data(other) + Data(one))
    try write(bytes)
    #expect(file.results(for: Self.signature) == nil)
  }

  /// Random numbers in the place of counts and lengths, with a checksum that is right.
  @Test(arguments: 0..<300)
  func `numbers that cannot be right give nothing, and end no program`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    file.keep(Self.results, for: Self.signature)
    var bytes = try bytes()
    let words = bytes.count / 8
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      let word = 8 * Int.random(in: 2..<words, using: &generator)
      let number: UInt64 =
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: UInt64.random(in: 0...9, using: &generator)
        case 1: UInt64.max - UInt64.random(in: 0...9, using: &generator)
        case 2: 1 << UInt64.random(in: 0..<64, using: &generator)
        default: UInt64.random(in: 0 ... .max, using: &generator)
        }
      withUnsafeBytes(of: number) { bytes.replaceSubrange(word..<word + 8, with: $0) }
    }
    try write(bytes)
    withUnsafeBytes(of: checksum(of: [UInt8](bytes))) { bytes.replaceSubrange(48..<56, with: $0) }
    try write(bytes)
    if let found = file.results(for: Self.signature) {
      // What is found can be shown.
      let list = ResultsSections(found, isSectioned: true)
      #expect(list.ids.map(\.key).count == list.count)
    }
  }

  /// The checksum that a file with these numbers should have; 0 if they do not fit its size.
  private func checksum(of bytes: [UInt8]) -> UInt64 {
    func words(_ start: Int, _ count: Int) -> [UInt64] {
      bytes.withUnsafeBytes { raw in
        (0..<count).map { raw.loadUnaligned(fromByteOffset: start + 8 * $0, as: UInt64.self) }
      }
    }
    let counts = words(16, 4)
    guard counts.allSatisfy({ $0 <= UInt64(bytes.count) }) else { return 0 }
    let (rows, signature, description, text) = (
      Int(counts[0]), Int(counts[1]), Int(counts[2]), Int(counts[3])
    )
    guard bytes.count == 64 + signature + 8 * (rows + description) + text else { return 0 }
    var sum = Checksum()
    sum.add(words(0, 6))
    sum.add(Array(bytes[64..<64 + signature]))
    sum.add(words(64 + signature, rows))
    sum.add(words(64 + signature + 8 * rows, description))
    sum.add(Array(bytes.suffix(text)))
    return sum.value
  }

  @Test(arguments: ["pipe", "folder", "link", "unreadable"])
  func `what is no file of this user gives nothing`(kind: String) throws {
    file.keep(Self.results, for: Self.signature)
    let other = folder.path("other")
    try FileManager.default.moveItem(atPath: file.path, toPath: other)
    switch kind {
    case "pipe": #expect(mkfifo(file.path, 0o600) == 0)
    case "folder": #expect(mkdir(file.path, 0o700) == 0)
    case "link": #expect(symlink(other, file.path) == 0)
    default: if geteuid() != 0 { #expect(open(file.path, O_CREAT, 0) >= 0) }
    }
    #expect(file.results(for: Self.signature) == nil)
    file.keep(Self.results, for: Self.signature)
    // A folder stays in the way.
    #expect((file.results(for: Self.signature) == Self.results) == (kind != "folder"))
    #expect(try names() == [URL(fileURLWithPath: file.path).lastPathComponent])
  }

  @Test func `file and folder are for this user alone`() throws {
    file.keep(Self.results, for: Self.signature)
    func mode(_ path: String) throws -> Int {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      return try #require(attributes[.posixPermissions] as? Int)
    }
    #expect(try mode(file.path) == 0o600)
    #expect(try mode(cache.path) == 0o700)
  }

  @Test func `where no file can be written nothing is kept`() {
    for path in ["", "relative", "/dev/null/caches", "/proc/caches"] {
      let cache = FetchedResultsCache(path: path)
      let file = CacheFile(name: "people", storeIdentifier: "S", in: cache)
      file?.keep(Self.results, for: Self.signature)
      #expect(file?.results(for: Self.signature) == nil)
      cache.delete(withName: nil)
    }
  }

  @Test func `the draft of a killed program is removed, and nothing else`() throws {
    file.keep(Self.results, for: Self.signature)
    for name in [".cardfile-0123456789abcdef.part", ".other"] {
      try Data([1]).write(to: URL(fileURLWithPath: "\(cache.path)/\(name)"))
    }
    file.keep(Self.results, for: Self.signature)
    #expect(try names().filter { $0.hasPrefix(".") } == [".other"])
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: cache.path).sorted()
  }

  @Test func `caches are deleted by name, in every store, and no others`() throws {
    let long = String(repeating: "ä", count: 200)
    let names = ["a", "A", "a.b", "a.", ".", "..", "a/b", "", "%", "a%2E", long, long + "b"]
    func files(_ name: String) throws -> [CacheFile] {
      try ["S", "T"].map {
        try #require(CacheFile(name: name, storeIdentifier: $0, in: cache))
      }
    }
    for name in names {
      for file in try files(name) { file.keep(Self.results, for: Self.signature) }
    }
    #expect(try self.names().count == 2 * names.count)
    for (index, name) in names.enumerated() {
      cache.delete(withName: name)
      for (other, isThere) in zip(names, names.indices.map { $0 > index }) {
        for file in try files(other) {
          #expect((file.results(for: Self.signature) != nil) == isThere, "\(name), \(other)")
        }
      }
    }
    for name in names {
      for file in try files(name) { file.keep(Self.results, for: Self.signature) }
    }
    cache.delete(withName: nil)
    #expect(try self.names() == [])
  }
}
