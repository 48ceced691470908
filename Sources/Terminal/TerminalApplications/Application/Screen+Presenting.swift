public import TerminalKit

extension Screen {
  /// Shows a text in the status line until the next key.
  public func show(_ message: String) { application?.say(message) }

  /// Shows an error in the status line until the next key.
  public func show(_ error: any Error) { application?.show(error) }

  /// Says in the status line, until the next key, that something failed or cannot be done.
  package func fail(_ text: String) { application?.fail(text) }

  /// Runs a throwing closure and shows its error.
  ///
  /// - Returns: Whether it did not throw.
  @discardableResult
  public func showingErrors(_ body: () throws -> Void) -> Bool {
    do {
      try body()
      return true
    } catch {
      show(error)
      return false
    }
  }

  /// Shows another screen over this one; `q` and `←` return.
  public func push(_ screen: Screen) { application?.push(screen) }

  /// Returns to the screen below.
  public func pop() { application?.pop() }

  /// Asks for a line of text at the bottom of the screen.
  ///
  /// - Parameters:
  ///   - title: What is asked for.
  ///   - label: What stands before the text.
  ///   - text: The text at first.
  ///   - changed: Called after each change of the text.
  ///   - cancelled: Called when Esc ends it.
  ///   - entered: Called when Enter ends it; an error that it throws is shown under the text, which
  ///     can then be corrected.
  public func prompt(
    _ title: String, label: String = "", text: String = "",
    changed: @escaping (String) -> Void = { _ in }, cancelled: @escaping () -> Void = {},
    entered: @escaping (String) throws -> Void
  ) {
    let bar = PromptBar(
      title, label: label.isEmpty ? "› " : label, text: text, keys: ["Enter accept · Esc cancel"])
    bar.changed = { changed($0.text) }
    bar.cancelled = cancelled
    bar.submitted = { bar in
      do {
        try entered(bar.text)
        return .close
      } catch {
        bar.problem = .init(String(describing: error).replacing("\n", with: " "))
        return .stay
      }
    }
    application?.present(bar)
  }

  /// Lets the person choose from a menu.
  ///
  /// - Parameters:
  ///   - title: The title of the menu.
  ///   - items: What to choose from.
  ///   - selected: The index of the item selected at first.
  ///   - chosen: Called with the index of the chosen item.
  public func choose(
    _ title: String, from items: [Menu.Item], selected: Int = 0, chosen: @escaping (Int) -> Void
  ) {
    application?.present(Menu(title, items: items, selected: selected, choose: chosen))
  }

  /// Asks a question; Enter and Esc choose `cancel`, which is added to the answers.
  ///
  /// - Parameters:
  ///   - title: The question.
  ///   - lines: What there is to know about it.
  ///   - answers: The key, the label and the action of each answer.
  public func ask(
    _ title: String, _ lines: [String],
    answers: [(key: Character, label: String, action: () -> Void)]
  ) {
    application?.ask(title, lines, answers: answers)
  }
}
