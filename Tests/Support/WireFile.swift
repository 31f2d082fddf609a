import Citation

/// Several conversations in one text, as samples and tests write them: each begins with a line
///
///     == 10.0.0.1:40000 10.0.0.2:80 +2s
///
/// of client, server and the time after the first packet of the capture at which it begins, which may be left out. A
/// text without such a line is one conversation. `#` begins a comment; the first ones of a sample say what happened.
package struct WireFile: Sendable {
  package private(set) var conversations: [Conversation] = []
  /// The comment lines before the first packet.
  package private(set) var notes: [String] = []

  private static let start: Int64 = 1_700_000_000_000_000_000

  package init(_ text: String) {
    var header: Substring = ""
    var body = ""
    var hasBegun = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: true) {
      if line.hasPrefix("== ") {
        if hasBegun { add(header, body) }
        header = line.dropFirst(3)
        body = ""
        hasBegun = true
      } else if line.hasPrefix("#") {
        if !hasBegun { notes.append(String(line.dropFirst().drop { $0 == " " })) }
      } else {
        hasBegun = true
        body += line + "\n"
      }
    }
    if hasBegun { add(header, body) }
  }

  private mutating func add(_ header: Substring, _ body: String) {
    let words = header.split(separator: " ")
    let after = words.count > 2 ? WireScript.duration(String(words[2])) ?? 0 : 0
    let script = WireScript(body, start: Self.start + after)
    conversations.append(
      words.count < 2
        ? Conversation(script)
        : Conversation(script, client: Endpoint(String(words[0])), server: Endpoint(String(words[1]))))
  }

  package var capture: ScriptedCapture { ScriptedCapture(conversations) }
}
