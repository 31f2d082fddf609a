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
      if frame.type == .data, table.ends(of: frame.stream) != nil {
        // Too short for the padding that it announces.
        sides[direction].record.noteData(of: frame.length, endsStream: frame.endsStream, in: frame.released)
      }
      return judgeUnopened(frame, direction, into: &events)
    }
    let isMessage = frame.type == .data || frame.type == .headers
    let isRequest = isRequest(direction)
    if isMessage, let flaw = table.streams[at].flaw(of: frame.type, direction, isRequest: isRequest) {
      tell(flaw, frame, direction, into: &events)
    }
    guard case .windowUpdate(let increment) = frame.payload else { return }
    giveCredit(Int64(increment), at, direction.opposite, by: frame.released)
    sides[direction].record.note(credit: increment, in: frame.released)
    let window = table.streams[at].widenWindow(increment, direction.opposite)
    if window > Self.largestWindow { tell(.windowOverflow, frame, direction, value: window, into: &events) }
  }

  /// The same of DATA, on a connection of which nothing is missing.
  mutating func judge(_ data: HTTP2DataFrame, _ direction: Direction, into events: inout [Event]) {
    // A frame of the connection is none of DATA, whatever it says.
    guard data.stream > 0 else { return }
    guard let at = table.index(of: data.stream) else { return judgeUnopened(data, direction, into: &events) }
    let isRequest = isRequest(direction)
    if let flaw = table.streams[at].flaw(of: .data, direction, isRequest: isRequest) {
      tell(flaw, data.frame, direction, into: &events)
    }
    useCredit(data, at, direction)
    let left = table.streams[at].spendWindow(data.length, direction)
    let isExceeded = Int64(data.length) > max(0, left) && data.length > 0
    spendConnection(data, direction, tells: !isExceeded, into: &events)
    guard isExceeded else { return }
    tell(.windowExceeded, data.frame, direction, value: Int64(data.length), limit: left, into: &events)
  }

  @inline(never)
  private mutating func judgeUnopened(_ data: HTTP2DataFrame, _ direction: Direction, into events: inout [Event]) {
    if table.ends(of: data.stream) != nil {
      useCredit(data, nil, direction)
      spendConnection(data, direction, into: &events)
    } else if !table.wasClosed(data.stream), data.stream != 1 || !mayFollowUpgrade {
      spendConnection(data, direction, into: &events)
    }
    judgeUnopened(data.frame, direction, into: &events)
  }

  /// Of a stream that is over, or that nobody opened, unless this opens it.
  private mutating func judgeUnopened(_ frame: HTTP2Frame, _ direction: Direction, into events: inout [Event]) {
    if let ends = table.ends(of: frame.stream) {
      if frame.type == .data || frame.type == .headers, ends[direction] {
        tell(.afterEnd, frame, direction, into: &events)
      }
      return
    }
    guard !table.wasClosed(frame.stream) else { return }
    guard frame.type == .headers, isRequest(direction) else {
      // An upgrade opened the first one.
      if frame.stream == 1, mayFollowUpgrade { return }
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

  @inline(__always)
  private mutating func spendConnection(
    _ data: HTTP2DataFrame, _ direction: Direction, tells: Bool = true, into events: inout [Event]
  ) {
    let left = sides[direction].spendWindow(data.length)
    if tells, data.length > 0, Int64(data.length) > max(0, left) {
      tell(.windowExceeded, data.frame, direction, value: Int64(data.length), limit: left, into: &events)
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
      var most: Int64?
      if difference > 0 {
        for at in table.inOrder { most = max(most ?? .min, table.streams[at].window(direction.opposite)) }
      }
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
