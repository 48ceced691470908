import Foundation
import ManagedObjects
import ObjectModel
import TestSupport

/// The objects of a store in memory, by the numbers of an evolving model, and how they migrate.
struct MigratedObjects: Equatable {
  /// An object: the number of its entity and its key.
  struct ID: Hashable, Comparable, CustomStringConvertible {
    let entity: Int
    let key: Int64

    var description: String { "\(entity)/\(key)" }

    static func < (left: ID, right: ID) -> Bool {
      (left.entity, left.key) < (right.entity, right.key)
    }
  }

  struct Object: Equatable {
    /// By the numbers of attributes, as text.
    var values: [Int: String] = [:]
    /// By the numbers of ends; sorted unless the end is ordered.
    var links: [Int: [ID]] = [:]
  }

  var objects: [ID: Object] = [:]

  /// Reads all objects of a context.
  init(_ context: ManagedObjectContext, _ model: EvolvingModel) throws {
    let numbers = Dictionary(uniqueKeysWithValues: model.entities.map { ($0.name, $0.number) })
    func id(_ object: ManagedObject) -> ID? {
      guard case .integer(let key) = object.objectID.key,
        let number = numbers[object.entity.name]
      else { return nil }
      return ID(entity: number, key: key)
    }
    for entity in model.entities where !entity.isAbstract {
      var request = FetchRequest<ManagedObject>(entityName: entity.name)
      request.includesSubentities = false
      for object in try context.fetch(request) {
        guard let own = id(object) else { continue }
        var read = Object()
        for attribute in model.attributes(of: entity.number) {
          read.values[attribute.number] = Self.text(object[attribute.name], attribute.type)
        }
        for end in model.ends(of: entity.number) {
          let found = object.objects(forKey: end.name).compactMap(id)
          read.links[end.number] = end.isOrdered ? found : found.sorted()
        }
        objects[own] = read
      }
    }
  }

  /// A value as text that does not depend on the type of a number.
  private static func text(_ value: Value, _ type: AttributeType) -> String {
    switch value {
    case .bool(let flag): "\(Double(flag ? 1 : 0))"
    case .integer(let number): "\(Double(number))"
    case .double(let number): "\(number)"
    case .decimal(let number): "\(NSDecimalNumber(decimal: number).doubleValue)"
    default: "\(value)"
    }
  }

  private init() {}

  /// The objects as they are after a migration from one model to the other, made object by object.
  func migrated(from before: EvolvingModel, to after: EvolvingModel) -> MigratedObjects {
    var result = MigratedObjects()
    for (id, object) in objects {
      guard after.entity(id.entity) != nil else { continue }
      var new = Object()
      for attribute in after.attributes(of: id.entity) {
        let standard = Self.text(attribute.defaultValue, attribute.type)
        let null = Self.text(.null, attribute.type)
        let old = object.values[attribute.number]
        new.values[attribute.number] =
          old.map { $0 == null && !attribute.isOptional ? standard : $0 } ?? standard
      }
      for end in after.ends(of: id.entity) {
        new.links[end.number] = links(of: id, end, before, after)
      }
      result.objects[id] = new
    }
    return result
  }

  /// The objects without those of some entities, and the links to them.
  func without(_ entities: Set<Int>) -> MigratedObjects {
    var result = MigratedObjects()
    for (id, object) in objects where !entities.contains(id.entity) {
      var kept = object
      kept.links = object.links.mapValues { $0.filter { !entities.contains($0.entity) } }
      result.objects[id] = kept
    }
    return result
  }

  /// The objects with "made" as the first text of those of some entities.
  func marking(_ entities: Set<Int>, in model: EvolvingModel) -> MigratedObjects {
    var result = self
    for id in objects.keys where entities.contains(id.entity) {
      let text = model.attributes(of: id.entity).first { $0.type == .string }
      if let text { result.objects[id]?.values[text.number] = "made" }
    }
    return result
  }

  private func links(
    of id: ID, _ end: EvolvingModel.End, _ before: EvolvingModel, _ after: EvolvingModel
  )
    -> [ID]
  {
    let old = before.ends.first { $0.number == end.number }
    var found = objects[id]?.links[end.number] ?? []
    // A new end has what leads to the object by its inverse.
    if let inverse = end.inverse, inverse != end.number,
      before.ends.contains(where: { $0.number == inverse }), old?.inverse != inverse
    {
      found += objects.filter { $0.value.links[inverse]?.contains(id) ?? false }.keys
        .filter { !found.contains($0) }.sorted()
    }
    let kept = found.filter {
      after.entity($0.entity) != nil && after.isFamily($0.entity, of: end.destination)
    }
    return end.isOrdered && old?.isOrdered == true ? kept : kept.sorted()
  }

  /// The objects without the order of ends that have none, or had none before.
  func ordered(by before: EvolvingModel, _ after: EvolvingModel) -> MigratedObjects {
    let ordered = Set(before.ends.filter(\.isOrdered).map(\.number))
      .intersection(after.ends.filter(\.isOrdered).map(\.number))
    var result = self
    for (id, object) in objects {
      for (number, links) in object.links where !ordered.contains(number) {
        result.objects[id]?.links[number] = links.sorted()
      }
    }
    return result
  }

  /// The first differences, for a message.
  func differences(from other: MigratedObjects) -> String {
    let all = Set(objects.keys).union(other.objects.keys).sorted()
    return all.filter { objects[$0] != other.objects[$0] }.prefix(4).map { id in
      "\(id): \(objects[id].map { "\($0)" } ?? "missing")\n  instead of "
        + "\(other.objects[id].map { "\($0)" } ?? "missing")"
    }.joined(separator: "\n")
  }
}
