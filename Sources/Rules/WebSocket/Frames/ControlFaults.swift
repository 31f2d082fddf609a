import Events
import WebSocketSemantics

/// Close, ping and pong that are not as they should be, and fragments of nothing.
enum ControlFaults {
  static let rows: [FrameRule] = [fragmented, long, closeOfOne, reasonText, emptyFragment]

  private static let fragmented = FrameRule(
    RuleInfo(
      id: "ws/control-fragmented", severity: .error, summary: "A control frame is not final.",
      explanation: """
        Close, ping and pong come in one frame each, because they stand between the fragments of messages. A receiver has to \
        end the connection with Close 1002.
        """,
      evidence: "The first such frame: the highest bit of its first byte is 0.",
      fix: "Sender: set FIN on control frames.",
      specifications: [.webSocket("5.4"), .webSocket("5.5")], since: "0.1"), isOfFirstByte: true
  ) { frame, _ in
    frame.opcode.isControl && !frame.isFinal ? "a \(frame.name) frame that is not final" : nil
  }

  private static let long = FrameRule(
    RuleInfo(
      id: "ws/control-too-long", severity: .error, summary: "A control frame is longer than 125 bytes.",
      explanation: """
        Control frames are answered at once, and must not need memory. A receiver has to end the connection with Close 1002. \
        Close reasons made of exception texts are the usual case.
        """,
      evidence: "The first such frame, with its length.",
      fix: "Sender: cut what it writes into control frames to 125 bytes, a close reason to 123, at a character's end.",
      specifications: [.webSocket("5.5")], since: "0.1")
  ) { frame, _ in
    frame.opcode.isControl && frame.length > 125 ? "a \(frame.name) frame of \(Wording.bytes(frame.length))" : nil
  }

  private static let closeOfOne = FrameRule(
    RuleInfo(
      id: "ws/close-payload-1-byte", severity: .error, summary: "A Close has one byte of payload.",
      explanation: "A code takes two bytes. A Close has none, or two and more; a receiver answers 1002.",
      evidence: "The frame.", fix: "Sender: send no payload, or a code of two bytes.",
      specifications: [.webSocket("5.5.1")], since: "0.1")
  ) { frame, _ in
    frame.opcode == .close && frame.length == 1 ? "a Close with one byte" : nil
  }

  private static let reasonText = FrameRule(
    RuleInfo(
      id: "ws/close-reason-utf8", severity: .error, summary: "The reason of a Close is not UTF-8.",
      explanation: """
        The reason is text. A receiver answers 1007 or 1002, and the reason is lost with it. A text that was cut to 123 \
        bytes in the middle of a character does this.
        """,
      evidence: "The frame; its reason is payload.",
      fix: "Sender: encode the reason as UTF-8, and cut at a character's end.",
      specifications: [.webSocket("5.5.1"), .webSocket("8.1")], since: "0.1")
  ) { frame, _ in
    guard frame.opcode == .close, frame.isComplete, frame.length <= UInt64(Frame.controlLimit),
      String(validating: frame.closeReason, as: UTF8.self) == nil
    else { return nil }
    return "a Close whose reason is not UTF-8"
  }

  private static let emptyFragment = FrameRule(
    RuleInfo(
      id: "ws/fragment-zero-length", severity: .note, summary: "A fragment that is not the last has no payload.",
      explanation: """
        It is legal, and says nothing. Some receivers take an empty read for the end. Streams that write whatever is there, \
        also when nothing is, make such fragments.
        """,
      evidence: "The first such frame.", fix: "Sender: send a fragment when there is something in it.",
      specifications: [.webSocket("5.4")], since: "0.1"), isViolation: false
  ) { frame, _ in
    !frame.opcode.isControl && !frame.isFinal && frame.length == 0 && frame.headerReleased != nil
      ? "a fragment without payload" : nil
  }
}
