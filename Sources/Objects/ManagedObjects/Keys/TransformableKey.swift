public import ObjectModel

/// A transformable attribute of a class, with the Swift type of its values.
///
///     struct Address: Codable, Hashable {
///       var street: String
///       var city: String
///     }
///
///     final class Person: ManagedObject, EntityClass {
///       static let address = TransformableKey<Person, Address>("address")
///       static let properties: Properties = [address]
///     }
///
/// The value is nil if there is none. Its bytes are JSON unless the key has a codec of its own, or
/// one is registered in `AttributeCodecs` under the name of the attribute's value transformer.
///
/// Values are compared, not bytes: setting an equal one leaves the object unchanged. Bytes that do
/// not decode stay as they are until another value is set.
public struct TransformableKey<Object: ManagedObject, Content: Equatable>: Sendable {
  /// The name of the attribute.
  public let name: String
  /// Of the key itself; nil for the one of the attribute's value transformer.
  private let codec: (any AttributeCodec<Content>)?
  /// What is used if no codec is registered.
  private let usual: (any AttributeCodec<Content>)?

  /// Creates the key of an attribute whose values are kept with a codec.
  ///
  /// - Parameters:
  ///   - name: The name of the attribute in the model.
  ///   - codec: The codec.
  public init(_ name: String, codec: some AttributeCodec<Content>) {
    self.name = name
    self.codec = codec
    usual = nil
  }

  /// Creates the key of an attribute whose values are kept with the codec that is registered under
  /// the name of its value transformer.
  ///
  /// - Parameter name: The name of the attribute in the model.
  @_disfavoredOverload
  public init(_ name: String) {
    self.name = name
    codec = nil
    usual = nil
  }

  /// Creates the key of an attribute whose values are kept with the codec that is registered under
  /// the name of its value transformer, or as JSON.
  ///
  /// - Parameter name: The name of the attribute in the model.
  public init(_ name: String) where Content: Codable {
    self.name = name
    codec = nil
    usual = JSONCodec<Content>()
  }

  /// The key path as text, for what takes key paths as text.
  public var keyPath: String { KeyPathText.text([name]) }

  /// The key without its type: predicates compare only with null.
  package var propertyKey: PropertyKey { PropertyKey(path: [name]) }

  /// The codec for an attribute; nil with the reason if there is none.
  fileprivate func codec(
    of attribute: AttributeDescription
  ) -> (codec: (any AttributeCodec<Content>)?, reason: String) {
    if let codec { return (codec, "") }
    let transformer = attribute.details.valueTransformerName
    guard let transformer, let registered = AttributeCodecs.codec(forName: transformer) else {
      return (
        usual,
        transformer.map { "no codec is registered for its value transformer \($0)" }
          ?? "it has no value transformer, and \(Content.self) is not Codable"
      )
    }
    return (
      registered as? any AttributeCodec<Content>,
      "the codec of its value transformer \(transformer) is not for \(Content.self)"
    )
  }
}

extension TypedObject {
  /// The value of a transformable attribute; nil if it has none.
  ///
  /// Bytes that do not decode read as nil, and a value that cannot be encoded is not set: the error
  /// is reported to the context's `onError`, in the second case the next save throws it too.
  /// ``value(of:)`` and ``setValue(_:of:)`` throw instead.
  public subscript<Content>(key: TransformableKey<Self, Content>) -> Content? {
    get { reportingValue { try transformed(key) } }
    set { refusing(key.name) { try transform(newValue, key) } }
  }

  /// The value of a transformable attribute.
  ///
  /// - Parameter key: The attribute.
  /// - Returns: The value; nil if it has none.
  /// - Throws: ``ManagedObjectError`` that names the entity, the attribute and what is wrong with the
  ///   bytes, or says that there is no codec; or if the value cannot be read.
  public func value<Content>(of key: TransformableKey<Self, Content>) throws -> Content? {
    try transformed(key)
  }

  /// Sets a transformable attribute.
  ///
  /// - Parameters:
  ///   - value: The value; nil for none.
  ///   - key: The attribute.
  /// - Throws: ``ManagedObjectError`` if the value cannot be encoded, or the attribute cannot be set.
  public func setValue<Content>(_ value: Content?, of key: TransformableKey<Self, Content>) throws {
    try transform(value, key)
  }
}

extension EntityClass {
  /// The value of a transformable attribute of the superclass.
  @_disfavoredOverload
  public subscript<Content>(key: TransformableKey<KeyOwner, Content>) -> Content? {
    get { reportingValue { try transformed(key) } }
    set { refusing(key.name) { try transform(newValue, key) } }
  }
}

extension ManagedObject {
  fileprivate func reportingValue<Content>(_ read: () throws -> Content?) -> Content? {
    do { return try read() } catch {
      managedObjectContext?.report(error)
      return nil
    }
  }

  fileprivate func transformed<Object, Content>(
    _ key: TransformableKey<Object, Content>
  ) throws -> Content? {
    try decode(try wholeValue(forKey: key.name), key)
  }

  fileprivate func transform<Object, Content>(
    _ content: Content?, _ key: TransformableKey<Object, Content>
  ) throws {
    guard let content else { return try setValue(.null, forKey: key.name) }
    if content == (try? transformed(key)) {
      managedObjectContext?.refused.remove(objectID, key.name)
      return
    }
    // The bytes of the saved value, if it is set again: other programs write others.
    let committed = committedValue(forKey: key.name)
    if content == (try? decode(committed, key)) {
      return try setValue(committed, forKey: key.name)
    }
    let codec = try codec(key, "setting")
    do {
      try setValue(.data(try codec.encode(content)), forKey: key.name)
    } catch let error as EncodingError {
      throw failure("setting", key.name, "the \(Content.self) cannot be encoded: \(error)", "")
    }
  }

  private func decode<Object, Content>(
    _ value: Value, _ key: TransformableKey<Object, Content>
  ) throws -> Content? {
    if value.isNull { return nil }
    return try decode(value, key.name, codec(key, "reading"))
  }

  /// The value of a transformable attribute, decoded by a codec; nil if it has none.
  ///
  /// - Throws: As ``TypedObject/value(of:)``.
  package func value<Codec: AttributeCodec>(
    ofTransformable key: String, codec: Codec
  ) throws -> Codec.Content? {
    let value = try wholeValue(forKey: key)
    return value.isNull ? nil : try decode(value, key, codec)
  }

  private func decode<Content>(
    _ value: Value, _ key: String, _ codec: any AttributeCodec<Content>
  ) throws -> Content {
    guard case .data(let data) = value else {
      throw failure(
        "reading", key, "it is no bytes, but \(value)", "set it, or change it in the store")
    }
    do { return try codec.decode(data) } catch {
      throw failure(
        "reading", key, "its \(data.count) bytes are no \(Content.self): \(Self.phrase(of: error))",
        "use the codec that wrote them, or set another value")
    }
  }

  private func codec<Object, Content>(
    _ key: TransformableKey<Object, Content>, _ doing: String
  ) throws -> any AttributeCodec<Content> {
    guard let attribute = entity.attribute(named: key.name) else {
      throw unknownKey(key.name, doing)
    }
    let (codec, reason) = key.codec(of: attribute)
    guard let codec else {
      throw failure(
        doing, key.name, reason,
        "call AttributeCodecs.set(_:forName:), or make the key with a codec")
    }
    return codec
  }

  private func failure(
    _ doing: String, _ key: String, _ detail: String, _ remedy: String
  ) -> ManagedObjectError {
    ManagedObjectError(
      .wrongType, doing: "\(doing) \(entity.name).\(key)", subject: displayName, detail: detail,
      remedy: remedy, objectIDs: [objectID])
  }

  /// What a decoder says, without the parts that only a debugger reads.
  private static func phrase(of error: any Error) -> String {
    guard let error = error as? DecodingError else { return "\(error)" }
    let context: DecodingError.Context
    switch error {
    case .typeMismatch(_, let found), .valueNotFound(_, let found), .dataCorrupted(let found):
      context = found
    case .keyNotFound(let key, _): return "it has no \(key.stringValue)"
    @unknown default: return "\(error)"
    }
    let path = context.codingPath.map(\.stringValue).joined(separator: ".")
    return path.isEmpty ? context.debugDescription : "\(path): \(context.debugDescription)"
  }
}

extension TransformableKey: DeclarableKey {
  /// Adds the attribute, which may be null, to an entity.
  public func add(to entity: inout Entity) { Attribute(self).add(to: &entity) }
}

extension Attribute {
  /// Creates the transformable attribute of a typed key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - isOptional: Whether it may be null when it is saved.
  ///   - valueTransformerName: The name under which a codec is registered; nil for that of the key.
  ///   - renamingIdentifier: The name in an earlier version of the model; nil if it is the same.
  ///   - userInfo: The user info dictionary.
  public init<Object, Content>(
    _ key: TransformableKey<Object, Content>, isOptional: Bool = true,
    valueTransformerName: String? = nil, renamingIdentifier: String? = nil,
    userInfo: [String: String] = [:]
  ) {
    self.init(
      key.name, .transformable, isOptional: isOptional, default: .null, encoding: nil,
      isUnique: false, isIndexed: false, isTransient: false, derivation: nil,
      valueTransformerName: valueTransformerName, renamingIdentifier: renamingIdentifier,
      userInfo: userInfo,
      key: DeclaredKey(
        keyPath: key.keyPath, isPath: false, owner: ObjectIdentifier(Object.self),
        ownerName: "\(Object.self)"))
  }
}
