import ManagedObjects

/// Compares what writers say that they have saved with what the store's log says happened.
struct ConcurrentAudit {
  private typealias Entry = ConcurrentStore.Entry
  private typealias Work = ConcurrentWriter.Work
  private typealias Assignment = ConcurrentWriter.Work.Assignment

  private let log: [Entry]
  private let works: [[Work]]
  private let policy: MergePolicy
  /// The values that were written, and how often.
  private let written: [String: Int]
  /// The numbers of objects that were deleted by anybody.
  private let deleted: Set<Int64>
  private let inserted: [Int64: Int]

  init(_ log: [ConcurrentStore.Entry], works: [[ConcurrentWriter.Work]], policy: MergePolicy) {
    (self.log, self.works, self.policy) = (log, works, policy)
    written = log.reduce(into: [:]) { if let new = $1.new { $0[new, default: 0] += 1 } }
    deleted = Set(log.filter { $0.kind == .delete }.map(\.number))
    inserted = log.reduce(into: [:]) { if $1.kind == .insert { $0[$1.number, default: 0] += 1 } }
  }

  /// Whether a deleted object may be inserted again, with all its values.
  private var insertsAgain: Bool {
    policy == .mergeByPropertyObjectTrump || policy == .overwrite
  }

  /// What should not have happened; one sentence each.
  func faults() -> [String] {
    var faults: [String] = []
    if !works.joined().contains(where: { $0.refusal == nil }) { faults.append("nothing was saved") }
    let refusals = Set(works.joined().compactMap(\.refusal))
    // An object is gone when it is read, or linked.
    var allowed: Set = ["gone", "constraint"]
    if policy == .error { allowed.insert("conflict") }
    // Two have inserted the same deleted object again.
    if insertsAgain { allowed.insert("keyTaken") }
    if !refusals.isSubset(of: allowed) {
      faults.append("refused: \(refusals.subtracting(allowed))")
    }
    for entry in log {
      if let new = entry.new, let fault = fault(of: entry, writing: new) { faults.append(fault) }
    }
    for work in works.joined() where work.refusal == nil {
      for assignment in work.assignments where written[assignment.value] == nil {
        if !mayBeGivenUp(assignment, of: work) { faults.append("lost \(assignment)") }
      }
      for number in work.inserted where inserted[number] == nil {
        faults.append("object \(number) was not inserted")
      }
      for number in work.deleted where !deleted.contains(number) && !keepsChangedObjects {
        faults.append("object \(number) was not deleted")
      }
    }
    return faults + mixedSaves()
  }

  private var keepsChangedObjects: Bool {
    policy == .mergeByPropertyStoreTrump || policy == .rollback
  }

  /// Who wrote a value, which says it itself, and how.
  private func assignment(_ value: String) -> (work: Work, assignment: Assignment?)? {
    let parts = value.split(separator: ".").compactMap { Int($0) }
    guard parts.count == 3, works.indices.contains(parts[0]),
      works[parts[0]].indices.contains(parts[1])
    else { return nil }
    let work = works[parts[0]][parts[1]]
    return (work, work.assignments.first { $0.value == value })
  }

  private func fault(of entry: Entry, writing new: String) -> String? {
    guard let (work, assignment) = assignment(new), let assignment, work.refusal == nil else {
      return "nobody saved \(entry)"
    }
    guard assignment.number == entry.number, assignment.key == entry.key else {
      return "\(assignment) was written to another place: \(entry)"
    }
    // A whole object may be written with older values.
    if policy == .overwrite { return nil }
    if written[new, default: 0] > 1, !(insertsAgain && deleted.contains(entry.number)) {
      return "an old value was written again: \(entry)"
    }
    if policy != .mergeByPropertyObjectTrump, entry.old != assignment.base {
      return "\(entry) overwrites what \(assignment) did not know"
    }
    return nil
  }

  /// Whether a policy may discard a change: only where somebody else has changed the same.
  private func mayBeGivenUp(_ assignment: Assignment, of work: Work) -> Bool {
    func isChangedElsewhere(_ one: Assignment) -> Bool {
      log.contains {
        $0.kind == .update && $0.number == one.number && $0.key == one.key && $0.old == one.base
      }
    }
    switch policy {
    case .error: return false
    case .mergeByPropertyObjectTrump, .overwrite: return false
    case .mergeByPropertyStoreTrump:
      return deleted.contains(assignment.number) || isChangedElsewhere(assignment)
    case .rollback:
      return deleted.contains(assignment.number) || mayBeRelinkedElsewhere(assignment, of: work)
        || work.assignments.contains { $0.number == assignment.number && isChangedElsewhere($0) }
    }
  }

  /// Whether an object is given up because somebody else has set its relationship `next`, as the save
  /// did, by itself or by deleting what it led to.
  private func mayBeRelinkedElsewhere(_ assignment: Assignment, of work: Work) -> Bool {
    (work.relinked.contains(assignment.number) || !work.deleted.isEmpty)
      && log.contains { $0.key == "next" && $0.number == assignment.number }
  }

  /// Saves whose values were not written together.
  private func mixedSaves() -> [String] {
    var last: Substring?
    var seen: Set<Substring> = []
    var faults: [String] = []
    for new in log.compactMap(\.new) where written[new] == 1 {
      guard let end = new.lastIndex(of: ".") else { continue }
      let save = new[..<end]
      if save != last, !seen.insert(save).inserted { faults.append("save \(save) is mixed") }
      last = save
    }
    return faults
  }
}
