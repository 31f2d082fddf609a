import Events

/// All rows of the family, and how their uploads are written.
enum MultipartRows {
  static let rows: [RuleRow] = delimiters + headers + parameters + lengths + streams

  static let form = "Content-Type: multipart/form-data; boundary=b0undary"
  static let a = "Content-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n"
  static let whole = "--b0undary\r\n\(a)--b0undary--\r\n"
  static let refused = "400 Bad Request"

  /// A form in one packet ②, its head in another one ①, and its answer ③. `length` is how much longer the length is.
  static func upload(
    _ body: String, _ answer: String? = "200 OK", fields: String = form, length: Int = 0, path: String = "/up",
    markers: String = "①②③"
  ) -> String {
    let marks = Array(markers)
    let count = body.unicodeScalars.count + length
    let head = "POST \(path) HTTP/1.1\r\nHost: h.example\r\n\(fields)\r\nContent-Length: \(count)\r\n\r\n"
    let end = answer.map { "< \"\(escaped("HTTP/1.1 \($0)\r\nContent-Length: 0\r\n\r\n"))\" \(marks[2])\n" } ?? ""
    let bytes = body.isEmpty ? "" : "> \"\(escaped(body))\" \(marks[1])\n"
    return "> \"\(escaped(head))\" \(marks[0])\n" + bytes + end
  }

  /// The same in chunks: one with the body, and what follows it.
  static func chunked(_ body: String, _ rest: String) -> String {
    let head = "POST /up HTTP/1.1\r\nHost: h.example\r\n\(form)\r\nTransfer-Encoding: chunked\r\n\r\n"
    let size = String(body.unicodeScalars.count, radix: 16)
    return handshake + "> \"\(escaped(head))\" ①\n> \"\(escaped("\(size)\r\n\(body)\r\n"))\" ②\n" + rest + "\n"
  }

  static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "\r": "\\r"
      case "\n": "\\n"
      case "\"": "\\\""
      case "\\": "\\\\"
      case _ where scalar.value < 0x20 || scalar.value > 0x7E:
        "\\x" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: String(scalar)
      }
    }.joined()
  }

  static func fires(
    _ rule: RuleID, _ what: String, _ body: String, _ answer: String = refused, at markers: [Int] = [2, 3],
    count: UInt64 = 1, says: String = ""
  ) -> RuleRow {
    .fires(
      // That the answer is meant for what is wrong is inferred.
      rule, what, handshake + upload(body, answer), at: markers, .toServer,
      confidence: answer == refused ? .medium : nil,
      cost: answer == refused ? .failed(.exchange) : .none, count: count, says: says)
  }

  static func silent(_ rule: RuleID, _ what: String, _ body: String) -> RuleRow {
    .silent(rule, what, handshake + upload(body, refused))
  }

  /// A part with this Content-Disposition.
  static func part(_ disposition: String, _ more: String = "Content-Type: text/plain\r\n") -> String {
    "--b0undary\r\nContent-Disposition: \(disposition)\r\n\(more)\r\n1\r\n--b0undary--\r\n"
  }
}
