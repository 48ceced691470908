/// An error in reading or writing a model file, a model cache or a keyed archive.
///
/// The properties are data; `description` is the sentence for a person.
package struct ModelFileError: Error, Hashable, Sendable {
  /// The kind of error.
  package enum Reason: Hashable, Sendable {
    /// The file does not exist or cannot be read.
    case unreadable
    /// The content is damaged or is not a model; `detail` says where.
    case malformed
    /// The file, or what it decompresses or decodes to, exceeds a fixed limit.
    case tooLarge
    /// The model has no version of the given name. The suggestions are the versions that it has.
    case unknownVersion(String, suggestions: [String])
    /// The format, or a feature of the model, is not supported.
    case unsupported
    /// The content was read, but contains no complete model.
    case incomplete
  }

  /// The kind of error.
  package var reason: Reason
  /// The path of the file, or the part of a store (“The model cache”); empty when not known yet.
  package var subject: String
  /// The exact cause and its position, without a full stop; empty when there is nothing to add.
  package var detail: String
  /// What the person can try, without a full stop; empty when nothing helps.
  package var remedy: String

  /// Creates an error.
  package init(_ reason: Reason, subject: String = "", detail: String = "", remedy: String = "") {
    self.reason = reason
    self.subject = subject
    self.detail = detail
    self.remedy = remedy
  }
}

extension ModelFileError: CustomStringConvertible {
  /// The sentence for a person: what is wrong, where, and what to try.
  package var description: String {
    let what =
      switch reason {
      case .unreadable: "cannot be read"
      case .malformed: "is not a valid model"
      case .tooLarge: "is too large"
      case .unknownVersion(let name, let suggestions):
        "has no version “\(name)”\(Self.list(suggestions))"
      case .unsupported: "is not supported"
      case .incomplete: "contains no complete model"
      }
    return (subject.isEmpty ? "The model" : subject) + " " + what
      + (detail.isEmpty ? "" : ": \(detail)") + (remedy.isEmpty ? "" : ". Try: \(remedy)")
  }

  private static func list(_ versions: [String]) -> String {
    versions.isEmpty ? "" : " (available: \(versions.joined(separator: ", ")))"
  }

  /// The same error with a subject, for a caller that knows the file.
  func withSubject(_ subject: String) -> ModelFileError {
    var error = self
    error.subject = subject
    return error
  }

  /// The error for a model in the binary format of Xcode 3.
  static let xcode3Model = ModelFileError(
    .unsupported, detail: "it was saved by Xcode 3",
    remedy: "open and save it with a later Xcode, or use the compiled .mom")
}
