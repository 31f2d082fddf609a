import Citation
import EventStream
import Events

// Events, lines and comments, as the parsers tell them.
extension ItemReader {
  mutating func takeTokens() {
    // Nearly always there is one, or none: moved out, where to look at it in its place would copy it. Not by `popLast`: an
    // optional of it is destroyed by way of its metadata.
    if tokens.count == 1 { return take(tokens.removeLast()) }
    for token in tokens { take(token) }
    tokens.clear()
  }

  @inline(__always)
  mutating func take(_ token: consuming EventStreamToken) {
    switch token {
    case .event(let event):
      take(event.first, event.last, event.completed)
      if event.carriesData, record.firstData == nil { record.firstData = event.completed }
      if record.errorEvent == nil, !event.name.isEmpty, event.name.elementsEqual("error".utf8) {
        record.errorEvent = event.completed
      }
      if !pieces.isEmpty {
        tell(.event, event.first, event.completed, event.dataLength, event.data, label: event.name)
      }
    case .comment(let packet):
      take(comment: packet)
      tell(.comment, packet, packet, 0, [])
    case .retry(let milliseconds, let packet):
      record.retryMilliseconds = milliseconds
      record.retryPacket = packet
    case .lenience(let lenience): take(lenience)
    case .unfinished(let event, let isMidLine):
      noteHold(until: event.first)
      record.tail = ItemRecord.Tail(
        bytes: event.range.upperBound &- event.range.lowerBound, first: event.first, last: event.last,
        carriesData: event.carriesData,
        isMidLine: isMidLine)
    }
  }

  mutating func takeLines() {
    for token in lineTokens {
      switch token {
      case .line(let line):
        take(line.first, line.last, line.completed)
        if record.firstData == nil { record.firstData = line.completed }
        tell(.line, line.first, line.completed, line.range.upperBound &- line.range.lowerBound, line.data)
      case .emptyLine(let packet): take(comment: packet)
      case .unfinished(let line):
        noteHold(until: line.first)
        record.tail = ItemRecord.Tail(
          bytes: line.range.upperBound &- line.range.lowerBound, first: line.first, last: line.last, carriesData: true,
          isMidLine: true)
      }
    }
    lineTokens.clear()
  }

  mutating func tell(
    _ kind: Item.Kind, _ first: PacketRef, _ completed: PacketRef, _ bytes: UInt64, _ preview: [UInt8],
    label: [UInt8] = []
  ) {
    guard !pieces.isEmpty else { return }
    var piece = Item(kind, pieces.value.direction, first: first, completed: completed, bytes: bytes)
    piece.preview = preview
    piece.label = label.isEmpty ? "" : String(decoding: label, as: UTF8.self)
    pieces.value.add(piece)
  }

  mutating func take(_ first: PacketRef, _ last: PacketRef, _ completed: PacketRef) {
    noteHold(until: first)
    record.items += 1
    burstItems += 1
    chunkItems += 1
    segmentItems += 1
    if record.firstItem == nil { record.firstItem = completed }
    if let item = record.lastItem {
      record.itemGaps.add(completed.time.since(item.time))
      record.longestGap.widen(item, completed)
    }
    record.lastItem = completed
    if isSplit { record.splitOverChunks += 1 }
    isSplit = false
    record.slowest.widen(first, completed)
    record.longestHold.widen(last, completed)
    before = (last, completed)
  }

  /// The next item begins: whether the end of the one before came only with it.
  mutating func noteHold(until next: PacketRef) {
    guard let before, next.sharesMoment(with: before.completed), before.last.number != before.completed.number,
      before.completed.time.since(before.last.time) >= Self.holdFrom
    else { return }
    record.heldEnds += 1
    record.heldEnd.widen(before.last, before.completed)
    self.before = nil
  }

  mutating func take(comment packet: PacketRef) {
    record.comments += 1
    if let lastComment { record.longestCommentPeriod.widen(lastComment, packet) }
    lastComment = packet
  }

  mutating func take(_ lenience: EventStreamLenience) {
    let kind: ItemRecord.Anomaly.Kind =
      switch lenience.kind {
      case .byteOrderMark: .byteOrderMark
      case .unknownField: .unknownField
      case .strayLine: .strayLine
      case .retryInvalid: .retryInvalid
      case .idNUL: .idNUL
      case .invalidUTF8: .invalidUTF8
      }
    let bytes = lenience.range.upperBound &- lenience.range.lowerBound
    if let index = record.anomalies.firstIndex(where: { $0.kind == kind }) {
      record.anomalies[index].count &+= 1
      record.anomalies[index].bytes &+= bytes
    } else {
      record.anomalies.append(
        ItemRecord.Anomaly(kind, in: lenience.packet, lenience.excerpt, bytes: bytes))
    }
  }
}
