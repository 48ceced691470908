import Foundation
import ManagedObjects
import ObjectModel
import TerminalKit

extension DetailContents {
  /// How many lines of a described value stand on the page itself.
  private static var linesOnPage: Int { 6 }
  /// Longer values are not read to be described.
  private static var longestDescribed: Int { 4 << 20 }

  /// What the bytes of an attribute mean, a line each; empty where they are not described.
  ///
  /// No object is made of them: they are shown as what they are.
  func description(of attribute: AttributeDescription) -> [String] {
    guard let describe = session.services.description,
      object.cutLength(forKey: attribute.name) ?? 0 <= Self.longestDescribed,
      case .data(let data) = (try? object.wholeValue(forKey: attribute.name)) ?? .null,
      attribute.externalFileName(in: object.storedValue(forKey: attribute.name)) == nil,
      !data.isEmpty,
      attribute.type == .transformable || ValueText.kind(of: data) == "property list"
    else { return [] }
    return describe(data)
  }

  /// The first lines of what bytes mean, cut for the page.
  func descriptionOnPage(
    of attribute: AttributeDescription, columns: Int, signs: Signs
  ) -> [String] {
    let lines = description(of: attribute)
    let rest = lines.count - Self.linesOnPage
    let shown = rest > 1 ? lines.prefix(Self.linesOnPage) : lines[...]
    return shown.map { signs.cut($0, to: columns) }
      + (rest > 1 ? [signs.own("… ⏎ shows \(groupedDigits(rest)) more lines")] : [])
  }
}
