// LLM reads what a language model streams: the events of text/event-stream or the lines of newline-delimited JSON, as the
// servers of models write them. It sees a body with its framing and its content coding undone, in arbitrary pieces, and
// says of each item what it carries: content or none, a finish reason, counts, an error, the end.
//
//   AnswerReader   items, and whose dialect they are
//   JSONSkim       the JSON of one item, of which a few members are looked at
//   AnswerField    those members
//
// Nothing of an answer is kept: of a member's value at most `JSONSkim.textLimit` bytes, while its item is read.
import Citation
import LLMSemantics

/// What one item of an answer says.
package struct AnswerItem: Hashable, Sendable {
  /// The packet of its end.
  package var completed: PacketRef
  /// Empty where it only announces a role, counts, or keeps the stream alive.
  package var content: AnswerContent = []
  package var model: String?
  package var finish: String?
  package var usage = AnswerUsage()
  /// It is the marker that ends the answer.
  package var isEnd = false
  /// An error, with its type where that has the form of a name.
  package var failure: Failure?

  package struct Failure: Hashable, Sendable {
    package var type: String?

    package init(type: String?) { self.type = type }
  }

  package init(completed: PacketRef) {
    self.completed = completed
  }
}

package enum AnswerToken: Hashable, Sendable {
  case item(AnswerItem)
  /// Bytes were missing, and items with them.
  case gap
}
