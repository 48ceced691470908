import Foundation
import ObjectModel
import TestSupport
import Testing

@testable import ModelFiles

/// Randomly damaged archives: none crashes or hangs a reader, and every model that is read is
/// valid.
///
/// Each test tries 100 inputs; the environment variable `CARDFILE_FUZZ=10000` sets another number.
@Suite(.serialized) struct FuzzTests {
  private static let count =
    ProcessInfo.processInfo.environment["CARDFILE_FUZZ"].flatMap { Int($0) } ?? 100
  /// The maximum processor time for one input in a debug build, in seconds.
  private static let limit = 5.0

  /// The inputs: an archive made in code, and those of the real stores if they are available.
  private static let archives: [Data] = {
    var all = [sampleArchive()]
    if let folder = RealStores.folder {
      for name in ["SampleModel", "SampleModel2", "SampleModel3"] {
        let url = folder.appendingPathComponent("models/Sample.momd/\(name).mom")
        if let data = try? Data(contentsOf: url) { all.append(data) }
      }
      for store in RealStores.withModels {
        if let cache = try? RealStores.cache(of: store),
          let data = try? Deflate.decompressed(cache, .raw), count > 1_000 || data.count < 20_000
        {
          all.append(data)
        }
      }
    }
    return all
  }()

  private static func sampleArchive() -> Data {
    var maker = ArchiveMaker()
    let (person, card) = (maker.reserve(), maker.reserve())
    let rule = maker.comparison(maker.keyPath("length"), 3, maker.constant(3))
    let name = maker.attribute(
      "name", 700,
      [
        "NSValidationPredicates": maker.array([maker.compound(1, [rule, rule])]),
        "NSValidationWarnings": maker.array([maker.add("short")]),
      ])
    maker.entity(
      "Person", at: person,
      properties: [
        ("name", name),
        ("cards", maker.relationship("cards", to: "Card", inverse: "owner", max: 0)),
      ])
    maker.entity(
      "Card", at: card, extends: person,
      properties: [("owner", maker.relationship("owner", to: "Person", inverse: "cards"))],
      ["NSUniqueTuples": maker.array([maker.array([maker.add("name")])])])
    let model = maker.model([("Person", person), ("Card", card)])
    return maker.data(root: model)
  }

  /// Reads data in every supported way; returns the number of models found, 0 or 1.
  private func read(_ data: Data) -> Int {
    var models = 0
    let start = Self.processorTime
    _ = ArchiveDescription.lines(of: data)
    if let decoded = try? ModelCache.model(from: data) {
      models = 1
      #expect(throws: Never.self) { try decoded.model.validate() }
      #expect(decoded.notes.count <= 21)
    }
    let time = Self.processorTime - start
    #expect(time < Self.limit, "\(data.count) bytes: \(data.base64EncodedString().prefix(200))")
    return models
  }

  /// The processor time of this thread in seconds, independent of other tests and programs.
  private static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  @Test func `damaged archives are read as valid models or refused`() {
    var mutator = Mutator(seed: 1)
    var models = 0
    for _ in 0..<Self.count { models += read(mutator.damaged(Self.archives)) }
    #expect(models > 0 && models < Self.count)
  }

  @Test func `damaged model caches are read as valid models or refused`() throws {
    var mutator = Mutator(seed: 2)
    let caches = try Self.archives.map { try Deflate.compressed($0) }
    for _ in 0..<Self.count { _ = read(mutator.damaged(caches)) }
    for _ in 0..<Self.count { _ = read(try Deflate.compressed(mutator.damaged(Self.archives))) }
  }

  @Test func `archives with wrong references are read as valid models or refused`() throws {
    var mutator = Mutator(seed: 3)
    let lists = try Self.archives.map { try PropertyListValue.read($0) }
    var models = 0
    for turn in 0..<Self.count {
      models += read(mutator.rewired(lists[turn % lists.count]).binaryPropertyList())
    }
    #expect(models > Self.count / 2)
  }

  @Test func `decompression stops at the size limit`() throws {
    let zeros = try Deflate.compressed(Data(count: Deflate.maximumSize + 1_000_000))
    #expect(zeros.count < 100_000)
    #expect(throws: ModelFileError.self) { try ModelCache.model(from: zeros) }
    do throws(ModelFileError) {
      _ = try Deflate.decompressed(zeros, .raw)
    } catch {
      #expect(error.reason == .tooLarge)
    }
    // A property list of 60 MB in a small cache: one array of references to the same object.
    let size = 60_000_000
    var bytes = Data("bplist00".utf8) + Data([0xAF, 0x12, 3, 0x93, 0x87, 0]) + Data(count: size)
    let table = bytes.count
    bytes += Data([8, 0, 0, 0, 0, 0, 0, 1, 1])
    for number in [1, 0, table] {
      bytes += withUnsafeBytes(of: UInt64(number).bigEndian) { Data($0) }
    }
    #expect(read(try Deflate.compressed(bytes)) == 0)
  }

  @Test func `very deep inheritance and shared properties are refused or bounded`() throws {
    var maker = ArchiveMaker()
    let properties = maker.dictionary((0..<500).map { ("p\($0)", maker.add(.null)) })
    var entities: [(String, PropertyListValue)] = []
    var parent = ArchiveMaker.null
    for index in 0..<1_000 {
      let attribute = maker.attribute("a\(index)", 700)
      parent = maker.entity(
        "E\(index)", extends: parent, properties: [("a\(index)", attribute)])
      entities.append(("E\(index)", parent))
      entities.append(
        ("S\(index)", maker.object("NSEntityDescription", ["NSProperties": properties])))
    }
    let model = maker.model(entities)
    _ = read(maker.data(root: model))
  }

  @Test func `3,000 sub-entities of one large entity are read within the time limit`() throws {
    var maker = ArchiveMaker()
    let attribute = maker.attribute("a", 700)
    let properties = (0..<1_000).map { ("a\($0)", attribute) }
    let parent = maker.entity("Parent", properties: properties)
    let entities = (0..<3_000).map { index in
      ("E\(index)", maker.entity("E\(index)", extends: parent, properties: []))
    }
    let model = maker.model(entities)
    #expect(read(maker.data(root: model)) == 1)
  }
}
