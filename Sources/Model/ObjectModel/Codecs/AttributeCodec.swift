public import Foundation

/// How values of a Swift type are kept as the bytes of a transformable attribute.
///
/// `JSONCodec` is the usual one. Another one is given to a typed key, or registered in
/// ``AttributeCodecs`` under the name of the attribute's value transformer.
public protocol AttributeCodec<Content>: Sendable {
  /// The Swift type of the values.
  associatedtype Content

  /// Makes the bytes of a value.
  ///
  /// - Parameter content: The value. Equal values should have equal bytes.
  /// - Returns: The bytes.
  /// - Throws: Any error that says why there are none.
  func encode(_ content: Content) throws -> Data

  /// Makes the value of bytes.
  ///
  /// - Parameter data: The bytes as they are stored; they may come from anywhere.
  /// - Returns: The value.
  /// - Throws: Any error that says what is wrong with the bytes.
  func decode(_ data: Data) throws -> Content
}

/// Keeps Codable values as JSON, with sorted keys.
package struct JSONCodec<Content: Codable>: AttributeCodec {
  /// Creates the codec.
  package init() {}

  /// Makes the JSON of a value.
  package func encode(_ content: Content) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(content)
  }

  /// Makes the value of JSON.
  package func decode(_ data: Data) throws -> Content {
    try JSONDecoder().decode(Content.self, from: data)
  }
}
