/// How objects are grouped into sections: a key path, and a transform of its value to the section's
/// name.
public struct SectionKey: Hashable, Sendable {
  /// The transform from a value to the name of its section.
  public enum Transform: String, Hashable, Sendable, CaseIterable {
    /// The value itself.
    case value
    /// The first character, with case and diacritics folded; `#` for digits and symbols; empty for
    /// NULL and empty text.
    case initial
    /// The day of a date in UTC, as `2024-05-01`.
    case day
    /// The month of a date in UTC, as `2024-05`.
    case month
    /// The year of a date in UTC, as `2024`.
    case year

    /// The name of the section of a day; nil for what makes no sections of dates.
    func name(of day: CivilDate) -> String? {
      switch self {
      case .value, .initial: nil
      case .day: day.dayText
      case .month: day.monthText
      case .year: day.yearText
      }
    }

    /// Whether it makes sections of dates: the values of a day have one section.
    package var isOfDate: Bool { name(of: CivilDate(daysSince1970: 0)) != nil }

    /// The transforms of dates, the shortest first.
    package static var ofDates: [Transform] { allCases.filter(\.isOfDate) }

    /// What may follow a key path in the text of a section key: `:initial`, `:day`, ….
    package static var suffixes: [String] {
      allCases.filter { $0 != .value }.map { ":\($0.rawValue)" }
    }
  }

  /// The key path.
  public var keyPath: String
  /// The transform of its value.
  public var transform: Transform

  /// Creates a section key.
  public init(_ keyPath: String, _ transform: Transform = .value) {
    self.keyPath = keyPath
    self.transform = transform
  }
}
