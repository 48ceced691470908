/// The exit statuses of the program.
enum ExitStatus: Int32 {
  case done = 0
  /// The operation was refused or failed, or an object was not found.
  case refused = 1
  /// The arguments are invalid, or name something that the store does not have.
  case usage = 2
  /// The store cannot be read.
  case unreadable = 3
}

/// An error that ends a command, with its message and its exit status.
struct Failure: Error {
  var status: ExitStatus
  /// What is wrong, naming the argument, file or object concerned.
  var message: String
  /// What to try instead; empty if there is nothing.
  var remedy = ""
  /// Lines to print below the message, such as a predicate with a caret below the error.
  var pointer: [String] = []

  init(_ status: ExitStatus, _ message: String, try remedy: String = "", pointer: [String] = []) {
    self.status = status
    self.message = message
    self.remedy = remedy
    self.pointer = pointer
  }
}

extension Failure {
  /// The message and the remedy on one line, followed by the lines of ``pointer``.
  var lines: [String] {
    let remedies = remedy.isEmpty ? [] : ["try: \(remedy)"]
    let parts = message.split(whereSeparator: \.isNewline).map { part in
      let words = part.trimmingPrefix(while: \.isWhitespace)
      return words.hasSuffix(".") ? String(words.dropLast()) : String(words)
    }
    let line = (parts + remedies).joined(separator: "; ")
    return ["cardfile: \(line)"] + pointer.map { "  " + $0 }
  }
}
