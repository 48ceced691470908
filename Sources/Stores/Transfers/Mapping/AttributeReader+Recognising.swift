import ObjectModel

extension AttributeReader {
  /// Finds out how a column writes dates and numbers.
  ///
  /// - Parameters:
  ///   - texts: Texts of the column.
  ///   - delimiter: What separates the fields of a record; nil in JSON.
  ///   - dates: How a person has said that it writes dates; nil for nothing.
  /// - Returns: How, for a person; empty if there is nothing to say.
  /// - Throws: ``TransferError`` if dates can be read in two ways.
  mutating func recognise(
    _ texts: some Sequence<String>, delimiter: UInt8?, dates: String?
  ) throws(TransferError) -> String {
    if attribute.type.isNumeric {
      let texts = texts.map(\.trimmingBlanks).filter { !$0.isEmpty && !$0.hasPrefix("=") }
      guard let style = NumberStyle.of(texts, prefersDecimalComma: delimiter == 0x3B) else {
        return ""
      }
      numbers = style
      return style.phrase ?? ""
    }
    guard attribute.type == .date else { return "" }
    let given = dates ?? attribute.details.property.userInfo["dateFormat"]
    if let given {
      self.dates = try Self.form(given, of: attribute.name)
      return "dates like \(given)"
    }
    let found = texts.map(\.trimmingBlanks).filter { !$0.isEmpty }
    let isISO = found.allSatisfy { ISODate($0) != nil }
    if isISO { return "" }
    let numbers = found.compactMap(Double.init)
    if numbers.count == found.count {
      return try recogniseNumbers(numbers)
    }
    // Those that no form fits are rejected one by one.
    let usual = found.filter { ISODate($0) == nil }
    let forms = DatePattern.forms(of: usual)
    guard let first = forms.first else {
      guard let form = DatePattern.mostCommon(in: usual) else { return "" }
      self.dates = .pattern(form)
      return "dates like \(form.text)"
    }
    if forms.count > 1 {
      throw TransferError(
        .usage, attribute.name,
        "\(usual[0]) may be \(forms.map(\.text).joined(separator: " or "))",
        try: forms.map { "--date '\(attribute.name)=\($0.text)'" }.joined(separator: " or "))
    }
    self.dates = .pattern(first)
    return "dates like \(first.text)"
  }

  private mutating func recogniseNumbers(_ numbers: [Double]) throws(TransferError) -> String {
    if let form = DatePattern("yyyyMMdd"),
      numbers.allSatisfy({ number in
        number >= 10_000_000 && number < 100_000_000
          && "\(Int(number))".withBytes { form.referenceSeconds($0) != nil }
      })
    {
      self.dates = .pattern(form)
      return "dates like yyyyMMdd"
    }
    // A plain column that stores numbers takes them as they are.
    if attribute.reading != nil, attribute.encoding.isNumberOfDate {
      self.dates = .stored
      return ""
    }
    for (form, scale, words) in [
      (DateForm.sinceUnixEpoch(perSecond: 1_000), 1_000.0, "milliseconds"),
      (.sinceUnixEpoch(perSecond: 1), 1.0, "seconds"),
    ] where attribute.encoding == .isoText {
      if numbers.allSatisfy({ $0 >= 100_000_000 * scale && $0 < 5_000_000_000 * scale }) {
        self.dates = form
        return "\(words) since 1970"
      }
    }
    throw TransferError(
      .usage, attribute.name, "its dates are numbers, which may count from several days",
      try: "--date \(attribute.name)=unix, unixms or 2001")
  }

  private static func form(_ text: String, of attribute: String) throws(TransferError)
    -> DateForm
  {
    switch text {
    case "iso": return .iso
    case "unix": return .sinceUnixEpoch(perSecond: 1)
    case "unixms": return .sinceUnixEpoch(perSecond: 1_000)
    case "2001": return .sinceReferenceDate
    default:
      guard let pattern = DatePattern(text) else {
        throw TransferError(
          .usage, "\(attribute)=\(text)", "it is no pattern of dates",
          try: "dd.MM.yyyy, MM/dd/yyyy HH:mm, unix, unixms or 2001")
      }
      return .pattern(pattern)
    }
  }
}
