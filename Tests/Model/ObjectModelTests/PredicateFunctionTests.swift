import Foundation
import ObjectModel
import Testing

/// Each function with arguments and its value.
struct PredicateFunctionTests {
  /// An example of a function; nil for one without a value of its own.
  ///
  /// The switch has no default: a new function does not compile without an example.
  private static func example(of function: PredicateFunction) -> ([Value], Value)? {
    switch function {
    case .sum: ([1, 2.5, .null, "x"], 3.5)
    case .count: ([1, .null, "x"], 3)
    case .min: ([3, 1, .null], 1)
    case .max: ([3, 1, .null], 3)
    case .average: ([1, 2, .null], 1.5)
    case .median: ([5, 1, 2], 2.0)
    case .mode: ([2, 3, 3, 2, 1], 2)
    case .standardDeviation: ([2, 4], 1.0)
    case .add: ([1, 2], 3)
    case .subtract: ([1, 2], -1)
    case .multiply: ([3, 2], 6)
    case .divide: ([7, 2], 3)
    case .modulus: ([-7, 3], -1)
    case .power: ([2, 10], 1024.0)
    case .squareRoot: ([9], 3.0)
    case .logarithm: ([1000], 3.0)
    case .naturalLogarithm: ([1], 0.0)
    case .exponential: ([0], 1.0)
    case .floor: ([-1.5], -2.0)
    case .ceiling: ([-1.5], -1.0)
    case .absolute: ([-3], 3)
    case .truncate: ([-1.5], -1.0)
    case .uppercase: (["éa"], "ÉA")
    case .lowercase: (["ÉA"], "éa")
    case .canonical: (["ÉA"], "ea")
    case .length: (["éa"], 2)
    case .bitwiseAnd: ([6, 3], 2)
    case .bitwiseOr: ([6, 3], 7)
    case .bitwiseXor: ([6, 3], 5)
    case .leftShift: ([1, 4], 16)
    case .rightShift: ([16, 2], 4)
    case .onesComplement: ([0], -1)
    // Of the present moment, by chance, or of an object.
    case .now, .random, .valueForKeyPath: nil
    }
  }

  @Test(arguments: PredicateFunction.allCases)
  func `a function has the value of its example`(function: PredicateFunction) throws {
    guard let (arguments, expected) = Self.example(of: function) else { return }
    let value = function.value(arguments)
    #expect(value == expected, "\(value)")
    #expect(PredicateFunction(written: function.rawValue) == function)
  }
}
