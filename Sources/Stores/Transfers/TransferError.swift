package import ObjectModel

/// Why a file cannot be imported, or a store not exported or compared.
package struct TransferError: Error, Hashable, Sendable {
  /// The kind of error.
  package enum Reason: Hashable, Sendable {
    /// The file cannot be read or written.
    case file
    /// The file is not what its format demands.
    case malformed
    /// What a person has named does not exist, or is not clear.
    case usage
    /// The store does not take what the file has.
    case refused
  }

  /// The kind of error.
  package var reason: Reason
  /// What it is about: a file, a column, an option.
  package var subject: String
  /// What is wrong.
  package var detail: String
  /// What to try; empty if there is nothing.
  package var remedy: String

  package init(_ reason: Reason, _ subject: String, _ detail: String, try remedy: String = "") {
    (self.reason, self.subject, self.detail, self.remedy) = (reason, subject, detail, remedy)
  }

  /// The error of a file.
  package init(_ error: FileError) {
    self.init(.file, error.path, error.description)
  }
}

extension TransferError: CustomStringConvertible {
  /// The sentence for a person.
  package var description: String {
    let sentence = subject.isEmpty ? detail : "\(subject): \(detail)"
    return remedy.isEmpty ? sentence : "\(sentence); try: \(remedy)"
  }
}
