import Foundation
import ObjectModel
import Testing

struct PredicateValidationTests {
  private func validated(_ format: String) throws(FetchPredicateError) -> FetchPredicate {
    try FetchPredicate(format: format).validated(for: Fixtures.person, in: Fixtures.model).predicate
  }

  @Test(arguments: [
    ("born > '2024-05-01'", "born > CAST(736214400.0, \"NSDate\")"),
    ("'2024-05-01' < born", "CAST(736214400.0, \"NSDate\") < born"),
    (
      "born BETWEEN {'2001-01-01', '2001-01-02'}",
      "born BETWEEN {CAST(0.0, \"NSDate\"), CAST(86400.0, \"NSDate\")}"
    ),
    ("age == '12'", "age == 12"), ("height > '1.5'", "height > 1.5"),
    ("name == 5", "name == \"5\""), ("name CONTAINS 5", "name CONTAINS \"5\""),
    ("balance == '1.50'", "balance == CAST(\"1.5\", \"NSDecimalNumber\")"),
    ("isMember == 'yes'", "isMember == TRUE"), ("born == NULL", "born == NULL"),
    (
      "token == 'e621e1f8-c36c-495a-93fc-0c247a3e6e5f'",
      "token == CAST(\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\", \"NSUUID\")"
    ),
    ("ANY dvds.year IN {'1979', 1985}", "ANY dvds.year IN {1979, 1985}"),
    (
      "SUBQUERY(dvds, $x, $x.year == '1').@count == 0",
      "SUBQUERY(dvds, $x, $x.year == 1).@count == 0"
    ),
    ("dvds.year CONTAINS '1979'", "dvds.year CONTAINS 1979"), ("friend == NULL", "friend == NULL"),
    ("`odd name` LIKE 'x'", "`odd name` LIKE \"x\""),
    (
      "dvds.@max.year > 5 AND sum(dvds.year) > 1 AND dvds[0].title == 'x' AND friend.friend.name != 'x'",
      "dvds.@max.year > 5 AND sum(dvds.year) > 1 AND dvds.title[0] == \"x\" AND friend.friend.name != \"x\""
    ),
    ("SELF IN {friend}", "SELF IN {friend}"),
    (
      "NONE friendOf.dvds.owner.name == 'x'",
      "NOT (SUBQUERY(friendOf, $each2, ANY $each2.dvds.owner.name == \"x\").@count > 0)"
    ),
    (
      "ALL friendOf.dvds.owner.name == 'x'",
      "SUBQUERY(friendOf, $each2, NOT (ALL $each2.dvds.owner.name == \"x\")).@count == 0"
    ),
  ])
  func `literals are converted to the type of the attribute they are compared with`(
    format: String, expected: String
  ) throws {
    #expect(try validated(format).description == expected)
  }

  @Test(arguments: [
    ("nmae == 'x'", "no attribute “nmae” in Person; did you mean “name”?", "nmae == 'x'\n^^^^"),
    (
      "age > 1 AND friend.titel == 'x'", "no attribute “titel” in Person.",
      "age > 1 AND friend.titel == 'x'\n                   ^^^^^"
    ),
    (
      "ANY dvds.titel == 'x'", "no attribute “titel” in DVD; did you mean “title”?",
      "ANY dvds.titel == 'x'\n         ^^^^^"
    ),
    (
      "dvds.title == 'x'",
      "“dvds.title” goes through a to-many relationship: "
        + "expected ANY or ALL before it, or .@count after it.",
      "dvds.title == 'x'\n^^^^^^^^^^"
    ),
    (
      "ANY name == 'x'",
      "ANY and ALL require a to-many relationship, but “name” is one value.",
      "ANY name == 'x'\n    ^^^^"
    ),
    (
      "name.size == 1", "name is text and has no property “size”.", "name.size == 1\n     ^^^^"
    ),
    (
      "born > 'soon'",
      "born is a date, but \"soon\" is not: "
        + "expected a date such as '2024-05-01' or '2024-05-01T12:00:00Z'.",
      "born > 'soon'\n       ^^^^^^"
    ),
    ("born > 2000", "born is a date, but 2000 is not", "born > 2000\n       ^^^^"),
    ("age == 'abc'", "age is an integer", "age == 'abc'\n       ^^^^^"),
    (
      "born BEGINSWITH '2024'", "BEGINSWITH requires text, but born is a date",
      "born BEGINSWITH '2024'\n^^^^"
    ),
    (
      "friend == 5", "“friend” is an object (Person) and cannot be compared with 5",
      "friend == 5\n^^^^^^"
    ),
    ("name MATCHES '('", "“(” is not a regular expression.", "name MATCHES '('\n             ^^^"),
    (
      "dvds.@cout == 1", "The collection operator “@cout” is unknown; did you mean “@count”",
      "dvds.@cout == 1\n     ^^^^^"
    ),
    (
      "name.@count == 1", "@count requires a to-many relationship before it.",
      "name.@count == 1\n     ^^^^^^"
    ),
    (
      "sqrt(dvds.year) == 1", "“dvds.year” goes through a to-many relationship",
      "sqrt(dvds.year) == 1\n     ^^^^^^^^^"
    ),
    (
      "SUBQUERY(dvds, $x, $x.titel == 1).@count > 1", "no attribute “titel” in DVD",
      "SUBQUERY(dvds, $x, $x.titel == 1).@count > 1\n"
    ),
  ])
  func `an invalid predicate is refused with a message and a range in the text`(
    format: String, sentence: String, caret: String
  ) {
    let error = #expect(throws: FetchPredicateError.self) { try validated(format) }
    #expect(error?.description.hasPrefix(sentence) == true, "\(error?.description ?? "")")
    #expect(error?.caret.hasPrefix(caret) == true, "\n\(error?.caret ?? "")")
  }

  @Test func `an error in a predicate built in code has a range in its printed format`() {
    let built = PropertyKey("age") > 1 && PropertyKey("nmae") == "x"
    let error = #expect(throws: FetchPredicateError.self) {
      try built.validated(for: Fixtures.person, in: Fixtures.model)
    }
    #expect(error?.caret == "age > 1 AND nmae == \"x\"\n            ^^^^")
  }
}
