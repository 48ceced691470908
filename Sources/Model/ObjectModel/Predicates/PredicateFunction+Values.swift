import Foundation

extension PredicateFunction {
  /// Computes the function for decoded values.
  ///
  /// - Parameter arguments: ``arity`` values; for an aggregate the members of the collection.
  /// - Returns: The result; null for a null argument, an argument of the wrong kind, a division by
  ///   zero, or NaN.
  package func value(_ arguments: [Value]) -> Value {
    if isAggregate { return aggregate(arguments) }
    switch self {
    case .now: return .date(Date())
    case .random: return .double(Double.random(in: 0..<1))
    default: break
    }
    guard let first = arguments.first, !first.isNull, arguments.count == arity else { return .null }
    if arity == 2 {
      return arguments[1].isNull ? .null : binary(first, arguments[1]).withoutNaN
    }
    return unary(first).withoutNaN
  }

  private func unary(_ value: Value) -> Value {
    switch self {
    case .uppercase: return value.text.map { .string($0.uppercased()) } ?? .null
    case .lowercase: return value.text.map { .string($0.lowercased()) } ?? .null
    case .canonical:
      return value.text.map { .string(TextFolding.fold($0, [.case, .diacritics])) } ?? .null
    case .length:
      if case .data(let data) = value { return .integer(Int64(data.count)) }
      return value.text.map { .integer(Int64($0.storedLength)) } ?? .null
    case .onesComplement: return value.bits.map { .integer(~$0) } ?? .null
    default: break
    }
    guard let number = value.number else { return .null }
    if case .integer(let whole) = number {
      switch self {
      case .floor, .ceiling, .truncate: return .integer(whole)
      case .absolute where whole != .min: return .integer(abs(whole))
      default: break
      }
    }
    let real = number.approximation
    switch self {
    case .squareRoot: return .double(real.squareRoot())
    case .logarithm: return .double(log10(real))
    case .naturalLogarithm: return .double(log(real))
    case .exponential: return .double(exp(real))
    case .floor: return .double(real.rounded(.down))
    case .ceiling: return .double(real.rounded(.up))
    case .truncate: return .double(real.rounded(.towardZero))
    case .absolute:
      if case .decimal(let decimal) = number { return .decimal(abs(decimal)) }
      return .double(abs(real))
    default: return .null
    }
  }

  private func binary(_ a: Value, _ b: Value) -> Value {
    switch self {
    case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift:
      guard let left = a.bits, let right = b.bits else { return .null }
      return .integer(bits(left, right))
    case .add, .subtract:
      if let result = dateArithmetic(a, b) { return result }
    default: break
    }
    guard let left = a.number, let right = b.number else { return .null }
    switch (left, right) {
    case (.integer(let left), .integer(let right)): return whole(left, right)
    case (.decimal, .integer), (.integer, .decimal), (.decimal, .decimal):
      guard self != .power, let left = left.exact, let right = right.exact else { break }
      return exact(left, right)
    default: break
    }
    return real(left.approximation, right.approximation)
  }

  private func bits(_ a: Int64, _ b: Int64) -> Int64 {
    switch self {
    case .bitwiseAnd: a & b
    case .bitwiseOr: a | b
    case .bitwiseXor: a ^ b
    case .leftShift: a << b
    default: a >> b
    }
  }

  /// A date plus or minus seconds is a date, a date minus a date is seconds; nil if neither is a
  /// date.
  private func dateArithmetic(_ a: Value, _ b: Value) -> Value? {
    switch (a, b) {
    case (.date(let a), .date(let b)):
      self == .subtract ? .double(a.timeIntervalSince(b)) : .null
    case (.date(let date), _):
      b.number.map {
        .date(date.addingTimeInterval(self == .add ? $0.approximation : -$0.approximation))
      }
    case (_, .date(let date)) where self == .add:
      a.number.map { .date(date.addingTimeInterval($0.approximation)) }
    default: nil
    }
  }

  /// Integer arithmetic; a quotient is truncated, a result that exceeds 64 bits becomes a double.
  private func whole(_ a: Int64, _ b: Int64) -> Value {
    let result: (partialValue: Int64, overflow: Bool)
    switch self {
    case .add: result = a.addingReportingOverflow(b)
    case .subtract: result = a.subtractingReportingOverflow(b)
    case .multiply: result = a.multipliedReportingOverflow(by: b)
    case .divide where b == 0: return .null
    case .divide: result = a.dividedReportingOverflow(by: b)
    case .modulus: return b == 0 ? .null : .integer(b == -1 ? 0 : a % b)
    default: return real(Double(a), Double(b))
    }
    return result.overflow ? real(Double(a), Double(b)) : .integer(result.partialValue)
  }

  private func exact(_ a: Decimal, _ b: Decimal) -> Value {
    switch self {
    case .add: .decimal(a + b)
    case .subtract: .decimal(a - b)
    case .multiply: .decimal(a * b)
    case .divide: b.isZero ? .null : .decimal(a / b)
    default:
      real(Number.decimal(a).approximation, Number.decimal(b).approximation)
    }
  }

  private func real(_ a: Double, _ b: Double) -> Value {
    switch self {
    case .add: .double(a + b)
    case .subtract: .double(a - b)
    case .multiply: .double(a * b)
    case .divide: b == 0 ? .null : .double(a / b)
    case .modulus: b == 0 ? .null : .double(a.truncatingRemainder(dividingBy: b))
    case .power: .double(pow(a, b))
    default: .null
    }
  }
}

extension Value {
  /// The 64 bits of a whole number or a boolean; nil for any other value.
  fileprivate var bits: Int64? {
    switch number {
    case .integer(let whole): whole
    case .double(let double): Int64(exactly: double)
    case .decimal(let decimal): Int64(decimal.description)
    case nil: nil
    }
  }

  /// The value; null for NaN, which SQLite stores as NULL too.
  fileprivate var withoutNaN: Value {
    switch self {
    case .double(let value) where value.isNaN: .null
    case .decimal(let value) where value.isNaN: .null
    default: self
    }
  }
}
