import Foundation
import TestSupport
import Testing

@testable import Transfers

// What the texts of a file become.

extension ImporterTests {
  @Test func `values have the types of their columns, and text keeps its zeros`() throws {
    let (path, store) = try store()
    let (result, rejected) = try run(
      #"""
      Name,born,height,AGE,Is Member,code,extra
      Ana,1980-05-01,1.5,007,yes,00123,x
      "B, ""b""",,,,,"",y
      Cy,,-2e3,-1,0,"=""0099""",
      """#, as: "person", into: store)
    #expect(rejected.isEmpty)
    #expect(result.inserted == 3)
    #expect(
      try rows(path, "SELECT name, born, height, age, is_member, code, city FROM person") == [
        "Ana|1980-05-01|1.5|7|1|00123|Oslo", "B, \"b\"|NULL|NULL|NULL|NULL||Oslo",
        "Cy|NULL|-2000.0|-1|0|0099|Oslo",
      ])
  }

  @Test(
    arguments: [
      ("31.12.1999", "1999-12-31"), ("12/31/1999", "1999-12-31"), ("31/12/1999", "1999-12-31"),
      ("1999/12/31", "1999-12-31"), ("31 Dec 1999", "1999-12-31"),
      ("\"December 31, 1999\"", "1999-12-31"), ("19991231", "1999-12-31"),
      ("946684800", "2000-01-01"), ("946684800000", "2000-01-01"),
      ("31.12.1999 13:45", "1999-12-31 13:45:00"), ("12/31/1999 1:45 PM", "1999-12-31 13:45:00"),
      ("1999-12-31T13:45:00Z", "1999-12-31 13:45:00"),
    ])
  func `dates are recognised`(text: String, stored: String) throws {
    let (path, store) = try store()
    try run("name,born\nAna,\(text)\n", as: "person", into: store)
    #expect(try rows(path, "SELECT born FROM person") == [stored])
  }

  @Test func `a date that may be two is asked for, and one of another form is rejected`() throws {
    let (path, store) = try store()
    let text = "name,born\nAna,01/02/2003\nBo,03/04/2005\n"
    let error = #expect(throws: TransferError.self) {
      try run(text, as: "person", into: store)
    }
    #expect(error?.reason == .usage)
    #expect(error?.remedy.contains("--date 'born=dd/MM/yyyy'") == true)
    try run(text, as: "person", into: store) { $0.dates = ["born": "dd/MM/yyyy"] }
    #expect(try rows(path, "SELECT born FROM person") == ["2003-02-01", "2005-04-03"])
    let (_, rejected) = try run(
      "name,born\nA,31.12.1999\nB,30.11.1999\nC,soon\n", as: "person", into: store)
    #expect(rejected.count == 1)
    #expect(rejected[0].hasPrefix("line 4, born: born must be a date"))
  }

  @Test(
    arguments: [
      ("height,name\n\"1,234.5\",a\n0.5,b\n", ["1234.5", "0.5"]),
      ("height;name\n1.234,5;a\n0,5;b\n", ["1234.5", "0.5"]),
      ("height;name\n1 234,5;a\n", ["1234.5"]), ("height;name\n1'234.5;a\n", ["1234.5"]),
      ("height;name\n1,5;a\n", ["1.5"]), ("height,name\n1.5,a\n", ["1.5"]),
      ("height,name\n\"1,234,567\",a\n", ["1234567.0"]),
    ])
  func `numbers of other countries`(text: String, stored: [String]) throws {
    let (path, store) = try store()
    try run(text, as: "person", into: store)
    #expect(try rows(path, "SELECT height FROM person") == stored)
  }
}
