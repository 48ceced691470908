import ObjectModel
import TerminalKit

/// The line in which the filter of a list is typed, or what is looked for in it.
final class FilterBar: BottomBar {
  /// What the text is for.
  enum Purpose {
    case filter, find

    var title: String { self == .filter ? "Filter" : "Find" }
    var label: String { self == .filter ? "/" : "f" }
  }

  let purpose: Purpose
  /// What a key did.
  enum Outcome {
    /// The text or its form changed.
    case changed
    /// Enter: the filter stays.
    case kept
    /// Esc: the list returns to the filter before.
    case cancelled
    /// Nothing changed.
    case none
  }

  let entity: EntityDescription
  private let model: ManagedObjectModel
  /// The attributes and key paths that words are searched for in.
  private let wordAttributes: [String]
  private(set) var prompt: Prompt
  /// Finds the texts of an attribute that begin with a text, for Tab.
  var knownTexts: (AttributeDescription, EntityDescription, String) -> [String] = { _, _, _ in [] }
  /// The form chosen with C-t; nil to recognise it.
  private var chosenForm: TypedPredicate.Form?
  private(set) var error: FetchPredicateError?
  /// What Tab could complete to; empty unless there are several.
  private var candidates: [String] = []

  init(
    _ filter: TypedPredicate?, for purpose: Purpose = .filter, entity: EntityDescription,
    model: ManagedObjectModel, wordAttributes: [String], history: [String]
  ) {
    self.purpose = purpose
    self.entity = entity
    self.model = model
    self.wordAttributes = wordAttributes
    prompt = Prompt(
      label: purpose.label, text: filter?.text ?? "", history: history, lineBreaks: .kept)
    if let filter, filter.form != form { chosenForm = filter.form }
  }

  /// The typed text.
  var text: String { prompt.text }

  /// How the text is read.
  var form: TypedPredicate.Form { chosenForm ?? TypedPredicate.form(of: text, for: entity) }

  /// The filter that was typed; nil for none.
  ///
  /// - Throws: The error of the text, which ``error`` keeps.
  func typed() throws(FetchPredicateError) -> TypedPredicate? {
    error = nil
    guard text.contains(where: { !$0.isWhitespace }) else { return nil }
    do {
      return try TypedPredicate(
        text, as: form, for: entity, in: model, wordAttributes: wordAttributes)
    } catch {
      self.error = error
      throw error
    }
  }

  // MARK: Keys

  func handle(_ key: Key) -> Outcome {
    candidates = []
    if key == .control("t") {
      chosenForm = form == .words ? .predicate : .words
      return .changed
    }
    switch prompt.handle(key) {
    case .changed: return .changed
    case .complete: return complete() ? .changed : .none
    case .submitted: return .kept
    case .cancelled: return .cancelled
    case .moved, .ignored: return .none
    }
  }

  /// Inserts pasted text; its line breaks separate words, or are a part of a predicate.
  func paste(_ text: String) { prompt.paste(text) }

  /// Replaces the wrong name by the first suggestion, or completes the name before the cursor.
  ///
  /// - Returns: Whether the text changed.
  private func complete() -> Bool {
    let found = PredicateCompletion(
      before: prompt.textBeforeCursor, for: entity, in: model, values: knownTexts)
    // A wrong name may only be an unfinished one.
    let isUnfinished =
      error?.range.upperBound == prompt.cursor && found.typedCount > 0
      && (found.completion != nil || !found.candidates.isEmpty)
    if let error, let mended = error.suggestions.first, !isUnfinished {
      let range = error.range.clamped(to: 0..<text.count)
      guard !range.isEmpty else { return false }
      prompt.replace(range, with: mended)
      return true
    }
    candidates = found.candidates
    guard let completion = found.completion else { return false }
    prompt.replaceBeforeCursor(found.typedCount, with: completion)
    return true
  }

  // MARK: Drawing

  var height: Int { 3 }

  func draw(in canvas: inout Canvas) -> Point? {
    let y = canvas.height - 2
    if canvas.height >= 3 {
      let title = form == .words ? "\(purpose.title) words" : purpose.title
      canvas.promptRule(title, keys: "Tab complete · ↑ history · C-t mode", y: y - 1)
    }
    let point = prompt.draw(in: &canvas, y: max(y, 0))
    if canvas.height >= 2 { drawNote(y: y + 1, in: &canvas) }
    return point
  }

  /// Draws the error under the text it is about, or candidates, or the attributes searched.
  private func drawNote(y: Int, in canvas: inout Canvas) {
    if !candidates.isEmpty {
      let names = candidates.joined(separator: "  ")
      canvas.put(canvas.signs.cut(names, to: canvas.width - 4), x: 3, y: y, style: canvas.theme.dim)
      return
    }
    guard let error else {
      guard form == .words, !text.isEmpty else { return }
      let names = "every word in \(wordAttributes.joined(separator: ", "))"
      canvas.put(canvas.signs.cut(names, to: canvas.width - 4), x: 3, y: y, style: canvas.theme.dim)
      return
    }
    TypedTextError(error).draw(under: prompt, y: y, in: &canvas)
  }
}
