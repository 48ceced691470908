extension TableMotion {
  /// The motion of a key in every list over the screen (menu, help, panel, text); nil for others.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - isTyping: Whether letters are typed into the list's filter, so that they do not move.
  package init?(_ key: Key, isTyping: Bool = false) {
    switch key {
    case .down, .control("n"): self = .down(1)
    case .up, .control("p"): self = .up(1)
    case .pageDown, .control("f"): self = .pageDown(1)
    case .pageUp, .control("b"): self = .pageUp(1)
    case .control("d"): self = .halfPageDown(1)
    case .control("u"): self = .halfPageUp(1)
    case .home: self = .first
    case .end: self = .last
    case .character("j") where !isTyping: self = .down(1)
    case .character("k") where !isTyping: self = .up(1)
    case .character("g") where !isTyping: self = .first
    case .character("G") where !isTyping: self = .last
    default: return nil
    }
  }
}
