import ObjectModel
import TerminalApplications
import TerminalKit

extension App {
  /// Opens the command line.
  func startCommand() {
    let bar = PromptBar(
      "Command", label: ":", history: session.state.commandHistory,
      keys: ["Tab complete · ↑ history · Esc leave"])
    bar.endsWithBackspace = true
    bar.complete = { [weak self] in self?.completion(of: $0.prompt.textBeforeCursor) }
    bar.changed = { $0.hint = CommandTable.hint(for: $0.text) }
    bar.submitted = { [weak self] bar in
      bar.text.allSatisfy(\.isWhitespace) ? .close : .perform { self?.run(bar) }
    }
    bar.changed(bar)
    present(bar)
  }

  /// Runs the line of a bar; when it is wrong the bar comes back with the error.
  private func run(_ bar: PromptBar) {
    do {
      try run(CommandText(bar.text))
      session.remember { StoreState.add(bar.text, to: &$0.commandHistory) }
    } catch {
      bar.problem = error.problem
      present(bar)
    }
  }

  /// Runs a command line.
  ///
  /// - Throws: The error with its position in the line.
  private func run(_ line: CommandText) throws(TypedTextError) {
    if let (action, count) = line.motion { return perform(action, count: count) }
    let command: Command
    do {
      command = try CommandTable.command(named: line.name)
    } catch {
      throw error.moved(by: line.nameOffset)
    }
    let name = command.names[0]
    if command.isArgumentRequired, line.argument.isEmpty {
      throw TypedTextError(
        ":\(name) needs \(command.label)", at: line.argumentOffset..<line.argumentOffset)
    }
    let range = line.argumentOffset..<line.argumentOffset + line.argument.count
    if command.argument == .none, !line.argument.isEmpty {
      throw TypedTextError(":\(name) takes no argument", at: range)
    }
    do {
      try command.run(self, line.argument)
    } catch {
      throw error.moved(by: line.argumentOffset)
    }
  }

  /// The list that a command is about.
  func list(for command: String) throws(TypedTextError) -> ListScreen {
    guard let list = screen as? ListScreen else {
      throw TypedTextError(":\(command) works in a list of objects: open one first", at: 0..<0)
    }
    return list
  }

  /// Opens the list of an entity by its typed name; without a name, the list of entities.
  func openEntity(typed name: String) throws(TypedTextError) {
    guard !session.model.entities.isEmpty else {
      throw TypedTextError(":entity needs a store: :open PATH opens one", at: 0..<name.count)
    }
    guard !name.isEmpty else { return showEntities() }
    let names = session.model.entities.map(\.name)
    let folded = TextFolding.folded(name)
    let found =
      session.model.entity(named: name)
      ?? session.model.entities.first { TextFolding.folded($0.name) == folded }
    guard let found else {
      throw TypedTextError(
        unknown: name, in: session.store.summary.name, at: 0..<name.count, offering: names)
    }
    push(ListScreen(found, session: session))
  }

  /// Shows the commands, or what one of them does.
  func showCommands(typed name: String) throws(TypedTextError) {
    guard name.isEmpty else {
      let command = try CommandTable.command(named: name)
      return say("\(command.usage)   \(command.help)")
    }
    let lines = CommandTable.lines
    // A long usage moves its own help only.
    let width = min(lines.map { displayWidth(of: $0.usage) }.max() ?? 0, 22)
    present(
      TextOverlay(
        "Commands",
        lines: lines.map {
          let usage =
            displayWidth(of: $0.usage) > width
            ? $0.usage : Signs.unicode.fit($0.usage, to: width)
          return "\(usage)  \($0.help)"
        }))
  }
}
