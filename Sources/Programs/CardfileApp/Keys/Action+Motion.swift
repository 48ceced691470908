import TerminalKit

extension Action {
  /// The motion of an action with the number that was typed before it; nil for what is no motion.
  func motion(count: Int?) -> TableMotion? {
    let times = count ?? 1
    switch self {
    case .rowDown: return .down(times)
    case .rowUp: return .up(times)
    case .cellLeft: return .left(times)
    case .cellRight: return .right(times)
    case .halfPageDown: return .halfPageDown(times)
    case .halfPageUp: return .halfPageUp(times)
    case .pageDown: return .pageDown(times)
    case .pageUp: return .pageUp(times)
    case .first: return count.map { .row($0) } ?? .first
    case .last: return count.map { .row($0) } ?? .last
    case .percent: return .percent(count ?? 50)
    case .nextSection: return .nextSection(times)
    case .previousSection: return .previousSection(times)
    case .screenTop: return .screenTop
    case .screenMiddle: return .screenMiddle
    case .screenBottom: return .screenBottom
    default: return nil
    }
  }
}
