import Foundation
import ObjectModel
import TerminalApplications
import TerminalKit

/// The editing of a value in a bar at the bottom of the screen.
///
/// The text is checked as it is typed. Enter sets it, C-s sets it and saves, Esc leaves it as it was, C-n
/// makes it NULL, C-e opens it in an editor.
final class ValuePrompt: Overlay {
  /// What the prompt asks of the application.
  struct Actions {
    /// What is wrong with a value beyond the rules of its attribute; nil if it can be set.
    var problem: (Value) -> String? = { _ in nil }
    /// Opens a text in an editor: the new text, or nil if it is unchanged.
    var openEditor: (String) -> Result<String?, InputError>
    /// Sets the value; returns whether C-s then saves: nothing more is asked for, and setting the
    /// value has not saved it.
    var set: (Value) -> Bool
    /// Leaves a value that was not set to its default; returns the same as ``set``.
    var keepDefault: () -> Bool = { false }
    /// Saves all changes.
    var save: () -> Void
    /// Runs when the value stays as it was.
    var leave: () -> Void
  }

  /// What the prompt begins with.
  enum Beginning: Hashable {
    /// The value of what is edited, which Enter leaves as it is.
    case value
    /// A proposal for a new object, which Enter accepts.
    case proposal
    /// Nothing, because this number of objects have different values.
    case differentValues(Int)
  }

  let input: ValueInput
  private let actions: Actions
  let bar: PromptBar
  /// Whether the value is NULL, whatever the text.
  private(set) var isNull: Bool
  /// What the prompt began with.
  private let initial: (text: String, isNull: Bool)
  private var isTouched = false
  private let beginning: Beginning
  /// The expression of the default that the value has if it is not set; nil if it was set before.
  private let awaitedDefault: String?
  /// Whether the value is left to its default.
  private var isUnset: Bool
  /// The text that Tab completes, until another key is pressed.
  private var completed: String?

  init(
    _ title: String, input: ValueInput, choices: [String] = [], beginning: Beginning = .value,
    awaitedDefault: String? = nil, actions: Actions
  ) {
    self.input = input
    self.actions = actions
    self.beginning = beginning
    self.awaitedDefault = awaitedDefault
    isUnset = awaitedDefault != nil
    let isNull = if case .differentValues = beginning { false } else { input.former.isNull }
    initial = (input.formerText, isNull)
    self.isNull = isNull
    let attribute = input.attribute
    let takesText = input.takesBytes || input.takesText && attribute.type != .uri
    let keys = [
      "C-s save", "⏎ set", attribute.isOptional ? "C-n NULL" : nil,
      takesText ? "C-e editor" : nil, "Esc cancel",
    ]
    bar = PromptBar(
      title, label: "\(attribute.name):", text: input.formerText,
      lineBreaks: input.takesLineBreaks ? .kept : .replaced, keys: keys.compactMap(\.self))
    bar.choices = attribute.type == .boolean ? ["yes", "no"] : choices
    bar.hint = facts
    showNull()
  }

  var bottomBar: (any BottomBar)? { bar }
  func draw(in canvas: inout Canvas) -> Point? { bar.draw(in: &canvas) }
  private var attribute: AttributeDescription { input.attribute }
  private var isBytes: Bool { input.takesBytes }

  // MARK: Keys

  func handle(_ key: Key) -> OverlayReply {
    if key != .tab, key != .backTab { completed = nil }
    switch key {
    case .control("n"): makeNull()
    case .control("e"): return openEditor()
    case .control("s"): return submit(saving: true)
    case .tab, .down: choose(1, isCompletion: key == .tab)
    case .backTab, .up: choose(-1, isCompletion: key == .backTab)
    case .character(let character) where attribute.type == .boolean && !isNumber(character):
      choose(character)
    default: return edit(key)
    }
    return .stay
  }

  private func edit(_ key: Key) -> OverlayReply {
    switch bar.take(key) {
    case .changed: changed()
    case .cancelled: return .perform(actions.leave)
    case .submitted: return submit()
    case .moved, .complete, .ignored: break
    }
    return .stay
  }

  /// The wheel does not change the value.
  func handle(_ event: MouseEvent, on target: ClickTarget?) -> OverlayReply { .stay }

  func paste(_ text: String) {
    guard attribute.type != .boolean else {
      refuse("y or n, Space changes it: text cannot be pasted here")
      return
    }
    bar.insert(text)
    changed()
  }

  /// Shows a text as if it had been typed.
  func show(_ text: String) {
    bar.prompt.text = text
    changed()
  }

  /// Sets the value, if it can be set, and saves if nothing more is asked for.
  private func submit(saving: Bool = false) -> OverlayReply {
    if isUnset, beginning == .proposal {
      return .perform { [actions] in
        if actions.keepDefault(), saving { actions.save() }
      }
    }
    let isSame =
      switch beginning {
      case .value:
        isUnset == (awaitedDefault != nil)
          && (!isTouched || bar.text == initial.text && isNull == initial.isNull)
      case .proposal: false
      case .differentValues: !isTouched
      }
    if isSame {
      return .perform(saving ? actions.save : actions.leave)
    }
    switch reading {
    case .failure(let problem): refuse(problem.message)
    case .success(let reading):
      if let problem = actions.problem(reading.value) {
        refuse(problem)
      } else {
        return .perform { [actions] in
          if actions.set(reading.value), saving { actions.save() }
        }
      }
    }
    return .stay
  }

  private func makeNull() {
    guard attribute.isOptional else {
      refuse("\(attribute.name) is required: it cannot be NULL")
      return
    }
    bar.prompt.text = ""
    changed(isNull: true)
  }

  /// Opens the text in an editor; the edited text is set if it is valid.
  private func openEditor() -> OverlayReply {
    guard input.takesText || isBytes else {
      refuse("C-e opens text and bytes in an editor; type this value here")
      return .stay
    }
    var text = bar.text
    if isBytes, !isTouched, case .data(let data) = input.former {
      guard data.count <= BytesInput.mostTyped else {
        refuse("more than \(groupedDigits(BytesInput.mostTyped)) bytes: type @ and a file's path")
        return .stay
      }
      text = BytesInput.hex(data, perLine: 16)
    }
    switch actions.openEditor(text) {
    case .failure(let problem): refuse(problem.message)
    case .success(nil): say("unchanged in the editor")
    case .success(let new?):
      bar.prompt.text = new
      changed()
      return submit()
    }
    return .stay
  }

  // MARK: Choosing

  /// Shows the next of the values; Tab only those that contain what was typed.
  private func choose(_ step: Int, isCompletion: Bool) {
    if attribute.type == .uuid, isCompletion { return show(UUID().uuidString) }
    guard !bar.choices.isEmpty else {
      bar.hint = "there are no values to choose from"
      return
    }
    let typed = isCompletion ? completed ?? (isTouched ? bar.text : "") : ""
    if isCompletion { completed = typed }
    let wanted = TextFolding.folded(typed)
    let offered = bar.choices.filter { wanted.isEmpty || TextFolding.folded($0).contains(wanted) }
    guard !offered.isEmpty else { return }
    let index = offered.firstIndex(of: bar.text)
    let next = index.map { ($0 + step + offered.count) % offered.count }
    bar.prompt.text = offered[next ?? (step > 0 ? 0 : offered.count - 1)]
    changed()
  }

  /// Whether a character is typed as a part of a number, which a column of booleans of a plain
  /// database takes too; its first digit replaces yes and no.
  private func isNumber(_ character: Character) -> Bool {
    guard attribute.reading != nil, character.isASCII,
      character.isNumber || "-.".contains(character)
    else { return false }
    if ["yes", "no"].contains(bar.text) { bar.prompt.text = "" }
    return true
  }

  /// Answers yes or no by the first letter.
  private func choose(_ character: Character) {
    switch character {
    case "y", "Y", "t", "1": bar.prompt.text = "yes"
    case "n", "N", "f", "0": bar.prompt.text = "no"
    case " ": bar.prompt.text = bar.text == "yes" ? "no" : "yes"
    default:
      refuse("y or n, Space changes it")
      return
    }
    changed()
  }

  // MARK: Checking

  private var reading: Result<ValueInput.Reading, InputError> {
    guard isNull else { return input.reading(of: bar.text) }
    return AttributeRules(attribute).problem(with: .null).map { .failure(InputError($0)) }
      ?? .success(.init(value: .null, note: "NULL"))
  }

  private func changed(isNull: Bool = false) {
    self.isNull = isNull
    isTouched = true
    isUnset = false
    showNull()
    switch reading {
    case .failure(let problem): refuse(problem.message)
    case .success(let reading): say(reading.note ?? "")
    }
  }

  /// Says what is wrong with the value.
  private func refuse(_ message: String) { bar.problem = .init("! \(message)") }

  /// Says how the text was understood; nothing is wrong with it.
  private func say(_ note: String) { (bar.problem, bar.hint) = (nil, note) }

  private func showNull() {
    let text = isUnset ? awaitedDefault.map { "default: \($0)" } : nil
    bar.placeholder = isNull ? text ?? "∅" : nil
  }

  /// What the attribute takes, before anything is typed.
  private var facts: String {
    var facts = [ValueText.typeName(attribute.type)]
    if case .differentValues(let count) = beginning {
      facts.insert("\(groupedDigits(count)) objects with different values", at: 0)
    }
    if isBytes {
      facts.append("hex digits, or @ and the path of a file")
      if case .data(let data) = input.former {
        let place = attribute.type == .binaryData ? "" : " in a column of \(facts[0])"
        facts[0] = "\(counted(data.count, "byte"))\(place)"
        if attribute.type == .string { facts.append("text in single quotes replaces them") }
      }
    } else if case .data(let data) = input.former {
      let size = counted(data.count, "byte")
      facts[0] = input.takesText ? "text, stored as \(size)" : "\(facts[0]), replaces \(size)"
    } else if case .string = input.former, attribute.type == .binaryData {
      facts[0] = "text in a column of bytes"
    }
    if attribute.type == .uuid { facts.append("Tab makes one") }
    if attribute.type == .date { facts.append("such as \(DateInput.examples)") }
    if !attribute.isOptional { facts.append("required") }
    facts += AttributeRules(attribute).words
    let lines = bar.text.count(where: \.isNewline)
    if lines > 0 { facts.append("\(groupedDigits(lines + 1)) lines: C-e opens the editor") }
    return facts.joined(separator: ", ")
  }
}
