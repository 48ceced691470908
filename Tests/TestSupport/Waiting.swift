package import Testing

/// Waits until a condition holds, for a minute of the main actor's free time: a time limit would
/// count what the tests of other suites need.
///
/// If it does not hold by then, the test fails at the call.
@MainActor package func until(
  sourceLocation: SourceLocation = #_sourceLocation, _ condition: () throws -> Bool
) async throws {
  for _ in 0..<12_000 {
    if try condition() { return }
    try await Task.sleep(for: .milliseconds(5))
  }
  Issue.record("The condition did not hold in time.", sourceLocation: sourceLocation)
}
