import Foundation
import ManagedObjects
import ObjectModel
import TestStores
import TestSupport
import Testing

/// Random groups of random people: computed in memory while the people are not saved, then by the
/// store.
@Suite struct `Random groups` {
  /// What is asked of each store.
  private struct Question {
    var expressions: [ExpressionDescription] = []
    var groups: [String] = []
    var having: FetchPredicate?
    var order: [FetchSortDescriptor] = []
    var predicate: FetchPredicate?
    var limit = 0
  }

  private static let numbers = ["age", "height", "wage", "isActive", "manager.age"]
  private static let attributes = numbers + ["name", "born", "token", "manager.name"]

  private static func question(_ random: inout SeededGenerator) throws -> Question {
    var question = Question()
    for _ in 0..<Int.random(in: 0...2, using: &random) {
      let keyPath = random.pick(attributes)
      if !question.groups.contains(keyPath) { question.groups.append(keyPath) }
    }
    for index in 0..<Int.random(in: 1...3, using: &random) {
      let function = random.pick(ExpressionDescription.Function.allCases)
      let isSum = function == .sum || function == .average
      question.expressions.append(
        ExpressionDescription(
          name: "e\(index)", function: function, keyPath: random.pick(isSum ? numbers : attributes))
      )
    }
    if !question.groups.isEmpty, random.chance(oneIn: 2) {
      question.having = try FetchPredicate(
        format: random.pick(["count(name) > 1", "max(age) >= 3", "NOT sum(height) < 1"]))
    }
    if random.chance(oneIn: 3) { question.predicate = try FetchPredicate(format: "age != 2") }
    if random.chance(oneIn: 2) {
      question.order = [
        FetchSortDescriptor(
          random.pick(question.groups + ["e0"]), ascending: random.chance(oneIn: 2))
      ]
      question.limit = random.pick([0, 2])
    }
    return question
  }

  private static func fill(_ context: ManagedObjectContext, _ random: inout SeededGenerator) throws
  {
    var people: [ManagedObject] = []
    for _ in 0..<40 {
      let person = try context.make(random.pick(["Ada", "Bob", "ada", "Zoë"]))
      func set(_ key: String, _ values: [Value]) {
        person[key] = random.chance(oneIn: 4) && key != "isActive" ? .null : random.pick(values)
      }
      set("age", [1, 2, 3, 40])
      set("height", [0.1, 0.2, 0.7, 1e16, 2, -1])
      set("isActive", [true, false])
      set("wage", [.decimal(7), .decimal(Decimal(string: "0.1") ?? 0), .decimal(-12)])
      set("born", [0, 86_400.5].map { .date(Date(timeIntervalSinceReferenceDate: $0)) })
      set(
        "token",
        [1, 2].map { .uuid(UUID(uuid: ($0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))) })
      if !people.isEmpty, random.chance(oneIn: 2) {
        try person.setObject(random.pick(people), forKey: "manager")
      }
      people.append(person)
    }
  }

  private func ask(
    _ questions: [Question], _ context: ManagedObjectContext
  ) throws -> [[[String: Value]]] {
    try questions.map { question in
      var request = FetchRequest<ManagedObject>(
        entityName: "Person", predicate: question.predicate, sortDescriptors: question.order)
      request.fetchLimit = question.limit
      return try context.fetchDictionaries(
        request, expressions: question.expressions, propertiesToGroupBy: question.groups,
        havingPredicate: question.having)
    }
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `are the same before and after a save, in every store`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let questions = try (0..<50).map { _ in try Self.question(&random) }
    var answers: [[[[String: Value]]]] = []
    for kind in stores {
      var random = SeededGenerator(seed: seed + 100)
      let office = try Office(kind, isEmpty: true)
      try Self.fill(office.context, &random)
      answers.append(try ask(questions, office.context))
      try office.context.save()
      answers.append(try ask(questions, office.anotherContext()))
    }
    #expect(answers[0].count { $0.count > 1 } > 15, "Most have one group or none.")
    for (index, question) in questions.enumerated() {
      for answer in answers where answer[index] != answers[0][index] {
        Issue.record("\(question)\n\(answers[0][index])\n\(answer[index])")
        return
      }
    }
  }
}
