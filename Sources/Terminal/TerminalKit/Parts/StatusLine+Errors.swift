import Foundation

extension StatusLine {
  /// The description of an error on one line, its lines separated by dashes.
  package static func text(of error: any Error) -> String {
    String(describing: error).split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " — ")
  }
}
