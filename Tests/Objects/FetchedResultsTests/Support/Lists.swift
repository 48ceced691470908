import ObjectModel
import TestSupport

@testable import FetchedResults

/// A row is its key; "b:2,5 c:9" is a list of two sections.
func list(_ text: String) -> ResultsSections {
  let sections = text.split(separator: " ").map { part in
    let halves = part.split(separator: ":")
    return (name: String(halves[0]), keys: halves[1].split(separator: ",").compactMap { Int64($0) })
  }
  return ResultsSections(
    FetchedIDs(
      ids: ids(sections.flatMap(\.keys)),
      sections: sections.map { SectionRun(name: $0.name, count: $0.keys.count) }),
    isSectioned: true)
}

func flatList(_ keys: [Int64]) -> ResultsSections {
  ResultsSections(FetchedIDs(ids: ids(keys)), isSectioned: false)
}

func ids(_ keys: [Int64]) -> ObjectIDList {
  ObjectIDList(keys: keys, storeIdentifier: "S", entityName: "E")
}

func id(_ key: Int64) -> ObjectID {
  ObjectID(storeIdentifier: "S", entityName: "E", key: .integer(key))
}

/// The inverse of `list(_:)`.
func text(_ list: ResultsSections) -> String {
  (0..<list.sectionCount).map { section in
    let keys = list.ids[list.range(ofSection: section)].map { id in
      switch id.key {
      case .integer(let key): "\(key)"
      case .temporary(let number): "t\(number)"
      case .composite: "?"
      }
    }
    return "\(list.names[section]):\(keys.joined(separator: ","))"
  }.joined(separator: " ")
}

/// A random list of keys below a bound: each key's section is its tens, shifted by the salt for
/// some.
func randomList(
  upTo bound: Int64, isSectioned: Bool, isShuffled: Bool, using generator: inout SeededGenerator
) -> ResultsSections {
  var keys = (0..<bound).filter { _ in Bool.random(using: &generator) }
  guard isSectioned else {
    if isShuffled { keys.shuffle(using: &generator) }
    return flatList(keys)
  }
  var sections = Dictionary(grouping: keys) { key in
    Int64.random(in: 0..<8, using: &generator) == 0 ? key % 5 : key / 10
  }.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
  if isShuffled { sections.shuffle(using: &generator) }
  return list(
    sections.map { "s\($0.0):" + $0.1.map(String.init).joined(separator: ",") }
      .joined(separator: " "))
}
