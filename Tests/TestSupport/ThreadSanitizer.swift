import Foundation
package import Testing

package enum ThreadSanitizer {
  /// Whether the tests run under it: its own memory is a large file, and everything takes longer.
  package static let isOn = dlsym(nil, "__tsan_init") != nil
}

extension Trait where Self == TimeLimitTrait {
  /// A test that still runs after some minutes hangs and is ended; under the sanitizer, where the
  /// time that other tests take counts for more, after ten times as many.
  package static func hangs(afterMinutes minutes: Int) -> Self {
    .timeLimit(.minutes(ThreadSanitizer.isOn ? 10 * minutes : minutes))
  }
}
