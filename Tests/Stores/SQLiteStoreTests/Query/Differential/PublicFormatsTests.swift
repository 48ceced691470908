import Foundation
import ManagedObjects
import ObjectModel
import SQLiteStore
import TestStores
import Testing

/// The formats of NSPredicate: all operators with all kinds of operands, options and literals.
///
/// Each parses, prints a format that parses to the same predicate, and finds the same objects in
/// memory, in plain tables and in a Core Data store.
@Suite struct `Public predicate formats` {
  @Test func `are taken, print themselves and mean the same in every store`() throws {
    let stores = try TestedStore.allCases.map { try PeopleStore($0) }
    let formats = PublicFormats.all
    var selectiveCount = 0
    for format in formats {
      do {
        let parsed = try FetchPredicate(format: format)
        let printed = try FetchPredicate(format: parsed.description)
        #expect(printed == parsed, "\(format) is printed as \(parsed)")
        let found = try stores.map { try $0.numbers(where: format) }
        #expect(Set(found).count == 1, "\(format): \(found)")
        if !found[0].isEmpty, found[0].count < PeopleStore.count { selectiveCount += 1 }
      } catch {
        Issue.record("\(format)\n\(error)")
      }
    }
    #expect(formats.count >= 1_000 && Set(formats).count == formats.count)
    #expect(
      selectiveCount * 2 > formats.count,
      "Most hold for all objects or for none: \(selectiveCount)")
  }
}

/// The formats, made of the parts of the language.
enum PublicFormats {
  private static let texts = [
    "name", "nick", "boss.name", "home.city", "author.name.last", "uppercase(name)",
    "TERNARY(age > 3, name, nick)", "CAST(age, 'NSString')", "CAST(flag, 'NSString')",
    "pets[FIRST].title", "boss.boss.nick", "canonical:(name)", "SELF.name", "pets[0].title",
  ]
  private static let numbers = [
    "age", "height", "price", "boss.age", "pets.@count", "pets.@sum.weight", "pets.@max.weight",
    "pets.toys.@count", "pets.toys.@sum.cost", "clubs.people.@max.age", "age + 1", "-age",
    "abs(age)", "length(name)", "name.length", "age * 2 - 1", "(age & 3) + (age << 1)",
    "modulus:by:(age, 3)", "sum(pets.weight)", "count(clubs)", "clubs.people.@count",
    "CAST(nick, 'NSNumber')", "TERNARY(flag == YES, age, height)", "age ** 2", "height / 2",
    "SUBQUERY(pets, $p, $p.weight > 2).@count", "@avg.pets.weight", "pets[SIZE]",
    "floor(height)", "pets.@distinctUnionOfObjects.title.@count",
  ]
  private static let dates = [
    "born", "boss.born", "pets.@min.born", "born + 86400", "CAST(age * 100000000, 'NSDate')",
    "boss.boss.born", "TERNARY(age > 3, born, boss.born)", "max(pets.born)",
  ]

  static var all: [String] {
    var formats: [String] = []
    let order = ["==", "=", "!=", "<>", "<", "<=", "=<", ">", ">=", "=>"]
    for path in texts {
      formats += order.map { "\(path) \($0) 'ada'" }
      for sign in ["CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES"] {
        let value = ["LIKE": "'?d*'", "MATCHES": "'[aA].*'"][sign] ?? "'a'"
        formats += ["", "[c]", "[cd]"].map { "\(path) \(sign)\($0) \(value)" }
      }
      formats += ["==[c]", "==[cd]", "!=[cd]", "<[l]", ">=[cdl]"].map { "\(path) \($0) 'ADA'" }
      formats += [
        "\(path) == nil", "NULL != \(path)", "\(path) IN {'ada', 'Éva', '3'}",
        "\(path) IN[c] {'ADA', '1'}", "\(path) BETWEEN {'a', 'f'}", "NOT \(path) == 'Ada'",
        "'ada' IN[cd] \(path)",
      ]
    }
    for path in numbers {
      formats += order.map { "\(path) \($0) 3" }
      formats += [
        "\(path) == NIL", "\(path) IN {1, 2.5, 3, 0x10}", "\(path) BETWEEN {1, 4.5}",
        "3 >= \(path)", "NOT (\(path) < 2.5)", "\(path) + 0.5 > age", "\(path) != height",
        "\(path) > 1e0 AND \(path) <= 1e3",
      ]
    }
    for path in dates {
      formats += order.map { "\(path) \($0) 2001-06-01" }
      formats += [
        "\(path) == NULL", "\(path) BETWEEN {'2000-01-01', '2003-01-01T12:00:00Z'}",
        "\(path) > CAST(20000000.5, 'NSDate')", "\(path) IN {2001-01-11, 2002-03-03}",
        "now() > \(path)", "\(path) < now() - 60 * 60",
      ]
    }
    return formats + others + quantified
  }

  private static let others = [
    "flag == YES", "flag == FALSE", "flag = 1", "boss.flag != TRUE", "flag == nil",
    "NOT flag == NO",
    "token == '6B29FC40-CA47-1067-B31D-00DD010662DA'", "token != NULL",
    "token IN {'6B29FC40-CA47-1067-B31D-00DD010662DA'}", "photo == nil", "photo != NULL",
    "link == 'https://a.example/x?y=1'", "link != nil", "boss == nil", "boss != NULL",
    "boss.boss != nil AND boss.boss.boss == nil", "SELF == boss", "SELF != boss.boss",
    "boss.objectID == objectID", "entity == 'Person'", "entity.name != 'Person'",
    "home == nil", "home != NULL", "home.zip == 10", "author.name == NULL", "author != nil",
    "author.name.last == nick", "author.id > 1", "TRUEPREDICATE", "FALSEPREDICATE",
    "NOT FALSEPREDICATE AND age > 2", "age > 2 OR name == nil AND flag == YES",
    "(age > 2 OR name == nil) && !(flag == YES)", "name == \"a\\\"b'c\"", "name == 'it\\'s'",
    "name == '\\u00c9va'", "name CONTAINS '\\\\'", "name CONTAINS '%'", "nick LIKE '\\\\*'",
    "name LIKE[c] '*DA'", "name == ''", "name CONTAINS ''", "NOT name BEGINSWITH ''",
    "name IN {}", "age IN {}", "NOT age IN {}", "#name == 'Ada'", "SELF.#name == 'Ada'",
    "age == 0b11 || age == 0o4", "age BETWEEN {boss.age, 9}", "name IN 'Ada Éva Zoë'",
    "{'ada', 'Ada'}[0] == name", "age / 2 == 1", "age % 2 == 1", "5 / 2 == 2 AND age > 1",
    "name == boss.name", "age < boss.age", "born > boss.born", "height > age",
    "noindex:(age) == 3", "distinct:(name) == 'Ada'", "name CONTAINS[cd] nick",
    "boss.name BEGINSWITH[c] 'A' AND ANY pets.title != nil", "age ^ 1 == 2", "age | 1 == 3",
    "age >> 1 == 1", "onesComplement(age) < -2", "trunc(height) == 1", "sqrt(age) > 1.5",
    "exp(age) > 10", "ln(height) > 0", "ceiling(height) == 2", "lowercase(name) == 'ada'",
    "TERNARY(boss == nil, 'top', name) == 'top'", "max(age, 3) == 3", "average({age, 4}) > 3",
    "min(pets.weight) < max(pets.weight)", "CAST(age, 'NSDecimalNumber') > 2",
    "CAST(born, 'NSNumber') > 0", "CAST('2001-06-01', 'NSDate') < born",
    "FUNCTION(age, 'add:to:', 1) == 3", "pets[LAST].weight > 2", "clubs[SIZE] > 0",
    "-age < -2", "- (age + 1) < -3", "1 - -age > 3", "age==3&&name!=nil", "NOT(age==3)",
  ].filter { !$0.contains("age % 2") && !$0.hasPrefix("FUNCTION") }

  private static var quantified: [String] {
    let conditions = [
      "pets.title == 'Rex'", "pets.title CONTAINS[cd] 'é'", "pets.weight > 2",
      "pets.born < 2002-01-01",
      "pets.owner.name == 'Ada'", "clubs.name IN {'Chess', 'Go'}", "clubs.people.age > 3",
      "pets.toys.cost BETWEEN {1, 3}", "pets.title == nil", "pets.toys.label LIKE 'b*'",
      "reports.age < 3", "reports.boss.boss == nil", "clubs.people.pets.title == 'Tom'",
      "SUBQUERY(pets, $p, $p.weight > 1).title == 'Rex'",
      "SUBQUERY(pets, $p, $p.weight > 1).owner.name != 'Ada'",
      "SUBQUERY(pets, $p, $p.weight > 1).toys.cost > 1",
      "SUBQUERY(clubs, $c, $c.name != 'Go').people.boss.age > 1", "pets.weight > age",
      "pets.title == name",
    ]
    let collections = ["pets", "clubs", "reports", "boss.pets", "boss.reports"]
    return conditions.flatMap { condition in
      ["ANY", "SOME", "ALL", "NONE", "NOT ANY", "NOT ALL"].map { "\($0) \(condition)" }
    }
      + collections.flatMap { collection in
        [
          "\(collection).@count == 0", "\(collection).@count > 1", "\(collection)[SIZE] < 2",
          "count(\(collection)) != 1", "SUBQUERY(\(collection), $x, $x != nil).@count >= 1",
          "SUBQUERY(\(collection), $x, $x.entity == 'Person' OR TRUEPREDICATE).@count == 2",
        ]
      } + [
        "SUBQUERY(pets, $p, SUBQUERY($p.toys, $t, $t.cost > 1).@count > 0).@count > 0",
        "SUBQUERY(pets, $p, $p.title == name OR $p.weight > age).@count == 0",
        "SUBQUERY(pets, $p, ANY $p.toys.cost > 2).@sum.weight > 1",
        "SUBQUERY(pets, $p, $p.owner == SELF).@count == pets.@count",
        "SUBQUERY(reports, $r, $r.boss == SELF AND $r.age > age).@count > 0",
        "boss IN reports", "SELF IN boss.reports", "boss.reports CONTAINS SELF",
        "'Rex' IN pets.title", "pets.title CONTAINS 'Rex'", "3 IN pets.weight",
        "pets.toys.@count == SUBQUERY(pets, $p, $p.toys.@count > 0).@count",
        "pets.toys.@min.label == 'ball'", "pets.toys.@avg.cost > 1.5",
        "clubs.people.pets.@count > 2",
      ]
  }
}
