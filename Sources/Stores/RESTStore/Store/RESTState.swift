import Dispatch
import Foundation
import ObjectModel

/// What a ``RESTStore`` knows of the freshness of its cache.
struct RESTState {
  /// How an entity was listed.
  struct Listing {
    /// When all of it was read last; nil for never.
    var completed: Date?
    /// What to ask for changes with; nil if the service cannot tell.
    var token: String?
    /// The version of the answer, an ETag, if it was one page.
    var version: String?
    /// The seconds that it took.
    var duration = 0.0
  }

  /// By entity; those that are not in it were not looked up in the cache.
  var listings: [String: Listing] = [:]
  /// The updates under way, by what they fetch, with the number of objects that came.
  var running: [String: Int] = [:]
  /// The entities that were fetched in this session, which are kept up to date.
  var watched: Set<String> = []
  /// Objects that were asked for because the cache does not have them.
  var asked: Set<ObjectID> = []
  /// Parts of entities, and relationships, that were asked for in this session.
  var parts: Set<String> = []
  /// Counts of the service, and when they were asked.
  var counts: [FetchPlan: (count: Int, date: Date)] = [:]
  /// Why the last update failed; nil if it did not.
  var failure: StoreError?
  /// When updates that failed are tried again.
  var retry = Date.distantPast

  var handlers: [Int: @Sendable () -> Void] = [:]
  var handlerCount = 0
  var timer: (any DispatchSourceTimer)?

  /// What is wrong: “offline”; nil if nothing is.
  var problem: String? {
    failure.map { $0.reason == .unreachable ? "offline" : "not up to date" }
  }

  /// How old what was fetched is: “fetching 12,000”, “3 min old”; nil if nothing was, because
  /// something is wrong.
  var age: String? {
    if failure == nil, let count = running.values.max() {
      return count == 0 ? "fetching" : "fetching \(Value.grouped(count))"
    }
    if let oldest = watched.compactMap({ listings[$0]?.completed }).min() {
      return Self.age(Date().timeIntervalSince(oldest))
    }
    return failure == nil ? "not fetched" : nil
  }

  /// An age in words; a clock that was set back gives none below zero.
  static func age(_ seconds: Double) -> String {
    switch seconds {
    case ..<60: "< 1 min old"
    case ..<3_600: "\(Int(seconds / 60)) min old"
    case ..<86_400: "\(Int(seconds / 3_600)) h old"
    case ..<172_800: "1 day old"
    default: "\(Int(min(seconds / 86_400, 99_999))) days old"
    }
  }
}
