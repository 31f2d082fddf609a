import Citation
import Events
import HTTPSemantics

/// An exchange that ended in a silence.
struct SilentCut: Sendable {
  var silence: Int64
  var phase: KnownTimeout.Phase
  var close: KnownTimeout.Close
  var side: Direction
  var last: Evidence
  var end: Evidence
  /// The bytes still to come were those of this direction.
  var direction: Direction
  /// The end of its body is the end of the connection: nothing shows that more was to come.
  var isUnsure = false
}

extension SilentCut {
  /// One side ended the connection under it.
  init?(broken exchange: ExchangeRecord, _ context: FlowContext) {
    let closing = context.closing(of: exchange)
    // Of a stream that had begun before the capture there is no request; its silence is here.
    let request = exchange.request
    guard let side = closing.by, let end = closing.at, let last = closing.silentSince, !closing.answersUnseen,
      end.number > last.number, request?.isWhollyCaptured ?? exchange.isJoined, !exchange.isResponseMissing,
      let direction = request?.direction ?? exchange.response?.direction.opposite,
      exchange.response.map({ (!$0.isComplete || $0.isEnded(after: end, of: side)) && $0.isWhollyCaptured })
        ?? (exchange.end.cut != nil) || exchange.isStreamClosed(by: side, after: end.time.since(last.time))
    else { return nil }
    let isReset: Bool
    switch exchange.response?.incomplete?.cause ?? exchange.end.cut.map(Incomplete.Cause.init) {
    case .fin: isReset = false
    case nil where exchange.response != nil: isReset = closing.isReset
    case .reset: isReset = true
    default: return nil
    }
    let phase: KnownTimeout.Phase =
      exchange.response != nil ? .response : request?.isComplete == true ? .wait : .upload
    let silent = phase == .upload ? direction : direction.opposite
    self.init(
      silence: end.time.since(last.time), phase: phase, close: isReset ? .reset : .fin, side: side,
      last: Evidence(.packet(last, nil), "the last bytes of the stream, either way"),
      end: Evidence(.packet(end, side), "\(context.endWords(isReset: isReset)) of \(Wording.sender(side))"),
      direction: silent,
      isUnsure: exchange.response.map { $0.isComplete && $0.framing == .close && side == $0.direction } ?? false)
  }
}

extension ExchangeRecord {
  private static let leastItems: UInt64 = 3

  /// A stream without lengths that stopped, and was closed when a timer may have run out: a server that has come to the
  /// end of it closes at once.
  fileprivate func isStreamClosed(by side: Direction, after silence: Int64) -> Bool {
    guard let response, response.framing == .close, side == response.direction, response.isReadByItem, answer == nil,
      let stream = response.stream, stream.items >= Self.leastItems, RoundSilence.seconds(silence) != nil
    else { return false }
    return silence / 3 >= stream.gaps.maximum ?? 0
  }
}

extension Message {
  /// Its receiver had left before its last packet: a server that notices that ends its stream in good order, and no reader is left.
  fileprivate func isEnded(after end: PacketRef, of side: Direction) -> Bool {
    isComplete && side != direction && end.number < last.number
  }
}

extension Incomplete.Cause {
  fileprivate init(_ end: DirectionEnd) {
    switch end {
    case .fin: self = .fin
    case .reset: self = .reset
    case .evicted: self = .evicted
    case .captureEnded: self = .captureEnded
    }
  }
}
