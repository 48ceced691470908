import TerminalKit

extension App {
  /// Draws the current state on the terminal.
  package func draw() {
    let picture = picture(terminal.size)
    terminal.show(
      picture.canvas.limited(to: session.options.settings.colors), cursor: picture.cursor)
    session.didShow()
  }

  /// Draws the screen and its overlays into a canvas.
  func picture(_ size: Size) -> (canvas: Canvas, cursor: Point?) {
    session.screenWidth = size.width
    var canvas = Canvas(size: size, look: session.look)
    guard ScreenLayout.fits(in: &canvas), let screen else { return (canvas, nil) }
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
    let layout = ScreenLayout(canvas.size, barHeight: bar?.height)
    canvas.within(layout.body) { screen.drawBody(in: &$0) }
    noteLock()
    screen.title.draw(in: &canvas, y: 0)
    let status = screen.status
    let cursor = canvas.within(layout.bottom) { part -> Point? in
      if let bar { return bar.draw(in: &part) }
      drawStatus(status, in: &part)
      if layout.showsHints {
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
    if let lockLine {
      BusyLine.draw(canvas.signs.own(lockLine), in: &canvas, y: 0, at: clock())
    } else if session.message == nil, let busy = session.jobs.busyLine {
      busy.draw(in: &canvas, y: 0, at: clock())
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
  package var redrawDelay: Int? {
    let spinner = session.jobs.isRunning ? BusyLine.frameDuration : nil
    let now = clock()
    let delays = [
      screen?.redrawDelay, retry?.patience.delay(now: now), session.lock?.delay(now: now), spinner,
    ]
    return delays.compactMap(\.self).min()
  }
}
