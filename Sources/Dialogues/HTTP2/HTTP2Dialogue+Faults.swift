import Citation
import Events
import HTTP2
import HTTP2Semantics
import HTTPSemantics

// What only both directions together show to be wrong. Nothing is said of a connection whose beginning or middle is
// missing: what was not seen may explain it.
extension HTTP2Dialogue {
  private static let largestWindow = Int64(Int32.max)

  /// Looks at a frame before it has its effect.
  @inline(__always)
  mutating func judge(_ frame: HTTP2Frame, _ direction: Direction, into events: inout [Event]) {
    guard isWhole else { return }
    if frame.stream == 0 {
      judgeConnection(frame, direction, into: &events)
    } else {
      judgeStream(frame, direction, into: &events)
    }
  }

  private mutating func tell(
    _ kind: HTTP2Fault.Kind, _ frame: HTTP2Frame, _ direction: Direction, value: Int64 = 0, limit: Int64 = 0,
    into events: inout [Event]
  ) {
    let key = table.index(of: frame.stream).map { table.streams[$0].exchange.key }
    let fault = HTTP2Fault(kind, frame, value: UInt64(clamping: value), limit: UInt64(clamping: limit))
    suspect(fault, direction, key, into: &events)
  }

  // MARK: Streams

  private mutating func judgeStream(_ frame: HTTP2Frame, _ direction: Direction, into events: inout [Event]) {
    // Those of the connection have no stream, whatever they say; a block's second frame is judged with its first.
    switch frame.type {
    case .data, .headers, .reset, .windowUpdate: break
    case .pushPromise: return judgePromise(frame, direction, into: &events)
    default: return
    }
    guard let at = table.index(of: frame.stream) else {
      return judgeUnopened(frame, direction, into: &events)
    }
    let isMessage = frame.type == .data || frame.type == .headers
    let isRequest = isRequest(direction)
    if isMessage, let flaw = table.streams[at].flaw(of: frame, direction, isRequest: isRequest) {
      tell(flaw, frame, direction, into: &events)
    }
    switch frame.payload {
    case .data: spend(frame, at, direction, into: &events)
    case .windowUpdate(let increment):
      giveCredit(Int64(increment), at, direction.opposite, by: frame.released)
      sides[direction].record.note(credit: increment, in: frame.released)
      let window = table.streams[at].widenWindow(increment, direction.opposite)
      if window > Self.largestWindow { tell(.windowOverflow, frame, direction, value: window, into: &events) }
    default: break
    }
  }

  /// Of a stream that is over, or that nobody opened, unless this opens it.
  private mutating func judgeUnopened(_ frame: HTTP2Frame, _ direction: Direction, into events: inout [Event]) {
    if let ends = table.ends(of: frame.stream) {
      if frame.type == .data {
        useCredit(frame, nil, direction)
        spendConnection(frame, direction, into: &events)
      }
      if frame.type == .data || frame.type == .headers, ends[direction] {
        tell(.afterEnd, frame, direction, into: &events)
      }
      return
    }
    guard !table.wasClosed(frame.stream) else { return }
    guard frame.type == .headers, isRequest(direction) else {
      // An upgrade opened the first one.
      if frame.stream == 1, mayFollowUpgrade { return }
      if frame.type == .data { spendConnection(frame, direction, into: &events) }
      return tell(.streamIdle, frame, direction, into: &events)
    }
    let highest = sides.read(direction) { $0.highest }
    if frame.stream % 2 == 0 || frame.stream <= highest {
      tell(.streamNumber, frame, direction, limit: Int64(highest), into: &events)
    }
    sides[direction].highest = max(highest, frame.stream)
    if let limit = sides.read(direction, { $0.streamLimit }), table.count >= Int(limit) {
      let open = table.requests
      if open >= Int(limit) {
        tell(.tooManyStreams, frame, direction, value: Int64(open) + 1, limit: Int64(limit), into: &events)
      }
    }
  }

  private mutating func judgePromise(_ frame: HTTP2Frame, _ direction: Direction, into events: inout [Event]) {
    if isRequest(direction) || !sides[direction].mayPush { tell(.pushForbidden, frame, direction, into: &events) }
    guard case .pushPromise(let promised) = frame.payload, !isRequest(direction) else { return }
    if promised % 2 == 1 || promised <= sides[direction].highest {
      tell(.streamNumber, frame, direction, limit: Int64(sides[direction].highest), into: &events)
    }
    sides[direction].highest = max(sides[direction].highest, promised)
  }

  /// Fields that come behind their sender's end of the stream.
  func judge(_ fields: HeaderBlock, _ block: HTTP2Block, _ direction: Direction, into events: inout [Event]) {
    guard isWhole, block.promised == nil else { return }
    var key: ExchangeKey?
    if let at = table.index(of: block.stream) {
      guard table.streams[at].sentEnds[direction] else { return }
      key = table.streams[at].exchange.key
    } else {
      guard let ends = table.ends(of: block.stream), ends[direction] else { return }
    }
    guard fields.fields.contains(where: { fields.isPseudo($0) }) else { return }
    events.append(.http2Fault(HTTP2Fault(.pseudoAfterEnd, block.frame), direction, key))
  }

  // MARK: Credit

  private mutating func spend(_ frame: HTTP2Frame, _ at: Int, _ direction: Direction, into events: inout [Event]) {
    useCredit(frame, at, direction)
    let left = table.streams[at].spendWindow(frame.length, direction)
    if Int64(frame.length) > max(0, left), frame.length > 0 {
      spendConnection(frame, direction, tells: false, into: &events)
      return tell(.windowExceeded, frame, direction, value: Int64(frame.length), limit: left, into: &events)
    }
    spendConnection(frame, direction, into: &events)
  }

  private mutating func spendConnection(
    _ frame: HTTP2Frame, _ direction: Direction, tells: Bool = true, into events: inout [Event]
  ) {
    let left = sides.read(direction) { $0.window }
    sides[direction].window = left - Int64(frame.length)
    if tells, frame.length > 0, Int64(frame.length) > max(0, left) {
      tell(.windowExceeded, frame, direction, value: Int64(frame.length), limit: left, into: &events)
    }
  }

  // MARK: The connection

  private mutating func judgeConnection(_ frame: HTTP2Frame, _ direction: Direction, into events: inout [Event]) {
    switch frame.payload {
    case .windowUpdate(let increment):
      giveCredit(Int64(increment), nil, direction.opposite, by: frame.released)
      sides[direction].record.note(credit: increment, in: frame.released)
      let window = sides.read(direction.opposite) { $0.window } + Int64(increment)
      sides[direction.opposite].window = window
      if window > Self.largestWindow { tell(.windowOverflow, frame, direction, value: window, into: &events) }
    case .ping(let value):
      if !frame.isAcknowledgement {
        sides[direction].ping(value, in: frame.released)
        notePing(frame.released, direction)
      } else if !sides[direction.opposite].answerPing(value, in: frame.released) {
        tell(.pingUnasked, frame, direction, into: &events)
      }
    case .settings(let settings) where !frame.isAcknowledgement:
      for setting in settings { judge(setting, frame, direction, into: &events) }
    default: break
    }
  }

  private mutating func notePing(_ packet: PacketRef, _ direction: Direction) {
    let traffic = sides.toServer.record.traffic &+ sides.toClient.record.traffic
    sides[direction].record.notePing(packet, traffic: traffic)
  }

  private mutating func judge(
    _ setting: HTTP2Setting, _ frame: HTTP2Frame, _ direction: Direction, into events: inout [Event]
  ) {
    let isGood =
      switch setting.id {
      case HTTP2Setting.enablePush: setting.value == 0 || setting.value == 1 && isRequest(direction)
      case HTTP2Setting.initialWindowSize: setting.value <= UInt32(Int32.max)
      case HTTP2Setting.maxFrameSize: 16_384...16_777_215 ~= setting.value
      case HTTP2Setting.enableConnectProtocol: setting.value <= 1
      default: true
      }
    if !isGood {
      tell(.settingValue, frame, direction, value: Int64(setting.value), limit: Int64(setting.id), into: &events)
    } else if setting.id == HTTP2Setting.initialWindowSize {
      // What is open already may get more than there can be.
      let difference = Int64(setting.value) - sides[direction.opposite].initialWindow
      let most = difference > 0 ? table.inOrder.map { table.streams[$0].windows[direction.opposite] }.max() : nil
      if let most, most + difference > Self.largestWindow {
        tell(.windowOverflow, frame, direction, value: most + difference, into: &events)
      }
    }
  }
}

extension HTTP2Block {
  /// As one frame of HEADERS, for what is told of all of it.
  var frame: HTTP2Frame {
    HTTP2Frame(
      type: .headers, flags: endsStream ? 5 : 4, stream: stream, length: UInt32(clamping: bytes.count), span: span,
      released: released)
  }
}
