import Synchronization

/// The codecs of the program by the names of value transformers, as a model gives them to
/// transformable attributes.
///
/// They are the program's, as `ValueTransformer`'s names are: a model may be used by several
/// containers, and says only a name. Register them before values are used.
public enum AttributeCodecs {
  private static let registered = Mutex<[String: any AttributeCodec]>([:])

  /// Registers a codec, instead of an earlier one of the name.
  ///
  /// - Parameters:
  ///   - codec: The codec; nil removes the one of the name.
  ///   - name: The name of the value transformer in the model.
  public static func set(_ codec: (any AttributeCodec)?, forName name: String) {
    registered.withLock { $0[name] = codec }
  }

  /// The codec of a name.
  ///
  /// - Parameter name: The name of the value transformer in the model.
  /// - Returns: The codec; nil if none is registered.
  package static func codec(forName name: String) -> (any AttributeCodec)? {
    registered.withLock { $0[name] }
  }
}
