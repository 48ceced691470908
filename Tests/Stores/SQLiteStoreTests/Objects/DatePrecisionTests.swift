import Foundation
import ManagedObjects
import ObjectModel
import TestStores
import TestSupport
import Testing

@Suite struct DatePrecisionTests {
  private static func model(_ encoding: ValueEncoding?) -> ManagedObjectModel {
    ManagedObjectModel {
      Entity("Person") {
        Attribute("name", .string)
        Attribute("born", .date, encoding: encoding)
      }
    }
  }

  /// Moments of every size, with fractions of every kind.
  private static let moments: [Date] = {
    var generator = SeededGenerator(seed: 11)
    var moments = [0.1, -0.1, 1e-9, 0.5, -1.25, 736_263_900.123_456_7, -978_307_200.000_1, 86_400]
    for exponent in 0..<10 {
      let limit = pow(10, Double(exponent))
      for _ in 0..<5 { moments.append(.random(in: -limit...limit, using: &generator)) }
    }
    return moments.map(Date.init(timeIntervalSinceReferenceDate:))
      + (0..<20).map { _ in
        Date(timeIntervalSince1970: .random(in: 0...2e9, using: &generator))
      }
  }()

  @Test(arguments: TestedStore.allCases)
  func `a date is the one that was set, at once, when saved, and in predicates`(
    kind: TestedStore
  ) throws {
    let store = try ObjectStore(kind, Self.model(kind == .coreData ? .referenceSeconds : nil))
    let context = store.context()
    for (index, moment) in Self.moments.enumerated() {
      let person = try context.make("Person", "\(index)")
      person["born"] = .date(moment)
      #expect(person["born"] == .date(moment) && person.date("born") == moment)
    }
    try context.save()
    let other = store.context()
    for (index, moment) in Self.moments.enumerated() where index % 9 == 0 {
      #expect(try other.named("\(index)", "Person").date("born") == moment)
      #expect(
        try other.names("Person", where: "born == %@", moment).contains("\(index)"), "\(moment)")
      #expect(
        try context.names("Person", where: "born == %@", moment).contains("\(index)"))
      #expect(
        try other.names("Person", where: "born IN %@", [moment]).contains("\(index)"))
      #expect(
        try !other.names("Person", where: "born != %@", moment).contains("\(index)"))
    }
  }

  @Test(
    arguments: [TestedStore.memory, .plain],
    [ValueEncoding.unixSeconds, .unixMilliseconds, .julianDay, .referenceSeconds])
  func `where the storage rounds a date, predicates find what was stored`(
    kind: TestedStore, encoding: ValueEncoding
  ) throws {
    let store = try ObjectStore(kind, Self.model(encoding))
    let context = store.context()
    for (index, moment) in Self.moments.enumerated() {
      try context.make("Person", "\(index)")["born"] = .date(moment)
    }
    let moments = Self.moments.enumerated().filter { $0.offset % 11 == 0 }
    func check(_ context: ManagedObjectContext) throws {
      for (index, moment) in moments {
        for (format, isFound) in [
          ("born == %@", true), ("born >= %@", true), ("born <= %@", true), ("born < %@", false),
          ("born > %@", false), ("born != %@", false),
        ] {
          let names = try context.names("Person", where: format, moment)
          #expect(names.contains("\(index)") == isFound, "\(format) \(moment)")
        }
      }
    }
    try check(context)
    try context.save()
    try check(store.context())
  }

  @Test func `text dates keep their form and get as many digits as they need`() throws {
    let attribute = AttributeDescription("born", .date, encoding: .isoText)
    func text(_ date: Double, like old: Value = .null) throws -> Value {
      try attribute.encode(.date(Date(timeIntervalSinceReferenceDate: date)), like: old)
    }
    #expect(try text(0) == "2001-01-01")
    #expect(try text(0.5) == "2001-01-01 00:00:00.500")
    #expect(try text(-0.001) == "2000-12-31 23:59:59.999")
    #expect(try text(0.000_000_1) == "2001-01-01 00:00:00.0000001")
    #expect(try text(3600, like: "2009-01-01T00:00:00.000Z") == "2001-01-01T01:00:00.000Z")
    #expect(try text(0.25, like: "2009-01-01T00:00+02:00") == "2001-01-01T02:00:00.250+02:00")
    #expect(try text(0.999_999_9) == "2001-01-01 00:00:00.9999999")
    #expect(throws: ModelError.self) { try text(1e12) }
  }

  @Test func `a typed date is stored with the digits that were typed`() throws {
    let attribute = AttributeDescription("born", .date, encoding: .isoText)
    for text in ["2024-05-01 13:45:00.123", "1960-02-03 04:05:06.700", "2024-05-01 13:45:00"] {
      #expect(try attribute.encode(attribute.value(from: text)) == .string(text))
    }
  }
}
