import Foundation
import ManagedObjects
import ObjectModel
import TerminalKit

extension DetailContents {
  /// The most lines of a described value that are on the page itself.
  private static var linesOnPage: Int { 6 }
  /// The longest value in bytes that is read to be described.
  private static var longestDescribed: Int { 4 << 20 }

  /// The lines that describe the bytes of an attribute, such as an archive; empty for none.
  ///
  /// The archive's objects are not instantiated.
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

  /// The first lines of the description, truncated to the page's width.
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
