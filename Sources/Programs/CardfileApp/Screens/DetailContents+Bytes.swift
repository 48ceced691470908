import Foundation
import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit

extension DetailContents {
  /// The most lines of a described value that are on the page itself.
  private static var linesOnPage: Int { 6 }

  /// The lines that describe the bytes of an attribute, such as an archive; empty for none, and for
  /// a value too long to be in memory.
  ///
  /// The archive's objects are not instantiated.
  func description(of attribute: AttributeDescription) -> [String] {
    guard let describe = session.services.description,
      object.cutLength(forKey: attribute.name) == nil,
      case .data(let data) = object.truncatedValue(forKey: attribute.name),
      attribute.externalFileName(in: object.storedValue(forKey: attribute.name)) == nil,
      !data.isEmpty,
      attribute.type == .transformable || BytesKind(data)?.name == "property list"
    else { return [] }
    return describe(data)
  }

  /// The first lines of the description, truncated to the page's width.
  func descriptionOnPage(of attribute: AttributeDescription) -> [String] {
    let lines = description(of: attribute)
    let rest = lines.count - Self.linesOnPage
    let shown = rest > 1 ? lines.prefix(Self.linesOnPage) : lines[...]
    return shown.map { signs.cut($0, to: valueRoom) }
      + (rest > 1 ? [signs.own("… \(openKey) shows \(groupedDigits(rest)) more lines")] : [])
  }
}
