public import ObjectModel

extension ExpressionDescription {
  /// The number of values of an attribute that are not null.
  public static func count<Object, Attribute>(
    _ key: AttributeKey<Object, Attribute>, name: String
  ) -> Self { count(key.keyPath, name: name) }

  /// The sum of an attribute.
  public static func sum<Object, Attribute>(
    _ key: AttributeKey<Object, Attribute>, name: String
  ) -> Self { sum(key.keyPath, name: name) }

  /// The smallest value of an attribute.
  public static func min<Object, Attribute>(
    _ key: AttributeKey<Object, Attribute>, name: String
  ) -> Self { min(key.keyPath, name: name) }

  /// The greatest value of an attribute.
  public static func max<Object, Attribute>(
    _ key: AttributeKey<Object, Attribute>, name: String
  ) -> Self { max(key.keyPath, name: name) }

  /// The mean of an attribute.
  public static func average<Object, Attribute>(
    _ key: AttributeKey<Object, Attribute>, name: String
  ) -> Self { average(key.keyPath, name: name) }
}
