import Citation
import HTTPSemantics

// What records hold in memory, as bounds count it: estimates from above that cost little to make.

extension MessageRecord {
  /// Mutating, because to ask the whole is copied.
  package mutating func countHeld() -> Int {
    var sum = MemoryLayout<MessageRecord>.stride + (head?.block.heldBytes ?? 0) + (trailers?.heldBytes ?? 0)
    sum +=
      (earlierBursts.count + reached.count) * MemoryLayout<Milestone>.stride + stalls.count
      * MemoryLayout<StreamPause>.stride
    sum += (leniences.count + errors.count) * 256
    if isReadByItem { sum += 2 * MemoryLayout<ItemRecord>.stride }
    if isReadByPart { sum += 4 << 10 }
    return sum
  }
}

extension ExchangeRecord {
  package var heldBytes: Int {
    1_024 + (request?.heldBytes ?? 0) + (response?.heldBytes ?? 0) + interim.count * (3 << 10) + courseBytes
  }
}

extension ConnectionRecord {
  /// Beside itself.
  package var heldBytes: Int {
    sockets.count * 2 * MemoryLayout<WebSocketRecord>.stride + timeline.count * MemoryLayout<TimelineEntry>.stride
      + pauses.count * MemoryLayout<StreamPause>.stride + ($tls.isEmpty ? 0 : 4 << 10) + ($http2.isEmpty ? 0 : 4 << 10)
      + ($http2.isEmpty ? 0 : $http2.value.credit.courseBytes)
  }
}

extension BothDirections<CreditRecord> {
  var courseBytes: Int { (toServer.course?.heldBytes ?? 0) + (toClient.course?.heldBytes ?? 0) }
}

extension Item {
  package var heldBytes: Int { MemoryLayout<Item>.stride + preview.count + label.utf8.count + 32 }
}
