import Events

/// A document that a format reads once: all but its connections, and then these, one behind the other. Those of a run are
/// made while they are read, because their trees take several times the memory of their records.
package struct DocumentReading: Sendable {
  private enum Source: Sendable {
    case document(DocumentNode)
    case run(JSONReporter, Summary)
    case nothing
  }

  /// Where its connections are made while they are read, it has none.
  package let frame: DocumentNode
  private var source: Source

  package init(_ document: DocumentNode) {
    frame = document
    source = .document(document)
  }

  init(_ frame: DocumentNode, _ run: JSONReporter, _ summary: Summary) {
    self.frame = frame
    source = .run(run, summary)
  }

  mutating func connections(_ take: (DocumentNode) -> Void) {
    let unread = source
    source = .nothing
    switch consume unread {
    case .document(let document): for connection in document.elements("connections") { take(connection) }
    case .run(var run, let summary): run.connections(summary, take)
    case .nothing: break
    }
  }
}
