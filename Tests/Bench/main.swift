// Bench measures each stage of the path of a byte on a capture, and the hot helpers by themselves.
//
//   swift run -c release Bench FILE [RUNS]
//
// Every stage contains those before it, because none can run without them; "own" is what it adds. Of several runs the
// fastest counts: whatever else the machine does only ever adds time. Allocations are those of that run, from the
// opening of the file on. Peak memory is the highest of the process so far.
import Platform

await Bench.main()

enum Bench {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    guard let file = arguments.first, !file.hasPrefix("-") else {
      print("usage: swift run -c release Bench FILE [RUNS]")
      Program.exit(2)
    }
    let runs = max(1, arguments.dropFirst().first.flatMap { Int($0) } ?? 3)
    do {
      try await Stages(file: file, runs: runs).measure()
    } catch {
      print("bench: \(error)")
      Program.exit(2)
    }
    await Helpers(runs: runs).measure()
  }
}
