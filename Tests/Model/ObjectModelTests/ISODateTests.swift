import Foundation
import ObjectModel
import TestSupport
import Testing

struct ISODateTests {
  @Test(arguments: [
    ("1970-01-01", 0.0), ("2001-01-01", 978_307_200), ("2000-02-29", 951_782_400),
    ("1969-12-31T23:59:59Z", -1), ("2024-05-01 13:45", 1_714_571_100),
    ("2024-05-01T13:45:30.5Z", 1_714_571_130.5), ("2024-05-01T13:45:30+02:00", 1_714_563_930),
    ("2024-05-01T13:45:30-0130", 1_714_576_530), ("2024-05-01t13:45:30+02", 1_714_563_930),
    ("0001-01-01", -62_135_596_800), ("9999-12-31 23:59:59", 253_402_300_799),
  ])
  func `an ISO 8601 date is parsed`(text: String, seconds: Double) {
    #expect(ISODate(text)?.seconds == seconds)
  }

  @Test(arguments: [
    (775_656_350.0135, "2025-07-31T12:05:50.013Z"), (0.0625, "2001-01-01T00:00:00.062Z"),
    (0.1875, "2001-01-01T00:00:00.188Z"), (0.9995, "2001-01-01T00:00:01.000Z"),
    (0.99951, "2001-01-01T00:00:01.000Z"), (-0.0625, "2000-12-31T23:59:59.938Z"),
    (-0.25, "2000-12-31T23:59:59.750Z"), (-978_307_200.5, "1969-12-31T23:59:59.500Z"),
    (0, "2001-01-01T00:00:00.000Z"), (1e-10, "2001-01-01T00:00:00.000Z"),
  ])
  func `milliseconds are rounded half to even from the exact value`(seconds: Double, text: String) {
    #expect(ISODate("2001-01-01T00:00:00.000Z")?.text(seconds, since: 978_307_200) == text)
  }

  @Test(arguments: [
    "", "2024", "2024-13-01", "2023-02-29", "2024-00-10", "2024-01-00", "2024-1-1", "2024-05-01T",
    "2024-05-01T25:00", "2024-05-01 13:60", "2024-05-01 13:45:60", "2024-05-01 13:45:30.",
    "2024-05-01 13:45Zx", "2024-05-01 13:45+", "2024-05-01 13:45+2", "2024-05-01x13:45",
    " 2024-05-01",
    "20240501", "+024-05-01", "２０２４-05-01", "2024-05-01 13:45+24:00",
  ])
  func `an invalid date is refused`(text: String) {
    #expect(ISODate(text) == nil)
  }

  @Test func `dates are parsed and formatted like Foundation's ISO8601DateFormatter`() throws {
    let formatter = ISO8601DateFormatter()
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<2_000 {
      let seconds = Int.random(in: -12_000_000_000...200_000_000_000, using: &generator)
      let date = Date(timeIntervalSince1970: Double(seconds))
      let text = formatter.string(from: date)
      #expect(ISODate(text)?.seconds == Double(seconds), "\(text)")
      #expect(Value.date(date).description == plain(text))
    }
  }

  private func plain(_ text: String) -> String {
    let written = text.replacing("T", with: " ").replacing("Z", with: "")
    return written.hasSuffix(" 00:00:00") ? String(written.dropLast(9)) : written
  }

  @Test func `a day converts to its number and back`() {
    for days in stride(from: -800_000, through: 3_000_000, by: 97) {
      let date = CivilDate(secondsSince1970: Double(days) * 86_400)
      #expect(date?.daysSince1970 == days)
    }
    #expect(CivilDate(secondsSince1970: .infinity) == nil)
    #expect(CivilDate(secondsSince1970: .nan) == nil)
    #expect(CivilDate(secondsSince1970: -62_167_219_201)?.yearText == "-0001")
  }
}
