import ObjectModel

/// What a context knows of one object: its row in the store, and the instance that stands for it.
///
/// An instance keeps its record, so that reading it needs no lookup.
///
/// A million objects have a million records, so a record is small: what few have is kept apart, and
/// of its row nothing twice.
final class ObjectRecord {
  /// The ID; it changes when a new object is saved.
  fileprivate(set) var id: ObjectID {
    didSet { hash = id.tableHash }
  }
  /// Whether its row was used since the old ones were last evicted.
  fileprivate var isYoung = false
  /// The hash of the ID.
  private(set) var hash: UInt32

  /// The row in the store; nil if it was not read, or was evicted.
  ///
  /// It is only read and replaced as a whole. Checking that, and the same of what else is marked so,
  /// makes firing faults a tenth slower (2.76 times as long as stepping the columns, not 2.50).
  @exclusivity(unchecked) private var contents: Contents?

  /// A row without the ID.
  private struct Contents {
    let values: RowValues
    let version: UInt64
    let toOne: [ObjectID?]
    let exceptions: RowSnapshot.Exceptions?
  }

  /// The instance while it is in use; it is not retained.
  ///
  /// Its `deinit` removes it here.
  private var instance = Unretained<ManagedObject>()
  /// What few objects have; nil for the others.
  private var extras: Extras?

  private final class Extras {
    var fetchedIDs: [String: [ObjectID]] = [:]
    var transients: [String: TransientContent] = [:]
    /// Other instances: new objects that were merged into this one.
    var merged: [WeakObject] = []
  }

  private struct WeakObject {
    weak var object: ManagedObject?
  }

  init(_ id: ObjectID, hash: UInt32) { (self.id, self.hash) = (id, hash) }

  /// The row in the store; nil if it was not read, or was evicted.
  var row: RowSnapshot? {
    contents.map {
      RowSnapshot(
        read: id, version: $0.version, values: $0.values, toOne: $0.toOne,
        exceptions: $0.exceptions)
    }
  }

  fileprivate func keep(_ row: consuming RowSnapshot) {
    contents = Contents(
      values: row.values, version: row.version, toOne: row.toOne, exceptions: row.exceptions)
  }

  fileprivate func evictRow() {
    contents = nil
  }

  /// Whether the row is known.
  var hasRow: Bool { if case .some = contents { true } else { false } }

  /// The stored value at an index, without a copy of the row; nil if the row is not known, or may
  /// have truncated values.
  func wholeValue(at index: Int) -> Value? {
    if case .some = contents?.exceptions { return nil }
    return contents?.values[ifPresent: index]
  }

  /// The objects that its fetched properties have found, by name, until its row is evicted.
  var fetchedIDs: [String: [ObjectID]] {
    get { extras?.fetchedIDs ?? [:] }
    set {
      if extras == nil, newValue.isEmpty { return }
      change { $0.fetchedIDs = newValue }
    }
  }

  /// What its transient attributes were set to, by name, until it is a fault.
  var transients: [String: TransientContent] {
    get { extras?.transients ?? [:] }
    set {
      if extras == nil, newValue.isEmpty { return }
      change { $0.transients = newValue }
    }
  }

  /// The instance; nil if none is in use.
  var object: ManagedObject? { instance.object }

  /// All instances that are in use.
  var instances: [ManagedObject] {
    [object].compactMap(\.self) + (extras?.merged.compactMap(\.object) ?? [])
  }

  /// Whether an instance is in use.
  fileprivate var isHeld: Bool { !instance.isEmpty }

  /// Notes a new instance.
  func add(_ instance: ManagedObject) {
    if isHeld {
      change { $0.merged.append(WeakObject(object: instance)) }
    } else {
      self.instance = Unretained(instance)
    }
  }

  /// Notes that an instance is deallocated; another one takes its place, if there is one.
  fileprivate func remove(_ instance: ManagedObject) {
    guard self.instance.isIdentical(to: instance) else { return }
    self.instance = Unretained()
    guard extras != nil else { return }
    change { extras in
      extras.merged.removeAll { $0.object == nil }
      guard !extras.merged.isEmpty else { return }
      self.instance = Unretained(extras.merged.removeFirst().object)
    }
  }

  private func change(_ body: (Extras) -> Void) {
    let extras = extras ?? Extras()
    body(extras)
    let isEmpty = extras.fetchedIDs.isEmpty && extras.transients.isEmpty && extras.merged.isEmpty
    self.extras = isEmpty ? nil : extras
  }
}

/// The records of a context by ID: of objects with an instance in use, and of others whose rows
/// were used recently.
///
/// Rows without an instance stay for two generations: one that is used is young, and when there
/// are enough young ones, the old ones are evicted and the young ones are old. Memory stays constant
/// while a million rows scroll by.
final class ObjectTable {
  // No method is called while one changes these. Checking that makes firing faults slower: see
  // `ObjectRecord`.
  @exclusivity(unchecked) private var records = RecordTable()
  @exclusivity(unchecked) private var young: [ObjectRecord] = []
  @exclusivity(unchecked) private var old: [ObjectRecord] = []
  /// The approximate number of rows of unreferenced objects.
  let rowCapacity: Int

  /// Makes an empty table.
  ///
  /// - Parameter rowCapacity: The approximate number of rows of unreferenced objects.
  init(rowCapacity: Int) { self.rowCapacity = rowCapacity }

  private var generationSize: Int { max(rowCapacity / 2, 1) }

  /// The number of rows.
  var rowCount: Int { records.all.count(where: \.hasRow) }
  /// The objects whose row is known.
  var rowIDs: [ObjectID] { records.all.filter(\.hasRow).map(\.id) }
  /// The objects with an instance in use.
  var instances: [ManagedObject] { records.all.compactMap(\.object) }

  /// The record of an ID; nil if nothing is known of it.
  subscript(id: ObjectID) -> ObjectRecord? { records.record(of: id) }

  /// The record of an ID, created if necessary; the caller must give it a row or an instance.
  func record(for id: ObjectID) -> ObjectRecord {
    records.record(of: id) { ObjectRecord(id, hash: $0) }
  }

  /// Returns the row of an object and marks it as used; nil if it is not known.
  func row(of id: ObjectID) -> RowSnapshot? {
    guard let record = self[id], let row = record.row else { return nil }
    use(record)
    return row
  }

  func hasRow(_ id: ObjectID) -> Bool { self[id]?.hasRow ?? false }

  /// Keeps a row.
  func keep(_ row: RowSnapshot) {
    let record = self.record(for: row.id)
    record.keep(row)
    use(record)
  }

  /// Evicts the row of an object.
  func evict(_ id: ObjectID) { if let record = self[id] { evict(record) } }

  /// Evicts the rows of all objects but some.
  func evict(except isKept: (ObjectID) -> Bool) {
    for record in records.all where !isKept(record.id) { evict(record) }
  }

  private func evict(_ record: ObjectRecord) {
    record.evictRow()
    record.fetchedIDs = [:]
    if !record.isHeld { records.remove(record) }
  }

  /// Notes that an instance is deallocated.
  func release(_ instance: ManagedObject, of record: ObjectRecord) {
    record.remove(instance)
    guard !record.isHeld else { return }
    record.fetchedIDs = [:]
    record.transients = [:]
    if !record.hasRow { records.remove(record) } else { use(record) }
  }

  /// Gives an object its permanent ID.
  func rename(_ temporary: ObjectID, to permanent: ObjectID) {
    guard let record = self[temporary] else { return }
    let other = self[permanent]
    records.remove(record)
    record.id = permanent
    records.insert(record)
    if let other { merge(other, into: record) }
  }

  /// Makes the instances of an object instances of another one.
  func merge(_ id: ObjectID, into other: ObjectID) {
    guard let record = self[id], record.isHeld else { return }
    let target = self.record(for: other)
    records.remove(record)
    merge(record, into: target)
  }

  private func merge(_ record: ObjectRecord, into target: ObjectRecord) {
    if !target.hasRow, let row = record.row { target.keep(row) }
    for instance in record.instances {
      target.add(instance)
      instance.record = target
    }
  }

  private func use(_ record: ObjectRecord) {
    // The row of a referenced object stays anyway.
    guard !record.isYoung, !record.isHeld else { return }
    record.isYoung = true
    young.append(record)
    if young.count >= generationSize { age() }
  }

  private func age() {
    for record in old where !record.isYoung && !record.isHeld { records.remove(record) }
    for record in young { record.isYoung = false }
    (old, young) = (young, [])
    young.reserveCapacity(generationSize)
  }
}
