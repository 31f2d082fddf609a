import Citation
import Events
import HTTPSemantics

/// The objects of streamscope.compare/1.
package struct ComparisonDocument {
  private let run: RunInfo
  private let redaction: Redaction

  package init(_ run: RunInfo, _ redaction: Redaction) {
    self.run = run
    self.redaction = redaction
  }

  package func write(_ record: ComparisonRecord, to output: inout some ByteSink) throws(ReportError) {
    var json = JSONWriter(.document)
    try write(record, to: &json) { (json: inout JSONWriter) throws(ReportError) in
      try output.write(json.bytes)
      json.bytes.removeAll(keepingCapacity: true)
    }
    json.endLine()
    try output.write(json.bytes)
  }

  /// The same as a tree.
  package func document(_ record: ComparisonRecord) -> DocumentNode {
    JSONWriter.tree { json in write(record, to: &json) { _ in } }
  }

  /// `part` is called between parts, so that not all of a document has to be held at once.
  private func write<Failure>(
    _ record: ComparisonRecord, to json: inout JSONWriter, part: (inout JSONWriter) throws(Failure) -> Void
  ) throws(Failure) {
    let contexts = record.captures.map {
      ResultContext(origin: $0.capture.firstTime ?? .zero, redaction: redaction, file: $0.capture.file)
    }
    json.beginObject()
    json.field("schema", "streamscope.compare/1")
    json.tool(run)
    json.redaction(redaction, payloads: 0)
    for side in CompareSide.allCases {
      json.object(FieldName(side.key)) { json in
        json.capture(record.captures[side].capture, contexts[side])
        json.summary(record.captures[side])
      }
    }
    json.relation(record)
    json.verdict(record)
    json.key("pairs")
    json.beginArray()
    for pair in record.pairs {
      json.object { $0.pair(pair, record, contexts) }
      try part(&json)
    }
    json.endArray()
    json.connections(record, contexts)
    json.unmatched(record, contexts)
    var context = contexts.b
    context.sides = contexts
    json.array("findings") { list in
      for finding in record.findings { list.object { $0.finding(finding, context) } }
    }
    json.foundAlone(record)
    json.array("limits") { list in for limit in record.limits { list.value(limit) } }
    json.endObject()
  }
}

extension JSONWriter {
  fileprivate mutating func relation(_ record: ComparisonRecord) {
    object("relation") { json in
      json.field("kind", record.relation.kind.rawValue)
      json.field("reason", record.relation.reason)
      json.field("outer", record.relation.outer?.key)
      json.field("sameConnections", record.relation.isSameConnection)
    }
    guard let clock = record.clock else { return }
    object("clock") { json in
      json.field("offsetNs", clock.offset)
      json.field("leastNs", clock.least)
      json.field("mostNs", clock.most)
      json.field("driftNsPerSecond", clock.drift)
      if clock.drift != nil { json.field("driftUncertainty", clock.driftUncertainty) }
      json.field("moments", clock.samples)
    }
  }

  fileprivate mutating func verdict(_ record: ComparisonRecord) {
    object("verdict") { json in
      json.field("identical", record.isIdentical)
      json.field("matched", record.pairs.count)
      json.object("words") { words in
        for word in ComparisonVerdict.Word.allCases {
          words.field(FieldName(word.rawValue), record.pairs.count { $0.worst == word })
        }
      }
      json.object("unmatched") { counts in
        for side in CompareSide.allCases {
          counts.field(FieldName(side.key), record.unmatched[side].count + record.unmatchedConnections[side].count)
        }
      }
    }
  }

  // MARK: An exchange

  fileprivate mutating func pair(
    _ pair: ComparedPair, _ record: ComparisonRecord, _ contexts: BothSides<ResultContext>
  ) {
    let request = pair.a.record.request?.head ?? pair.b.record.request?.head
    field("method", request?.methodText ?? "")
    field("target", contexts.a.redaction.target(request?.targetText ?? ""))
    field("matchedBy", pair.reason.rawValue)
    for side in CompareSide.allCases { object(FieldName(side.key)) { $0.leg(pair[side], contexts[side]) } }
    array("verdicts") { list in
      for verdict in pair.verdicts {
        list.object { json in
          json.field("word", verdict.word.rawValue)
          json.field("direction", verdict.direction?.name)
          json.field("capture", verdict.side?.key)
          json.cost(verdict.cost, 1)
        }
      }
    }
    if let passage = pair.passage {
      let redaction = contexts.a.redaction
      object("passage") { json in
        json.field("outer", passage.outer.key)
        json.field("sameConnection", passage.isSameConnection)
        json.field("proxy", passage.proxy.map { redaction.value($0, of: "server") })
      }
    }
    array("differences") { list in
      for difference in pair.differences { list.object { $0.difference(difference, contexts) } }
    }
    for direction in Direction.allCases { pieces(pair, direction, record, contexts) }
  }

  private mutating func leg(_ exchange: ComparedExchange, _ context: ResultContext) {
    field("connection", exchange.leg.connection)
    field("exchange", exchange.leg.number)
    field("status", exchange.record.response?.head.map { Int($0.status.code) })
    field("waitNs", exchange.record.wait)
    field("totalNs", exchange.record.total)
    field("requestBytes", exchange.record.request?.bodyBytes)
    field("responseBytes", exchange.record.response?.bodyBytes)
    field("firstPacket", exchange.record.first.number)
    field("startNs", context.relative(exchange.record.first.time))
  }

  private mutating func difference(_ difference: Difference, _ contexts: BothSides<ResultContext>) {
    field("part", difference.part.rawValue)
    field("kind", difference.kind.rawValue)
    if !difference.name.isEmpty { field("name", contexts.a.redaction.name(ofField: difference.name)) }
    field("role", difference.role.rawValue)
    for side in CompareSide.allCases {
      object(FieldName(side.key)) { json in
        json.field("value", difference.shown(side, contexts[side].redaction))
        json.field("packet", difference.packets[side]?.number)
        json.field("ns", difference.packets[side].map { contexts[side].relative($0.time) })
      }
    }
    field("from", difference.from)
    field("to", difference.to)
  }

  /// The pieces of one direction, on lanes of one clock, and how long each took.
  private mutating func pieces(
    _ pair: ComparedPair, _ direction: Direction, _ record: ComparisonRecord, _ contexts: BothSides<ResultContext>
  ) {
    let lanes = pair.lanes[direction]
    let holds = pair.holds[direction]
    guard !lanes.a.isEmpty || !lanes.b.isEmpty else { return }
    object(direction == .toServer ? "upload" : "download") { json in
      for side in CompareSide.allCases {
        json.array(FieldName(side.key)) { list in
          for piece in lanes[side] {
            list.row { row in
              row.field("ns", pair.onLane(piece.packet.time, side, record))
              row.field("bytes", piece.bytes)
              row.field("packet", piece.packet.number)
            }
          }
        }
      }
      guard !holds.isEmpty, record.relation.kind == .points else { return }
      json.array("holds") { list in
        for piece in holds {
          list.row { row in
            row.field("bytes", piece.bytes)
            row.field("aNs", pair.onLane(piece.a.time, .a, record))
            row.field("bNs", pair.onLane(piece.b.time, .b, record))
            row.field("heldNs", piece.held)
            row.field("aPacket", piece.a.number)
            row.field("bPacket", piece.b.number)
          }
        }
      }
      json.field("holdsCut", nonzero: pair.holdsCut[direction])
    }
  }

  // MARK: What is left

  fileprivate mutating func connections(_ record: ComparisonRecord, _ contexts: BothSides<ResultContext>) {
    guard !record.connections.isEmpty else { return }
    array("connections") { list in
      for connection in record.connections {
        list.object { json in
          json.field("a", connection.a.number)
          json.field("b", connection.b.number)
          json.field("client", "\(connection.a.client)")
          json.field("server", "\(connection.a.server)")
          json.array("differences") { list in
            for difference in connection.differences { list.object { $0.difference(difference, contexts) } }
          }
        }
      }
    }
  }

  fileprivate mutating func unmatched(_ record: ComparisonRecord, _ contexts: BothSides<ResultContext>) {
    object("unmatched") { json in
      for side in CompareSide.allCases {
        json.array(FieldName(side.key)) { list in
          for exchange in record.unmatched[side] {
            list.object { json in
              json.field("method", exchange.record.method)
              json.field("target", contexts[side].redaction.target(exchange.record.target))
              json.leg(exchange, contexts[side])
            }
          }
          for connection in record.unmatchedConnections[side] {
            list.object { json in
              json.field("connection", connection.number)
              json.field("client", "\(connection.client)")
              json.field("server", "\(connection.server)")
              json.field("firstPacket", connection.firstPacket.number)
              json.field("startNs", contexts[side].relative(connection.firstPacket.time))
            }
          }
        }
      }
    }
  }

  fileprivate mutating func foundAlone(_ record: ComparisonRecord) {
    object("foundAlone") { json in
      for side in CompareSide.allCases {
        json.array(FieldName(side.key)) { list in
          for found in record.foundAlone[side] {
            list.object { json in
              json.field("rule", found.rule.text)
              json.field("severity", found.severity.name)
              json.field("count", found.count)
            }
          }
        }
      }
    }
  }
}

extension ComparedPair {
  /// Since the exchange began: between two points on the clock of A, of two runs on its own.
  fileprivate func onLane(_ time: Timestamp, _ side: CompareSide, _ record: ComparisonRecord) -> Int64 {
    guard record.relation.kind == .points else { return time.since(self[side].record.first.time) }
    let onA = { (time: Timestamp, side: CompareSide) in side == .a ? time : record.clock?.onA(time) ?? time }
    let begin = min(onA(a.record.first.time, .a), onA(b.record.first.time, .b))
    return onA(time, side).since(begin)
  }
}

extension Difference {
  /// The value, unless it is hidden.
  func shown(_ side: CompareSide, _ redaction: Redaction) -> String? {
    guard let raw = self[side] else { return nil }
    switch kind {
    case .fieldValue, .fieldAdded, .fieldRemoved, .contentCoding: return redaction.value(raw, of: name)
    case .target: return redaction.target(raw)
    // Reasons, and names that servers have: what looks like a token in them is hidden.
    default: return redaction.value(raw, of: "")
    }
  }
}
