/// Keeps the state of a store between runs: the program in a file, tests in memory.
///
/// Neither call throws: what cannot be kept must never stop the program.
package protocol StateKeeping: AnyObject {
  /// The state as it was kept; an empty one if there is none or it cannot be read.
  func load() -> StoreState
  /// Reads the state anew, changes it and keeps it; the new one replaces the old one at once.
  func update(_ change: (inout StoreState) -> Void)
  /// What went wrong since the last call, as one sentence with a remedy, told once; nil for nothing.
  func takeProblem() -> String?
}
