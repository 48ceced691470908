import Foundation
import ObjectModel
import TerminalKit

/// How the numbers of a column are written: grouped, and with as many decimals as the column needs.
package nonisolated struct NumberFormat: Hashable, Sendable {
  /// Whether digits are grouped by thousands; not for keys and years.
  var isGrouped = true
  /// The least number of decimals.
  var decimals = 0

  /// The most decimals; more digits are noise of binary fractions.
  private static let mostDecimals = 6
  /// Numbers from here on are written with an exponent.
  private static let largest = 1e15

  /// The format of single values, with the decimals that each needs.
  package init() {}

  /// Makes the format of an attribute from a sample of its values.
  init(of attribute: AttributeDescription, in entity: EntityDescription, values: [Value]) {
    let isKey =
      entity.keyAttributes.contains(attribute.name)
      || entity.relationships.contains { $0.foreignKeyAttributes.contains(attribute.name) }
    isGrouped = !isKey && !Self.areYears(values)
    decimals = values.reduce(0) { max($0, Self.neededDecimals(of: $1)) }
  }

  /// Writes a number; nil for any other value.
  func text(_ value: Value) -> String? {
    switch value {
    case .integer(let number): isGrouped ? groupedDigits(Int(number)) : String(number)
    case .double(let number): text(number)
    case .decimal(let number):
      NSDecimalNumber(decimal: number).doubleValue.magnitude < Self.largest
        ? text(NSDecimalNumber(decimal: number).doubleValue) : number.description
    default: nil
    }
  }

  private func text(_ number: Double) -> String {
    let decimals = max(decimals, Self.neededDecimals(of: .double(number)))
    guard number.isFinite, number.magnitude < Self.largest else { return "\(number)" }
    let scale = Self.power(decimals)
    let scaled = (number.magnitude * scale).rounded()
    guard scaled > 0 || number == 0, scaled < 9e18 else { return "\(number)" }
    let ticks = Int(scaled)
    let whole = ticks / Int(scale)
    var text = number < 0 && ticks > 0 ? "-" : ""
    text += isGrouped ? groupedDigits(whole) : String(whole)
    guard decimals > 0 else { return text }
    let fraction = String(ticks % Int(scale))
    return text + "." + String(repeating: "0", count: decimals - fraction.count) + fraction
  }

  /// The decimals with which a number differs from itself by less than a millionth.
  private static func neededDecimals(of value: Value) -> Int {
    let number: Double
    switch value {
    case .double(let double): number = double
    case .decimal(let decimal): number = NSDecimalNumber(decimal: decimal).doubleValue
    default: return 0
    }
    guard number.isFinite, number.magnitude < largest else { return 0 }
    return (0..<mostDecimals).first { decimals in
      let scale = power(decimals)
      let error = ((number * scale).rounded() / scale - number).magnitude
      return error <= number.magnitude * 1e-6
    } ?? mostDecimals
  }

  private static func power(_ decimals: Int) -> Double {
    (0..<decimals).reduce(1) { power, _ in power * 10 }
  }

  /// Whether numbers look like years, whose digits are not grouped.
  private static func areYears(_ values: [Value]) -> Bool {
    let numbers = values.compactMap { if case .integer(let number) = $0 { number } else { nil } }
    return !numbers.isEmpty && numbers.allSatisfy { (1500...2200).contains($0) }
  }
}
