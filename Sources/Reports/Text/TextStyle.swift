// Reports prints. Each format is one reporter: a pure converter of items to bytes that a sink takes away. Reporters hold
// no more than they will print, judge nothing, and let no byte of a capture through unescaped.
//
//   Text/         what a person reads first
//   JSON/         streamscope.result/1 and the lines of streamscope.event/1
//   EscapedText JSONWriter DisplayFilter CommunityID   what several of them need
import Events

/// How the text report is drawn: by the terminal it goes to.
package struct TextStyle: Sendable {
  package enum Timeline: String, Sendable, CaseIterable { case full, short, none }
  package enum Clock: String, Sendable, CaseIterable { case rel, delta, utc, epoch }

  package var width = 100
  package var isASCII = false
  package var isColored = false
  package var isQuiet = false
  package var showsLint = false
  /// What sides said in their own words may be shown.
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
