import Citation
import Events

// Data of live captures only, inside objects that the caller opened.
extension JSONWriter {
  mutating func loss(_ loss: CaptureLoss, _ context: ResultContext) {
    field("packets", loss.packets)
    field("firstPacket", loss.after.number)
    field("lastPacket", loss.before.number)
    field("startNs", context.relative(loss.after.number == 0 ? context.origin : loss.after.time))
    field("endNs", context.relative(loss.before.time))
    field("reason", loss.words)
  }

  mutating func stall(_ stall: StreamStall, _ context: ResultContext) {
    let stream = stall.stream
    field("connection", stream.key.connection)
    field("exchange", nonzero: UInt64(stream.key.number))
    field("direction", stream.direction.name)
    field("kind", stream.kind)
    if !stream.title.isEmpty { field("title", stream.title) }
    field("ns", context.relative(stream.last.time.advanced(by: stall.nanoseconds)))
    field("silentNs", stall.nanoseconds)
    field("packet", stream.last.number)
    field("bytes", stream.bytes)
    if let cause = stream.cause { field("cause", cause.name) }
  }
}
