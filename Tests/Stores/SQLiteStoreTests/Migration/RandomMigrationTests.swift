import Foundation
import ManagedObjects
import ObjectModel
import SQLiteStore
import TestStores
import TestSupport
import Testing

/// Random models that change at random, with random objects, in both layouts: a migration does what
/// one does that is made in memory, object by object.
struct RandomMigrationTests {
  /// How many models are tried; `CARDFILE_MIGRATIONS` changes it.
  static let seeds: [UInt64] = {
    let environment = ProcessInfo.processInfo.environment
    if let only = environment["CARDFILE_MIGRATION"].flatMap({ UInt64($0) }) { return [only] }
    return Array(1...(environment["CARDFILE_MIGRATIONS"].flatMap { UInt64($0) } ?? 40))
  }()

  /// What refusals say that depend on the objects.
  static let dataRefusals = ["could keep one object"]

  @Test(arguments: [TestedStore.plain, .coreData], seeds)
  func `a migration is what one in memory is`(kind: TestedStore, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let database = try TemporaryDatabase()
    let before = EvolvingModel(using: &random)
    var after = before
    for _ in 0..<Int.random(in: 1...8, using: &random) { after.change(using: &random) }
    if random.chance(oneIn: 8) { after.refuse(after: before, using: &random) }
    try fill(try kind.makeStore(before.model(), at: database.path), before, &random)
    let old = try read(database, before)

    let store = try database.open(.init(makesBackup: false))
    let model = after.model()
    try model.validate()
    let migration = try store.migration(to: model)
    if !after.refusals.isEmpty || !migration.refusals.isEmpty {
      let known = after.refusals.isEmpty ? Self.dataRefusals : after.refusals
      #expect(!migration.refusals.isEmpty, "\(after.refusals)")
      for refusal in migration.refusals {
        #expect(
          (known + Self.dataRefusals).contains { refusal.contains($0) }, "\(refusal)")
      }
      #expect(throws: StoreError.self) { try store.migrate(migration) }
      #expect(try read(database, before) == old)
      return
    }
    guard !migration.isEmpty else { return }
    try store.migrate(migration)

    let errors = try database.open().check().filter { $0.severity == .error }
    #expect(errors.isEmpty, "\(errors.map(\.message))")
    let new = try read(database, after).ordered(by: before, after)
    let expected = old.migrated(from: before, to: after)
    #expect(
      new == expected,
      "\(new.differences(from: expected))\n\(migration.lines.joined(separator: "\n"))")
    // New objects fit in.
    try fill(try database.open(.init(makesBackup: false)), after, &random)
    let later = try database.open().check().filter { $0.severity == .error }
    #expect(later.isEmpty, "\(later.map(\.message))")
  }

  @Test(arguments: [TestedStore.plain, .coreData], seeds)
  func `a migration by a mapping model is what one in memory is`(
    kind: TestedStore, seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: seed ^ 0x3737)
    let database = try TemporaryDatabase()
    let before = EvolvingModel(using: &random)
    var after = before
    for _ in 0..<Int.random(in: 1...8, using: &random) { after.change(using: &random) }
    try fill(try kind.makeStore(before.model(), at: database.path), before, &random)
    let old = try read(database, before)
    let store = try database.open(.init(makesBackup: false))
    let model = after.model()
    let inferred = try store.migration(to: model)
    guard inferred.refusals.isEmpty, !inferred.isEmpty else { return }
    var mapping = MappingModel(inferredFrom: store.model, to: model)
    // Some entities are dropped, and some texts are made.
    var dropped: Set<Int> = []
    var marked: Set<Int> = []
    for entity in after.entities where !entity.isAbstract {
      guard
        let index = mapping.entityMappings.firstIndex(where: {
          $0.destinationEntityName == entity.name
        })
      else { continue }
      if random.chance(oneIn: 6) {
        mapping.entityMappings.remove(at: index)
        dropped.insert(entity.number)
        continue
      }
      let texts = after.attributes(of: entity.number).filter { $0.type == .string }
      guard let text = texts.first, random.chance(oneIn: 2) else { continue }
      mapping.entityMappings[index].values = { _ in [text.name: "made"] }
      marked.insert(entity.number)
    }
    let migration = try store.migration(to: model, mapping: mapping)
    #expect(migration.refusals.isEmpty)
    try store.migrate(migration)

    let errors = try database.open().check().filter { $0.severity == .error }
    #expect(errors.isEmpty, "\(errors.map(\.message))")
    let new = try read(database, after).ordered(by: before, after)
    let expected = old.migrated(from: before, to: after).without(dropped).marking(marked, in: after)
    #expect(
      new == expected,
      "\(new.differences(from: expected))\n\(migration.lines.joined(separator: "\n"))")
    try fill(try database.open(.init(makesBackup: false)), after, &random)
    let later = try database.open().check().filter { $0.severity == .error }
    #expect(later.isEmpty, "\(later.map(\.message))")
  }

  private func read(_ database: TemporaryDatabase, _ model: EvolvingModel) throws
    -> MigratedObjects
  {
    let store = try database.open()
    #expect(store.model.entities.count == model.entities.count)
    let context = ManagedObjectContext(
      coordinator: PersistentStoreCoordinator(store: store))
    return try MigratedObjects(context, model)
  }

  /// Inserts objects with random values and links.
  private func fill(
    _ store: any PersistentStore, _ model: EvolvingModel, _ random: inout SeededGenerator
  ) throws {
    let context = ManagedObjectContext(coordinator: PersistentStoreCoordinator(store: store))
    var objects: [(ManagedObject, EvolvingModel.Entity)] = []
    for entity in model.entities where !entity.isAbstract {
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        let object = try context.insert(entityName: entity.name)
        objects.append((object, entity))
        for attribute in model.attributes(of: entity.number) {
          if attribute.isOptional, random.chance(oneIn: 4) { continue }
          try object.setValue(
            value(of: attribute.type, &random), forKey: attribute.name)
        }
      }
    }
    for (object, entity) in objects {
      for end in model.ends(of: entity.number) {
        let possible = objects.filter { model.isFamily($0.1.number, of: end.destination) }
          .map(\.0)
        let chosen = possible.filter { _ in random.chance(oneIn: 3) }.shuffled(using: &random)
        if end.isToMany {
          for other in chosen { try object.add(other, forKey: end.name) }
        } else if let first = chosen.first {
          try object.setObject(first, forKey: end.name)
        }
      }
    }
    try context.save()
  }

  private func value(of type: AttributeType, _ random: inout SeededGenerator) -> Value {
    let number = Int64.random(in: -9...9, using: &random)
    return switch type {
    case .boolean: .bool(number > 0)
    case .integer16, .integer32, .integer64: .integer(number)
    case .float, .double: .double(Double(number) / 4)
    case .decimal: .decimal(Decimal(number) / 4)
    case .date: .date(Date(timeIntervalSinceReferenceDate: Double(number) * 1000.5))
    case .uuid: .uuid(UUID())
    case .binaryData: .data(Data([UInt8(truncatingIfNeeded: number), 0, 255]))
    default: .string("text \(number)")
    }
  }
}
