/// How the program ends.
enum ExitStatus: Int32 {
  case done = 0
  /// What was asked was refused, or was not found.
  case refused = 1
  /// The arguments make no sense, or name what the store does not have.
  case usage = 2
  /// The store cannot be read.
  case unreadable = 3
}

/// Why a command could not do its work, as data; ``description`` makes the sentence.
struct Failure: Error {
  var status: ExitStatus
  /// What is wrong, with the thing that the person gave us in it.
  var message: String
  /// What to do about it; empty when there is nothing.
  var remedy = ""
  /// Lines that point into a text, shown below the sentence.
  var pointer: [String] = []

  init(_ status: ExitStatus, _ message: String, try remedy: String = "", pointer: [String] = []) {
    self.status = status
    self.message = message
    self.remedy = remedy
    self.pointer = pointer
  }
}

extension Failure: CustomStringConvertible {
  /// One line, and the lines that point into a text.
  var description: String {
    let sentence = remedy.isEmpty ? message : "\(message); try: \(remedy)"
    let line = sentence.split(whereSeparator: \.isNewline)
      .map { $0.drop(while: \.isWhitespace) }.joined(separator: " ")
    return (["cardfile: \(line)"] + pointer.map { "  " + $0 }).joined(separator: "\n")
  }
}
