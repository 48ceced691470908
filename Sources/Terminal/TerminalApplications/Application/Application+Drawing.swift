package import TerminalKit

extension Application {
  /// Draws the current state on the terminal.
  package func draw() {
    let picture = picture(terminal.size)
    terminal.show(picture.canvas.limited(to: colorLimit), cursor: picture.cursor)
    didDraw()
  }

  /// Draws the screen and its overlays into a canvas.
  package func picture(_ size: Size) -> (canvas: Canvas, cursor: Point?) {
    self.size = size
    var canvas = Canvas(size: size, look: look)
    guard ScreenLayout.fits(in: &canvas), let screen else { return (canvas, nil) }
    var cursor = draw(screen, in: &canvas)
    if overlays.isEmpty { drawOverScreen(in: &canvas) }
    for overlay in overlays where overlay.bottomBar == nil {
      canvas.removeTargets()
      cursor = overlay.draw(in: &canvas)
    }
    shown = canvas
    return (canvas, cursor)
  }

  private func draw(_ screen: Screen, in canvas: inout Canvas) -> Point? {
    let bar = overlays.lazy.compactMap(\.bottomBar).last ?? screen.bottomBar
    let layout = ScreenLayout(canvas.size, barHeight: bar?.height)
    let cursor = canvas.within(layout.body) { screen.draw(in: &$0) }
    noteLock()
    let tint = screen.tintColor.map { canvas.theme.swatch($0) }
    TitleLine(path: screen.path, facts: screen.facts, style: tint).draw(in: &canvas, y: 0)
    if let bar {
      // A long note covers the screen above; what is there does not move.
      let top = max(layout.bottom.minY - bar.additionalHeight(in: canvas), 1)
      let rect = Rect(x: 0, y: top, width: canvas.width, height: canvas.height - top)
      return canvas.within(rect) { bar.draw(in: &$0) }
    }
    canvas.within(layout.bottom) { part in
      drawStatus(of: screen, in: &part)
      guard layout.showsHints else { return }
      HintLine(screen.modeHints ?? commands(of: screen).hints(part.signs)).draw(in: &part, y: 1)
    }
    // A message that needs more than the status line covers the hints, and rows of a small screen.
    if let message, lockLine == nil, busy == nil {
      StatusLine(
        canvas.signs.own(message.text), severity: message.severity,
        counters: canvas.signs.own(screen.counters)
      ).drawWhole(in: &canvas, more: canvas.signs.own(longMessageNote))
    }
    return cursor
  }

  private func drawStatus(of screen: Screen, in canvas: inout Canvas) {
    if let lockLine {
      BusyLine.draw(canvas.signs.own(lockLine), in: &canvas, y: 0, at: clock())
    } else if message == nil, let busy = busy ?? screen.busy {
      busy.draw(in: &canvas, y: 0, at: clock())
    } else {
      let message = message ?? .done(screen.status)
      let number = count.value.map { "\($0)   " } ?? ""
      StatusLine(
        canvas.signs.own(message.text), severity: message.severity,
        counters: canvas.signs.own(number + screen.counters)
      ).draw(in: &canvas, y: 0)
    }
  }
}
