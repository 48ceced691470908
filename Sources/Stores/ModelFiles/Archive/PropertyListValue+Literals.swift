import ObjectModel

/// Literals make property lists in code: `["NSIsOptional": true, "NSMaxCount": 1]`. The first of
/// two equal keys wins.
extension PropertyListValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(floatLiteral value: Double) { self = .real(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(arrayLiteral elements: PropertyListValue...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, PropertyListValue)...) {
    self = .dictionary(Dictionary(firstOf: elements))
  }
}
