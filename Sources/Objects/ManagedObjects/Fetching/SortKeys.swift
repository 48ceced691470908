import ObjectModel

/// What objects are sorted by, read once from their context.
struct SortKeys {
  private let order: RowOrder
  private(set) var ids: [ObjectID] = []
  /// The values of the objects, by the order's descriptors.
  private var columns: [SortValueColumn]

  init(_ order: RowOrder) {
    self.order = order
    columns = order.descriptors.map(SortValueColumn.init)
  }

  /// Makes room for a number of objects.
  mutating func reserveCapacity(_ count: Int) {
    ids.reserveCapacity(count)
    for index in columns.indices { columns[index].reserveCapacity(count) }
  }

  /// Adds an object whose row was read.
  mutating func append(_ id: ObjectID, in context: ManagedObjectContext) {
    ids.append(id)
    for index in columns.indices {
      let (value, attribute) = context.valueAndAttribute(at: order.paths[index], of: id)
      columns[index].append(value, of: attribute)
    }
  }

  /// Shares the memory of an array of the same IDs, if it is one: of very many it is large.
  mutating func share(_ others: [ObjectID]) { if others == ids { ids = others } }

  /// Whether an object comes before one of other keys of the same order.
  ///
  /// Objects that tie are in the order of their IDs, unsaved ones last.
  func precedes(_ index: Int, _ other: Int, in others: SortKeys) -> Bool {
    for (own, theirs) in zip(columns, others.columns) {
      let order = own.compare(index, other, in: theirs)
      if order != 0 { return order < 0 }
    }
    return ids[index] < others.ids[other]
  }

  /// The indexes of the objects in their order.
  var sortedIndexes: [Int] { ids.indices.sorted { precedes($0, $1, in: self) } }
}
