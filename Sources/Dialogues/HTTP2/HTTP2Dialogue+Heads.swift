import Citation
import Events
import HPACK
import HTTP2
import HTTP2Semantics
import HTTPSemantics

// Header blocks: whose they are, and the streams that they open.
extension HTTP2Dialogue {
  mutating func take(_ block: HTTP2Block, _ direction: Direction, into events: inout [Event]) {
    guard block.isWhole else {
      sides[direction].decoder.lose()
      return takeUnreadable(block, direction, into: &events)
    }
    let wasKnown = sides.ask(direction) { $0.decoder.isTableKnown }
    let section = sides[direction].decoder.decode(block.bytes.span)
    sides[direction].record.headerBytes += UInt64(block.bytes.count)
    sides[direction].record.plainHeaderBytes +=
      section.listSize
      &- min(
        section.listSize, UInt64(section.fields.count + section.fieldsCut) * 32)
    for fault in section.faults where wasKnown {
      events.append(
        .http2BlockFault(
          HTTP2BlockFault(
            fault.kind, stream: block.stream, block.citation(fault.place.range), value: fault.value,
            limit: fault.limit), direction))
    }
    let fields = HeaderBlock(
      written: section.bytes, fields: section.fields, citations: section.places.map { block.citation($0.range) },
      fieldsCut: section.fieldsCut + section.unknown)
    turnAround(fields, block, direction)
    take(fields, block, isKnown: section.unknown == 0 && section.faults.isEmpty, direction, into: &events)
  }

  /// A capture that began late may have taken the server for the client.
  mutating func turnAround(_ fields: HeaderBlock, _ block: HTTP2Block, _ direction: Direction) {
    guard mayTurn else { return }
    // Trailers of gRPC are a server's, too, and only servers push.
    let answers = block.promised != nil || fields.first(":status") != nil || fields.first("grpc-status") != nil
    guard answers || fields.first(":method") != nil else { return }
    turnAround(server: answers ? direction : direction.opposite)
  }

  var mayTurn: Bool {
    record.beginning == .midstream && !isTurned && table.isEmpty && count == options.exchangesBefore
  }

  mutating func turnAround(server direction: Direction) {
    guard mayTurn else { return }
    isTurned = true
    requestDirection = direction.opposite
    requestsReadTo = 0
  }

  /// A block of which parts are missing still begins or ends messages.
  mutating func takeUnreadable(_ block: HTTP2Block, _ direction: Direction, into events: inout [Event]) {
    take(
      HeaderBlock(written: [], fields: [], citations: [], fieldsCut: 1), block, isKnown: false, direction, into: &events
    )
  }

  mutating func take(
    _ fields: HeaderBlock, _ block: HTTP2Block, isKnown: Bool, _ direction: Direction, into events: inout [Event]
  ) {
    let carrier = block.promised ?? block.stream
    guard carrier > 0 else { return }
    let isRequest = isRequest(direction) || block.promised != nil
    judge(fields, block, direction, into: &events)
    if isRequest, !suspicions.isEmpty { trust(carrier) }
    guard let at = table.index(of: carrier) ?? open(carrier, block, direction, into: &events) else { return }
    let hadHead = block.promised == nil && table.streams[at].hasHead(isRequest: isRequest)
    if !isRequest || block.promised == nil, block.endsStream { table.streams[at].noteEnd(direction) }
    table.hold(fields, at: at)
    sections += 1
    let wasInterim = table.streams[at].takeBlock(
      fields, block, isKnown: isKnown, direction, isRequest: isRequest, isWhole: isWhole, options)
    if !isRequest, !wasInterim { openSocket(at, block, direction, into: &events) }
    let endsWrongly = hadHead ? !table.streams[at].hasSentEnd(direction) : wasInterim && block.endsStream
    if isWhole, endsWrongly {
      events.append(
        .http2Fault(HTTP2Fault(.trailersUnended, block.frame), direction, table.streams[at].exchange.key))
    }
    if options.tellsMoments { tellHead(at, fields, block, direction, isRequest, into: &events) }
    if block.endsStream { endSocket(at, SideEnd(.fin, block.span.last), direction, into: &events) }
    if block.endsStream || block.promised != nil || wasInterim {
      table.streams[at].endMessage(
        isRequest: isRequest, offset: block.span.range.upperBound, packet: block.span.last, released: block.released)
    }
    tellIfOver(at, into: &events)
    // Interim responses and trailers are held, too: any block may be the one too many.
    while table.holdsTooMuch, let oldest = table.inOrder.first { giveUp(oldest, into: &events) }
  }

  /// A stream that was not there: a request opens it. A response does where its request may be missing.
  mutating func open(
    _ carrier: UInt32, _ block: HTTP2Block, _ direction: Direction, into events: inout [Event]
  ) -> Int? {
    guard !table.wasClosed(carrier) else { return nil }
    count += 1
    record.opened += 1
    while table.isFull, let oldest = table.inOrder.first { giveUp(oldest, into: &events) }
    var stream = HTTP2Stream(ExchangeKey(number: count, stream: carrier), requestDirection)
    stream.exchange.isPushed = block.promised != nil
    if carrier == 1, !isRequest(direction) { stream.exchange.upgraded = options.upgraded }
    let now = block.released.time.nanoseconds
    for each in Direction.allCases {
      if !isRequest(each), table.isEmpty { noteLeak(each, at: block.released) }
      let (window, blocked) = sides.ask(each) { ($0.initialWindow, $0.credit.blocked(until: now)) }
      stream.begin(each, window: window, connection: blocked, isDrawn: options.drawsWindows)
      // Its response may begin before frames are found again.
      if isRequest(direction), each != direction, sides[each].isBehindHole { stream.lose(0, isRequest: false) }
    }
    if block.promised == nil { takePlace(carrier, block.released) }
    let at = table.insert(stream)
    record.most = max(record.most, table.count)
    return at
  }

  func tellHead(
    _ at: Int, _ fields: HeaderBlock, _ block: HTTP2Block, _ direction: Direction, _ isRequest: Bool,
    into events: inout [Event]
  ) {
    guard let head = table.streams[at].newestHead(isRequest: isRequest), head.block === fields else { return }
    var entry = TimelineEntry(.head, direction, block.span.first, bytes: block.span.count)
    entry.last = block.span.last
    entry.label = isRequest ? head.requestTitle : "\(head.status.code)"
    entry.exchange = table.streams[at].exchange.number
    events.append(.moment(entry))
  }
}
