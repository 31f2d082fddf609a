import Events

extension MultipartRows {
  static let delimiters: [RuleRow] = [
    fires(
      "multipart/delimiter-dashes-missing", "The bare boundary opens the part, and the server refuses it.",
      "b0undary\r\n\(a)--b0undary--\r\n"),
    silent(
      "multipart/delimiter-dashes-missing", "The boundary stands in the data, as a part of a line.",
      "--b0undary\r\n\(a)the b0undary\r\n--b0undary--\r\n"),
    .silent(
      "multipart/delimiter-dashes-missing", "The boundary has dashes of its own.",
      handshake
        + upload(
          "----b0undary\r\n\(a)----b0undary--\r\n", refused,
          fields: "Content-Type: multipart/form-data; boundary=--b0undary")),
    fires(
      "multipart/delimiter-not-at-line-start", "The line end before the closing delimiter was forgotten.",
      "--b0undary\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1--b0undary--\r\n"),
    silent(
      "multipart/delimiter-not-at-line-start", "An empty part: the empty line ends before the delimiter.",
      "--b0undary\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n--b0undary--\r\n"),
    fires(
      "multipart/bare-lf", "Everything was joined with LF.",
      "--b0undary\nContent-Disposition: form-data; name=\"a\"\n\n1\n--b0undary--\n", count: 4, says: "4 times"),
    fires(
      "multipart/bare-lf", "The server takes it all the same.",
      "--b0undary\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--b0undary--\r\n", "200 OK", at: [2]),
    silent(
      "multipart/bare-lf", "Only the data have LF.",
      "--b0undary\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\n2\n\r\n--b0undary--\r\n"),
    fires(
      "multipart/boundary-in-content", "A text that holds the boundary: what follows has no header.",
      "--b0undary\r\n\(a)--b0undary\r\nis what we use\r\n--b0undary--\r\n"),
    fires(
      "multipart/boundary-in-content", "A stored upload is uploaded: its end is behind the end.",
      "--b0undary\r\n\(a)--b0undary--\r\n\r\n--b0undary--\r\n", "200 OK", at: [2]),
    silent(
      "multipart/boundary-in-content", "The first part has no header, nor has any other.",
      "--b0undary\r\nhello\r\n--b0undary\r\nworld\r\n--b0undary--\r\n"),
    fires(
      "multipart/final-delimiter-missing", "The body ends with the last part.", "--b0undary\r\n\(a)", at: [2, 2, 3],
      says: "after 1 part"),
    fires(
      "multipart/final-delimiter-missing", "The last delimiter has no dashes at its end.",
      "--b0undary\r\n\(a)--b0undary\r\n", at: [2, 2, 3], says: "lacks the two dashes"),
    .fires(
      "multipart/final-delimiter-missing", "Nobody answers, and the server closes.",
      handshake + upload("--b0undary\r\n\(a)", nil) + "+5s\n< FIN ③\n", at: [2, 2, 3], .toServer,
      confidence: .medium, cost: .failed(.exchange)),
    .fires(
      "multipart/final-delimiter-missing", "The client leaves at once: that is no sign of harm.",
      handshake + upload("--b0undary\r\n\(a)", nil) + "> FIN\n", at: [2, 2], .toServer),
    silent("multipart/final-delimiter-missing", "Without line end behind it.", "--b0undary\r\n\(a)--b0undary--"),
    .silent(
      "multipart/final-delimiter-missing", "The upload was cut.",
      handshake + upload("--b0undary\r\n\(a)", nil, length: 20) + "> FIN\n"),
    fires(
      "multipart/data-after-final", "A part behind the end, and the server does not mind.", whole + "\(a)", "200 OK",
      at: [2, 2], says: "49 B follow"),
    silent("multipart/data-after-final", "Two line ends.", whole + "\r\n"),
    fires(
      "multipart/preamble", "A line for people.", "This is a message.\r\n" + whole, "200 OK", at: [2], says: "18 B"),
    silent("multipart/preamble", "A line end.", "\r\n" + whole),
  ]
}
