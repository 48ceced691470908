import Foundation
import ManagedObjects
import ObjectModel
import TestSupport
import Testing

/// Orders that change, change back, and are changed by two.
@Suite struct `Reordering` {
  /// What leads back to the order 0, 1, 2.
  enum Way: CaseIterable {
    case undo, byHand, insertedAndRemoved, removedAndInserted, undoneOneByOne, rollback, replaced
    case undoneWithoutRegistration
  }

  private func goAndReturn(_ way: Way, _ lists: Playlists) throws {
    let history = lists.context.undoHistory
    switch way {
    case .undo:
      try lists.move("0", to: 2)
      history.undo()
    case .byHand:
      try lists.move("0", to: 2)
      #expect(lists.order == "120" && lists.context.hasChanges)
      try lists.move("0", to: 0)
    case .insertedAndRemoved:
      try lists.move("a", to: 1)
      try lists.move("2", to: 0)
      try lists.remove("a")
      try lists.move("2", to: nil)
    case .removedAndInserted:
      try lists.remove("1")
      #expect(lists.order == "02")
      try lists.move("1", to: 1)
    case .undoneOneByOne:
      for (name, index) in [("0", 2), ("2", 0), ("a", 1), ("1", 0)] {
        try lists.move(name, to: index)
        lists.context.processPendingChanges()
      }
      try lists.remove("0")
      while history.canUndo { history.undo() }
    case .rollback:
      try lists.move("0", to: 2)
      try lists.move("a", to: 0)
      lists.context.rollback()
    case .replaced:
      for name in ["0", "1", "2"] { try lists.remove(name) }
      for name in ["0", "1", "2"] { try lists.move(name, to: nil) }
    case .undoneWithoutRegistration:
      history.isRegistrationEnabled = false
      try lists.move("a", to: 0)
      try lists.move("1", to: 0)
      try lists.move("1", to: nil)
      try lists.move("2", to: nil)
      try lists.remove("a")
    }
  }

  // Core Data: NSManagedObjectContext.hasChanges after NSMutableOrderedSet.moveObjects(at:to:).
  @Test(arguments: Playlists.cases, Way.allCases)
  func `an order that is as it was is no change, and overwrites nothing`(
    test: Playlists.Case, way: Way
  ) throws {
    let lists = try Playlists(test, spareCount: 1)
    try goAndReturn(way, lists)
    #expect(lists.order == "012" && !lists.context.hasChanges && !lists.list.hasChanges)
    #expect(lists.context.updatedObjectIDs.isEmpty && lists.context.changeCounts.updated == 0)
    let request = try lists.context.saveRequest()
    #expect(request.linked.isEmpty && request.unlinked.isEmpty && request.updated.isEmpty)
    try lists.saveElsewhere("210")
    lists.list["name"] = "Mine"
    try lists.context.save()
    lists.list["name"] = "List"
    try lists.context.save()
    #expect(try lists.stored() == "210")
    try lists.context.refreshFromStore()
    #expect(lists.order == "210")
  }

  /// How the context learns of the other save.
  enum Notice: CaseIterable { case byMerging, bySaving }

  // Core Data: NSErrorMergePolicy: an ordered relationship is a property like others.
  @Test(arguments: Playlists.cases, Notice.allCases)
  func `an order that both have changed is a conflict`(test: Playlists.Case, notice: Notice) throws
  {
    let lists = try Playlists(test)
    try lists.move("0", to: 2)
    try lists.saveElsewhere("021", isStranger: notice == .bySaving)
    if notice == .byMerging { lists.context.processPendingChanges() }
    let error = try managedObjectError { try lists.context.save() }
    #expect(error.reason == .conflict && error.objectIDs == [lists.list.objectID])
    #expect(try lists.stored() == "021" && lists.order == "120")
    let conflict = try #require(error.mergeConflicts.first)
    let ids = try ["0", "1", "2"].map { try lists.object($0).objectID }
    #expect(
      conflict.properties == [
        .init(
          name: lists.key, base: .objects(ids), mine: .objects([ids[1], ids[2], ids[0]]),
          theirs: .objects([ids[0], ids[2], ids[1]]), isMine: true, isTheirs: true)
      ])
    #expect(lists.context.conflicts == [lists.list.objectID: conflict] && !conflict.isGone)
  }

  // Core Data: optimistic locking, whatever the new order is.
  @Test(arguments: Playlists.cases)
  func `the same new order of both is a conflict, the old one none`(test: Playlists.Case) throws {
    let lists = try Playlists(test)
    try lists.move("0", to: 2)
    try lists.saveElsewhere("120")
    #expect(try managedObjectError { try lists.context.save() }.reason == .conflict)
    lists.context.undoHistory.undo()
    #expect(!lists.context.hasChanges && lists.context.conflicts.isEmpty && lists.order == "120")
  }

  // Core Data: NSMergePolicy's others.
  @Test(arguments: Playlists.cases, MergePolicy.allCases.filter { $0 != .error })
  func `a policy decides which order is kept`(test: Playlists.Case, policy: MergePolicy) throws {
    let lists = try Playlists(test, spareCount: 2)
    lists.context.mergePolicy = policy
    try lists.move("0", to: 2)
    try lists.move("a", to: 0)
    try lists.saveElsewhere("2b01")
    try lists.context.save()
    let isMine = policy == .mergeByPropertyObjectTrump || policy == .overwrite
    let expected = isMine ? "a120b" : "2b01a"
    #expect(try lists.order == expected && lists.stored() == expected)
    #expect(!lists.context.hasChanges && lists.context.conflicts.isEmpty)
  }

  // Not in Core Data: by hand, and nothing that was not shown is overwritten.
  @Test(arguments: Playlists.cases, [true, false])
  func `the conflict of an order is resolved by hand`(test: Playlists.Case, isMine: Bool) throws {
    let lists = try Playlists(test)
    try lists.move("0", to: 2)
    try lists.saveElsewhere("021")
    #expect(throws: ManagedObjectError.self) { try lists.context.save() }
    try lists.saveElsewhere("210")
    let (context, id) = (lists.context, lists.list.objectID)
    try context.resolveConflict(of: id, keeping: [lists.key])
    let ids = try ["2", "1", "0"].map { try lists.object($0).objectID }
    #expect(context.conflicts[id]?.properties.first?.theirs == .objects(ids))
    try context.resolveConflict(of: id, keeping: isMine ? [lists.key] : [])
    #expect(context.conflicts.isEmpty && context.hasChanges == isMine)
    try context.save()
    #expect(try lists.stored() == (isMine ? "120" : "210"))
  }

  // Core Data: changes of both that do not concern the order are merged.
  @Test(
    arguments: Playlists.cases,
    [("012b", "120b"), ("02", "20"), ("20b1", nil)] as [(String, String?)])
  func `objects that were added at the end or removed elsewhere are merged with an order`(
    test: Playlists.Case, others: (theirs: String, merged: String?)
  ) throws {
    let lists = try Playlists(test, spareCount: 2)
    try lists.move("0", to: 2)
    try lists.saveElsewhere(others.theirs)
    if let merged = others.merged {
      try lists.context.save()
      #expect(try lists.order == merged && lists.stored() == merged)
    } else {
      #expect(try managedObjectError { try lists.context.save() }.reason == .conflict)
    }
  }

  // Core Data: the same the other way round.
  @Test(arguments: Playlists.cases, [true, false])
  func `what is added at the end or removed here leaves an order that another has saved`(
    test: Playlists.Case, isNew: Bool
  ) throws {
    let lists = try Playlists(test, spareCount: 1)
    if isNew { try lists.context.make("b", test.entity) }
    try lists.move("1", to: 0)
    try lists.move(isNew ? "b" : "a", to: 1)
    try lists.move(isNew ? "b" : "a", to: nil)
    try lists.move("1", to: 1)
    try lists.remove("2")
    try lists.saveElsewhere("210")
    try lists.context.save()
    let expected = isNew ? "10b" : "10a"
    #expect(try lists.order == expected && lists.stored() == expected)
  }

  // Core Data: NSManagedObjectContext.undo() of deletions and values beside an order.
  // The foreign keys of another program's join table deny deletions.
  @Test(arguments: Playlists.cases.filter { !$0.isForeign })
  func `deletions, new objects and values that are undone leave no order behind`(
    test: Playlists.Case
  ) throws {
    let lists = try Playlists(test)
    let (context, history) = (lists.context, lists.context.undoHistory)
    try lists.move("2", to: 0)
    try lists.list.add(context.make("x", test.entity), forKey: lists.key, at: 1)
    try lists.object("1")["name"] = "one"
    context.processPendingChanges()
    try context.delete(lists.object("0"))
    context.processPendingChanges()
    #expect(lists.order == "2xone")
    history.undo()
    #expect(lists.order == "2x0one")
    history.undo()
    #expect(lists.order == "012" && !context.hasChanges)
    history.redo()
    history.redo()
    #expect(lists.order == "2xone")
    try context.save()
    #expect(try lists.stored() == "2xone" && lists.findings() == [])
    history.undo()
    history.undo()
    try context.save()
    #expect(try lists.order == "012" && lists.stored() == "012" && lists.findings() == [])
  }

  // Core Data: Z_FOK of a relationship without inverse, too.
  @Test(arguments: Playlists.cases)
  func `what is added at the end is the last in the store`(test: Playlists.Case) throws {
    let lists = try Playlists(test, spareCount: 1)
    try lists.context.make("b", test.entity)
    for name in ["a", "b"] { try lists.move(name, to: nil) }
    try lists.context.save()
    #expect(try lists.order == "012ab" && lists.stored() == "012ab")
    try lists.remove("0")
    try lists.context.save()
    try lists.move("0", to: nil)
    try lists.context.save()
    #expect(try lists.stored() == "12ab0" && lists.findings() == [])
  }

  /// How many edits a random session has; `CARDFILE_EDITS` changes it.
  private static let edits =
    ProcessInfo.processInfo.environment["CARDFILE_EDITS"].flatMap { Int($0) } ?? 60
  private static let seeds = 1...4

  // Core Data: hasChanges is true if, and only if, something differs from the snapshot.
  @Test(arguments: Playlists.cases, seeds)
  func `after any moves, undo and saves of others only a different order is a change`(
    test: Playlists.Case, seed: Int
  ) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let lists = try Playlists(test, count: 4, spareCount: 3)
    let context = lists.context
    for step in 0..<Self.edits {
      let note = Comment(rawValue: "step \(step)")
      switch Int.random(in: 0..<14, using: &random) {
      case 0...4:
        try lists.move(
          random.pick(["0", "1", "2", "3", "a", "b", "c"]), to: random.pick([0, 1, 2, nil]))
      case 5...6: try lists.remove(random.pick(["0", "1", "2", "3", "a", "b", "c"]))
      case 7...8: context.undoHistory.undo()
      case 9: context.undoHistory.redo()
      case 10: context.processPendingChanges()
      case 11:
        let names = Array(try lists.stored()) + (random.chance(oneIn: 2) ? ["c"] : [])
        let theirs = Set(names).sorted().shuffled(using: &random).dropLast(
          random.chance(oneIn: 3) ? 1 : 0)
        try lists.saveElsewhere(String(theirs), isStranger: random.chance(oneIn: 2))
      case 12: try context.refreshFromStore()
      default:
        let mine = lists.order
        do {
          try context.save()
          let isAsMine = try lists.stored() == lists.order
          #expect(isAsMine && !context.hasChanges, note)
        } catch let error as ManagedObjectError {
          #expect(error.reason == .conflict && lists.order == mine, note)
          let isMine = random.chance(oneIn: 2)
          try context.resolveConflicts(isMine ? .keepMine : .takeTheirs, of: context.conflicts.keys)
          #expect(context.conflicts.isEmpty, note)
        }
      }
      try context.refreshFromStore()
      guard context.conflicts.isEmpty else { continue }
      let differs = try lists.order != lists.stored()
      #expect(context.hasChanges == differs, note)
    }
  }
}
