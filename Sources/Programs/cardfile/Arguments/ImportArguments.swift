import ArgumentParser
import Transfers

extension TransferFormat: ExpressibleByArgument {}
extension TextEncoding: ExpressibleByArgument {}

/// The options that say what a file is that is imported.
struct FileOptions: ParsableArguments {
  @Option(help: "The format of the file; by default by its name or contents.")
  var format: TransferFormat?

  @Option(
    help: ArgumentHelp(
      "What separates fields: a character, or tab.",
      discussion: "By default it is recognised: comma, semicolon, tab or |, or Excel's line sep=;",
      valueName: "character"))
  var delimiter: String?

  @Option(help: "How text is encoded; by default UTF-8 or UTF-16, which is recognised.")
  var encoding: TextEncoding?

  @Flag(help: "The first record is an object; columns are 1, 2 and so on for --map.")
  var noHeader = false

  @Flag(help: "Empty fields without quotes are empty text instead of NULL.")
  var emptyText = false

  @Option(
    help: ArgumentHelp(
      "The property that a column is; nothing after the = leaves it out. Repeatable.",
      discussion: """
        By default columns have the names of properties, of their mappedKeyName in the model, or the \
        same but for case, blanks and underscores
        """,
      valueName: "column=property"))
  var map: [String] = []

  @Option(
    help: ArgumentHelp(
      "Update the object with the same values of these attributes, if there is one.",
      discussion: "objectID for the URIs that fetch prints.", valueName: "names"))
  var key: String?

  @Option(
    help: ArgumentHelp(
      "The attribute by which a column names the objects of a relationship. Repeatable.",
      discussion: "By default the model's relatedByAttribute, else their URIs.",
      valueName: "relationship.attribute"))
  var link: [String] = []

  @Option(
    help: ArgumentHelp(
      "How a date is written, where that is not clear. Repeatable.",
      discussion: "A pattern such as dd/MM/yyyy HH:mm, or unix, unixms, 2001.",
      valueName: "attribute=pattern"))
  var date: [String] = []

  /// The options, read.
  var options: ImportOptions {
    get throws(Failure) {
      var options = ImportOptions()
      (options.format, options.encoding) = (format, encoding)
      (options.hasHeader, options.emptyIsText) = (!noHeader, emptyText)
      if let delimiter {
        let byte = delimiter == "tab" || delimiter == "\\t" ? 0x09 : delimiter.utf8.first
        guard let byte, delimiter == "tab" || delimiter == "\\t" || delimiter.utf8.count == 1,
          ![0x0A, 0x0D, 0x22].contains(byte)
        else {
          throw Failure(
            .usage, "--delimiter: “\(delimiter)” is not one character", try: "--delimiter ';'")
        }
        options.delimiter = byte
      }
      if let key {
        options.keys = key.split(separator: ",").map { $0.trimming(while: \.isWhitespace) }
      }
      for text in map {
        let (column, property) = try pair(text, "--map", "column=property", "=")
        options.properties[column] = property
      }
      for text in link {
        let (name, attribute) = try pair(text, "--link", "album.Title", ".")
        options.links[name] = attribute
      }
      for text in date {
        let (name, pattern) = try pair(text, "--date", "born=dd/MM/yyyy", "=")
        options.dates[name] = pattern
      }
      return options
    }
  }

  private func pair(
    _ text: String, _ option: String, _ example: String, _ separator: Character
  ) throws(Failure) -> (String, String) {
    let parts = text.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else {
      throw Failure(.usage, "\(option): “\(text)” has no \(separator)", try: "\(option) \(example)")
    }
    return (String(parts[0]), String(parts[1]))
  }
}

extension Substring {
  fileprivate func trimming(while isBlank: (Character) -> Bool) -> String {
    let rest = drop(while: isBlank)
    return String(rest.reversed().drop(while: isBlank).reversed())
  }
}

extension Failure {
  init(_ error: TransferError) {
    let status: ExitStatus =
      switch error.reason {
      case .file, .malformed: .unreadable
      case .usage: .usage
      case .refused: .refused
      }
    let subject = error.subject.isEmpty ? "" : error.subject + ": "
    self.init(status, subject + error.detail, try: error.remedy)
  }
}
