import ObjectModel

/// The Swift type of an attribute's values, with the code that reads and writes it.
struct SwiftType {
  /// The name of the type.
  let name: String
  /// Code that reads the attribute for a key; its value is nil for NULL.
  let read: (_ key: String) -> String
  /// Code that converts a variable of the type to a `Value`.
  let wrap: (_ variable: String) -> String
  /// Code for the value that a required attribute reads as while it has none.
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

  /// A type for which ManagedObject has a method that reads it.
  private init(_ name: String, read: String, wrap: String, neutral: String) {
    self.init(
      name: name, read: { "\(read)(\($0))" }, wrap: { "\(wrap)(\($0))" }, neutral: neutral)
  }

  /// An integer type narrower than the Int64 that it is read as.
  private init(integer name: String) {
    self.init(
      name: name, read: { "integer(\($0)).flatMap { \(name)(exactly: $0) }" },
      wrap: { ".integer(Int64(\($0)))" }, neutral: "0")
  }
}
