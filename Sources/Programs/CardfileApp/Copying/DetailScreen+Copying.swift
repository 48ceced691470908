import ManagedObjects
import ObjectModel
import TerminalApplications
import TerminalKit

extension DetailScreen {
  /// Shows what `y` offers: the object, the value under the cursor.
  func copy() {
    let text = ObjectText(session: session)
    let id = objectID
    let object = { [session] in session.context.object(with: id) }
    var choices: [CopyOverlay.Choice] = [
      .init(key: "y", label: "row") {
        let object = object()
        let names =
          object.entity.attributes.map { DetailContents.Property.attribute($0.name) }
          + object.entity.toOneRelationships.map { .relationship($0.name) }
        return (
          "the object",
          try names.map { "\($0.label): \(try text.text($0, of: object))" }.joined(separator: "\n")
        )
      }
    ]
    if let property = currentRow?.property {
      choices.append(
        .init(key: "c", label: property.label) {
          (property.label, try text.text(property, of: object()))
        })
    }
    choices += [
      .init(key: "j", label: "JSON") { ("the object as JSON", try text.json(of: object())) },
      .init(key: "i", label: "objectID") { ("the objectID", id.uriRepresentation) },
      .init(key: "p", label: "predicate") { [weak self] in
        ("a predicate for this object", self?.predicateText ?? "")
      },
    ]
    app?.present(CopyOverlay(choices, session: session))
  }

  /// A condition that only this object meets, as `--where` takes it.
  private var predicateText: String {
    FetchPredicate(.comparison(.init(.selfObject, .equal, .object(objectID)))).description
  }
}
