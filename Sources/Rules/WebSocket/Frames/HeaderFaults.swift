import Events
import WebSocketSemantics

/// What the first bytes of a frame can have wrong.
enum HeaderFaults {
  static let rows: [FrameRule] = [unmasked, masked, reservedBits, reservedOpcode, nonminimal, signBit, huge]

  private static let closes = "A receiver has to end the connection for it, with Close 1002"

  private static let unmasked = FrameRule(
    RuleInfo(
      id: "ws/frame-unmasked-client", severity: .error, summary: "A client sent a frame without a mask.",
      explanation: """
        Clients mask every frame, so that nobody can make a browser write bytes of his choice to a proxy. \(closes), and \
        servers do.
        """,
      evidence: "The first such frame: the highest bit of its second byte is 0.",
      fix: "Client: mask every frame with a fresh random key.", specifications: [.webSocket("5.1"), .webSocket("5.3")],
      since: "0.1")
  ) { frame, terms in
    terms.isClients && !frame.isMasked ? "a \(frame.name) frame without a mask" : nil
  }

  private static let masked = FrameRule(
    RuleInfo(
      id: "ws/frame-masked-server", severity: .error, summary: "A server sent a masked frame.",
      explanation:
        "Servers mask no frame. \(closes), and browsers do. Code written for a client and used in a server does it.",
      evidence: "The first such frame: the highest bit of its second byte is 1.",
      fix: "Server: send frames without a mask.",
      specifications: [.webSocket("5.1")], since: "0.1")
  ) { frame, terms in
    !terms.isClients && frame.isMasked ? "a masked \(frame.name) frame" : nil
  }

  private static let reservedBits = FrameRule(
    RuleInfo(
      id: "ws/frame-rsv23", severity: .error, summary: "A frame has RSV2 or RSV3 set.",
      explanation: """
        No extension in use gives these bits a meaning. \(closes). Where they come with nonsense behind, the sender lost count \
        of its own bytes: a body behind the 101, two threads that write at once.
        """,
      evidence: "The first such frame.", fix: "Sender: set no reserved bit; write each frame in one piece.",
      specifications: [.webSocket("5.2")], since: "0.1"), isOfFirstByte: true
  ) { frame, terms in
    guard frame.reserved & 3 != 0, !terms.isExtended else { return nil }
    let bits = (frame.reserved & 2 != 0 ? ["RSV2"] : []) + (frame.reserved & 1 != 0 ? ["RSV3"] : [])
    return "a \(frame.name) frame with \(bits.joined(separator: " and "))"
  }

  private static let reservedOpcode = FrameRule(
    RuleInfo(
      id: "ws/frame-reserved-opcode", severity: .error, summary: "A frame has an opcode that does not exist.",
      explanation: "3 to 7 and 11 to 15 are kept free. \(closes).",
      evidence: "The first such frame: the lower half of its first byte.", fix: "Sender: use 0, 1, 2, 8, 9 and 10.",
      specifications: [.webSocket("5.2")], since: "0.1"), isOfFirstByte: true
  ) { frame, terms in
    frame.opcode.isReserved && !terms.isExtended ? "a frame with the reserved \(frame.name)" : nil
  }

  private static let nonminimal = FrameRule(
    RuleInfo(
      id: "ws/frame-length-nonminimal", severity: .error,
      summary: "A frame's length is written in more bytes than it needs.",
      explanation: """
        Up to 125 the length stands in seven bits, up to 65,535 in two bytes more. Another form is not allowed, and strict \
        receivers end the connection with Close 1002; most do not look.
        """,
      evidence: "The first such frame.", fix: "Sender: write the length in the shortest form.",
      specifications: [.webSocket("5.2")], since: "0.1")
  ) { frame, _ in
    switch frame.lengthForm {
    case .short: return nil
    case .extended16 where frame.length > 125: return nil
    case .extended64 where frame.length > 65_535: return nil
    default:
      return
        "a \(frame.name) frame whose length of \(Wording.bytes(frame.length)) takes \(frame.lengthForm == .extended16 ? 2 : 8) bytes more"
    }
  }

  private static let signBit = FrameRule(
    RuleInfo(
      id: "ws/frame-length-msb", severity: .error, summary: "A frame's length has its highest bit set.",
      explanation: """
        Lengths go up to 2^63 - 1. A negative number that was written as it stands, or bytes that are no frame, look like \
        this, and nothing behind it can be read any more.
        """,
      evidence: "The header of the frame.", fix: "Sender: find out where the length comes from.",
      specifications: [.webSocket("5.2")], since: "0.1")
  ) { frame, _ in
    frame.length >> 63 == 1 ? "a \(frame.name) frame that announces \(Wording.bytes(frame.length))" : nil
  }

  private static let huge = FrameRule(
    RuleInfo(
      id: "ws/frame-huge", severity: .note, summary: "A single frame is larger than one mebibyte.",
      explanation: """
        Nothing may stand inside a frame: pings, pongs and a Close have to wait until it is over, and a keep-alive runs out \
        meanwhile. Receivers that do not stream hold it in memory, and many have a limit (1 MiB is usual), after which they \
        answer Close 1009.
        """,
      evidence: "The first such frame, with the length it announces.",
      fix: "Sender: send large messages in fragments of some 64 KiB.",
      specifications: [.webSocket("5.4"), .webSocket("10.4")],
      since: "0.1"), isViolation: false
  ) { frame, _ in
    guard frame.length > 1 << 20, frame.length >> 63 == 0 else { return nil }
    let seen = frame.isComplete ? "" : ", of which \(Wording.bytes(frame.received)) came"
    return "a \(frame.name) frame of \(Wording.bytes(frame.length))\(seen)"
  }
}
