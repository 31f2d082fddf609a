import Citation
import Events
import WebSocketSemantics

/// Compressed messages, one by one.
enum CompressedMessages {
  /// It ends with what the receiver puts there by itself: doubled, it may not even be DEFLATE.
  private static func hasTail(_ message: WebSocketMessage) -> Bool {
    guard message.endsWithTail, message.isComplete else { return false }
    switch message.inflation {
    case .inflated, .failed: return true
    default: return false
    }
  }

  static let broken = SocketMessageRow(
    RuleInfo(
      id: "ws/pmd-inflate-error", severity: .error, summary: "A compressed message cannot be inflated.",
      explanation: """
        The bytes are no DEFLATE stream, or one that needs what the receiver does not have. The receiver ends the connection, \
        and everything after it would be unreadable. Compressors shared by two connections or two threads, a message that \
        was dropped after it was compressed, and proxies that change frames do this.
        """,
      evidence: "The packet with the bytes that make no sense.",
      fix: "Sender: one compressor for each connection, used in the order in which messages are sent.",
      specifications: [.deflate("7.2.2")], since: "0.1")
  ) { message, _ in
    guard case .failed(let reason, let packet) = message.inflation, !hasTail(message) else {
      return nil
    }
    return SocketMessageRow.Fault("\(message.title), which cannot be inflated: \(reason)", packet)
  }

  static let window = SocketMessageRow(
    RuleInfo(
      id: "ws/pmd-window-exceeded", severity: .error,
      summary: "A compressed message reaches back further than was agreed.",
      explanation: """
        max_window_bits says how much of what was sent before the receiver keeps. A reference to something older cannot be \
        followed, by a receiver that keeps no more than it must; others read on, so that it works with some clients only.
        """,
      evidence: "The packet with the reference.", fix: "Sender: set the compressor's window bits to what was agreed.",
      specifications: [.deflate("7.1.2")], since: "0.1")
  ) { message, _ in
    guard case .tooFar(let distance, let limit, false, let packet) = message.inflation else { return nil }
    return SocketMessageRow.Fault(
      "\(message.title), which reaches \(Wording.bytes(distance)) back, where \(Wording.bytes(limit)) are allowed",
      packet)
  }

  static let takeover = SocketMessageRow(
    RuleInfo(
      id: "ws/pmd-takeover-violation", severity: .error,
      summary: "A compressed message refers to the one before, which the receiver has forgotten.",
      explanation: """
        With no_context_takeover each message begins with an empty window. A sender that keeps its compressor sends references \
        into messages that the receiver has thrown away: the first message can be read, and a later one ends the connection.
        """,
      evidence: "The packet with the reference.",
      fix: "Sender: reset the compressor after each message, or do not agree to no_context_takeover.",
      specifications: [.deflate("7.1.1")], since: "0.1")
  ) { message, _ in
    guard case .tooFar(let distance, _, true, let packet) = message.inflation else { return nil }
    return SocketMessageRow.Fault(
      "\(message.title), which reaches \(Wording.bytes(distance)) back, before its own beginning", packet)
  }

  static let tail = SocketMessageRow(
    RuleInfo(
      id: "ws/pmd-tail-not-stripped", severity: .warning,
      summary: "A compressed message ends with the four bytes that are to be left out.",
      explanation: """
        A compressor's flush ends with 00 00 FF FF, which the receiver puts back by itself: sent along, they are four wasted \
        bytes, and some receivers fail over the doubled end.
        """,
      evidence: "The end of the first such message.", fix: "Sender: cut the last four bytes off after the flush.",
      specifications: [.deflate("7.2.1")], since: "0.1"), isViolation: false
  ) { message, _ in
    guard hasTail(message) else { return nil }
    return SocketMessageRow.Fault("\(message.title), which ends with 00 00 FF FF", message.released)
  }

  static let final = SocketMessageRow(
    RuleInfo(
      id: "ws/pmd-bfinal", severity: .note, summary: "A compressed message has a final block.",
      explanation: """
        A block marked as the last of its stream is legal in a message, and the next one begins anew. Some receivers take it for \
        the end of everything, and drop what follows.
        """,
      evidence: "The end of the first such message.", fix: "Sender: flush (sync) instead of finishing the stream.",
      specifications: [.deflate("7.2.3.4")], since: "0.1"), isViolation: false
  ) { message, _ in
    guard message.finalBlocks > 0 else { return nil }
    return SocketMessageRow.Fault(
      "\(message.title), which has \(Wording.count(message.finalBlocks, "final block"))", message.released)
  }

  static let bomb = SocketMessageRow(
    RuleInfo(
      id: "ws/pmd-bomb", severity: .warning, summary: "A compressed message becomes very much larger.",
      explanation: """
        More than a hundred bytes come out of each one. Eight kilobytes can become eight megabytes in the receiver's memory, \
        before its limit for messages is asked, if it has one.
        """,
      evidence: "The end of the first such message.",
      fix: "Receiver: limit what comes out of a message while it is inflated, and answer 1009.",
      specifications: [.deflate("8")], since: "0.1"), isViolation: false
  ) { message, _ in
    if case .stopped(let ratio, let packet) = message.inflation {
      return SocketMessageRow.Fault(
        "\(message.title), of which each byte becomes \(Wording.number(ratio)) or more", packet)
    }
    guard case .inflated = message.inflation, message.bytes > 1 << 20, message.wireBytes > 0,
      message.bytes / message.wireBytes > 100
    else { return nil }
    return SocketMessageRow.Fault(
      "\(message.title), of which \(Wording.bytes(message.wireBytes)) become \(Wording.bytes(message.bytes))",
      message.released)
  }
}
