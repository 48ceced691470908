package import ObjectModel

extension AttributeType {
  /// The numbers of types in archives (core-data-stores 3.1).
  private static let byNumber: [Int: AttributeType] = [
    0: .undefined, 100: .integer16, 200: .integer32, 300: .integer64, 400: .decimal, 500: .double,
    600: .float, 700: .string, 800: .boolean, 900: .date, 1000: .binaryData, 1100: .uuid,
    1200: .uri, 1800: .transformable,
  ]
  private static let numbers = Dictionary(
    uniqueKeysWithValues: byNumber.map { ($0.value, $0.key) })

  /// The number of a composite attribute, which is no type of values.
  package static let compositeNumber = 2100

  /// The type of a number in an archive; nil for one that has no type of ours.
  package init?(coreDataNumber number: Int) {
    guard let type = Self.byNumber[number] else { return nil }
    self = type
  }

  /// The number of the type in archives.
  package var coreDataNumber: Int { Self.numbers[self] ?? 0 }

  /// How a Core Data store keeps values of the type (core-data-stores 4.3, 4.6).
  ///
  /// - Parameter isExternal: Whether long values may stand in files of their own.
  /// - Returns: The encoding.
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
