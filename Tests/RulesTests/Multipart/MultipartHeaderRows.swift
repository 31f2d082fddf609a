import Events

extension MultipartRows {
  static let headers: [RuleRow] = [
    fires(
      "multipart/no-blank-line", "The data begin where the empty line should be.",
      "--b0undary\r\nContent-Disposition: form-data; name=\"a\"\r\nhello\r\n--b0undary--\r\n"),
    fires(
      "multipart/no-blank-line", "They are glued to the header.",
      "--b0undary\r\nContent-Type: image/jpeg\u{FF}\u{D8}\u{FF}\u{0}\u{10}\r\n--b0undary--\r\n"),
    fires("multipart/no-blank-line", "There is no header at all.", "--b0undary\r\nhello\r\n--b0undary--\r\n"),
    silent(
      "multipart/no-blank-line", "A header without fields, a long line folded, a name outside ASCII.",
      "--b0undary\r\n\r\n1\r\n--b0undary\r\nContent-Disposition: form-data;\r\n name=\"\u{C3}\u{BC}\"\r\n\r\n2\r\n--b0undary--\r\n"
    ),
    fires(
      "multipart/quote-unbalanced", "The name's quote is not closed.",
      part("form-data; name=\"file; filename=\"a.jpg\"")),
    silent(
      "multipart/quote-unbalanced", "A quote in the file name has a backslash.",
      part("form-data; name=\"f\"; filename=\"6\\\" pipe.jpg\"")),
    fires("multipart/name-missing", "A file without a field.", part("form-data; filename=\"a.txt\"")),
    silent("multipart/name-missing", "An empty name is one.", part("form-data; name=\"\"")),
    fires(
      "multipart/param-unquoted", "A blank in a file name without quotes.",
      part("form-data; name=f; filename=my cat.jpg")
    ),
    silent("multipart/param-unquoted", "A token without quotes.", part("form-data; name=f; filename=cat.jpg")),
    fires(
      "multipart/filename-escaping", "A path of Windows.", part("form-data; name=\"f\"; filename=\"C:\\cat.jpg\"")),
    fires(
      "multipart/filename-escaping", "filename*, and the server does not mind.",
      part("form-data; name=\"f\"; filename*=UTF-8''cat.jpg"), "200 OK", at: [2]),
    silent(
      "multipart/filename-escaping", "As browsers write it.",
      part("form-data; name=\"f\"; filename=\"6%22 pipe; \u{C3}\u{BC}.jpg\"")),
    fires("multipart/disposition-wrong", "As in mail.", part("attachment; name=\"f\"")),
    fires(
      "multipart/disposition-wrong", "None.", "--b0undary\r\nContent-Type: text/plain\r\n\r\n1\r\n--b0undary--\r\n"),
    silent("multipart/disposition-wrong", "In capitals.", part("Form-Data; name=\"f\"")),
    .silent(
      "multipart/disposition-wrong", "Parts of multipart/mixed need none.",
      handshake
        + upload(
          "--b0undary\r\n\r\n1\r\n--b0undary--", refused, fields: "Content-Type: multipart/mixed; boundary=b0undary")),
    fires(
      "multipart/file-without-type", "A file, and the server does not mind.",
      part("form-data; name=\"f\"; filename=\"a\"", ""), "200 OK", at: [2]),
    .fires(
      "multipart/file-without-type", "A file, and the server wants to know its type.",
      handshake + upload(part("form-data; name=\"f\"; filename=\"a\"", ""), "415 Unsupported Media Type"), at: [2, 3],
      .toServer, confidence: .medium, cost: .failed(.exchange)),
    silent("multipart/file-without-type", "A field.", part("form-data; name=\"f\"", "")),
    .fires(
      "multipart/cte-deprecated", "Base64 in a form.",
      handshake
        + upload(part("form-data; name=\"f\"", "Content-Transfer-Encoding: base64\r\n"), refused), at: [2], .toServer),
    .silent(
      "multipart/cte-deprecated", "In a mail the field has its place.",
      handshake
        + upload(
          part("form-data; name=\"f\"", "Content-Transfer-Encoding: base64\r\n"), refused,
          fields: "Content-Type: multipart/related; boundary=b0undary")),
  ]

  private static func boundary(_ value: String) -> String { "Content-Type: multipart/form-data; \(value)" }

  static let parameters: [RuleRow] = [
    .fires(
      "multipart/boundary-param-missing", "The field was set by hand.",
      handshake + upload(whole, refused, fields: "Content-Type: multipart/form-data"), at: [1, 2, 3], .toServer,
      confidence: .medium, cost: .failed(.exchange), says: "begins with a delimiter"),
    .silent(
      "multipart/boundary-param-missing", "Its name in capitals, the value quoted.",
      handshake + upload(whole, refused, fields: boundary("charset=utf-8; BOUNDARY=\"b0undary\""))),
    .silent(
      "multipart/boundary-param-missing", "There is no body, and so no part.",
      handshake + upload("", refused, fields: "Content-Type: multipart/form-data")),
    .fires(
      "multipart/boundary-illegal", "A slash needs quotes.",
      handshake + upload("--a/b\r\n\(a)--a/b--\r\n", refused, fields: boundary("boundary=a/b")), at: [1, 3], .toServer,
      severity: .warning, confidence: .medium, cost: .failed(.exchange), says: "needs quotes"),
    .fires(
      "multipart/boundary-illegal", "71 characters.",
      handshake
        + upload(
          "--\(String(repeating: "x", count: 71))--", fields: boundary("boundary=" + String(repeating: "x", count: 71))),
      at: [1], .toServer, says: "71 characters"),
    .silent(
      "multipart/boundary-illegal", "A slash in quotes, and one of 70 characters.",
      handshake + upload("--a/b\r\n\(a)--a/b--\r\n", refused, fields: boundary("boundary=\"a/b\""))
        + upload(
          "--\(String(repeating: "x", count: 70))--", refused,
          fields: boundary("boundary=" + String(repeating: "x", count: 70)), markers: "④⑤⑥")),
    .fires(
      "multipart/boundary-not-in-body", "Two pieces of code made a boundary each.",
      handshake + upload(whole, refused, fields: boundary("boundary=another")), at: [1, 2, 3], .toServer,
      confidence: .medium, cost: .failed(.exchange), says: "begins with another one"),
    .silent(
      "multipart/boundary-not-in-body", "Only its dashes are missing.",
      handshake + upload("another\r\n\(a)", refused, fields: boundary("boundary=another"))),
    .silent(
      "multipart/boundary-not-in-body", "The body is not all in the capture.",
      handshake + "> \"\(escaped("POST /up HTTP/1.1\r\nHost: h.example\r\n\(form)\r\nContent-Length: 40\r\n\r\n"))\"\n"
        + "> len=20 !lost\n> len=20\n< ACK\n< \"\(escaped("HTTP/1.1 400 No\r\nContent-Length: 0\r\n\r\n"))\"\n"),
  ]
}
