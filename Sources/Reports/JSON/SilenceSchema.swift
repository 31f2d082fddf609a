import Citation
import Events

// Why streams were silent, in streamscope.result/1.

extension JSONWriter {
  /// `silence` and `stalls` of an exchange's `stream`, where its bodies were silent; both directions are added up.
  mutating func silence(_ exchange: ExchangeRecord, _ context: ResultContext) {
    // In a line even if empty: an object with one of many keys is taken for a map.
    if listsMaps, exchange.silence.isEmpty { array("silence") { _ in } } else { silence(exchange.silence) }
    let stalls = exchange.messages.flatMap(\.stalls).sorted {
      ($0.from.number, $0.to.number) < ($1.from.number, $1.to.number)
    }
    guard !stalls.isEmpty else { return }
    array("stalls") { list in
      for stall in stalls { list.object { $0.stall(stall, context) } }
    }
  }

  /// Nanoseconds by cause, the longest first; nothing where there was no silence.
  mutating func silence(_ sums: SilenceSums) {
    guard !sums.isEmpty else { return }
    map("silence", sums.causes.map { ($0.cause.name, $0.nanoseconds) })
  }

  /// Shares of the whole silence by cause, in thousandths.
  mutating func silenceShares(_ sums: SilenceSums) {
    guard !sums.isEmpty, sums.total > 0 else { return }
    map("silence", sums.causes.map { ($0.cause.name, $0.nanoseconds / max(1, sums.total / 1_000)) }, scale: 3)
  }

  private mutating func stall(_ stall: StreamPause, _ context: ResultContext) {
    field("cause", stall.cause.name)
    field("direction", stall.direction.name)
    field("ns", context.relative(stall.from.time))
    field("durationNs", stall.nanoseconds)
    field("firstPacket", stall.from.number)
    field("lastPacket", stall.to.number)
    field("confidence", stall.confidence.name)
    field("resent", stall.resent.map { String(describing: $0) })
    array("proof") { list in for packet in stall.proof { list.value(packet.number) } }
  }
}
