import ObjectModel

/// How an attribute's values look in Swift.
struct SwiftType {
  /// The type's name.
  let name: String
  /// Reads the attribute of a key, nil where there is none.
  let read: (_ key: String) -> String
  /// The value of ours for a variable.
  let wrap: (_ variable: String) -> String
  /// What a required attribute is before it is set.
  let neutral: String

  init(_ type: AttributeType) {
    switch type {
    case .integer16: self.init(integer: "Int16")
    case .integer32: self.init(integer: "Int32")
    case .integer64:
      self.init("Int64", read: "integer", wrap: ".integer", neutral: "0")
    case .decimal: self.init("Decimal", read: "decimal", wrap: ".decimal", neutral: "0")
    case .double: self.init("Double", read: "double", wrap: ".double", neutral: "0")
    case .float:
      self.init(
        name: "Float", read: { "double(\($0)).map { Float($0) }" },
        wrap: { ".double(Double(\($0)))" }, neutral: "0")
    case .string:
      self.init("String", read: "optionalString", wrap: ".string", neutral: "\"\"")
    case .boolean: self.init("Bool", read: "optionalBool", wrap: ".bool", neutral: "false")
    case .date: self.init("Date", read: "date", wrap: ".date", neutral: ".distantPast")
    case .binaryData, .transformable:
      self.init("Data", read: "data", wrap: ".data", neutral: "Data()")
    case .uuid:
      self.init(
        "UUID", read: "uuid", wrap: ".uuid",
        neutral: "UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))")
    case .uri:
      self.init("URL", read: "url", wrap: ".url", neutral: "URL(fileURLWithPath: \"/\")")
    case .undefined:
      self.init(name: "Value", read: { "self[\($0)]" }, wrap: { $0 }, neutral: ".null")
    }
  }

  private init(
    name: String, read: @escaping (String) -> String, wrap: @escaping (String) -> String,
    neutral: String
  ) {
    self.name = name
    self.read = read
    self.wrap = wrap
    self.neutral = neutral
  }

  /// A type with a method of its own that reads it.
  private init(_ name: String, read: String, wrap: String, neutral: String) {
    self.init(
      name: name, read: { "\(read)(\($0))" }, wrap: { "\(wrap)(\($0))" }, neutral: neutral)
  }

  /// A whole number of fewer bits than it is read with.
  private init(integer name: String) {
    self.init(
      name: name, read: { "integer(\($0)).flatMap { \(name)(exactly: $0) }" },
      wrap: { ".integer(Int64(\($0)))" }, neutral: "0")
  }
}
