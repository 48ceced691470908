import CoreDataNames
import Foundation

// 7. Predicates from the fields of a search form.

func && (left: NSPredicate, right: NSPredicate) -> NSPredicate {
  return NSCompoundPredicate(andPredicateWithSubpredicates: [left, right])
}

func || (left: NSPredicate, right: NSPredicate) -> NSPredicate {
  return NSCompoundPredicate(orPredicateWithSubpredicates: [left, right])
}

prefix func ! (predicate: NSPredicate) -> NSPredicate {
  return NSCompoundPredicate(notPredicateWithSubpredicate: predicate)
}

struct CarSearch {
  var text: String?
  var brand: Brand?
  var prices: ClosedRange<Int>?
  var names: [String] = []

  var predicate: NSPredicate {
    var predicates: [NSPredicate] = []
    if let text = text, !text.isEmpty {
      let fields = ["name", "brand.name"].map {
        NSPredicate(format: "%K CONTAINS[cd] %@", $0, text)
      }
      predicates.append(NSCompoundPredicate(orPredicateWithSubpredicates: fields))
    }
    if let brand = brand { predicates.append(NSPredicate(format: "%K == %@", "brand", brand)) }
    if let prices = prices {
      predicates.append(
        NSPredicate(format: "price BETWEEN %@", [prices.lowerBound, prices.upperBound]))
    }
    if !names.isEmpty { predicates.append(NSPredicate(format: "name IN %@", names)) }
    return NSCompoundPredicate(type: .and, subpredicates: predicates)
  }
}
