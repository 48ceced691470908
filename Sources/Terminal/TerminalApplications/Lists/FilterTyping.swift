package import ObjectModel
package import TerminalKit

/// The typing of a list's filter, or of what is looked for in it: how the text is read, and what it
/// returns to.
@MainActor
package final class FilterTyping {
  /// What the text is for.
  package enum Purpose {
    case filter, find

    var title: String { self == .filter ? "Filter" : "Find" }
    var label: String { self == .filter ? "/" : "f" }
  }

  /// What the names in the text mean, and what was typed before.
  package struct Reader {
    package let entity: EntityDescription
    package let model: ManagedObjectModel
    /// The attributes and key paths that words are searched for in.
    package let wordAttributes: [String]
    /// The filters that were typed before, the oldest first.
    package let history: [String]
    /// Finds the texts of an attribute that begin with a text, for Tab.
    package let knownTexts: (AttributeDescription, EntityDescription, String) -> [String]

    /// Makes a reader.
    package init(
      entity: EntityDescription, model: ManagedObjectModel, wordAttributes: [String],
      history: [String] = [],
      knownTexts: @escaping (AttributeDescription, EntityDescription, String) -> [String] = {
        _, _, _ in []
      }
    ) {
      (self.entity, self.model, self.wordAttributes) = (entity, model, wordAttributes)
      (self.history, self.knownTexts) = (history, knownTexts)
    }
  }

  package let purpose: Purpose
  package let bar: PromptBar
  private let reader: Reader
  /// What Esc returns to.
  let former: (filter: TypedPredicate?, cursor: ListCursor?)
  /// Whether the text has changed since it was read.
  var isChanged = false
  /// The form chosen with C-t; nil to recognise it.
  private var chosenForm: TypedPredicate.Form?
  /// How the text is read.
  private var form = TypedPredicate.Form.words

  package init(
    _ purpose: Purpose, _ reader: Reader, filter: TypedPredicate? = nil,
    cursor: ListCursor? = nil, history: [String]
  ) {
    self.purpose = purpose
    self.reader = reader
    former = (filter, cursor)
    bar = PromptBar(
      purpose.title, label: purpose.label, text: filter?.text ?? "", history: history,
      lineBreaks: .kept, keys: ["Tab complete · ↑ history · C-t mode"])
    bar.complete = { bar in
      .init(
        PredicateCompletion(
          before: bar.prompt.textBeforeCursor, for: reader.entity, in: reader.model,
          values: reader.knownTexts))
    }
    updateForm()
    guard let filter, filter.form != form else { return }
    chosenForm = filter.form
    updateForm()
  }

  private func updateForm() {
    form = chosenForm ?? TypedPredicate.form(of: bar.text, for: reader.entity)
    bar.title = form == .words ? "\(purpose.title) words" : purpose.title
    bar.hint =
      form == .words && !bar.text.isEmpty
      ? "every word in \(reader.wordAttributes.joined(separator: ", "))" : ""
  }

  /// Reads the text as a filter; nil for none.
  ///
  /// - Throws: The error of the text, which the bar shows.
  package func read() throws(FetchPredicateError) -> TypedPredicate? {
    isChanged = false
    bar.problem = nil
    guard bar.text.contains(where: { !$0.isWhitespace }) else { return nil }
    do {
      return try TypedPredicate(
        bar.text, as: form, for: reader.entity, in: reader.model,
        wordAttributes: reader.wordAttributes)
    } catch {
      bar.problem = .init(
        error.message, at: error.range, suggestions: error.suggestions, expected: error.expected)
      throw error
    }
  }

  /// Handles a key; C-t reads the text in the other form.
  package func handle(_ key: Key) -> Prompt.Outcome {
    // What Tab completes depends on what is wrong with the text.
    if key == .tab, isChanged { _ = try? read() }
    if key == .control("t") { chosenForm = form == .words ? .predicate : .words }
    let outcome = key == .control("t") ? .changed : bar.take(key)
    if outcome == .changed { textChanged() }
    return outcome
  }

  /// Inserts pasted text; its line breaks separate words, or are a part of a predicate.
  package func paste(_ text: String) {
    bar.insert(text)
    textChanged()
  }

  private func textChanged() {
    isChanged = true
    updateForm()
  }
}

extension PromptBar.Completion {
  /// What Tab does to a predicate.
  package init(_ found: PredicateCompletion) {
    self.init(
      replacing: found.typedCount, by: found.completion, candidates: found.candidates,
      written: found.written)
  }
}
