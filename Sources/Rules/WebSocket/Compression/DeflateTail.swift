import Events
import WebSocketSemantics

extension WebSocketMessage {
  /// It ends with what the receiver appends by itself: doubled, it may not even be DEFLATE.
  var hasTail: Bool {
    guard endsWithTail, isComplete else { return false }
    switch inflation {
    case .inflated, .failed: return true
    default: return false
    }
  }
}
