import ObjectModel
import TerminalApplications
import TerminalKit

extension App {
  /// Changes a setting for this session by a typed text, as `mouse no` or `mouse=no`; without a
  /// value shows it, without a name shows all.
  func changeSetting(typed text: String) throws(TypedTextError) {
    guard !text.isEmpty else { return showSettings() }
    let end = text.firstIndex { $0 == "=" || $0.isWhitespace } ?? text.endIndex
    let name = String(text[..<end])
    let rest = text[end...].drop { $0 == "=" || $0.isWhitespace }
    let setting: Setting
    do {
      setting = try Setting.named(name)
    } catch {
      throw TypedTextError(
        error.message, at: 0..<name.count, suggestions: error.suggestions,
        expected: ":set lists them")
    }
    if !rest.isEmpty {
      do {
        try session.options.settings.set(name, to: String(rest), from: .session)
      } catch {
        throw error.moved(by: text.count - rest.count)
      }
      terminal.reportMouse(session.options.settings.usesMouse)
      applySettings()
    }
    say(
      "\(name): \(setting.text(session.options.settings))\(rest.isEmpty ? "" : setting.note)")
  }

  private func showSettings() {
    let settings = session.options.settings
    let width = Setting.plain.map(\.name.count).max() ?? 0
    let lines = Setting.plain.map { setting in
      "\(Signs.unicode.fit(setting.name, to: width))  "
        + "\(Signs.unicode.fit(setting.text(settings), to: 8))  \(setting.help)"
    }
    present(
      TextOverlay(
        "Settings",
        lines: lines + [
          "", "keys.ACTION, such as keys.delete: the keys of an action",
          "styles.ELEMENT, such as styles.cursor-row: colours, such as bold red on #202020",
        ]))
  }
}
