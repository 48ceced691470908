public import TerminalKit

/// Two or more screens beside each other, of which Tab gives one the keys.
///
/// On a narrow terminal only that one is shown.
open class SplitScreen: Screen {
  /// The number of columns that each screen has at least.
  private static let smallestWidth = 24

  private let parts: [Screen]
  /// The index of the screen that has the keys.
  package private(set) var focus = 0
  /// Where the screens were drawn last; empty for those that were not.
  private var frames: [Rect] = []

  /// Creates a screen of several ones, from left to right.
  ///
  /// - Precondition: There is at least one.
  public init(title: String, _ screens: Screen...) {
    precondition(!screens.isEmpty, "A split screen needs a screen to show.")
    parts = screens
    super.init(title: title)
  }

  /// The screens.
  package override var childScreens: [Screen] { parts }

  /// The screen that has the keys.
  package override var focusedChild: Screen? { focused }

  private var focused: Screen { parts[focus] }

  package override var bottomBar: (any BottomBar)? {
    get { focused.bottomBar }
    set { focused.bottomBar = newValue }
  }

  /// The commands of the screen that has the keys, Tab, and those of the split screen itself.
  open override var keyCommands: [KeyCommand] {
    focused.keyCommands + [
      KeyCommand(.tab, section: .view, help: "other side", hint: "other side") { [weak self] in
        self?.moveFocus(by: 1)
      },
      KeyCommand(.backTab, section: .view, help: "") { [weak self] in self?.moveFocus(by: -1) },
    ] + super.keyCommands
  }

  /// Draws the screens with their titles.
  open override func draw(in canvas: inout Canvas) -> Point? {
    let isWide = canvas.width / parts.count >= Self.smallestWidth
    let shown = isWide ? Array(parts.indices) : [focus]
    frames = Array(repeating: Rect(x: 0, y: 0, width: 0, height: 0), count: parts.count)
    var cursor: Point?
    for (position, index) in shown.enumerated() {
      let start = canvas.width * position / shown.count
      let end = canvas.width * (position + 1) / shown.count - (position + 1 < shown.count ? 1 : 0)
      let frame = Rect(x: start, y: 0, width: end - start, height: canvas.height)
      let point = canvas.within(frame) { part in
        frames[index] = Rect(
          x: part.screenPoint(x: 0, y: 0).x, y: part.screenPoint(x: 0, y: 0).y,
          width: part.width, height: part.height)
        return draw(index, in: &part)
      }
      if index == focus { cursor = point }
      for y in 0..<canvas.height where position + 1 < shown.count {
        canvas.put(canvas.signs.vertical, x: end, y: y, style: canvas.theme.headerRule)
      }
    }
    return cursor
  }

  private func draw(_ index: Int, in canvas: inout Canvas) -> Point? {
    canvas.rule(x: 0, y: 0, columns: canvas.width, style: canvas.theme.headerRule)
    let style = index == focus ? canvas.theme.stripCurrent : canvas.theme.headerTitle
    let title = canvas.signs.cut(parts[index].title, to: canvas.width - 5)
    canvas.put(" \(title) ", x: 2, y: 0, style: style)
    let body = Rect(x: 0, y: 1, width: canvas.width, height: canvas.height - 1)
    return canvas.within(body) { parts[index].draw(in: &$0) }
  }

  /// Gives the keys to the screen under the mouse, and the event too.
  open override func handle(_ event: MouseEvent) {
    guard let index = frames.firstIndex(where: { $0.contains(event.position) }) else { return }
    if event.kind.isPress { focus = index }
    parts[index].handle(event)
  }

  private func moveFocus(by step: Int) { focus = (focus + step + parts.count) % parts.count }
}
