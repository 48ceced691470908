import TerminalKit

extension App {
  /// The smallest screen that is drawn.
  private static let smallest = Size(width: 20, height: 4)

  /// Draws the current state on the terminal.
  func draw() {
    let picture = picture(terminal.size)
    terminal.show(
      picture.canvas.limited(to: session.options.settings.colors), cursor: picture.cursor)
    session.didShow()
  }

  /// Draws the screen and its overlays into a canvas.
  func picture(_ size: Size) -> (canvas: Canvas, cursor: Point?) {
    session.screenWidth = size.width
    var canvas = Canvas(size: size, look: session.look)
    guard size.width >= Self.smallest.width, size.height >= Self.smallest.height, let screen else {
      let text = ["Too small:", "20x4 needed"]
      for (y, line) in text.enumerated() { canvas.put(line, x: 0, y: y) }
      return (canvas, nil)
    }
    var cursor = draw(screen, in: &canvas)
    if showsFirstSteps, overlays.isEmpty { drawFirstSteps(in: &canvas) }
    for overlay in overlays where overlay.bottomBar == nil {
      canvas.removeTargets()
      cursor = overlay.draw(in: &canvas)
    }
    shown = canvas
    return (canvas, cursor)
  }

  private func draw(_ screen: any Screen, in canvas: inout Canvas) -> Point? {
    let bar = overlays.lazy.compactMap(\.bottomBar).last ?? screen.bottomBar
    let hintLines = canvas.height >= 8 ? 1 : 0
    let barHeight = min(bar?.height ?? (1 + hintLines), canvas.height - 2)
    let body = Rect(x: 0, y: 1, width: canvas.width, height: canvas.height - 1 - barHeight)
    canvas.within(body) { screen.drawBody(in: &$0) }
    screen.title.draw(in: &canvas, y: 0)
    let bottom = Rect(
      x: 0, y: canvas.height - barHeight, width: canvas.width, height: barHeight)
    let status = screen.status
    let cursor = canvas.within(bottom) { part -> Point? in
      if let bar { return bar.draw(in: &part) }
      drawStatus(status, in: &part)
      if hintLines > 0 {
        let hints = keys(of: screen).hints(
          for: screen.hintedActions, part.signs, isReadOnly: session.readOnlyReason != nil)
        HintLine(hints).draw(in: &part, y: 1)
      }
      return screen.hardwareCursor
    }
    if bar == nil { drawLongMessage(status: status, in: &canvas) }
    return cursor
  }

  private func drawStatus(_ status: ScreenStatus, in canvas: inout Canvas) {
    if let retry {
      retry.busyLine(now: clock()).draw(in: &canvas, y: 0, at: clock())
    } else if session.message == nil, let exportProgress {
      exportProgress.draw(in: &canvas, y: 0, at: clock())
    } else if session.message == nil, let busy = status.busy {
      busy.draw(in: &canvas, y: 0, at: clock())
    } else {
      let message = session.message ?? .done(status.text)
      var counters = status.counters
      if let number = count.value { counters = "\(number)   \(counters)" }
      StatusLine(
        canvas.signs.own(message.text), severity: message.severity,
        counters: canvas.signs.own(counters)
      )
      .draw(in: &canvas, y: 0)
    }
  }

  /// Milliseconds of a monotonic clock.
  func clock() -> Int { session.clock() }

  /// Milliseconds until the next redraw without an event; nil for never.
  var redrawDelay: Int? {
    let spinner = export == nil ? nil : BusyLine.frameDuration
    return [screen?.redrawDelay, retry?.delay(now: clock()), spinner].compactMap(\.self).min()
  }
}
