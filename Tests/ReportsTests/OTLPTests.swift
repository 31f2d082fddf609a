import Citation
import Engine
import Events
import RunSupport
import Support
import Testing

@testable import Reports

@Suite("OTLP")
struct OTLPTests {
  private static let trace = "0af7651916cd43dd8448eb211c80319c"
  private static let span = "b7ad6b7169203331"

  @Test("A valid traceparent names trace, parent and flags.")
  func parent() throws {
    let parent = try #require(TraceContext.Parent("00-\(Self.trace)-\(Self.span)-01"))
    #expect(parent.trace == Self.trace && parent.span == Self.span && parent.flags == 1)
    #expect(TraceContext.Parent("cc-\(Self.trace)-\(Self.span)-ff-more")?.flags == 255)
  }

  @Test(
    "An invalid one does not.",
    arguments: [
      "", "00-\(trace)-\(span)", "00-\(trace)-\(span)-01-more", "00-\(trace)-\(span)-01 ", "ff-\(trace)-\(span)-01",
      "00-\(trace.uppercased())-\(span)-01", "00-00000000000000000000000000000000-\(span)-01",
      "00-\(trace)-0000000000000000-01", "00-\(trace)+\(span)-01", "00-\(trace)-\(span)-0g",
      "cc-\(trace)-\(span)-01more",
      "00-\(trace.dropLast())é\(span)-01-",
    ])
  func invalid(_ value: String) {
    #expect(TraceContext.Parent(value) == nil)
  }

  @Test("Without one both identifiers follow from the uid.")
  func derived() {
    let context = TraceContext(uid: "a-1-1", parent: nil)
    #expect(context.trace.utf8.count == 32 && context.span.utf8.count == 16)
    #expect(context == TraceContext(uid: "a-1-1", parent: nil))
    let other = TraceContext(uid: "a-1-2", parent: nil)
    #expect(context.trace != other.trace && context.span != other.span)
    #expect(!context.trace.hasPrefix(context.span))
  }

  @Test("Of too many events findings stay first, then the first byte, then the longest stalls.")
  func events() throws {
    let at = { (number: Int) in PacketRef(number: UInt64(number), time: Timestamp(nanoseconds: Int64(number) * 1_000)) }
    // Each stall longer than the one before, and the rest behind them.
    var events = (1...200).map { number in
      SpanEvent(
        .stall(StreamPause(.senderIdle, .toClient, from: at(number), to: at(2 * number))), at: at(number))
    }
    events.append(SpanEvent(.firstByte, at: at(500)))
    let (kept, dropped) = SpanEvent.kept(events)
    #expect(kept.count == SpanEvent.limit && dropped == 201 - SpanEvent.limit)
    #expect(kept.map(\.packet.number) == (74...200).map(UInt64.init) + [500])
    #expect(SpanEvent.kept([]).events.isEmpty)
  }

  @Test("Nothing but lines, each of one signal; of an empty capture none.", arguments: ["none", "several", "troubled"])
  func lines(_ name: String) async throws {
    let run = try await SampleRuns.run(name)
    let text = try run.report(OTLPReporter(Redaction(isOn: true, salt: [1])), file: "\(name).pcap")
    #expect(text.isEmpty == (name == "none"))
    let lines = text.split(separator: "\n")
    #expect(lines.allSatisfy { $0.hasPrefix("{\"resource") && $0.hasSuffix("}") })
    let records = lines.reduce(0) { $0 + $1.components(of: "\"eventName\":\"streamscope.finding\"") }
    #expect(records == run.findings.count)
  }
}

extension Substring {
  fileprivate func components(of words: String) -> Int { ranges(of: words).count }
}
