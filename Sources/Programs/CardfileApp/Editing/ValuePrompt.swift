import Foundation
import ObjectModel
import TerminalKit

/// The prompt at the foot of the screen in which a value is edited.
///
/// It is checked as it is typed. Enter sets it, C-s sets it and saves, Esc leaves it as it was, C-n
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
    /// Leaves a value that nobody has set to its default; returns the same as ``set``.
    var keepDefault: () -> Bool = { false }
    /// Saves all changes.
    var save: () -> Void
    /// Runs when the value stays as it was.
    var leave: (_ isCancelled: Bool) -> Void
  }

  /// What the prompt begins with.
  enum Beginning: Hashable {
    /// The value of what is edited, which Enter leaves as it is.
    case value
    /// A proposal for a new object, which Enter accepts.
    case proposal
    /// Nothing, because so many objects have different values.
    case differentValues(Int)
  }

  let input: ValueInput
  private let title: String
  private let actions: Actions
  /// The values to choose from, as text; empty if there are too many.
  private let choices: [String]
  private(set) var prompt: Prompt
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
  /// What is wrong with the value; nil while it can be set.
  private(set) var error: String?
  /// How the typed text was understood.
  private var note: String?
  /// The text that Tab completes, until another key is pressed.
  private var completed: String?

  init(
    _ title: String, input: ValueInput, choices: [String] = [], beginning: Beginning = .value,
    awaitedDefault: String? = nil, actions: Actions
  ) {
    self.input = input
    self.title = title
    self.actions = actions
    self.beginning = beginning
    self.awaitedDefault = awaitedDefault
    isUnset = awaitedDefault != nil
    self.choices = input.attribute.type == .boolean ? ["yes", "no"] : choices
    let text = input.formerText
    let isNull = if case .differentValues = beginning { false } else { input.former.isNull }
    initial = (text, isNull)
    self.isNull = isNull
    prompt = Prompt(
      label: "\(input.attribute.name):", text: text,
      lineBreaks: input.takesLineBreaks ? .kept : .replaced)
    note = facts
  }

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
    switch prompt.handle(key) {
    case .changed:
      isNull = false
      changed()
    case .cancelled: return leave(isCancelled: true)
    case .submitted: return submit()
    case .moved, .complete, .ignored: break
    }
    return .stay
  }

  /// The wheel does not change the value.
  func handle(_ event: MouseEvent, on target: ClickTarget?) -> OverlayReply { .stay }

  func paste(_ text: String) {
    guard attribute.type != .boolean else {
      error = "y or n, Space changes it: text cannot be pasted here"
      return
    }
    prompt.paste(text)
    isNull = false
    changed()
  }

  /// Shows a text as if it had been typed.
  func show(_ text: String) {
    prompt.text = text
    isNull = false
    changed()
  }

  private func leave(isCancelled: Bool) -> OverlayReply {
    .perform { [actions] in actions.leave(isCancelled) }
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
          && (!isTouched || prompt.text == initial.text && isNull == initial.isNull)
      case .proposal: false
      case .differentValues: !isTouched
      }
    if isSame {
      return saving ? .perform(actions.save) : leave(isCancelled: false)
    }
    switch reading {
    case .failure(let problem): error = problem.message
    case .success(let reading):
      error = actions.problem(reading.value)
      if error == nil {
        return .perform { [actions] in
          if actions.set(reading.value), saving { actions.save() }
        }
      }
    }
    return .stay
  }

  private func makeNull() {
    guard attribute.isOptional else {
      error = "\(attribute.name) is required: it cannot be NULL"
      return
    }
    prompt.text = ""
    isNull = true
    changed()
  }

  /// Opens the text in an editor; what comes back is set, if it is valid.
  private func openEditor() -> OverlayReply {
    guard input.takesText || isBytes else {
      error = "C-e opens text and bytes in an editor; type this value here"
      return .stay
    }
    var text = prompt.text
    if isBytes, !isTouched, case .data(let data) = input.former {
      guard data.count <= BytesInput.mostTyped else {
        error = "more than \(groupedDigits(BytesInput.mostTyped)) bytes: type @ and a file's path"
        return .stay
      }
      text = BytesInput.hex(data, perLine: 16)
    }
    switch actions.openEditor(text) {
    case .failure(let problem): error = problem.message
    case .success(nil): (error, note) = (nil, "unchanged in the editor")
    case .success(let new?):
      prompt.text = new
      isNull = false
      changed()
      return submit()
    }
    return .stay
  }

  // MARK: Choosing

  /// Shows the next of the values; Tab only those that contain what was typed.
  private func choose(_ step: Int, isCompletion: Bool) {
    guard !choices.isEmpty else {
      note = "there are no values to choose from"
      return
    }
    let typed = isCompletion ? completed ?? (isTouched ? prompt.text : "") : ""
    if isCompletion { completed = typed }
    let wanted = TextFolding.folded(typed)
    let offered = choices.filter { wanted.isEmpty || TextFolding.folded($0).contains(wanted) }
    guard !offered.isEmpty else { return }
    let place = offered.firstIndex(of: prompt.text)
    let next = place.map { ($0 + step + offered.count) % offered.count }
    prompt.text = offered[next ?? (step > 0 ? 0 : offered.count - 1)]
    isNull = false
    changed()
  }

  /// Whether a character is typed as a part of a number, which a column of booleans of a plain
  /// database takes too; its first digit replaces yes and no.
  private func isNumber(_ character: Character) -> Bool {
    guard attribute.reading != nil, character.isASCII,
      character.isNumber || "-.".contains(character)
    else { return false }
    if ["yes", "no"].contains(prompt.text) { prompt.text = "" }
    return true
  }

  /// Answers yes or no by the first letter.
  private func choose(_ character: Character) {
    switch character {
    case "y", "Y", "t", "1": prompt.text = "yes"
    case "n", "N", "f", "0": prompt.text = "no"
    case " ": prompt.text = prompt.text == "yes" ? "no" : "yes"
    default:
      error = "y or n, Space changes it"
      return
    }
    isNull = false
    changed()
  }

  // MARK: Checking

  private var reading: Result<ValueInput.Reading, InputError> {
    guard isNull else { return input.reading(of: prompt.text) }
    return AttributeRules(attribute).problem(with: .null).map { .failure(InputError($0)) }
      ?? .success(.init(value: .null, note: "NULL"))
  }

  private func changed() {
    isTouched = true
    isUnset = false
    (error, note) = (nil, nil)
    switch reading {
    case .failure(let problem): error = problem.message
    case .success(let reading): note = prompt.pasteNote ?? reading.note
    }
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
        facts[0] = "\(groupedDigits(data.count)) bytes\(place)"
        if attribute.type == .string { facts.append("text in single quotes replaces them") }
      }
    } else if case .data(let data) = input.former {
      let size = "\(groupedDigits(data.count)) bytes"
      facts[0] = input.takesText ? "text, stored as \(size)" : "\(facts[0]), replaces \(size)"
    } else if case .string = input.former, attribute.type == .binaryData {
      facts[0] = "text in a column of bytes"
    }
    if attribute.type == .date { facts.append("such as \(DateInput.examples)") }
    if !attribute.isOptional { facts.append("required") }
    facts += AttributeRules(attribute).words
    let lines = prompt.text.count(where: \.isNewline)
    if lines > 0 { facts.append("\(groupedDigits(lines + 1)) lines: C-e opens the editor") }
    return facts.joined(separator: ", ")
  }
}

// MARK: - Drawing

extension ValuePrompt: BottomBar {
  var bottomBar: (any BottomBar)? { self }
  var height: Int { choices.isEmpty ? 3 : 4 }

  /// The rule is left out first where there is no room, then the choices, then the note.
  func draw(in canvas: inout Canvas) -> Point? {
    let hasNote = canvas.height >= 2
    let y = canvas.height - (hasNote ? 2 : 1)
    let point = prompt.draw(in: &canvas, y: y)
    if isNull {
      let x = prompt.column(of: 0, in: canvas) ?? 0
      let text = isUnset ? awaitedDefault.map { "default: \($0)" } : nil
      canvas.put(text ?? canvas.signs.null, x: x, y: y, style: canvas.theme.dim)
    }
    if !choices.isEmpty, y >= 1 { drawChoices(y: y - 1, in: &canvas) }
    let top = y - (choices.isEmpty ? 1 : 2)
    if top >= 0 { drawRule(y: top, in: &canvas) }
    if hasNote { drawNote(y: y + 1, in: &canvas) }
    return point
  }

  private func drawRule(y: Int, in canvas: inout Canvas) {
    let signs = canvas.signs
    canvas.rule(x: 0, y: y, columns: canvas.width - 1, style: canvas.theme.headerRule)
    let dot = " \(signs.separator) "
    let keys = ["C-s and save", "\(signs.enter) set", "C-n NULL", "C-e editor", "Esc cancel"]
      .filter { attribute.isOptional || !$0.hasPrefix("C-n") }
      .filter { isBytes || input.takesText && attribute.type != .uri || !$0.hasPrefix("C-e") }
    // The title matters more than the keys: the first ones are left out.
    let needed = min(displayWidth(of: signs.visible(title)), canvas.width - 24) + 10
    let hints = keys.indices.lazy.map { " " + keys[$0...].joined(separator: dot) + " " }
    let hint = hints.first { displayWidth(of: $0) + needed <= canvas.width } ?? ""
    let columns = displayWidth(of: hint)
    let room = canvas.width - 5 - (columns > 0 ? columns + 3 : 0)
    canvas.put(
      " \(signs.cut(title, to: room)) ", x: 1, y: y, style: canvas.theme.headerTitle)
    canvas.put(hint, x: canvas.width - 4 - columns, y: y, style: canvas.theme.hint)
  }

  /// The choices in a line, scrolled so that the current one is visible.
  private func drawChoices(y: Int, in canvas: inout Canvas) {
    canvas.fill(Rect(x: 0, y: y, width: canvas.width, height: 1))
    let current = isNull ? nil : choices.firstIndex(of: prompt.text)
    let widths = choices.map { min(displayWidth(of: canvas.signs.visible($0)), 24) + 2 }
    var first = 0
    if let current {
      while first < current, widths[first...current].reduce(6, +) > canvas.width { first += 1 }
    }
    var x = 1 + canvas.put("Tab", x: 1, y: y, style: canvas.theme.hintKey) + 2
    for place in choices.indices.dropFirst(first) {
      guard x + widths[place] < canvas.width else {
        canvas.put(canvas.signs.ellipsis, x: canvas.width - 2, y: y, style: canvas.theme.dim)
        break
      }
      let style = place == current ? canvas.theme.focus : canvas.theme.dim
      let text = canvas.signs.cut(choices[place], to: widths[place] - 2)
      x += canvas.put(text, x: x, y: y, style: style) + 2
    }
  }

  /// The error under the text, or how it was understood.
  private func drawNote(y: Int, in canvas: inout Canvas) {
    canvas.fill(Rect(x: 0, y: y, width: canvas.width, height: 1))
    guard let text = error ?? note else { return }
    let shown = canvas.signs.own(error == nil ? text : "! \(text)")
    let columns = displayWidth(of: canvas.signs.visible(shown))
    let start = prompt.column(of: 0, in: canvas) ?? 1
    let x = max(min(start, canvas.width - 1 - columns), 1)
    canvas.put(
      canvas.signs.cut(shown, to: canvas.width - 1 - x), x: x, y: y,
      style: error == nil ? canvas.theme.dim : canvas.theme.error)
  }
}
