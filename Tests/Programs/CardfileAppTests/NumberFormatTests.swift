import Foundation
import ObjectModel
import Testing

@testable import CardfileApp

@Suite struct NumberFormatTests {
  private func format(_ values: [Value], name: String = "size") -> NumberFormat {
    let size = AttributeDescription(name, .double)
    let key = AttributeDescription("id", .integer64)
    let entity = EntityDescription(name: "Part", attributes: [key, size], keyAttributes: ["id"])
    return NumberFormat(of: name == "id" ? key : size, in: entity, values: values)
  }

  private static let columns: [(numbers: [Double], texts: [String])] = [
    ([0.99, 1.5, 12], ["0.99", "1.50", "12.00"]), ([1_234_567, 2], ["1,234,567", "2"]),
    ([0.30000000000000004, 0.5], ["0.3", "0.5"]),
    ([51.507351, -0.127758], ["51.507351", "-0.127758"]),
    ([0.3333333333, 1], ["0.333333", "1.000000"]), ([-0.0], ["0"]),
  ]

  @Test(arguments: columns)
  func `decimals are as many as the column needs`(_ numbers: [Double], _ texts: [String]) {
    let values = numbers.map { Value.double($0) }
    let format = format(values)
    #expect(values.map { format.text($0) } == texts)
  }

  @Test func `a number that needs more decimals than the sample shows them`() {
    #expect(format([.double(3)]).text(.double(3.25)) == "3.25")
  }

  @Test(arguments: [(1e300, "1e+300"), (1e-12, "1e-12"), (.infinity, "inf"), (.nan, "nan")])
  func `numbers out of the ordinary are written in full`(_ number: Double, _ text: String) {
    #expect(format([]).text(.double(number)) == text)
  }

  @Test func `keys and years are not grouped`() {
    #expect(format([.integer(4711)]).text(.integer(4711)) == "4,711")
    #expect(format([.integer(1995), .integer(2024)]).text(.integer(2024)) == "2024")
    #expect(format([.integer(4711)], name: "id").text(.integer(4711)) == "4711")
    #expect(format([]).text(.integer(Int64.min)) == "-9,223,372,036,854,775,808")
    #expect(format([]).text(.decimal(Decimal(string: "12.50") ?? 0)) == "12.5")
  }
}
