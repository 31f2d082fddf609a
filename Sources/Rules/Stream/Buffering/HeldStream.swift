import Citation
import Events
import HTTPSemantics

/// A streamed response whose items did not come one by one: what the bytes of one capture point show of it.
///
/// That a program held them is inferred: a server that writes late looks the same from outside. Only what a buffer
/// leaves behind (an item cut at a round number of bytes, compressed bytes that say nothing) is shown by the wire
/// itself.
struct HeldStream: Sendable {
  enum Signature: Sendable, Equatable {
    /// All items in one burst, so long after the request, right before the end.
    case untilEnd(Int64)
    /// Bursts that are multiples of so many bytes, and end in the middle of items.
    case blocks(UInt64)
    /// Compressed bytes came, and what they held came later.
    case unflushed
  }

  /// A burst is right before the end of a body when the end follows this soon.
  private static let endsWithin: Int64 = 1_000_000_000
  /// Items that a buffer releases follow each other this closely.
  private static let togetherWithin: Int64 = 5_000_000
  /// So many items in one burst are hardly an accident.
  private static let manyItems: UInt64 = 5
  /// So many, even after a short wait, were rarely computed at once.
  private static let veryManyItems: UInt64 = 15

  let exchange: ExchangeRecord
  let response: Message
  let head: MessageHead
  let stream: ItemRecord
  let signature: Signature
  let holder: LikelyHolder?
  /// All items in one burst, and the wait for them was within what a server may compute for.
  let isShort: Bool
  /// Responses before it on the same connection came the same way.
  var isRepeated = false

  /// nil when nothing of the kind shows, or too much is missing to tell.
  init?(_ exchange: ExchangeRecord, in context: FlowContext) {
    guard let response = exchange.response, response.isReadByItem, let stream = response.stream, stream.items > 0,
      let head = response.head,
      head.isRequestKnown, (200...299).contains(head.status.code), response.isWhollyCaptured
    else { return nil }
    guard let found = Self.signature(exchange, response, stream, context) else { return nil }
    self.exchange = exchange
    self.response = response
    self.head = head
    self.stream = stream
    signature = found
    holder = LikelyHolder(response, of: stream.kind)
    if case .untilEnd(let wait) = found { isShort = wait < context.thresholds[.bufferedWait] } else { isShort = false }
  }

  private static func signature(
    _ exchange: ExchangeRecord, _ response: Message, _ stream: ItemRecord, _ context: FlowContext
  ) -> Signature? {
    if let wait = waitForAll(exchange, response, stream) {
      let isLong =
        wait >= context.thresholds[.bufferedWait]
        && stream.items >= UInt64(max(1, context.thresholds[.bufferedItems]))
      // Fewer might be the accident of a slow answer; so many, separated by their format, were made one by one. Lines
      // are also what the results of a slow query are written in: without a proxy in sight they count, as lint, if
      // their length was not known when the head was written, and no compressor collected them anyway.
      let isFull =
        wait >= context.thresholds[.bufferedBurst] && stream.items >= Self.manyItems
        && (stream.kind == .sse || LikelyHolder(response, of: stream.kind) != nil
          || (response.framing != .length && response.content == nil))
      if (isLong || isFull), isTogether(stream) { return .untilEnd(wait) }
    }
    let bursts = stream.bursts
    guard bursts.ended > 0 else { return nil }
    if response.content != nil {
      return bursts.insideItem > 0 || isHeldByCompressor(stream) ? .unflushed : nil
    }
    if bursts.ended >= 2, let block = bursts.block, bursts.insideItem &* 2 > bursts.ended { return .blocks(block) }
    return nil
  }

  /// A server that flushes its head has nothing to compress yet; what comes at once behind it was held.
  private static func isHeldByCompressor(_ stream: ItemRecord) -> Bool {
    stream.bursts.silent > 0 || stream.bursts.begun > 0 && stream.items >= manyItems && isTogether(stream)
  }

  /// Items that come one after the other, however close, are not a buffer's: a model begins late, and then writes at its
  /// beat.
  private static func isTogether(_ stream: ItemRecord) -> Bool {
    (stream.itemGaps.quantile(50) ?? 0) <= togetherWithin
  }

  /// From the end of the request to the first byte of a body that came at once and then ended.
  private static func waitForAll(
    _ exchange: ExchangeRecord, _ response: Message, _ stream: ItemRecord
  ) -> Int64? {
    guard stream.isOneBurst, let request = exchange.request, request.isComplete, let first = response.firstBody,
      let last = response.lastBody, let end = response.end, response.isComplete,
      end.packet.time.since(last.time) <= endsWithin
    else { return nil }
    return first.time.since(request.last.time)
  }

  var isCoded: Bool { response.content != nil }

  /// What a client waited, as far as it shows.
  var delay: Int64 {
    switch signature {
    case .untilEnd(let wait): wait
    case .blocks: stream.slowest?.nanoseconds ?? 0
    case .unflushed: max(stream.slowest?.nanoseconds ?? 0, silence)
    }
  }

  /// From the first byte of the body to the first item, where compressed bytes decode to nothing.
  private var silence: Int64 {
    guard Self.isHeldByCompressor(stream), let first = response.firstBody, let item = stream.firstItem else { return 0 }
    return item.time.since(first.time)
  }

  var confidence: Confidence {
    if mayBeSlowAnswer { return .low }
    if hasEarlyHead { return .medium }
    switch signature {
    case .untilEnd:
      if stream.items < Self.manyItems { return .low }
      // A few events after a second may be what a server computed for a second: only more of them, a proxy in sight that
      // holds, or the same again tells more.
      let isPlain = isShort && stream.items < Self.veryManyItems && holder == nil && !isCoded && !isRepeated
      return isPlain ? .low : .medium
    case .blocks, .unflushed: return .medium
    }
  }

  /// The head came long before the body: the server had begun.
  var hasEarlyHead: Bool {
    guard let released = response.headReleased, let first = response.firstBody else { return false }
    return first.time.since(released.time) >= Self.endsWithin
  }

  /// A slow query, as far as the capture shows: JSON lines are also what results are written in, and no proxy or
  /// compressor shows that could have held them. Their length was known when the head was written, or the wait was short.
  var mayBeSlowAnswer: Bool {
    guard case .untilEnd = signature, stream.kind != .sse, holder == nil, !isCoded else { return false }
    return isShort || (response.framing == .length && !hasEarlyHead)
  }

  /// `24 events`, `3 lines`
  var items: String { Wording.count(stream.items, item) }
  var item: String { stream.kind.item }
}

extension Threshold {
  static let bufferedWait = Threshold(
    "stream.buffered-wait", .nanoseconds, 4_000_000_000, "a streamed body that begins this late, in one burst, was held"
  )
  static let bufferedBurst = Threshold(
    "stream.buffered-burst", .nanoseconds, 800_000_000,
    "the same of five events or lines and more, which were made one by one")
  static let bufferedItems = Threshold(
    "stream.buffered-items", .count, 2, "events or lines that a held body has at least")
}

/// Judges a streamed response that did not come item by item. One hold is reported once: on event streams sse/buffered
/// leads, and what it was recognised by stands under it.
protocol HeldStreamRule: StoryRule where Story == HeldStream {}

/// Finds what was held, and asks the rules of all families about it.
struct HeldStreams: ConnectionWatcher {
  /// So many before make a habit of it.
  private static let habit: UInt8 = 2

  private var bursts: UInt8 = 0

  mutating func observe(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void) {
    guard exchange.response?.isReadByItem == true, var held = HeldStream(exchange, in: context) else { return }
    held.isRepeated = bursts >= Self.habit
    if case .untilEnd = held.signature, bursts < Self.habit { bursts += 1 }
    for rule in RuleIndex.heldStreamRules { rule.judge(held, in: context, report: report) }
  }
}

// MARK: Words

extension HeldStream {
  /// Reported by the rule that recognised it.
  func finding(_ info: RuleInfo, in context: FlowContext) -> Finding {
    Finding(
      info, confidence: context.isMidstream ? .low : confidence, subject: .connection(context.id),
      exchange: exchange.number, direction: response.direction,
      FindingMessage(isToldAsEvents ? brief : course + " " + doubt),
      cost: mayBeSlowAnswer ? .none : .delay(nanoseconds: delay), fix: fix, evidence: evidence)
  }

  /// What happened, in a sentence.
  var course: String {
    switch signature {
    case .untilEnd(let wait):
      let place =
        stream.perSegment.units == 1
        ? "in one packet" : "at once, in \(Wording.count(stream.perSegment.units, "packet"))"
      let before = hasEarlyHead ? ", long after the head" : ""
      return
        "\(exchange.title): \(items) came \(place), \(Wording.duration(wait)) after the request\(before), and the response ended."
    case .blocks(let block):
      return
        "\(exchange.title): the body came in bursts of whole blocks of \(Wording.bytes(block)) that end in the middle of \(item)s; one \(item) took \(Wording.duration(delay)) from its first byte to its end."
    case .unflushed:
      let shown =
        stream.bursts.insideItem > 0
        ? "stopped in the middle of \(stream.kind.oneItem) for up to \(Wording.duration(delay))"
        : "brought nothing for \(Wording.duration(delay))"
      return "\(exchange.title): the compressed body \(shown): the compressor had kept the rest."
    }
  }

  /// The signature alone, where sse/buffered describes the course.
  var brief: String {
    switch signature {
    case .untilEnd(let wait):
      "\(exchange.title): all of the body in one burst, \(Wording.duration(wait)) after the request."
    case .blocks(let block):
      "\(exchange.title): bursts of \(Wording.bytes(block)), and most of them end in the middle of \(item)s."
    case .unflushed: "\(exchange.title): the compressor is not flushed after each \(item)."
    }
  }

  /// sse/buffered leads.
  var isToldAsEvents: Bool { stream.kind == .sse && stream.isDeclared && head.status.code == 200 }

  /// Who it may have been, and what would prove it.
  var doubt: String {
    let who = holder.map { "a proxy that held them (likely \($0.name))" } ?? "a proxy that held them"
    switch signature {
    case .untilEnd:
      let coding = isCoded ? "The body is compressed, and a compressor that is not flushed holds just so. " : ""
      return coding + "This capture cannot distinguish \(who) from a server that wrote them late."
    case .blocks:
      return
        "A program on the way writes only full buffers; who it is, the wire does not show."
    case .unflushed: return "The compressor does not flush after each \(item)."
    }
  }

  /// For the likely owner of the cause; never certain from one side.
  var fix: String {
    let proof = "To prove who holds: capture on the proxy's host on all its interfaces, and read that file."
    switch signature {
    case .unflushed: return Self.uncompressed + " " + proof
    case _ where isCoded: return Self.uncompressed + " " + (holder.map { $0.fix + " " } ?? "") + proof
    case .blocks:
      return "Server: flush after each \(item). " + (holder.map { $0.fix + " " } ?? "") + proof
    case .untilEnd:
      let fix = holder?.fix ?? "Server: flush after each \(item). Proxy, if there is one: do not buffer this route."
      return fix + " " + proof
    }
  }

  static let uncompressed =
    "Server or proxy that compresses: leave this type out, or flush after each event; Cache-Control: no-transform keeps others from it."

  var evidence: [Evidence] {
    let direction = response.direction
    var evidence: [Evidence] = []
    if let request = exchange.request {
      evidence.append(Evidence(.packet(request.last, request.direction), "the request"))
    }
    if isCoded, let field = Evidence.field("content-encoding", of: response, "the stream is compressed") {
      evidence.append(field)
    }
    if let holder, !isCoded { evidence.append(holder.evidence) }
    switch signature {
    case .untilEnd:
      if let first = response.firstBody {
        evidence.append(Evidence(.packet(first, direction), "the first byte of the body"))
      }
      if let last = stream.lastItem { evidence.append(Evidence(.packet(last, direction), "the last \(item)")) }
    case .unflushed where silence > stream.slowest?.nanoseconds ?? 0:
      if let first = response.firstBody, let item = stream.firstItem {
        evidence.append(Evidence(.packet(first, direction), "compressed bytes that say nothing yet"))
        evidence.append(Evidence(.packet(item, direction), "the first \(self.item)"))
      }
    case .blocks, .unflushed:
      if let slow = stream.slowest {
        evidence.append(Evidence(.packet(slow.from, direction), "\(stream.kind.oneItem) begins"))
        evidence.append(Evidence(.packet(slow.to, direction), "and ends here"))
      }
    }
    return evidence
  }
}
