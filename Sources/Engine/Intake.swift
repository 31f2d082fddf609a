import Capture
import Citation
import DNS
import Decode
import Events
import Platform
import Reassembly
import TLSProtection

/// Reads and decodes, one window at a time, and keeps the figures of the capture as a whole.
actor Intake {
  private var state: IntakeState

  init(_ source: sending any CaptureSource, file: String, _ options: PipelineOptions) {
    state = IntakeState(source, file: file, options)
  }

  /// Puts the next packets into a window; nil at the end of the capture. A result and not a throw, because `async let`
  /// forgets the type of what is thrown.
  func fill(_ slot: WindowSlot) -> Result<IntakeProgress?, CaptureError> {
    slot.window.withLock { window in state.fill(&window) }
  }

  var lastPacket: PacketRef { state.lastPacket }
  /// Hosts that are silent at the end.
  var silences: [HostSilence] { state.silences.atEnd() }
  var record: CaptureRecord { state.record }
}

/// A struct beside its actor: the compiler then knows that nobody else looks while a window is filled.
private struct IntakeState {
  /// Bytes of windows that lanes still compare with, oldest first.
  private var retained: [[UInt8]] = []
  private let source: any CaptureSource
  private var decoder = FrameDecoder()
  private var frame = DecodedFrame()
  private var clock = PacketClock()
  private let file: String
  /// What name servers said in the packets of this window.
  private var answers: [NameAnswer] = []
  /// Answers of one window; a flood of them names nothing that matters.
  private static let answerLimit = 4_096
  private(set) var packets: UInt64 = 0
  private(set) var lastPacket = PacketRef.none
  private(set) var firstTime: Timestamp?
  private var snaplenCut: UInt64 = 0
  /// Captured bytes so far, modulo 2^32.
  private var place: UInt32 = 0
  /// With the secrets that the capture brought.
  private var keyLog: KeyLog
  private var secretBlocks = 0
  private var toldLosses = 0
  /// Where several points recorded the same packets.
  private var copies: PointCopies?
  private(set) var silences: HostSilences

  private let note: ReadingNote?
  private let faults: ReadingFaults
  private let isWary: Bool

  init(_ source: any CaptureSource, file: String, _ options: PipelineOptions) {
    self.source = source
    self.file = file
    keyLog = options.keyLog
    note = options.notes?[ReadingFaults.intakeNote]
    faults = options.faults
    isWary = !options.faults.isEmpty
    silences = HostSilences(least: options.thresholds[.hostSilence])
    if source.pointCount > 1 { copies = PointCopies(points: source.pointCount) }
  }

  mutating func fill(_ window: inout Window) -> Result<IntakeProgress?, CaptureError> {
    note?.begin(ReadingFaults.packet)
    defer { note?.end() }
    // Of an empty window nobody keeps anything.
    if !window.raw.packets.isEmpty { exchangeBytes(&window.raw) }
    do throws(CaptureError) {
      guard try source.fill(&window.raw) else { return .success(nil) }
    } catch {
      return .failure(error)
    }
    // Out of the window meanwhile: a span of one of its fields holds the whole of it.
    var batches: [LaneBatch] = []
    var reassembled: [UInt8] = []
    swap(&batches, &window.batches)
    swap(&reassembled, &window.reassembled)
    for index in batches.indices { batches[index].removeAll() }
    answers.removeAll(keepingCapacity: true)
    reassembled.removeAll(keepingCapacity: true)
    var clocks: [Timestamp] = []
    swap(&clocks, &window.clocks)
    clocks.removeAll(keepingCapacity: true)
    decode(window.raw, &batches, &reassembled, &clocks)
    swap(&clocks, &window.clocks)
    swap(&batches, &window.batches)
    swap(&reassembled, &window.reassembled)
    window.clock = clock.time
    // Without packets time goes on, and what is over is told. Packets keep their own clock.
    window.now = source.clock.map(clock.converted)
    if let now = window.now, now > clock.time, firstTime != nil { window.clock = now }
    window.answers = answers
    window.silences = silences.taken()
    noteLosses(&window)
    readSecrets()
    window.keyLog = secretBlocks > 0 ? keyLog : nil
    let progress = source.progress
    return .success(
      IntakeProgress(read: progress.read, size: progress.size, packets: packets, firstTime: firstTime))
  }

  /// Gives the window bytes that no lane looks at any more. Besides those the lanes keep, one window is being worked on.
  private mutating func exchangeBytes(_ raw: inout PacketWindow) {
    var bytes =
      retained.count > DeliveredHistory.windowCount ? retained.removeFirst() : PacketWindow().bytes
    swap(&bytes, &raw.bytes)
    retained.append(bytes)
  }

  private mutating func noteLosses(_ window: inout Window) {
    window.losses.removeAll()
    let losses = source.info.losses
    window.losses += losses[min(toldLosses, losses.count)...]
    toldLosses = losses.count
  }

  private mutating func readSecrets() {
    guard source.info.secrets.count > secretBlocks else { return }
    for block in source.info.secrets[secretBlocks...] where block.type == DecryptionSecrets.tlsKeyLog {
      keyLog.add(block.bytes.span)
    }
    secretBlocks = source.info.secrets.count
  }

  private mutating func decode(
    _ raw: PacketWindow, _ batches: inout [LaneBatch], _ reassembled: inout [UInt8], _ clocks: inout [Timestamp]
  ) {
    let bytes = raw.bytes.span
    for index in raw.packets.indices {
      clock.advance(to: raw.packets[index], at: index, of: raw.packets)
      clocks.append(clock.time)
      decode(raw.packets[index], bytes, &batches, &reassembled)
    }
  }

  @inline(__always)
  private mutating func decode(
    _ record: PacketRecord, _ bytes: Span<UInt8>, _ batches: inout [LaneBatch], _ reassembled: inout [UInt8]
  ) {
    packets &+= 1
    place &+= UInt32(truncatingIfNeeded: record.capturedLength)
    if firstTime == nil { firstTime = clock.time }
    if record.wireLength > record.capturedLength { snaplenCut &+= 1 }
    lastPacket = PacketRef(number: record.number, time: clock.time)
    note?.read(record.number)
    if isWary, isLeftOut(record.number) { return }
    decoder.decode(
      bytes.extracting(record.offset..<(record.offset + record.capturedLength)), linkType: record.linkType,
      packet: lastPacket, wireLength: record.wireLength, interface: record.interface, base: record.offset, into: &frame)
    switch frame.content {
    case .segment:
      if copies != nil, isCopy() { return }
      frame.segment.place = place
      frame.segment.isUnanswered =
        silences.hears(frame.segment.key, sentByLower: frame.segment.sentByLower, lastPacket)
        && silences.look(at: frame.segment)
      let lane = Lane.index(of: frame.segment.key)
      batches[lane].segments.append(frame.segment)
      if clock.behind > 0 { batches[lane].segments[batches[lane].segments.count - 1].behind = clock.behind }
      if frame.isReassembled {
        let last = batches[lane].segments.count - 1
        batches[lane].segments[last].payloadOffset += reassembled.count
        batches[lane].segments[last].optionsOffset &+= UInt32(truncatingIfNeeded: reassembled.count)
        batches[lane].segments[last].encapsulation.insert(.fragments)
        reassembled.append(contentsOf: decoder.reassembled)
      }
    case .icmpError: batches[Lane.index(of: frame.icmpError.key)].errors.append(frame.icmpError)
    case .datagram:
      if frame.datagram.source.port == 53, !frame.isReassembled { readAnswer(bytes) }
    case .none: break
    }
  }

  /// After an internal error: whether it came up where this packet was decoded.
  @inline(never)
  private func isLeftOut(_ number: UInt64) -> Bool {
    if faults.packets.contains(number) { return true }
    faults.trial.pass(.decode, number)
    return false
  }

  /// Whether another point recorded the segment before.
  @inline(never)
  private mutating func isCopy() -> Bool {
    let points = source.info.points
    let interface = Int(frame.segment.interface)
    guard interface < points.count else { return false }
    return copies?.isCopy(&frame.segment, at: Int(points[interface])) ?? false
  }

  /// DNS over UDP: small, rare, and read where datagrams are seen.
  @inline(never)
  private mutating func readAnswer(_ bytes: Span<UInt8>) {
    let datagram = frame.datagram
    guard answers.count < Self.answerLimit, datagram.payloadCaptured > 0,
      let message = DNSMessage(bytes.extracting(datagram.payloadRange))
    else { return }
    answers.append(
      NameAnswer(
        packet: datagram.packet, client: datagram.destination.address, name: message.question,
        addresses: message.addresses, code: message.code, timeToLive: message.timeToLive, isPartial: message.isPartial))
  }

  /// What was read, once it is read.
  var record: CaptureRecord {
    let info = source.info
    var record = CaptureRecord(file: file)
    record.format = info.format.name
    var linkTypes: [String] = []
    for interface in info.interfaces {
      let name = FrameDecoder.name(ofLinkType: interface.linkType)
      if !linkTypes.contains(name) { linkTypes.append(name) }
    }
    record.linkTypes = linkTypes
    record.packets = packets
    record.bytes = source.progress.read
    record.firstTime = firstTime
    record.lastTime = firstTime == nil ? nil : clock.time
    record.isComplete = info.isComplete
    record.problems = info.problems.map(\.description) + decoder.problems.map(\.words) + clock.notes
    for problem in info.problems {
      switch problem {
      case .cutShort(let byte, let last): record.cut = (byte, last)
      case .damaged(let byte, _): record.cut = (byte, lastPacket.number)
      default: break
      }
    }
    record.members = info.members
    if let found = copies?.found, found > 0 {
      record.problems.append(
        "\(Wording.count(found, "packet")) recorded at more than one point: each is counted once, where it came first")
    }
    record.unreadableMembers = info.unreadableMembers
    record.dropped = info.dropped
    record.losses = info.losses
    record.snaplenCut = snaplenCut
    record.timeReversals = clock.reversals
    record.undecoded = decoder.undecoded
    record.opaque = decoder.opaque
    record.datagrams = decoder.datagrams
    return record
  }
}

extension DecodeProblem {
  /// The sentence reports print.
  fileprivate var words: String {
    let hosts = "between \(source) and \(destination), first in packet \(Wording.number(first.number))"
    switch kind {
    case .overlapIPv4:
      return "\(Wording.count(count, "overlapping IPv4 fragment")) \(hosts); the bytes seen first were kept"
    case .overlapIPv6:
      return "\(Wording.count(count, "IPv6 datagram")) dropped for overlapping fragments (RFC 5722) \(hosts)"
    case .fragmentLimit:
      return "\(Wording.count(count, "fragmented datagram")) dropped at the fragment limit \(hosts)"
    case .nestingLimit: return "\(Wording.count(count, "packet")) with too many nested headers \(hosts)"
    }
  }
}
