import SQLQueries

/// What the name of a column says about dates: whether it names one, and of which time.
///
/// The last word decides, because the others only describe it: `last_seen_at` is a date,
/// `last_seen_by` a person, `time_zone_offset` an offset.
struct DateName: Hashable {
  /// How sure the name is.
  enum Grade: Int, Comparable {
    /// It says nothing, or something else.
    case none
    /// It may be a date or something else: `start`, `read`, `due`.
    case suggestive
    /// It is a date if anything: `created_at`, `visit_time`, `timestamp`.
    case certain

    static func < (left: Grade, right: Grade) -> Bool { left.rawValue < right.rawValue }
  }

  /// When the dates are.
  enum Tense {
    case past, future, birth, unknown
  }

  let grade: Grade
  let tense: Tense
  /// Whether it names Julian days, the ticks of .NET, days.
  let isJulian: Bool
  let isTicks: Bool
  let isDay: Bool

  init(_ name: String) {
    let words = NameWords(name).words.flatMap(Self.parts)
    grade = Self.grade(words)
    isJulian = words.contains { ["julian", "jd", "mjd"].contains($0) }
    isTicks = words.contains { $0 == "tick" || $0 == "ticks" }
    isDay = words.last == "day"
    if words.contains(where: Self.birthWords.contains) {
      tense = .birth
    } else if words.contains(where: Self.futureWords.contains) {
      tense = .future
    } else {
      tense = words.contains(where: Self.pastWords.contains) ? .past : .unknown
    }
  }

  // MARK: Grading

  private static func grade(_ all: [String]) -> Grade {
    var words = all
    // The zone and the unit come last and do not change what it is.
    while words.count > 1, let last = words.last, unitWords.contains(last) { words.removeLast() }
    guard let head = words.last else { return .none }
    let others = words.dropLast()
    if isDateNoun(head) {
      let isTimeAlone = head == "time" && !others.contains(where: marksPoint)
      return isTimeAlone && others.contains(where: durationWords.contains) ? .none : .certain
    }
    // `date_added`, `time_created`, `last_used`, `first_seen`
    if let first = words.first, words.count > 1,
      events.contains(head) || head == "start"
        || head == "end"
    {
      if ["date", "time", "timestamp", "dt", "when"].contains(first) { return .certain }
      if ["last", "first", "next", "previous", "prev"].contains(first), words.count <= 3 {
        return readEvents.contains(head) ? .suggestive : .certain
      }
    }
    switch head {
    case "at", "on":
      guard let event = others.last else { return .none }
      return events.contains(event) || head == "at" && event.hasSuffix("ed") ? .certain : .none
    case "since", "until": return .certain
    case "start", "end", "begin", "day", "due", "moment", "epoch":
      return others.contains(where: quantityWords.contains) ? .none : .suggestive
    default: break
    }
    guard events.contains(head), !others.contains(where: quantityWords.contains) else {
      return .none
    }
    return sureEvents.contains(head) ? .certain : .suggestive
  }

  /// Whether a word is a date by itself, or ends in one: `birthdate`, `mtime`, `datestamp`.
  private static func isDateNoun(_ word: String) -> Bool {
    if dateNouns.contains(word) || birthWords.contains(word) { return true }
    return !otherCompounds.contains(word)
      && ["date", "time", "timestamp", "stamp"].contains { word.hasSuffix($0) }
  }

  private static func marksPoint(_ word: String) -> Bool {
    ["last", "first", "next", "start", "end", "begin"].contains(word)
      || events.contains(word)
        && !durationWords.contains(word)
  }

  /// The words of a name without anything between them: `dateadded`, `lastmodified`, `createdat`.
  private static func parts(_ word: String) -> [String] {
    guard !events.contains(word), !dateNouns.contains(word), !birthWords.contains(word) else {
      return [word]
    }
    for first in ["date", "time", "last", "first", "next", "dt"] where word.hasPrefix(first) {
      let rest = String(word.dropFirst(first.count))
      if events.contains(rest) || ["start", "end", "stamp"].contains(rest) {
        return [first, rest]
      }
    }
    for last in ["at", "on", "ts", "utc"] where word.hasSuffix(last) {
      let rest = String(word.dropLast(last.count))
      if events.contains(rest) { return [rest, last] }
    }
    return [word]
  }

  // MARK: Words

  private static let dateNouns: Set<String> = [
    "date", "time", "timestamp", "datetime", "ts", "when", "deadline", "stamp", "julian", "jd",
    "ticks", "dtstart", "dtend", "dtstamp",
  ]
  /// Words that end like dates and are none.
  private static let otherCompounds: Set<String> = [
    "update", "candidate", "validate", "mandate", "consolidate", "liquidate", "invalidate",
    "runtime", "playtime", "uptime", "downtime", "lifetime", "overtime", "realtime", "airtime",
    "screentime", "showtime", "sometimes", "pastime", "daytime", "worktime", "cputime",
  ]
  private static let birthWords: Set<String> = [
    "birth", "born", "birthday", "birthdate", "dob", "died", "death", "deathdate",
  ]
  private static let sureEvents: Set<String> = [
    "created", "modified", "updated", "accessed", "added", "published", "expires", "expired",
    "expiry", "expiration", "joined", "edited", "visited", "creation", "modification", "changed",
    "registered", "released", "hired", "indexed", "captured", "imported", "archived",
  ]
  /// What the number of a message, a row or a position can be of as well.
  private static let readEvents: Set<String> = ["read", "open", "event", "change", "run", "used"]
  private static let events: Set<String> = sureEvents.union([
    "access", "visit", "update", "addition", "publication", "deleted", "deletion", "removed",
    "received", "sent", "delivered", "seen", "used", "use", "viewed", "played", "play", "watched",
    "opened", "closed", "started", "ended", "finished", "completed", "completion", "login",
    "logon", "logged", "logout", "signup", "registration", "saved", "synced", "sync",
    "synchronized", "uploaded", "downloaded", "exported", "installed", "scanned", "scan",
    "checked", "check", "run", "executed", "fetched", "refreshed", "refresh", "crawled", "starred",
    "favorited", "bookmarked", "posted", "ordered", "shipped", "paid", "purchased", "issued",
    "returned", "lent", "borrowed", "acquired", "taken", "recorded", "scheduled", "reviewed",
    "approved", "submitted", "verified", "confirmed", "activated", "suspended", "blocked", "muted",
    "pinned", "heard", "listened", "rated", "tagged", "retracted", "read", "open", "change",
    "event", "launched", "activity", "contact", "contacted", "backup", "build", "notified",
    "connected", "active", "attempt", "made", "begun", "expire", "valid", "edit", "heartbeat",
    "moved", "lastmod",
  ])
  private static let futureWords: Set<String> = [
    "expires", "expire", "expired", "expiry", "expiration", "due", "until", "end", "ends", "next",
    "deadline", "valid", "scheduled", "alarm", "reminder", "renew", "renewal", "recurrence",
    "trial", "dtend", "dtstart", "start", "occurrence", "event", "release", "lease",
  ]
  private static let pastWords: Set<String> = events.union([
    "last", "first", "mtime", "ctime", "atime", "btime", "since",
  ]).subtracting(futureWords)
  private static let durationWords: Set<String> = [
    "total", "sum", "avg", "average", "mean", "median", "min", "max", "limit", "duration",
    "elapsed", "spent", "play", "playing", "playback", "watch", "watching", "run", "running",
    "cpu", "wall", "wait", "waiting", "response", "latency", "idle", "active", "up", "down",
    "processing", "process", "travel", "lead", "cook", "cooking", "prep", "screen", "foreground",
    "background", "usage", "use", "reading", "listening", "real", "half", "query",
  ]
  private static let quantityWords: Set<String> = [
    "bytes", "byte", "rows", "count", "num", "number", "total", "size", "items", "messages",
    "packets", "files", "pages", "times", "users", "records", "amount", "sum", "char", "offset",
    "line", "row", "col", "column", "position", "pos", "index", "page", "block", "sector",
    "address",
  ]
  private static let unitWords: Set<String> = [
    "utc", "gmt", "local", "ms", "us", "ns", "sec", "secs", "seconds", "millis", "milliseconds",
    "micros", "microseconds", "nanos", "nanoseconds", "epoch", "unix", "webkit", "cocoa", "int",
    "s", "msec", "usec", "long", "raw",
  ]
}
