/// A store that reads objects as they are asked for, and answers as much of a fetch as it can: Core
/// Data's incremental store, as over a service.
///
/// It answers fetches, rows and relationships, and saves if it can. What it leaves of a fetch, its
/// predicate, its order or its sections, is evaluated here over the rows of the objects that it named;
/// ``evaluation(of:control:)`` says how many rows that took.
public protocol IncrementalStore: PersistentStore {
  /// Answers a fetch as far as the store can.
  ///
  /// - Parameters:
  ///   - plan: What to fetch, of an entity that the model has.
  ///   - control: Reports progress and cancels, from another thread.
  /// - Returns: At least the objects that the fetch returns, and what of it is done.
  /// - Throws: ``StoreError``.
  func answer(_ plan: FetchPlan, control: FetchControl?) throws(StoreError) -> PartialFetch
}

/// What an ``IncrementalStore`` answers to a fetch.
public struct PartialFetch: Sendable {
  /// What of a fetch is done.
  public struct Parts: OptionSet, Sendable {
    /// The parts as bits.
    public let rawValue: Int

    /// Creates parts.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Every object meets the predicate.
    public static let predicate = Parts(rawValue: 1)
    /// The objects are in the order of the sort descriptors, equal ones by key.
    public static let order = Parts(rawValue: 2)
    /// The limit and the offset are applied; only with the predicate and the order.
    public static let window = Parts(rawValue: 4)
    /// All of them.
    public static let all: Parts = [.predicate, .order, .window]
  }

  /// The objects that may belong to the result; in its order if that is done.
  package var ids: [ObjectID]
  /// What is done.
  package var parts: Parts
  /// Rows that came with the answer, of any objects, so that they need not be asked for.
  package var rows: [RowSnapshot]

  /// Creates an answer.
  ///
  /// - Parameters:
  ///   - ids: The objects that may belong to the result.
  ///   - parts: What is done.
  ///   - rows: Rows that came with the answer.
  public init(ids: [ObjectID], parts: Parts = [], rows: [RowSnapshot] = []) {
    (self.ids, self.parts, self.rows) = (ids, parts, rows)
  }
}

/// A fetch from an ``IncrementalStore``, and what it took.
public struct IncrementalEvaluation: Sendable {
  /// The result.
  package let fetched: FetchedIDs
  /// What the store did of it.
  package let parts: PartialFetch.Parts
  /// How many rows were evaluated here for the rest; 0 if the store did all.
  public let evaluatedRowCount: Int
}

extension IncrementalStore {
  /// Asks the store for as much as it can, and evaluates the rest.
  public func fetch(_ plan: FetchPlan, control: FetchControl?) throws(StoreError) -> FetchedIDs {
    try evaluation(of: plan, control: control).fetched
  }

  /// Reads the row and looks the value up.
  public func value(of attribute: String, for id: ObjectID) throws(StoreError) -> Value {
    guard let index = model.entity(named: id.entityName)?.attributeIndex(attribute) else {
      throw StoreError(.unknownName, doing: "reading a value", subject: attribute)
    }
    return try rows(of: [id]).first?.map { $0.value(at: index) } ?? .null
  }

  /// Fetches, and returns how many rows that took.
  ///
  /// - Parameters:
  ///   - plan: What to fetch.
  ///   - control: Reports progress and cancels, from another thread.
  /// - Returns: The result, what the store did of it, and how many rows the rest took.
  /// - Throws: ``StoreError``.
  public func evaluation(of plan: FetchPlan, control: FetchControl? = nil) throws(StoreError)
    -> IncrementalEvaluation
  {
    guard model.entity(named: plan.entityName) != nil else {
      throw StoreError(.unknownName, doing: "fetching", subject: plan.entityName)
    }
    let answer = try answer(plan, control: control)
    var rest = plan
    if answer.parts.contains(.predicate) { rest.predicate = nil }
    if answer.parts.contains(.all) { (rest.limit, rest.offset, rest.isFromEnd) = (nil, 0, false) }
    let isOrdered = answer.parts.contains(.order) || plan.sortDescriptors.isEmpty
    if rest.predicate == nil, isOrdered, plan.sectionKey == nil {
      let ids = answer.parts.contains(.order) ? answer.ids : answer.ids.sorted()
      var list = ObjectIDList(
        keys: [], storeIdentifier: identifier, entityName: plan.entityName)
      list.append(contentsOf: ids[rest.window(of: ids.count)])
      return IncrementalEvaluation(
        fetched: FetchedIDs(ids: list), parts: answer.parts, evaluatedRowCount: 0)
    }
    let gathered = GatheredRows(answer, of: self)
    try gathered.prefetch(rest, control)
    let fetched = try rest.evaluated(over: gathered, control: control)
    try gathered.check()
    return IncrementalEvaluation(
      fetched: fetched, parts: answer.parts, evaluatedRowCount: answer.ids.count)
  }
}
