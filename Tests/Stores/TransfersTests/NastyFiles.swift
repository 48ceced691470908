import Foundation
import TestSupport

/// A file of delimited text with its right answer.
struct NastyFile: Sendable, CustomStringConvertible {
  let name: String
  let bytes: [UInt8]
  let columns: [String]
  /// The records that can be read; nil is an empty field without quotes.
  let rows: [[String?]]
  /// The lines of the records that cannot be read.
  let rejectedLines: [Int]

  var description: String { name }

  init(
    _ name: String, _ bytes: [UInt8], _ columns: [String], _ rows: [[String?]],
    rejected: [Int] = []
  ) {
    (self.name, self.bytes, self.columns, self.rows) = (name, bytes, columns, rows)
    rejectedLines = rejected
  }

  init(
    _ name: String, _ text: String, _ columns: [String], _ rows: [[String?]],
    rejected: [Int] = []
  ) {
    self.init(name, Array(text.utf8), columns, rows, rejected: rejected)
  }
}

extension NastyFile {
  private static func utf16(_ text: String, isLittle: Bool, mark: Bool) -> [UInt8] {
    let units = (mark ? [0xFEFF] : []) + Array(text.utf16)
    return units.flatMap { unit in
      let pair = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      return isLittle ? pair.reversed() : pair
    }
  }

  private static let long = String(repeating: "lorem ipsum, \"dolor\"\n", count: 30_000)
  private static let mark = "\u{FEFF}"

  /// Files of which each has a trap of its own.
  static let special: [NastyFile] = [
    // RFC 4180, section 2, in its order.
    .init(
      "each record on a line", "a,b\r\n1,2\r\n3,4\r\n", ["a", "b"], [["1", "2"], ["3", "4"]]),
    .init("the last line has no end", "a,b\r\n1,2", ["a", "b"], [["1", "2"]]),
    .init("spaces are part of a field", "a,b\n 1 , 2 \n", ["a", "b"], [[" 1 ", " 2 "]]),
    .init("fields in quotes", "\"a\",\"b\"\r\n\"1\",2\r\n", ["a", "b"], [["1", "2"]]),
    .init("line ends in quotes", "a,b\r\n\"1\r\n1\",2\r\n", ["a", "b"], [["1\r\n1", "2"]]),
    .init("delimiters in quotes", "a,b\n\"1,1\",2\n", ["a", "b"], [["1,1", "2"]]),
    .init("doubled quotes", "a,b\n\"say \"\"hi\"\"\",2\n", ["a", "b"], [["say \"hi\"", "2"]]),
    .init("only doubled quotes", "a,b\n\"\"\"\",\"\"\"\"\"\"\n", ["a", "b"], [["\"", "\"\""]]),
    // NULL and empty text.
    .init(
      "empty without and in quotes", "a,b\n,\"\"\n\"\",\n", ["a", "b"], [[nil, ""], ["", nil]]),
    .init("all fields empty", "a,b,c\n,,\n", ["a", "b", "c"], [[nil, nil, nil]]),
    .init("an empty field at the end of the file", "a,b\n1,", ["a", "b"], [["1", nil]]),
    .init(
      "empty lines between", "a,b\n\n1,2\n\r\n\n3,4\n\n\n", ["a", "b"], [["1", "2"], ["3", "4"]]),
    .init(
      "one column, where an empty line is a record", "a\n1\n\n3\n", ["a"], [["1"], [nil], ["3"]]),
    .init("a line of spaces is no empty line", "a\n \n", ["a"], [[" "]]),
    .init("empty lines before the header", "\r\n\n\na,b\n1,2\n", ["a", "b"], [["1", "2"]]),
    // Line ends.
    .init("lone CR", "a,b\r1,2\r3,4\r", ["a", "b"], [["1", "2"], ["3", "4"]]),
    .init(
      "lone CR without the last one", "a,b\r1,2\r3,4", ["a", "b"], [["1", "2"], ["3", "4"]]),
    .init(
      "mixed line ends", "a,b\r\n1,2\n3,4\r5,6\r\n", ["a", "b"],
      [["1", "2"], ["3", "4"], ["5", "6"]]),
    .init(
      "mixed line ends in quotes", "a,b\n\"1\r2\n3\r\n4\",5\n", ["a", "b"], [["1\r2\n3\r\n4", "5"]]),
    .init("LF CR is two line ends", "a,b\n\r1,2\n\r", ["a", "b"], [["1", "2"]]),
    .init(
      "a quote closes before a lone CR", "a,b\r1,\"2\"\r3,4", ["a", "b"],
      [["1", "2"], ["3", "4"]]),
    // Quotes where they do not belong.
    .init("a quote inside of a field", "a,b\n6\" pipe,2\n", ["a", "b"], [["6\" pipe", "2"]]),
    .init("a quote at the end of a field", "a,b\n6\",2\n", ["a", "b"], [["6\"", "2"]]),
    .init("a quote after a space", "a,b\n \"1\",2\n", ["a", "b"], [[" \"1\"", "2"]]),
    .init("text after a closing quote", "a,b\n\"1\"x,2\n", ["a", "b"], [["1x", "2"]]),
    .init("a space after a closing quote", "a,b\n\"1\" ,2\n", ["a", "b"], [["1 ", "2"]]),
    .init(
      "a quote that is never closed", "a,b\n1,2\n\"3,4\n5,6\n", ["a", "b"], [["1", "2"]],
      rejected: [3]),
    .init("a lone quote", "a,b\n1,\"", ["a", "b"], [], rejected: [2]),
    .init("apostrophes are no quotes", "a,b\n'1,2'\n", ["a", "b"], [["'1", "2'"]]),
    .init("backslashes escape nothing", "a,b\n\"1\\\",2\n", ["a", "b"], [["1\\", "2"]]),
    // Ragged records.
    .init(
      "too few fields", "a,b,c\n1,2\n3,4,5\n", ["a", "b", "c"], [["3", "4", "5"]], rejected: [2]),
    .init("too many fields", "a,b\n1,2,3\n4,5\n", ["a", "b"], [["4", "5"]], rejected: [2]),
    .init("trailing delimiters", "a,b\n1,2,\n3,4,,\n", ["a", "b"], [["1", "2"], ["3", "4"]]),
    .init("trailing delimiters and empty text", "a,b\n1,2,\"\"\n", ["a", "b"], [], rejected: [2]),
    .init(
      "a trailing delimiter of the header", "a,b,\n1,2,\n", ["a", "b", ""], [["1", "2", nil]]),
    .init("one field among two", "a,b\nx\n1,2\n", ["a", "b"], [["1", "2"]], rejected: [2]),
    .init(
      "the line after a long record", "a,b\n\"1\n2\n3\",4\n5\n", ["a", "b"], [["1\n2\n3", "4"]],
      rejected: [5]),
    // Headers.
    .init("only a header", "a,b\r\n", ["a", "b"], []),
    .init("only a header without a line end", "a,b", ["a", "b"], []),
    .init("the same header twice", "a,a\n1,2\n", ["a", "a"], [["1", "2"]]),
    .init("a header without a name", "a,,c\n1,2,3\n", ["a", "", "c"], [["1", "2", "3"]]),
    .init("blanks around headers", " a ,\tb\u{A0}\n1,2\n", ["a", "b"], [["1", "2"]]),
    .init("a line end in a header", "\"a\nx\",b\n1,2\n", ["a\nx", "b"], [["1", "2"]]),
    .init("one column", "a\n1\n", ["a"], [["1"]]),
    // Delimiters.
    .init("semicolons", "a;b\n1,5;2\n", ["a", "b"], [["1,5", "2"]]),
    .init("tabs", "a\tb\n1, 5\t2\n", ["a", "b"], [["1, 5", "2"]]),
    .init("bars", "a|b|c\n1,2|3;4|5\n", ["a", "b", "c"], [["1,2", "3;4", "5"]]),
    .init(
      "semicolons beside more commas", "a;b\n1,2,3;4\n5,6,7;8\n", ["a", "b"],
      [["1,2,3", "4"], ["5,6,7", "8"]]),
    .init("commas in quotes beside semicolons", "a;b\n\"1,2\";3\n", ["a", "b"], [["1,2", "3"]]),
    .init("Excel's first line", "sep=;\r\na;b\r\n1;2\r\n", ["a", "b"], [["1", "2"]]),
    .init("Excel's first line in quotes", "\"sep=;\"\na;b\n1;2\n", ["a", "b"], [["1", "2"]]),
    .init(
      "Excel's first line with an unusual delimiter", "sep=!\na!b\n1!2\n", ["a", "b"], [["1", "2"]]),
    .init("a column that is called sep=", "sep=x,b\n1,2\n", ["sep=x", "b"], [["1", "2"]]),
    // Encodings.
    .init("a mark of UTF-8", mark + "a,b\n1,2\n", ["a", "b"], [["1", "2"]]),
    .init("a mark before a quote", mark + "\"a\",b\n1,2\n", ["a", "b"], [["1", "2"]]),
    .init(
      "a mark before Excel's first line", mark + "sep=|\na|b\n1|2\n", ["a", "b"], [["1", "2"]]),
    .init(
      "UTF-16LE", utf16("a,b\r\né,日本 😀\r\n", isLittle: true, mark: true), ["a", "b"],
      [["é", "日本 😀"]]),
    .init(
      "UTF-16BE", utf16("a,b\r\né,日本 😀\r\n", isLittle: false, mark: true), ["a", "b"],
      [["é", "日本 😀"]]),
    .init(
      "UTF-16LE without a mark", utf16("a,b\n1,2\n", isLittle: true, mark: false), ["a", "b"],
      [["1", "2"]]),
    .init(
      "UTF-16BE without a mark", utf16("a,b\n1,2\n", isLittle: false, mark: false), ["a", "b"],
      [["1", "2"]]),
    .init(
      "Excel's Unicode text", utf16("a\tb\r\n\"1\t1\"\t2\r\n", isLittle: true, mark: true),
      ["a", "b"], [["1\t1", "2"]]),
    .init(
      "half a character of UTF-16", utf16("a,b\n1,2", isLittle: true, mark: true) + [0x33],
      ["a", "b"], [["1", "2\u{FFFD}"]]),
    .init(
      "half a pair of UTF-16", [0xFF, 0xFE, 0x61, 0, 0x0A, 0, 0x3D, 0xD8, 0x62, 0, 0x0A, 0], ["a"],
      [["\u{FFFD}b"]]),
    .init("zeros", "a,b\n1\0,\"\0\"\n", ["a", "b"], [["1\0", "\0"]]),
    .init("CJK, accents and emoji", "名,b\n東京,Łódź 👩‍👩‍👧\n", ["名", "b"], [["東京", "Łódź 👩‍👩‍👧"]]),
    .init("a mark in the middle", "a,b\n\u{FEFF}1,2\n", ["a", "b"], [["\u{FEFF}1", "2"]]),
    .init(
      "separators of lines of Unicode end none", "a,b\n1\u{2028}1,2\u{85}\n", ["a", "b"],
      [["1\u{2028}1", "2\u{85}"]]),
    // Long ones.
    .init(
      "a very long field", "a,b\n\"\(long.replacing("\"", with: "\"\""))\",2\n", ["a", "b"],
      [[long, "2"]]),
    .init(
      "a thousand columns",
      (0..<1000).map { "c\($0)" }.joined(separator: ",") + "\n" + String(repeating: ",", count: 999)
        + "\n",
      (0..<1000).map { "c\($0)" }, [[String?](repeating: nil, count: 1000)]),
    // Values that programs like to change.
    .init(
      "leading zeros and formulas", "a,b\n00123,=\"00123\"\n", ["a", "b"],
      [["00123", "=\"00123\""]]),
    .init("numbers of Europe", "a;b\n1.234,50;-0,5\n", ["a", "b"], [["1.234,50", "-0,5"]]),
  ]

  /// Files of random values, written in a random dialect.
  static func random(count: Int) -> [NastyFile] { (0..<count).map { random(seed: UInt64($0)) } }

  private static func random(seed: UInt64) -> NastyFile {
    var generator = SeededGenerator(seed: seed + 1)
    func pick<T>(_ values: [T]) -> T { generator.pick(values) }
    // An empty record of one column between CR and LF would be neither.
    let lineEnds = pick([["\r\n"], ["\n"], ["\r"], ["\r\n", "\n", "\r"]])
    let quotesAll = pick([true, false, false])
    let isTrailing = pick([true, false, false, false])
    let encoding = pick(["", "", "mark", "le", "be"])
    let hasExcelLine = pick([true, false, false, false])
    let count = Int.random(in: lineEnds.count > 1 ? 2...6 : 1...6, using: &generator)
    let delimiter = count > 1 ? pick([",", ";", "\t", "|"]) : ","
    let columns = (0..<count).map { "c\($0)" }
    let pool: [String?] = [
      nil, "", "x", "00123", "1,5", "a;b", "tab\there", "a|b", "say \"hi\"", "\"", "6\" pipe",
      "line\nline", "cr\rcr", "crlf\r\n", " padded ", "東京", "😀", "null\0null", "=\"007\"", "'",
      "\\", "#comment", "é", String(repeating: "long ", count: 500), "\n", "-", "NULL",
    ]
    var rows: [[String?]] = []
    var text = hasExcelLine ? "sep=\(delimiter)" + lineEnds[0] : ""
    func field(_ value: String?) -> String {
      guard let value else { return "" }
      let needsQuotes =
        value.isEmpty || value.hasPrefix("\"")
        || value.unicodeScalars.contains { "\r\n".unicodeScalars.contains($0) }
        || value.contains(delimiter) || quotesAll || Bool.random(using: &generator)
      return needsQuotes ? "\"" + value.replacing("\"", with: "\"\"") + "\"" : value
    }
    text += columns.joined(separator: delimiter)
    for _ in 0..<Int.random(in: 0...30, using: &generator) {
      rows.append(columns.map { _ in pick(pool) })
      text += pick(lineEnds) + (rows.last ?? []).map(field).joined(separator: delimiter)
      if isTrailing, count > 1 { text += delimiter }
    }
    // Without a last line end an empty line would not be a record.
    if rows.last == [nil] || Bool.random(using: &generator) { text += pick(lineEnds) }
    let bytes: [UInt8] =
      switch encoding {
      case "mark": Array(("\u{FEFF}" + text).utf8)
      case "le": utf16(text, isLittle: true, mark: true)
      case "be": utf16(text, isLittle: false, mark: true)
      default: Array(text.utf8)
      }
    return NastyFile("random \(seed)", bytes, columns, rows)
  }
}
