// The contract of rules: what a rule is, and the few shapes that it can have. Sources/Rules/README.md walks through
// adding one. Watchers watch, rules judge: what has to be remembered of a connection or a capture is the state of a
// watcher, several rules may judge what one watcher saw, and most rules have no state at all.
//
//   MessageRule      a message of an exchange; AnomalyRule: one that restates what a parser accepted, as a row
//   ExchangeRule     an exchange that is over
//   StoryRule        what a watcher made of a connection; a family names its own (`protocol TLSRule: StoryRule`)
//   CaptureStoryRule the same of a whole capture
//   ConnectionRule   its own watcher of each connection
//   CaptureRule      its own watcher of the capture
//
// No code names the rules that it runs: `.ci/index` writes the lists of each shape from the sources, and a list is what
// is run. Nothing depends on the order in which rules are asked: findings are ordered by their packets and ids.
import Events

/// A kind of defect and its texts. In a file that has the name of its id; see RuleFile.
package protocol Rule: Sendable {
  static var info: RuleInfo { get }
}

/// Judges an exchange when it is over. Stateless.
protocol ExchangeRule: Rule {
  /// What an exchange must have to be judged: most exchanges have little, and so meet few rules.
  static var needs: ExchangeFacts { get }
  static func judge(_ exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void)
}

/// Judges each message of an exchange that is over: the request, interim responses, the response. Stateless.
protocol MessageRule: Rule {
  /// What a message must have to be judged.
  static var needs: ExchangeFacts { get }
  static func judge(
    _ message: Message, of exchange: ExchangeRecord, in context: FlowContext, report: (Finding) -> Void)
}

/// Judges what a watcher of a connection made: how it ended, what was held. The watcher runs the list.
protocol StoryRule: Rule {
  associatedtype Story
  static func judge(_ story: Story, in context: FlowContext, report: (Finding) -> Void)
}

/// Judges what a watcher of the capture made, when the capture is read.
protocol CaptureStoryRule: Rule {
  associatedtype Story
  static func judge(_ story: Story, _ thresholds: Thresholds, report: (Finding) -> Void)
}

/// A rule that watches each connection itself: it alone needs what it remembers.
protocol ConnectionRule: Rule, ConnectionWatcher {}

/// A rule that watches the capture itself.
protocol CaptureRule: Rule, CaptureWatcher {}
