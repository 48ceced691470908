import ObjectModel

/// The redundant bit mask `_P` of an archived property (core-data-stores 3.1).
struct PropertyFlags {
  let value: PropertyListValue

  init(
    _ details: PropertyDetails, isOptional: Bool = false, isReadOnly: Bool = false,
    isTransient: Bool = false, isOrdered: Bool = false, allowsCloudEncryption: Bool = false
  ) {
    let bits: [(Int64, Bool)] = [
      (0x01, true), (0x02, isOptional), (0x04, isReadOnly), (0x08, isTransient),
      (0x30, details.validations.isEmpty), (0x40, details.userInfo.isEmpty),
      (0x80, details.versionHashModifier == nil), (0x100, details.isIndexedBySpotlight),
      (0x400, isOrdered), (0x800, allowsCloudEncryption),
    ]
    value = .integer(bits.reduce(0) { $0 | ($1.1 ? $1.0 : 0) })
  }
}

/// The bits of an archived attribute's `NSFlagsKey` (core-data-stores 3.1).
enum AttributeFlags {
  static let externalStorage = 4
  static let preservedInHistory = 16
}
