import ListProviders
import TerminalKit

extension TextPager: ValueView {
  mutating func move(_ action: Action, count: Int?) {
    if let motion = action.motion(count: count) { move(motion) }
  }
}
