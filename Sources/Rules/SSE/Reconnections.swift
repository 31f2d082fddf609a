import Citation
import Events

/// Event streams that are requested again: what each client requested, in the order of the requests.
///
/// Bounded: so many targets of so many clients, and of each the first visits.
struct Reconnections: CaptureWatcher {
  private struct Key: MixedKey {
    var asker: Asker
    var target: Int

    func mix(into mixer: inout WordMixer) {
      asker.mix(into: &mixer)
      mixer.combine(target)
    }
  }

  private static let limit = 256
  private static let visitLimit = 64

  private var visits = BoundedTable<Key, [StreamVisit]>(limit: Self.limit)

  mutating func observe(_ asked: AskedExchange, in context: FlowContext, report: (Finding) -> Void) {
    guard let visit = StreamVisit(asked, context) else { return }
    visits.update(Key(asker: asked.key.asker, target: asked.key.target), orMake: []) { list in
      if list.count < Self.visitLimit { list.append(visit) }
    }
  }

  mutating func finish(_ capture: CaptureRecord, _ thresholds: Thresholds, report: (Finding) -> Void) {
    for list in visits.inOrder where list.count > 1 {
      let list = list.sorted { $0.first.number < $1.first.number }
      for rule in RuleIndex.reconnectionRules { rule.judge(list, thresholds, report: report) }
    }
  }
}

/// Judges the visits of one client to one event stream, at least two, in their order.
protocol ReconnectionRule: CaptureStoryRule where Story == [StreamVisit] {}
