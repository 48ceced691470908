import TerminalKit

extension Application {
  package func draw() {
    let picture = picture(terminal.size)
    terminal.show(picture.canvas, cursor: picture.cursor)
  }

  /// Draws the screen and its overlays into a canvas.
  func picture(_ size: Size) -> (canvas: Canvas, cursor: Point?) {
    var canvas = Canvas(size: size, look: look)
    guard ScreenLayout.fits(in: &canvas), let screen else { return (canvas, nil) }
    var cursor = draw(screen, in: &canvas)
    for overlay in overlays where overlay.bottomBar == nil {
      canvas.removeTargets()
      cursor = overlay.draw(in: &canvas)
    }
    shown = canvas
    return (canvas, cursor)
  }

  private func draw(_ screen: Screen, in canvas: inout Canvas) -> Point? {
    let bar = overlays.lazy.compactMap(\.bottomBar).last
    let layout = ScreenLayout(canvas.size, barHeight: bar?.height)
    let cursor = canvas.within(layout.body) { screen.draw(in: &$0) }
    noteLock()
    let tint = screen.tintColor.map { canvas.theme.swatch($0) }
    TitleLine(path: screens.map(\.title), facts: screen.facts, style: tint)
      .draw(in: &canvas, y: 0)
    if let bar { return canvas.within(layout.bottom) { bar.draw(in: &$0) } }
    let status = statusLine(of: screen, canvas.signs)
    canvas.within(layout.bottom) { part in
      status.draw(in: &part, y: 0)
      guard layout.showsHints else { return }
      HintLine(commands(of: screen).map.hints(part.signs)).draw(in: &part, y: 1)
    }
    status.drawWhole(in: &canvas)
    return cursor
  }

  private func statusLine(of screen: Screen, _ signs: Signs) -> StatusLine {
    var line = message ?? StatusLine(lockLine ?? screen.status)
    let number = count.value.map { "\($0)   " } ?? ""
    line.message = signs.own(line.message)
    line.counters = signs.own(number + screen.counters)
    return line
  }
}
