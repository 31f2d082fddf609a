import Citation
import Events
import Foundation
import Testing

@testable import App

@Suite("Live captures")
struct LiveTests {
  @Test(
    "What cannot be meant is refused before anything is captured.",
    arguments: [
      (["-b", "filesize:100"], "-b needs a file: -w FILE"),
      (["-b", "files:3", "-w", "x"], "-b files needs a limit for each file; add -b filesize:KB"),
      (["-a", "files:3", "-w", "x"], "-a files needs a limit for each file; add -b filesize:KB"),
      (["-a", "filesize:3"], "-a filesize and -a files need -w FILE"),
      (
        ["-a", "durations:3"], "-a takes duration:S, filesize:KB, packets:N or files:N, not 'durations:3'; did you mean"
      ),
      (["-a", "duration:0"], "-a takes duration:S"), (["-a", "duration"], "-a takes duration:S"),
      (["-a", "duration:99999999999999"], "too long"), (["-b", "filesize:9999999999999999", "-w", "x"], "too large"),
      (["-w", "-"], "-w needs a file: standard output is for the report"),
      (["-f", "tcp", "udp"], "the filter is given twice: -f, and 'udp'"), (["-c", "0"], "-c needs a positive number"),
      (["-s", "262145"], "-s needs a number of bytes up to 262144"), (["-B", "2G"], "-B needs a size from 64K to 1G"),
      (["-B", "4096"], "a plain number is MiB"), (["--ready-fd", "-3"], "--ready-fd needs the number"),
      (["--stall", "soon"], "--stall needs a time"), (["--stall", "0"], "--stall needs a time"),
      (["--rotate-size", "1M"], "--rotate-size, --rotate-age and --rotate-keep need -o ndjson=FILE"),
      (["--rotate-keep", "3", "-o", "ndjson=x"], "--rotate-keep needs a limit for each file; add --rotate-size 100M"),
      (["--rotate-size", "1K", "-o", "ndjson=x"], "--rotate-size needs a size of at least 64K"),
      (["--rotate-keep", "0"], "--rotate-keep needs a number from 1 to 10000"),
      (["--rotate-age", "soon"], "--rotate-age needs a time"),
      (["-o", "text", "-o", "json"], "two formats cannot share standard output"),
    ])
  func refused(arguments: [String], message: String) async {
    let run = await ProgramRun(["live"] + arguments)
    #expect(run.code == .failure)
    #expect(run.errors.contains(message))
    #expect(run.errors.split(separator: "\n").count == 1)
    #expect(run.output.isEmpty)
  }

  @Test("Words of tcpdump and tshark are understood.")
  func words() throws {
    var options = AnalyzeOptions()
    let rest = try LiveCommand.command.parse(
      [
        "-i", "eth0", "-s0", "-B", "512K", "-p", "-c", "7", "-a", "duration:60", "-a", "filesize:5", "-w", "a.pcapng",
        "-b", "duration:10", "-b", "packets:9", "-b", "files:3", "-a", "files:4", "-Z", "me", "tcp", "port", "80",
      ], into: &options)
    let live = options.live
    #expect(rest == ["tcp", "port", "80"])
    #expect(live.device == "eth0" && live.snapLength == 262_144 && live.bufferBytes == 512 << 10 && !live.isPromiscuous)
    #expect(live.packetLimit == 7 && live.duration == 60_000_000_000 && live.byteLimit == 5_000)
    #expect(live.next.nanoseconds == 10_000_000_000 && live.next.packets == 9 && live.next.bytes == nil)
    #expect(live.filesKept == 3 && live.fileLimit == 4 && live.user == "me")
    #expect(try LiveOptions.buffer("3") == 3 << 20)
  }

  @Test("Devices are listed, for programs, too.")
  func devices() async throws {
    let text = await ProgramRun("live", "-D")
    #expect(text.code == .success)
    #expect(text.output.split(separator: "\n").contains { $0.hasPrefix("lo ") && $0.contains("loopback") })
    let run = await ProgramRun("live", "-D", "--json")
    let list = try #require(try run.document() as? [[String: Any]])
    let loopback = try #require(list.first { $0["name"] as? String == "lo" })
    #expect(loopback["loopback"] as? Bool == true)
    #expect(loopback["addresses"] as? [String] != nil)
  }

  @Test("Who cannot capture, or names what is not there, is reported in one line.")
  func missing() async {
    let run = await ProgramRun("live", "-i", "nosuch9")
    #expect(run.code == .failure)
    #expect(
      run.errors.hasPrefix("streamscope: nosuch9: no such device") || run.errors.contains("setcap")
        || run.errors.contains("--cap-add"))
    #expect(run.errors.split(separator: "\n").count == 1)
  }

  @Test("The files that are written name the folders that stay writable.")
  func folders() {
    var options = AnalyzeOptions()
    options.outputs = [
      OutputRequest(format: .json, file: "a.json"), OutputRequest(format: .text),
      OutputRequest(format: .json, file: "/b.json"),
    ]
    options.live.write = "/nosuch/x/c.pcapng"
    options.live.readyFile = "/nosuch/x/ready"
    let console = Console(output: .memory(), errors: .memory())
    #expect(OutputFolders.of(options, console) == [".", "/", "/nosuch/x"])
  }

  @Test("A stall is reported once, and again when there was something in between; a silent WebSocket is none.")
  func stalls() {
    var watch = StallWatch(threshold: 1_000)
    let at = { (time: Int64) in Timestamp(nanoseconds: time) }
    let stream = { (last: Int64, isBody: Bool) in
      let packet = PacketRef(number: UInt64(last), time: at(last))
      let end = Endpoint(address: IPAddress(v4: 1), port: 1)
      return OpenStream(
        flow: FlowID(firstPacket: 1), key: ExchangeKey(number: 1), client: end, server: end, direction: .toClient,
        kind: "", title: "",
        isBody: isBody, first: packet, last: packet, bytes: 1)
    }
    #expect(watch.stalls(among: [stream(100, true)], at: at(1_099)).isEmpty)
    #expect(watch.stalls(among: [stream(100, false)], at: at(9_000)).isEmpty)
    #expect(watch.stalls(among: [stream(100, true)], at: at(1_100)).map(\.nanoseconds) == [1_000])
    #expect(watch.stalls(among: [stream(100, true)], at: at(5_000)).isEmpty)
    #expect(watch.stalls(among: [stream(5_000, true)], at: at(5_500)).isEmpty)
    #expect(watch.stalls(among: [stream(5_000, true)], at: at(6_100)).count == 1)
    #expect(watch.stalls(among: [], at: at(6_200)).isEmpty)
  }
}
