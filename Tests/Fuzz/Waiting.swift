import Dispatch

/// What the engine answers, for a fuzzer that waits for it; that it fails is a fault.
func wait<Answer: Sendable>(for body: @escaping @Sendable () async throws -> Answer) -> Answer {
  let done = DispatchSemaphore(value: 0)
  let kept = Kept<Answer>()
  Task.detached {
    do { kept.answer = try await body() } catch { fatalError("\(error)") }
    done.signal()
  }
  done.wait()
  guard let answer = kept.answer else { fatalError("no answer") }
  return answer
}

/// Written before the semaphore is raised, and read behind it.
private final class Kept<Answer>: @unchecked Sendable {
  var answer: Answer?
}
