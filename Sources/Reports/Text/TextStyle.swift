// Reports prints. Each format is one reporter: a pure converter of items to bytes, which go to a sink. Reporters store no
// more than they print, draw no conclusions, and escape every byte of a capture.
//
//   Text/         the report for people
//   JSON/         streamscope.result/1 and the lines of streamscope.event/1
//   EscapedText JSONWriter DisplayFilter CommunityID   shared by several of them
import Events

/// The style of the text report, which depends on the terminal.
package struct TextStyle: Sendable {
  package enum Timeline: String, Sendable, CaseIterable { case full, short, none }
  package enum Clock: String, Sendable, CaseIterable { case rel, delta, utc, epoch }

  package var width = 100
  package var isASCII = false
  package var isColored = false
  package var isQuiet = false
  package var showsLint = false
  /// Payload may be shown.
  package var showsPayload = false
  package var timeline = Timeline.short
  package var clock = Clock.rel
  package var connection: Int?

  package init() {}

  var toServer: String { isASCII ? "->" : "→" }
  var toClient: String { isASCII ? "<-" : "←" }
  var dot: String { isASCII ? "-" : "·" }
  var separator: String { "   \(dot)   " }
  var ellipsis: String { isASCII ? ":" : "⋮" }
  var joiner: String { isASCII ? "->" : "→" }

  enum Paint: String { case error = "1;31", warning = "1;33", note = "36", strong = "1", faint = "2" }

  func paint(_ text: String, _ paint: Paint) -> String {
    isColored ? "\(Ink.mark(paint))\(text)\(Ink.end)" : text
  }

  func paint(for severity: Severity) -> Paint {
    switch severity {
    case .error: .error
    case .warning: .warning
    case .note: .note
    }
  }
}
