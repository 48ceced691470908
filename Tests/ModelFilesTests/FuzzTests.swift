import Foundation
import ObjectModel
import TestSupport
import Testing

@testable import ModelFiles

/// Damaged inputs by the thousand: nothing crashes or hangs, and what is read is whole.
///
/// The suite tries some hundred; `CARDFILE_FUZZ=10000` in the environment tries so many of each kind.
@Suite(.serialized) struct FuzzTests {
  private static let count =
    ProcessInfo.processInfo.environment["CARDFILE_FUZZ"].flatMap { Int($0) } ?? 100
  /// The seconds of processor time that no input may take, in a debug build.
  private static let limit = 5.0

  /// Archives: our own, and those of the real stores where these are there.
  private static let archives: [Data] = {
    var all = [ownArchive()]
    if let folder = RealStores.folder {
      for name in ["SampleModel", "SampleModel2", "SampleModel3"] {
        let url = folder.appendingPathComponent("models/Sample.momd/\(name).mom")
        if let data = try? Data(contentsOf: url) { all.append(data) }
      }
      for store in RealStores.withModels {
        if let cache = try? RealStores.cache(of: store),
          let data = try? Deflate.unpacked(cache, .raw), count > 1_000 || data.count < 20_000
        {
          all.append(data)
        }
      }
    }
    return all
  }()

  private static func ownArchive() -> Data {
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

  /// Reads bytes in every way there is; how many models came of it.
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

  /// Seconds of processor time of this thread, which other tests and programs do not change.
  private static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  @Test func `damaged archives are read or refused`() {
    var mutator = Mutator(seed: 1)
    var models = 0
    for _ in 0..<Self.count { models += read(mutator.damaged(Self.archives)) }
    #expect(models > 0 && models < Self.count)
  }

  @Test func `damaged caches are read or refused`() throws {
    var mutator = Mutator(seed: 2)
    let caches = try Self.archives.map { try Deflate.packed($0) }
    for _ in 0..<Self.count { _ = read(mutator.damaged(caches)) }
    for _ in 0..<Self.count { _ = read(try Deflate.packed(mutator.damaged(Self.archives))) }
  }

  @Test func `archives whose parts name others than they should are read or refused`() throws {
    var mutator = Mutator(seed: 3)
    let lists = try Self.archives.map { try PropertyListValue.read($0) }
    var models = 0
    for turn in 0..<Self.count {
      models += read(mutator.rewired(lists[turn % lists.count]).binaryPropertyList())
    }
    #expect(models > Self.count / 2)
  }

  @Test func `what unfolds without end is refused at the limit`() throws {
    let zeros = try Deflate.packed(Data(count: Deflate.maximumSize + 1_000_000))
    #expect(zeros.count < 100_000)
    #expect(throws: ModelFileError.self) { try ModelCache.model(from: zeros) }
    do throws(ModelFileError) {
      _ = try Deflate.unpacked(zeros, .raw)
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
    #expect(read(try Deflate.packed(bytes)) == 0)
  }

  @Test func `a model that inherits and shares without end is refused or bounded`() throws {
    var maker = ArchiveMaker()
    let properties = maker.dictionary((0..<500).map { ("p\($0)", maker.add(.null)) })
    var entities: [(String, PropertyListValue)] = []
    var parent = ArchiveMaker.null
    for place in 0..<1_000 {
      let attribute = maker.attribute("a\(place)", 700)
      parent = maker.entity(
        "E\(place)", extends: parent, properties: [("a\(place)", attribute)])
      entities.append(("E\(place)", parent))
      entities.append(
        ("S\(place)", maker.object("NSEntityDescription", ["NSProperties": properties])))
    }
    let model = maker.model(entities)
    _ = read(maker.data(root: model))
  }

  @Test func `entities that share one large parent are read in time`() throws {
    var maker = ArchiveMaker()
    let attribute = maker.attribute("a", 700)
    let properties = (0..<1_000).map { ("a\($0)", attribute) }
    let parent = maker.entity("Parent", properties: properties)
    let entities = (0..<3_000).map { place in
      ("E\(place)", maker.entity("E\(place)", extends: parent, properties: []))
    }
    let model = maker.model(entities)
    #expect(read(maker.data(root: model)) == 1)
  }
}
