import Foundation

extension ObjectID {
  /// The ID as a URI: `x-coredata://STORE/Entity/p12`.
  ///
  /// The last component is `p` and an integer key, `t` and the number of a temporary key, or `k`
  /// and the values of a composite key, separated by commas, each with a letter for its type (`n`
  /// null, `i` integer, `d` double, `s` text, `b` bytes). Names and text are percent-encoded; the
  /// store of a temporary ID is empty.
  public var uriRepresentation: String {
    let prefix = "x-coredata://\(Self.encode(storeIdentifier))/\(Self.encode(entityName))/"
    switch key {
    case .integer(let number): return prefix + "p\(number)"
    case .temporary(let number): return prefix + "t\(number)"
    case .composite(let values):
      return prefix + "k" + values.map(Self.encode).joined(separator: ",")
    }
  }

  /// Creates an ID from its URI.
  ///
  /// - Parameter uriRepresentation: The URI; the result is nil if it is not valid.
  public init?(uriRepresentation: String) {
    let scheme = "x-coredata://"
    guard uriRepresentation.hasPrefix(scheme) else { return nil }
    let parts = uriRepresentation.dropFirst(scheme.count)
      .split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, let store = Self.decode(parts[0]), let entity = Self.decode(parts[1]),
      !entity.isEmpty, let letter = parts[2].first
    else { return nil }
    let rest = parts[2].dropFirst()
    let key: ObjectKey
    switch letter {
    case "p":
      guard let number = Int64(rest) else { return nil }
      key = .integer(number)
    case "t":
      guard let number = UInt64(rest) else { return nil }
      key = .temporary(number)
    case "k":
      var values: [Value] = []
      for part in rest.split(separator: ",", omittingEmptySubsequences: false) where !rest.isEmpty {
        guard let value = Self.value(part) else { return nil }
        values.append(value)
      }
      key = .composite(values)
    default: return nil
    }
    self.init(storeIdentifier: store, entityName: entity, key: key)
  }

  private static func encode(_ value: Value) -> String {
    switch value {
    case .null: "n"
    case .integer(let number): "i\(number)"
    case .double(let number): "d\(number)"
    case .data(let data): "b" + data.map(\.hexDigits).joined()
    // Keys have only stored values, so the rest is text.
    default: "s" + encode(value.description)
    }
  }

  private static func value(_ part: Substring) -> Value? {
    let rest = part.dropFirst()
    switch part.first {
    case "n": return rest.isEmpty ? .null : nil
    case "i": return Int64(rest).map(Value.integer)
    case "d": return Double(rest).map(Value.double)
    case "s": return decode(rest).map(Value.string)
    case "b": return Data(hexDigits: rest).map(Value.data)
    default: return nil
    }
  }

  private static func encode(_ text: String) -> String { text.utf8.percentEscaped(except: "-._~") }

  private static func decode(_ text: Substring) -> String? { text.removingPercentEncoding }
}

extension ObjectID: CustomStringConvertible {
  /// The entity and the key, such as `Artist 12`.
  public var description: String {
    switch key {
    case .integer(let number): "\(entityName) \(number)"
    case .temporary(let number): "\(entityName) (new, \(number))"
    case .composite(let values):
      "\(entityName) " + values.map(\.description).joined(separator: ", ")
    }
  }
}
