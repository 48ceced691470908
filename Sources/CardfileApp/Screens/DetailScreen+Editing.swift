extension DetailScreen {
  /// Edits the property under the cursor.
  func edit() -> ScreenOutcome {
    switch currentRow?.property {
    case .attribute(let name), .relationship(let name): return .edit(objectID, property: name)
    case .identity: session.message = .failed("The identity of an object cannot be edited")
    case nil: session.message = .failed("There is nothing to edit")
    }
    return .done
  }
}
