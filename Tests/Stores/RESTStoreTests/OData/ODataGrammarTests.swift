import Foundation
import TestSupport
import Testing

/// The grammar of the tests itself, by OData's own cases.
@Suite(.needsRealStores) struct ODataGrammarTests {
  private static let rules: Set<String> = [
    "commonExpr", "boolCommonExpr", "boolcommonExpr", "firstMemberExpr", "propertyPathExpr",
    "notExpr", "isofExpr", "anyExpr", "filter", "orderby", "orderBy", "stringLiteral",
    "binaryLiteral", "durationLiteral", "enumLiteral", "enumValue", "booleanValue", "boolean",
    "guid", "date", "dateValue", "dateTimeOffsetValue", "dateTimeOffsetLiteral",
    "dateTimeOffsetValueInUrl", "timeOfDayValue", "timeOfDayLiteral", "durationValue",
    "decimalValue", "doubleValue", "singleValue", "decimalLiteral", "doubleLiteral",
    "singleLiteral", "byteValue", "sbyteValue", "sbyteLiteral", "int16Value", "int16Literal",
    "int32Value", "int32Literal", "int64Value", "int64Literal", "primitiveLiteral",
  ]

  /// The cases that concern what a client writes, with the rule that they are tried as.
  private static func cases(_ file: String) -> (names: [String: Set<String>], [ODataTestCases.Case])
  {
    guard let all = ODataTestCases.read(file) else { return ([:], []) }
    let cases = all.cases.compactMap { test -> ODataTestCases.Case? in
      if rules.contains(test.rule) { return test }
      guard ["queryOptions", "odataRelativeUri", "resourcePath"].contains(test.rule) else {
        return nil
      }
      var own = test
      let parts = test.input.split(separator: "?", maxSplits: 1).map(String.init)
      if let options = test.rule == "queryOptions" ? test.input : parts.dropFirst().first {
        let isOfOurs = options.split(separator: "&").allSatisfy {
          ["$filter=", "$orderby=", "$apply=", "$top="].contains(where: $0.hasPrefix)
        }
        // Hierarchies and joins are no part of it.
        let others = [
          "recursive", "nest", "join", "traverse", "compute($these", "$these/", "Aggregation.",
        ]
        guard isOfOurs, !others.contains(where: options.contains) else { return nil }
        guard !options.hasPrefix("$apply=") || options.contains("groupby") else { return nil }
        (own.rule, own.input) = ("queryOptions", options)
        return own
      }
      // Keys: names of sets and properties, no functions and no casts.
      guard test.input.contains("("), !test.input.contains("$"), !test.input.contains("Best"),
        !test.input.contains("Most"), test.input.first?.isUppercase == true,
        !test.input.split(separator: "/").contains(where: { $0.hasPrefix("Model.") }),
        !test.input.contains("AllOrders")
      else { return nil }
      own.rule = "resourcePath"
      return own
    }
    return (all.names, cases)
  }

  @Test(arguments: ["odata-abnf-testcases", "odata-aggregation-testcases"])
  func `accepts what is valid and rejects what is not`(file: String) {
    let (names, cases) = Self.cases(file)
    #expect(cases.count > 60 && cases.contains { !$0.isValid })
    let grammar = ODataGrammar(names: names)
    for test in cases {
      #expect(
        grammar.accepts(test.input, as: test.rule) == test.isValid,
        "\(test.name): \(test.rule) \(test.input)")
    }
  }
}
