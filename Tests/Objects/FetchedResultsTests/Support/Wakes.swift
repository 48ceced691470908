/// The wakes of a background fetch, to be awaited one by one.
struct Wakes: Sendable {
  private let stream: AsyncStream<Void>
  let wake: @Sendable () -> Void

  init() {
    let (stream, continuation) = AsyncStream<Void>.makeStream()
    self.stream = stream
    wake = { continuation.yield() }
  }

  func next() async {
    for await _ in stream { return }
  }
}
