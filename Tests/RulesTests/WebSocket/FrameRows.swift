import Events

/// What single frames have wrong.
enum SocketFrameRows {
  private typealias S = SocketFrames
  private static let agreed = WebSocketRows.agreed
  private static let complaint = S.down(8, "", "④", bytes: S.close(1002)) + "< FIN\n> FIN\n"

  private static let deflate =
    handshake + WebSocketRows.ask(#"Sec-WebSocket-Extensions: permessage-deflate\r\n"#)
    + WebSocketRows.switching(#"Sec-WebSocket-Extensions: permessage-deflate\r\n"#)

  static let rows: [RuleRow] = [
    .fires(
      "ws/frame-unmasked-client", "The server complains.", agreed + S.up(1, "hi", "③", key: nil) + complaint,
      at: [3, 4], .toServer, cost: .failed(.connection)),
    .fires(
      "ws/frame-unmasked-client", "Nobody minds.",
      agreed + S.up(1, "hi", "③", key: nil) + S.up(1, "hi", key: nil) + S.down(1, "hi") + S.goodbye, at: [3], .toServer,
      count: 2),
    .silent("ws/frame-unmasked-client", "Masked.", agreed + S.up(1, "hi") + S.goodbye),
    .fires(
      "ws/frame-masked-server", "A server with a client's code.",
      agreed + S.down(1, "hi", "③", key: S.key) + S.up(8, "", "④", bytes: S.close(1002)) + "> FIN\n", at: [3, 4],
      .toClient,
      cost: .failed(.connection)),
    .silent("ws/frame-masked-server", "Not masked.", agreed + S.down(1, "hi") + S.goodbye),
    .fires(
      "ws/frame-rsv23", "RSV2.", agreed + S.up(1, "hi", "③", reserved: 2) + complaint, at: [3, 4], .toServer,
      cost: .failed(.connection), says: "RSV2."),
    .silent("ws/frame-rsv23", "RSV1.", agreed + S.up(1, "hi", reserved: 4) + complaint),
    .fires(
      "ws/frame-reserved-opcode", "Opcode 3, and the server hangs up.",
      agreed + S.up(3, "hi", "③") + "< FIN ④\n> FIN\n", at: [3, 4], .toServer, cost: .failed(.connection)),
    .fires(
      "ws/frame-reserved-opcode", "Its first byte is all that came.", agreed + "> x\"87\" ③\n< FIN ④\n> FIN\n",
      at: [3, 4],
      .toServer, cost: .failed(.connection)),
    .silent("ws/frame-reserved-opcode", "Opcode 2.", agreed + S.up(2, "hi") + S.goodbye),
    .fires(
      "ws/frame-length-nonminimal", "Two bytes for five.", agreed + S.up(1, "hello", "③", form: 2) + S.goodbye, at: [3],
      .toServer),
    .fires(
      "ws/frame-length-nonminimal", "Eight bytes for five.", agreed + S.down(1, "hello", "③", form: 8) + S.goodbye,
      at: [3], .toClient),
    .silent(
      "ws/frame-length-nonminimal", "126 need two.", agreed + S.up(1, String(repeating: "a", count: 126)) + S.goodbye),
    .fires(
      "ws/frame-length-msb", "A negative number.", agreed + S.up(1, "", "③", length: 1 << 63, form: 8) + "< FIN ④\n",
      at: [3, 4], .toServer, cost: .failed(.connection)),
    .silent("ws/frame-length-msb", "2^62.", agreed + S.up(1, "", length: 1 << 62, form: 8) + "< FIN\n"),
    .fires(
      "ws/frame-huge", "Four gibibytes are announced.", agreed + S.down(2, "a", "③", length: 1 << 32) + "> ACK\n",
      at: [3], .toClient, says: "of which 1 B came"),
    .silent("ws/frame-huge", "One mebibyte.", agreed + S.down(2, "a", length: 1 << 20) + "> ACK\n"),
    .fires(
      "ws/control-fragmented", "A ping that is not final.", agreed + S.up(9, "a", "③", final: false) + complaint,
      at: [3, 4], .toServer, cost: .failed(.connection)),
    .silent(
      "ws/control-fragmented", "A ping between fragments.",
      agreed + S.up(1, "a", final: false) + S.up(9) + S.up(0, "b") + S.down(10) + S.goodbye),
    .fires(
      "ws/control-too-long", "126 bytes.", agreed + S.up(9, String(repeating: "a", count: 126), "③") + complaint,
      at: [3, 4], .toServer, cost: .failed(.connection)),
    .silent(
      "ws/control-too-long", "125 bytes.",
      agreed + S.up(9, String(repeating: "a", count: 125)) + S.down(10, String(repeating: "a", count: 125)) + S.goodbye),
    .fires(
      "ws/close-payload-1-byte", "Half a code.", agreed + S.up(8, "a", "③") + complaint, at: [3, 4], .toServer,
      cost: .failed(.connection)),
    .silent("ws/close-payload-1-byte", "No code.", agreed + S.up(8) + S.down(8) + "< FIN\n> FIN\n"),
    .fires(
      "ws/close-reason-utf8", "Latin-1.", agreed + S.up(8, "", "③", bytes: S.close(1000) + [0xE9]) + complaint,
      at: [3, 4], .toServer, cost: .failed(.connection)),
    .silent(
      "ws/close-reason-utf8", "UTF-8.", agreed + S.up(8, bytes: S.close(1000, "é")) + S.down(8, bytes: S.close(1000))),
    .fires(
      "ws/fragment-zero-length", "An empty beginning.",
      agreed + S.up(1, "", "③", final: false) + S.up(0, "a") + S.goodbye, at: [3], .toServer),
    .silent(
      "ws/fragment-zero-length", "An empty end.", agreed + S.up(1, "a", final: false) + S.up(0) + S.goodbye),
    .fires(
      "ws/frame-rsv1-not-negotiated", "Compressed all the same.",
      agreed + S.up(1, "", "③", reserved: 4, bytes: [0x4A, 0x04, 0x00]) + complaint, at: [3, 4], .toServer,
      cost: .failed(.connection)),
    .silent(
      "ws/frame-rsv1-not-negotiated", "It was agreed.",
      deflate + S.up(1, reserved: 4, bytes: [0x4A, 0x04, 0x00]) + S.goodbye),
    .fires(
      "ws/pmd-rsv1-continuation", "On both frames.",
      deflate + S.up(1, final: false, reserved: 4, bytes: [0x4A]) + S.up(0, "", "③", reserved: 4, bytes: [0x04, 0x00])
        + complaint, at: [3, 4], .toServer, cost: .failed(.connection)),
    .silent(
      "ws/pmd-rsv1-continuation", "On the first frame.",
      deflate + S.up(1, final: false, reserved: 4, bytes: [0x4A]) + S.up(0, bytes: [0x04, 0x00]) + S.goodbye),
    .fires(
      "ws/pmd-rsv1-control", "On a ping.", deflate + S.up(9, "", "③", reserved: 4) + complaint, at: [3, 4], .toServer,
      cost: .failed(.connection)),
    .silent("ws/pmd-rsv1-control", "Not on a ping.", deflate + S.up(9) + S.down(10) + S.goodbye),
    .fires(
      "ws/hs-early-data", "Before the 101.",
      handshake + WebSocketRows.ask() + S.up(1, "hi", "③") + WebSocketRows.switching() + S.goodbye, at: [3, 2],
      .toServer),
    .silent("ws/hs-early-data", "After the 101.", agreed + S.up(1, "hi") + S.goodbye),
    .silent(
      "ws/frame-rsv1-not-negotiated", "Draft 76 has other frames.",
      handshake + WebSocketRows.ask(#"Sec-WebSocket-Key1: 1 2\r\nSec-WebSocket-Key2: 3 4\r\n"#, key: "", version: "")
        + WebSocketRows.switching(accept: "") + #"> x"c0 41 42 ff""# + "\n"),
  ]
}

/// Masks, and frames that break off.
enum SocketMaskRows {
  private typealias S = SocketFrames
  private static let agreed = WebSocketRows.agreed

  private static func keys(_ keys: [UInt32]) -> String {
    agreed
      + keys.enumerated().map { S.up(1, "hi", $0 < 7 ? ["③", "④", "⑤", "⑥", "⑦", "⑧", "⑨"][$0] : "", key: $1) }
      .joined() + S.up(8, key: 0xA1B2_C3D4) + S.down(8)
  }

  private static let random: [UInt32] = [
    0x9E37_79B9, 0x243F_6A88, 0x85A3_08D3, 0x1319_8A2E, 0x0370_7344, 0xA409_3822, 0x299F_31D0, 0x082E_FA98, 0xEC4E_6C89,
    0x4528_21E6, 0x38D0_1377, 0xBE54_66CF, 0x34E9_0C6C, 0xC0AC_29B7, 0xC97C_50DD, 0x3F84_D5B5, 0xB547_0917,
  ]

  static let rows: [RuleRow] = [
    .fires(
      "ws/mask-zero-key", "Two of four.", keys([random[0], 0, random[1], 0]), at: [4], .toServer, count: 2,
      says: "2 of 5 frames"),
    .silent("ws/mask-zero-key", "A zero byte.", keys([0x0012_3400, 0x5600_0078])),
    .fires(
      "ws/mask-key-reused", "One key for all.", keys([S.key, S.key, S.key, S.key]), at: [3, 4, 5], .toServer, count: 4),
    .silent("ws/mask-key-reused", "Twice.", keys([S.key, random[0], S.key])),
    .fires(
      "ws/mask-key-reused", "Every other one.",
      keys([S.key, random[0], S.key, random[1], S.key] + random.dropFirst(2) + [S.key]), at: [3, 5, 7], .toServer,
      count: 4),
    .silent("ws/mask-key-reused", "Zeros are another finding.", keys([0, 0, 0])),
    .fires(
      "ws/mask-key-sequential", "A counter.", keys([7, 8, 9, 10]), at: [3, 4, 5, 6], .toServer, count: 4,
      says: "counter"),
    .fires(
      "ws/mask-key-sequential", "A counter, little-endian.",
      keys([0xFE00_0000, 0xFF00_0000, 0x0001_0000, 0x0101_0000]),
      at: [3, 4, 5, 6], .toServer, count: 4),
    .fires(
      "ws/mask-key-sequential", "Two bytes of four.",
      agreed
        + random.prefix(16).enumerated().map { S.up(1, "hi", $0 == 15 ? "③" : "", key: $1 & 0xFFFF) }.joined()
        + "> FIN\n",
      at: [3], .toServer, count: 16, says: "2 of 4 bytes"),
    .silent("ws/mask-key-sequential", "At random.", keys(random)),
    .silent("ws/mask-key-sequential", "Three of a counter.", keys([7, 8, 9])),
    .fires(
      "ws/frame-truncated", "A crash.", agreed + S.up(1, "hello", "③", length: 500) + "> FIN ④\n< FIN\n", at: [3, 4],
      .toServer, cost: .failed(.connection), says: "5 B of a text frame of 500 B"),
    .silent(
      "ws/frame-truncated", "The receiver hung up.", agreed + S.up(1, "hello", length: 500) + "< RST\n"),
    .silent("ws/frame-truncated", "The frame is whole.", agreed + S.up(1, "hello") + "> FIN\n< FIN\n"),
    .fires(
      "ws/capture-ends-in-frame", "The rest is not in the file.",
      agreed + S.down(1, "hello", "③", length: 500) + "> ACK\n", at: [3], .toClient),
    .silent("ws/capture-ends-in-frame", "Between two frames.", agreed + S.down(1, "hello") + "> ACK\n"),
    .fires("ws/capture-ends-open", "No end.", agreed + S.down(1, "hello", "③") + "> ACK\n", at: [3]),
    .silent("ws/capture-ends-open", "An end.", agreed + S.down(1, "hello") + S.goodbye),
    .fires(
      "ws/decode-gap", "A packet is missing.",
      agreed + S.down(1, "hello", "③") + "> ACK\n" + S.down(1, "hello", "!lost") + "> ACK\n" + S.down(1, "hello")
        + "> ACK\n", at: [3], .toClient),
    .silent("ws/decode-gap", "None is missing.", agreed + S.down(1, "hello") + S.goodbye),
  ]
}
