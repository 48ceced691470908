import FetchedResults
import Foundation
import ManagedObjects
import ObjectModel
import TestStores
import TestSupport
import Testing

/// Random changes of objects of random models, in every kind of store, with saves of another context
/// in between: context, store and lists agree after each.
@Suite struct `Objects of a random model` {
  /// How many models are tried in each kind of store; `CARDFILE_MODELS` changes it.
  static let models: ClosedRange<UInt64> =
    1...(ProcessInfo.processInfo.environment["CARDFILE_MODELS"].flatMap { UInt64($0) } ?? 12)
  /// Models that have failed once.
  static let failed: [UInt64] = [
    404, 1448, 1518, 1756, 1760, 1809, 2546, 2631, 2763, 2975, 3150,
  ]
  /// The seeds of the models.
  static let seeds = {
    let only = ProcessInfo.processInfo.environment["CARDFILE_MODEL"].flatMap { UInt64($0) }
    return only.map { [$0] } ?? Array(models) + failed.filter { !models.contains($0) }
  }()

  @Test(arguments: stores, seeds)
  func `are the same in the context, the store and lists after any changes`(
    kind: Kind, seed: UInt64
  ) throws {
    var run = try Run(kind, seed: seed)
    do {
      for _ in 0..<24 { try run.step() }
    } catch {
      Issue.record("\(error)\n\(run.log.joined(separator: "\n"))")
    }
  }

  /// What the objects are not.
  private struct Disagreement: Error, CustomStringConvertible {
    let description: String
  }

  /// A context with its lists, another context, and what happened to them.
  private struct Run {
    private let folder: TemporaryFolder
    private let model: RandomModel
    private let coordinator: PersistentStoreCoordinator
    private let context: ManagedObjectContext
    private let other: ManagedObjectContext
    private let lists: [FetchedResultsController<ManagedObject>]
    private var editor: RandomEditor
    private var otherEditor: RandomEditor
    private var random: SeededGenerator
    private(set) var log: [String] = []

    init(_ kind: Kind, seed: UInt64) throws {
      random = SeededGenerator(seed: seed)
      folder = try TemporaryFolder()
      model = RandomModel(using: &random)
      coordinator = PersistentStoreCoordinator(store: try kind.makeStore(model.model, in: folder))
      // Some keep few rows, and are not given back those that they have saved.
      context = ManagedObjectContext(
        coordinator: coordinator, rowCapacity: seed % 2 == 0 ? 2_000 : 2)
      other = ManagedObjectContext(coordinator: coordinator)
      editor = RandomEditor(model, context, prefix: "m")
      otherEditor = RandomEditor(model, other, prefix: "o")
      other.mergePolicy = .mergeByPropertyObjectTrump
      context.mergePolicy = random.pick(MergePolicy.allCases)
      for _ in 0..<8 { log.append(try editor.change(using: &random)) }
      var lists: [FetchedResultsController<ManagedObject>] = []
      for _ in 0..<2 {
        let (request, section) = try model.request(using: &random)
        log.append("\(request) \(String(describing: section))")
        lists.append(
          FetchedResultsController(fetchRequest: request, context: context, sectionKey: section))
      }
      self.lists = lists
      for entity in model.model.entities {
        for relationship in entity.relationships {
          log.append(
            "\(entity.name).\(relationship.name) -\(relationship.isToMany ? ">>" : ">") "
              + "\(relationship.destinationEntityName).\(relationship.inverseName ?? "") "
              + "\(relationship.deleteRule)\(relationship.isOrdered ? " ordered" : "")")
        }
      }
      for list in lists { try list.performFetch() }
    }

    mutating func step() throws {
      switch Int.random(in: 0..<16, using: &random) {
      case 0..<6: try edit()
      case 6..<8: try editAndUndo()
      case 8: note("undo", context.undoHistory.undo())
      case 9: note("redo", context.undoHistory.redo())
      case 10, 11: try save()
      case 12: try rollback()
      case 13: try refresh()
      // Both ends of a relationship from one to one are stored: two contexts may set one each.
      default: if !model.hasOneToOne { try saveElsewhere() }
      }
      context.processPendingChanges()
      try check()
    }

    private mutating func note(_ what: String, _ result: String?) {
      log.append("\(what): \(result ?? "nothing")")
    }

    private mutating func edit() throws {
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        log.append(try editor.change(using: &random))
      }
    }

    /// Undo leads back to the state before, and redo to the one after.
    private mutating func editAndUndo() throws {
      context.processPendingChanges()
      let before = try context.picture(model)
      try edit()
      context.processPendingChanges()
      let after = try context.picture(model)
      guard before != after else { return }
      note("undo", context.undoHistory.undo())
      try expect(context.picture(model), before, "undo")
      note("redo", context.undoHistory.redo())
      try expect(context.picture(model), after, "redo")
    }

    private mutating func save() throws {
      log.append("save")
      do {
        try context.save()
      } catch let error as ManagedObjectError where isExpected(error) {
        log.append("refused: \(error)")
        try check()
        return try rollback()
      }
      if context.hasChanges { throw Disagreement(description: "there are changes after a save") }
      try expectStored("save")
    }

    /// Whether a save may be refused: by the rules of the model, or because another context has
    /// deleted an object that something leads to.
    private func isExpected(_ error: ManagedObjectError) -> Bool {
      [.validation, .denied, .conflict].contains(error.reason)
        || error.storeError?.reason == .constraint
          && log.contains { $0.hasPrefix("elsewhere: delete") }
    }

    private mutating func rollback() throws {
      log.append("rollback")
      context.rollback()
      if context.hasChanges {
        throw Disagreement(description: "there are changes after a rollback")
      }
      try expectStored("rollback")
    }

    private mutating func refresh() throws {
      let objects = try context.all(random.pick(model.concrete).name)
      guard let object = objects.randomElement(using: &random) else { return }
      // What a discarded change did to the other end of a relationship stays: see discardChanges(of:).
      // Where both ends are stored they would disagree.
      let merges = random.chance(oneIn: 2) || model.hasOneToOne
      log.append("refresh \(object.tag), merging: \(merges)")
      let before = try context.picture(model)
      context.refresh(object, mergeChanges: merges)
      // One that another context has changed too takes over what does not conflict.
      let isExact = merges && context.conflicts[object.objectID] == nil
      if isExact { try expect(context.picture(model), before, "refresh") }
    }

    private mutating func saveElsewhere() throws {
      other.processPendingChanges()
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        log.append("elsewhere: " + (try otherEditor.change(using: &random)))
      }
      do {
        try other.save()
      } catch let error as ManagedObjectError where isExpected(error) {
        log.append("refused elsewhere: \(error)")
        other.rollback()
      }
      context.processPendingChanges()
      if !context.hasChanges { try expectStored("the save elsewhere") }
    }

    private func check() throws {
      let problems = try context.problems(model)
      if !problems.isEmpty { throw Disagreement(description: problems.joined(separator: "\n")) }
      for list in lists {
        if let error = list.mostRecentError { throw error }
        let request = list.request
        let fresh = ResultsSections(
          try context.fetchIDs(request.plan(in: model.model)),
          isSectioned: request.sectionKey != nil)
        guard list.results != fresh else { continue }
        let (shown, expected) = (picture(list.results), picture(fresh))
        throw Disagreement(description: "the list shows \(shown), not \(expected)")
      }
    }

    private func picture(_ list: ResultsSections?) -> [String] {
      guard let list else { return [] }
      return (0..<list.sectionCount).map { section in
        let tags = list.itemIdentifiers(inSection: section).map { context.object(with: $0).tag }
        return "\(list.names[section]): \(tags.joined(separator: ","))"
      }
    }

    /// Expects that the context shows what a new one reads.
    private func expectStored(_ what: String) throws {
      let stored = try ManagedObjectContext(coordinator: coordinator).picture(model)
      try expect(context.picture(model), stored, what)
    }

    private func expect(_ shown: [String], _ expected: [String], _ what: String) throws {
      if shown == expected { return }
      let (more, less) = (
        Set(shown).subtracting(expected).sorted(), Set(expected).subtracting(shown).sorted()
      )
      throw Disagreement(
        description: "after \(what) the context has\n\(more.joined(separator: "\n"))\nnot\n"
          + less.joined(separator: "\n"))
    }
  }
}
