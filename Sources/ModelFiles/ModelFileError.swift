/// Something wrong with a model file, a model cache or an archive, as data.
///
/// `description` makes the sentence.
public struct ModelFileError: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// There is no such file, or it cannot be read.
    case unreadable
    /// The bytes are not what they should be: the detail says where.
    case malformed
    /// The file is larger than is ever read, or unfolds to more.
    case tooLarge
    /// A model has no version of a name.
    case unknownVersion(String, suggestions: [String])
    /// It is a model in a form that is not read.
    case unsupported
    /// What was read is no whole model.
    case incomplete
  }

  /// What is wrong.
  public var reason: Reason
  /// The file, or the part of a store, as a person knows it.
  public var subject: String
  /// What exactly, and where; empty when there is nothing to add.
  public var detail: String
  /// How to mend it; empty when there is no way.
  public var remedy: String

  /// Describes an error.
  ///
  /// - Parameters:
  ///   - reason: What is wrong.
  ///   - subject: The file.
  ///   - detail: What exactly.
  ///   - remedy: How to mend it.
  public init(_ reason: Reason, subject: String = "", detail: String = "", remedy: String = "") {
    self.reason = reason
    self.subject = subject
    self.detail = detail
    self.remedy = remedy
  }
}

extension ModelFileError: CustomStringConvertible {
  /// The sentence for a person: what is wrong, where, and how to mend it.
  public var description: String {
    let what =
      switch reason {
      case .unreadable: "cannot be read"
      case .malformed: "is no model that can be read"
      case .tooLarge: "is too large for a model"
      case .unknownVersion(let name, let suggestions):
        "has no version “\(name)”\(Self.question(suggestions))"
      case .unsupported: "is a model in a form that is not read"
      case .incomplete: "holds no whole model"
      }
    return (subject.isEmpty ? "It" : subject) + " " + what + (detail.isEmpty ? "" : ": \(detail)")
      + (remedy.isEmpty ? "" : ". Try: \(remedy)")
  }

  private static func question(_ suggestions: [String]) -> String {
    suggestions.isEmpty ? "" : " (it has \(suggestions.joined(separator: ", ")))"
  }
}
