extension StoreError: CustomStringConvertible {
  /// The message: the operation, its subject, what went wrong, and on a second line what to try.
  public var description: String {
    var sentence = doing.isEmpty ? "" : doing.prefix(1).uppercased() + doing.dropFirst()
    if !subject.isEmpty { sentence += (sentence.isEmpty ? "" : " ") + subject }
    sentence += (sentence.isEmpty ? "" : ": ") + reason.phrase
    if reason == .other, !detail.isEmpty {
      sentence = String(sentence.dropLast(reason.phrase.count)) + detail
    } else if !detail.isEmpty {
      sentence += " (\(detail))"
    }
    if !objectIDs.isEmpty {
      let shown = objectIDs.prefix(3).map(\.description).joined(separator: "; ")
      let more = objectIDs.count - 3
      sentence += ": " + shown + (more > 0 ? " and \(Value.grouped(more)) more" : "")
    }
    if !sentence.hasSuffix(".") { sentence += "." }
    if !sql.isEmpty {
      let sql = sql.replacing(/\?(?:, \?){3,}/, with: "?, …, ?")
      let end = sql.index(sql.startIndex, offsetBy: 300, limitedBy: sql.endIndex) ?? sql.endIndex
      sentence += "\n  statement: \(sql[..<end])" + (end < sql.endIndex ? "…" : "")
    }
    let advice = remedy.isEmpty ? reason.usualRemedy : remedy
    return advice.isEmpty ? sentence : sentence + "\n  try: \(advice)"
  }
}

extension StoreError.Reason {
  /// The reason in words.
  package var phrase: String {
    switch self {
    case .notFound: "there is no such file"
    case .notAFile: "it is not a file"
    case .notADatabase: "it is not an SQLite database"
    case .permissionDenied: "permission denied"
    case .locked: "another program holds the database's lock"
    case .readOnly: "the store can only be read"
    case .corrupt: "the database is damaged"
    case .disk: "the disk is full or cannot be written"
    case .conflict: "changed by someone else since it was read"
    case .keyTaken: "the key has been given to another object"
    case .constraint: "the database's own rules refuse it"
    case .unknownName: "there is no such name"
    case .unsupported: "the store cannot do that"
    case .cancelled: "cancelled"
    case .replaced: "the file was replaced or removed while it was open"
    case .unreachable: "the service cannot be reached"
    case .other: "it went wrong"
    }
  }

  /// What to do about it if the error itself has no advice.
  fileprivate var usualRemedy: String {
    switch self {
    case .notFound: "check the path"
    case .notAFile, .notADatabase: "name an SQLite database file"
    case .permissionDenied: "check who may read and write the file"
    case .locked: "close the other program that is writing, then do it again"
    case .corrupt: "a copy from a backup, or the sqlite3 shell's .recover"
    case .disk: "make room on the disk, then save again"
    case .conflict: "refresh to see their changes, then do it again"
    case .replaced: "open the store again"
    case .unreachable: "check the address and the network, then do it again"
    case .readOnly, .keyTaken, .constraint, .unknownName, .unsupported, .cancelled, .other: ""
    }
  }
}
