import Foundation

/// A question that a command asks at the terminal before it changes a store.
struct Question {
  private let text: String
  private let refusal: String
  private let answer: String

  /// Makes a question.
  ///
  /// - Parameters:
  ///   - text: The question, with what to type.
  ///   - answer: What agrees; `y` unless that is too easily typed.
  ///   - refusal: What did not happen without that answer, as `nothing was deleted`.
  init(_ text: String, answer: String = "y", nothingWas refusal: String) {
    (self.text, self.answer, self.refusal) = (text, answer, refusal)
  }

  /// Asks.
  ///
  /// - Throws: ``Failure`` if there is no terminal, or the answer is another one.
  func ask() throws(Failure) {
    guard isatty(STDIN_FILENO) == 1 else {
      throw Failure(
        .refused, "\(refusal): there is no terminal to ask at", try: "--yes, or --dry-run to look")
    }
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    let typed = Interruption.waiting { readLine() }
    guard typed?.trimmingCharacters(in: .whitespaces).lowercased() == answer else {
      throw Failure(.refused, refusal)
    }
  }
}
