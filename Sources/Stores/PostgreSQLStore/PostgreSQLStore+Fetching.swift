package import ObjectModel
import SQLQueries

extension PostgreSQLStore {
  /// Fetches with the server's condition; what it cannot order as we do is ordered here by the values
  /// that decide, and what of a predicate it does not know is evaluated here.
  package func fetch(_ plan: FetchPlan, control: FetchControl?) throws(StoreError) -> FetchedIDs {
    let question = try ServerQuestion(plan, of: self)
    guard question.isWhole else {
      if let place = plan.place { return try matches(beside: place, of: plan, control: control) }
      return try evaluation(of: plan, control: control).fetched
    }
    return try pool.read { connection throws(StoreError) in
      try question.fetch(on: connection, control: limit(control))
    }
  }

  /// Answers what the server can do of a fetch; where that is not the whole predicate, with the
  /// values that the rest needs.
  package func answer(_ plan: FetchPlan, control: FetchControl?) throws(StoreError)
    -> PartialFetch
  {
    let question = try ServerQuestion(plan, of: self)
    if question.isWhole {
      return PartialFetch(ids: Array(try fetch(plan, control: control).ids), parts: .all)
    }
    return try pool.read { connection throws(StoreError) in
      try question.candidates(on: connection, control: limit(control))
    }
  }

  /// Describes how a fetch is answered: see ``ServerQuestion/explanation(on:)``.
  ///
  /// - Parameter plan: The fetch.
  /// - Returns: Lines of text.
  /// - Throws: ``StoreError``.
  package func explanation(of plan: FetchPlan) throws(StoreError) -> [String] {
    let question = try ServerQuestion(plan, of: self)
    return try pool.read { connection throws(StoreError) in
      try question.explanation(on: connection)
    }
  }

  /// Counts on the server where it knows the predicate.
  package func count(_ plan: FetchPlan, control: FetchControl?) throws(StoreError) -> Int {
    var all = plan
    all.sectionKey = nil
    // A place is one of the order.
    if plan.place == nil { all.sortDescriptors = [] }
    let question = try ServerQuestion(all, of: self)
    guard question.isWhole else { return try fetch(all, control: control).ids.count }
    return try pool.read { connection throws(StoreError) in
      plan.window(of: try question.count(on: connection, control: limit(control)))
    }.count
  }
}
