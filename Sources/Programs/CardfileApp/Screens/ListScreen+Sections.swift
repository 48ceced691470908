import FetchedResults
import ListProviders
import ObjectModel
import TerminalApplications
import TerminalKit

extension ListScreen {
  /// The title of a section, as the cells of its rows write the value.
  func sectionTitle(_ name: String) -> String {
    let signs = session.look.signs
    let name = SectionNames.unmarked(name)
    switch name {
    case "": return signs.null
    case "true", "false":
      return isByBoolean ? ValueText.line(.bool(name == "true")) ?? name : name
    default:
      // The section of values that are not of the attribute's type.
      return name.hasPrefix("≠ ") ? signs.own(name) : name
    }
  }

  /// Whether the sections are made by a boolean attribute.
  private var isByBoolean: Bool {
    guard let keyPath = provider.displayedRequest?.sectionKey?.keyPath else { return false }
    return defaults.attribute(at: keyPath)?.attribute.type == .boolean
  }
}
