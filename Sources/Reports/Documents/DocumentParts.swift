import Events

/// What a format made from a document reads of it, beside its figures, connections, exchanges and findings. What no format
/// reads is not held.
package struct DocumentParts: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Of a timeline the heads of messages and the answer to the SYN.
  package static let landmarks = DocumentParts(rawValue: 1)
  package static let timelines: DocumentParts = [.landmarks, DocumentParts(rawValue: 2)]
  package static let items = DocumentParts(rawValue: 4)
  /// How the windows of HTTP/2 went.
  package static let windows = DocumentParts(rawValue: 8)
  package static let all: DocumentParts = [.timelines, .items, .windows]
}

extension DocumentFormat {
  package var parts: DocumentParts {
    switch self {
    case .html: .all
    case .har, .trace: [.landmarks, .items]
    case .sarif, .junit, .github, .openmetrics, .prometheus: []
    }
  }
}

extension TimelineEntry {
  var isLandmark: Bool {
    switch kind {
    case .head, .observation(.synAck): true
    default: false
    }
  }
}
