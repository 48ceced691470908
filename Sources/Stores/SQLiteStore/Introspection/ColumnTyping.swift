import Foundation
import ObjectModel
import SQLQueries

/// Decides what a column is, by its declared type, its name, a sample of its values, the program
/// that made the database, and other columns.
struct ColumnTyping {
  /// An attribute type, the encoding of its values in the database, and what was decided by.
  struct Decision: Hashable {
    var type: AttributeType
    var encoding: ValueEncoding
    var reason: String

    init(_ type: AttributeType, _ encoding: ValueEncoding = .native, reason: String = "") {
      (self.type, self.encoding, self.reason) = (type, encoding, reason)
    }
  }

  /// What is known before other columns are looked at.
  enum Finding {
    case decided(Decision)
    /// The clocks by which the numbers may be dates, and what the column is if they are none.
    case open([ValueEncoding], else: Decision)
  }

  let column: Catalog.Column
  private let declared: DeclaredType
  private let name: DateName
  /// Whether the name suggests a date where the values are texts.
  private let mayBeTextDate: Bool
  private let isKey: Bool
  /// Whether numbers in date columns are seconds since 2001, as in Core Data stores.
  private let isCoreData: Bool
  /// By which clocks a known program writes the column; empty for numbers, nil if it is not known.
  private let known: KnownColumn?

  init(_ column: Catalog.Column, isKey: Bool, isCoreData: Bool, known: KnownColumn? = nil) {
    self.column = column
    self.isKey = isKey
    self.isCoreData = isCoreData
    self.known = known
    declared = DeclaredType(column.declaredType)
    let isName = !isKey && declared.mayBeDate
    name = DateName(isName ? column.name : "")
    mayBeTextDate = isName && NameWords(column.name).suggestsDate
  }

  /// Whether a sample of the values can change the decision, or tell their form.
  var needsSample: Bool {
    switch declared {
    case .definite: false
    case .date, .uuid, .unknown, .boolean: true
    case .text: mayBeTextDate || mayHoldUUIDs
    case .integer, .real, .decimal: known != nil || name.grade > .none || name.isJulian
    }
  }

  /// Whether the column is declared to hold flags.
  var isFlag: Bool { if case .boolean = declared { true } else { false } }

  /// Whether a column of text is likely to hold UUIDs: by its length, its name, or as a key.
  private var mayHoldUUIDs: Bool {
    let type = column.declaredType.filter(\.isNumber)
    let words = Set(NameWords(column.name).words)
    return isKey || ["32", "36", "38"].contains(type)
      || !words.isDisjoint(with: ["uuid", "guid", "id", "uid", "identifier", "key", "token", "tag"])
  }

  // MARK: Deciding

  func finding(_ sample: ColumnSample, now: Date) -> Finding {
    if let known, let decision = decision(by: known, sample, now: now) { return .decided(decision) }
    let other = withoutNumbers(sample)
    guard declared.mayBeDate, !isKey || declared == .date, sample.isNumbers else {
      return .decided(other)
    }
    if isCoreData, declared == .date {
      return .decided(Decision(.date, .referenceSeconds, reason: "Core Data's dates"))
    }
    let evidence = DateEvidence(
      sample: sample, name: name, isDeclared: declared == .date, now: now)
    return switch evidence.finding {
    case .none: .decided(other)
    case .certain(let encoding): .decided(date(encoding, evidence))
    case .open(let encodings): .open(encodings, else: other)
    }
  }

  /// The decision for numbers that are dates by a clock of other columns.
  func date(_ encoding: ValueEncoding, _ sample: ColumnSample, like other: String, now: Date)
    -> Decision
  {
    var decision = date(
      encoding,
      DateEvidence(sample: sample, name: name, isDeclared: declared == .date, now: now))
    decision.reason += ", as in \(other)"
    return decision
  }

  private func decision(by known: KnownColumn, _ sample: ColumnSample, now: Date) -> Decision? {
    guard sample.count == 0 || sample.isNumbers else { return nil }
    let reason = "as \(known.program) writes it"
    guard let first = known.encodings.first else {
      var decision = withoutNumbers(sample)
      decision.reason = "no date, \(reason)"
      return decision
    }
    let evidence = DateEvidence(sample: sample, name: name, isDeclared: true, now: now)
    // What a program stores has changed with its versions.
    let century = 100 * 365.25 * 86_400.0
    let fitting =
      known.encodings.first(where: evidence.isPlausible)
      ?? known.encodings.first { encoding in
        known.encodings.count == 1
          && evidence.dates(by: encoding).map {
            $0.lowerBound > 0 && $0.upperBound < now.timeIntervalSince1970 + century
          } ?? false
      }
    guard let encoding = fitting ?? (sample.bounds == nil ? first : nil) else { return nil }
    var decision = date(encoding, evidence)
    decision.reason = [reason, decision.reason].filter { !$0.isEmpty }.joined(separator: ", ")
    return decision
  }

  /// The decision if numbers are no dates.
  private func withoutNumbers(_ sample: ColumnSample) -> Decision {
    switch declared {
    case .definite(let type, let encoding): return Decision(type, encoding)
    case .boolean(let number):
      let type = sample.commonType
      // Words among flags are single mistakes; words alone, and other numbers, are what is meant.
      if sample.otherThanFlagCount == 0, type != .string, type != .binaryData {
        return Decision(.boolean, .booleanInteger)
      }
      return Decision(
        [.double, .string, .binaryData].contains(type) ? type : number,
        reason: "it holds other values than 0 and 1")
    case .uuid:
      return Decision(
        .uuid, sample.isUUIDBlobs ? .uuidData : .uuidText,
        reason: sample.isUUIDBlobs ? "declared \(column.declaredType), 16 bytes each" : "")
    case .date: return declaredDate(sample)
    case .text: return textDate(sample) ?? Decision(.string)
    case .integer(let type): return textDate(sample) ?? Decision(type)
    case .real: return textDate(sample) ?? Decision(.double)
    case .decimal: return Decision(.decimal, .decimalNumber)
    case .unknown:
      let type = sample.commonType
      return textDate(sample)
        ?? Decision(type, reason: type == .undefined ? "" : sample.words)
    }
  }

  private func declaredDate(_ sample: ColumnSample) -> Decision {
    switch sample.commonType {
    case .string where !sample.mayBeISODates:
      return Decision(.string, reason: "declared a date, but the texts are none")
    case .integer64, .double:
      return Decision(sample.commonType, reason: "declared a date, but the numbers are none")
    case .binaryData: return Decision(.binaryData)
    default:
      let reason = sample.count == 0 ? "declared a date, without values" : "declared a date"
      return isCoreData
        ? Decision(.date, .referenceSeconds, reason: reason)
        : Decision(
          .date, .isoText, reason: "\(reason)\(sample.count == 0 ? "" : ", \(sample.words)")")
    }
  }

  /// The decision if both the name and all texts are dates; otherwise nil.
  private func textDate(_ sample: ColumnSample) -> Decision? {
    guard mayBeTextDate, sample.isISODates else { return nil }
    return Decision(.date, .isoText, reason: "name, \(sample.words)")
  }

  private func date(_ encoding: ValueEncoding, _ evidence: DateEvidence) -> Decision {
    let sample = evidence.sample
    var facts: [String] = []
    if sample.isReal { facts.append("REAL") }
    if evidence.isDeclared, declared == .date { facts.append("declared \(column.declaredType)") }
    if evidence.name.grade > .none { facts.append("name") }
    if let bounds = sample.bounds {
      let years = [bounds.lowerBound, bounds.upperBound].compactMap { number -> String? in
        guard case .date(let date) = encoding.decode(.double(number)) else { return nil }
        return CivilDate(secondsSince1970: date.timeIntervalSince1970)?.yearText
      }
      let span = Set(years).count > 1 ? "between \(years.joined(separator: " and "))" : years.first
      facts.append(
        sample.words + (span.map { $0.hasPrefix("between") ? " \($0)" : " in \($0)" } ?? ""))
    }
    return Decision(.date, encoding, reason: facts.joined(separator: ", "))
  }

  // MARK: What a person says

  /// The decision for a kind that a person has chosen; nil for `auto`.
  func decision(for kind: ColumnKind, _ sample: ColumnSample) -> Decision? {
    if let encoding = kind.dateEncoding { return Decision(.date, encoding) }
    switch kind {
    case .number:
      switch (declared, sample.commonType) {
      case (.decimal, _): return Decision(.decimal, .decimalNumber)
      case (_, .string), (.text, .undefined): return Decision(.decimal, .decimalText)
      case (_, .integer64), (.integer, .undefined), (.boolean, .undefined):
        return Decision(.integer64)
      default: return Decision(.double)
      }
    case .text, .json: return Decision(.string)
    case .boolean: return Decision(.boolean, .booleanInteger)
    case .uuid: return Decision(.uuid, sample.isUUIDBlobs ? .uuidData : .uuidText)
    case .bytes: return Decision(.binaryData)
    default: return nil
    }
  }
}
