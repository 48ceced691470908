package import ObjectModel

extension AttributeType {
  /// The types by `NSAttributeType`, their number in archives (core-data-stores 3.1).
  private static let byNumber: [Int: AttributeType] = [
    0: .undefined, 100: .integer16, 200: .integer32, 300: .integer64, 400: .decimal, 500: .double,
    600: .float, 700: .string, 800: .boolean, 900: .date, 1000: .binaryData, 1100: .uuid,
    1200: .uri, 1800: .transformable,
  ]
  private static let numbers = Dictionary(
    uniqueKeysWithValues: byNumber.map { ($0.value, $0.key) })

  /// The `NSAttributeType` of a composite attribute, which has no value type of its own.
  static let compositeNumber = 2100

  /// Creates a type from its `NSAttributeType`; nil for a number without a supported value type.
  init?(coreDataNumber number: Int) {
    guard let type = Self.byNumber[number] else { return nil }
    self = type
  }

  /// The type's `NSAttributeType`.
  var coreDataNumber: Int { Self.numbers[self] ?? 0 }

  /// Returns how a Core Data store encodes values of the type in SQLite (core-data-stores 4.3,
  /// 4.6).
  ///
  /// - Parameter isExternal: Whether the attribute allows external binary data storage.
  /// - Returns: The encoding of a column value.
  package func coreDataEncoding(isExternal: Bool = false) -> ValueEncoding {
    switch self {
    case .undefined, .integer16, .integer32, .integer64, .double, .float, .string: .native
    case .boolean: .booleanInteger
    case .date: .referenceSeconds
    case .decimal: .decimalNumber
    case .uuid: .uuidData
    case .uri: .urlText
    case .binaryData, .transformable: isExternal ? .externalData : .native
    }
  }
}
