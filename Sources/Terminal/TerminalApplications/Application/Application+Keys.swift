import ManagedObjects
import ObjectModel
package import TerminalKit

extension Application {
  /// Handles a key press: what is tried again, the topmost overlay, the screen's mode, and then its
  /// commands.
  package func process(_ key: Key) {
    if retry != nil {
      clearMessage()
      if handleRetry(key) { return }
    }
    if let overlay = overlays.last { return answer(overlay.handle(key), of: overlay) }
    clearMessage()
    if tryAgain(key) || intercept(key) { return }
    guard let screen, !holdNext(key), !screen.intercept(key), !count.take(key) else { return }
    let number = count.finish()
    guard let command = commands(of: screen)[key] else {
      let help =
        self.key(standingFor: "?").map { " — \($0.label(look.signs)) shows the keys" } ?? ""
      message = .done("\(key.label(look.signs)) does nothing here\(help)")
      return
    }
    if lacksRows(key, for: command, count: number, on: screen) { return }
    let screenCount = screens.count
    command.action(number)
    explainDropped(key, screenCount: screenCount)
  }

  /// Handles an event of the mouse by what was on the screen at its position: the topmost overlay,
  /// else a hint, else the screen.
  func process(_ event: MouseEvent) {
    guard usesMouse else { return }
    let target = shown?.target(at: event.position)
    if let overlay = overlays.last { return answer(overlay.handle(event, on: target), of: overlay) }
    // A release ends a click: what the click said stays.
    guard event.kind != .release, retry == nil else { return }
    clearMessage()
    if case .key(let key) = target {
      if event.kind.isPress { process(key) }
    } else {
      screen?.handle(event)
    }
  }

  /// Pastes into the last overlay, or into the screen.
  func paste(_ text: String) {
    if let overlay = overlays.last { return overlay.paste(text) }
    guard screen?.paste(text) == false else { return }
    message = .done("Nothing here takes pasted text: it goes into a line that is typed")
  }

  // MARK: Keys that wait for rows

  /// Keeps a key that acts on a row until the row is shown that the keys before it have asked for;
  /// drops it if that row cannot be read.
  ///
  /// Keys that are typed quickly, as in `/ocean⏎⏎`, then never act on rows that the person could not
  /// mean. The keys after it are kept too; Esc drops them.
  ///
  /// - Returns: Whether it was kept or dropped.
  private func lacksRows(_ key: Key, for command: KeyCommand, count: Int?, on screen: Screen)
    -> Bool
  {
    guard command.target != .nothing else { return false }
    let awaitsRows = screen.awaitsRows
    if lock != nil && awaitsRows || screen.isUnread(command.target, count: count) {
      message = .failed("\(key.label(look.signs)) dropped: its row is not read")
      return true
    }
    guard awaitsRows else { return false }
    heldKeys = count.map { String($0).map { .character($0) } } ?? []
    heldKeys.append(key)
    message = .done("\(key.label(look.signs)) waits for the rows — Esc cancels")
    return true
  }

  /// Keeps the keys after one that is held; Esc drops them.
  private func holdNext(_ key: Key) -> Bool {
    guard !heldKeys.isEmpty else { return false }
    guard key != .escape else {
      heldKeys = []
      return false
    }
    heldKeys.append(key)
    return true
  }

  /// Processes the keys that have waited for rows.
  func releaseHeldKeys() {
    guard !heldKeys.isEmpty, overlays.isEmpty, retry == nil, screen?.awaitsRows == false else {
      return
    }
    let keys = heldKeys
    heldKeys = []
    for key in keys {
      process(key)
      // A key typed before the dialog was drawn must not answer it.
      if overlays.last?.dropsTypeAhead == true { return }
    }
  }

  // MARK: Commands

  /// The keys of a screen and of the application.
  ///
  /// They are made anew for each key: 0.35 ms in a debug build, a fourteenth of a drawing. Kept, they
  /// could be those of a mode before.
  package func commands(of screen: Screen) -> KeyMap {
    KeyMap(screen.keyCommands + keyCommands)
  }

  /// Shows the keys of the screen; Enter runs the one under the cursor.
  package func showHelp() {
    guard let screen else { return }
    present(HelpOverlay(screen.title, map: commands(of: screen).help(look.signs)))
  }
}
