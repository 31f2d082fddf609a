import Citation
import Events

extension JSONWriter {
  mutating func sarifResult(
    _ result: SARIFLog.Result, _ rule: Int, _ captures: [DocumentCapture], _ profile: SARIFProfile
  ) {
    let finding = result.finding
    let capture = captures[result.capture]
    let evidence = finding.node.elements("evidence")
    object { json in
      json.field("ruleId", finding.rule)
      json.field("ruleIndex", rule)
      let level = result.isConsequence ? .note : finding.severity ?? .warning
      json.field("level", level.name)
      json.sarifText("message", finding.sentence)
      json.array("locations") { list in
        list.object { location in
          location.sarifPlace(
            capture, result.capture, profile, offset: capture.offset(of: finding), member: evidence.first?.member)
          if let endpoint = capture.endpoint(of: finding) {
            location.array("logicalLocations") { list in
              list.object { $0.field("fullyQualifiedName", "\(endpoint.method) \(endpoint.path)") }
            }
          }
        }
      }
      let places = SARIFPlaces(captures: captures, own: result.capture)
      if profile == .github { json.packets(evidence, places) }
      json.story(evidence, places, profile)
      json.object("partialFingerprints") { $0.field("primaryLocationLineHash", result.fingerprint) }
      json.field("occurrenceCount", min(finding.count, Int64(Int32.max)))
      json.details(finding, capture)
    }
  }

  /// A physicalLocation in the capture; `offset` is one in the file.
  mutating func sarifPlace(
    _ capture: DocumentCapture, _ index: Int, _ profile: SARIFProfile, offset: Int64?, member: String? = nil
  ) {
    object("physicalLocation") { place in
      place.object("artifactLocation") { artifact in
        artifact.field("uri", SARIFText.uri(member ?? capture.uriPath))
        // The files of a series are one artifact.
        if member == nil { artifact.field("index", index) }
      }
      if profile == .github {
        place.object("region") { region in
          for key in ["startLine", "startColumn", "endLine", "endColumn"] as [FieldName] { region.field(key, 1) }
        }
      } else if let offset {
        place.object("region") { region in
          region.field("byteOffset", offset)
          region.field("byteLength", 0)
        }
      }
    }
  }

  /// Cited packets, for readers that show nothing but related locations.
  private mutating func packets(_ evidence: [DocumentNode], _ places: SARIFPlaces) {
    if evidence.isEmpty { return }
    array("relatedLocations") { list in
      for (number, item) in evidence.prefix(SARIFLog.Limit.relatedLocations).enumerated() {
        list.object { location in
          location.field("id", number + 1)
          let index = places.index(of: item)
          location.sarifPlace(places.captures[index], index, .github, offset: nil, member: item.member)
          location.sarifText("message", item.evidenceWords)
        }
      }
    }
  }

  /// What happened, packet by packet, in order of time.
  private mutating func story(_ evidence: [DocumentNode], _ places: SARIFPlaces, _ profile: SARIFProfile) {
    let timed = evidence.enumerated().filter { $0.element.integer("packet") ?? 0 > 0 }
    if timed.isEmpty { return }
    let steps = timed.sorted { left, right in
      let key = { (item: EnumeratedSequence<[DocumentNode]>.Element) in
        (item.element.integer("ns") ?? 0, item.element.integer("packet") ?? 0, item.offset)
      }
      return key(left) < key(right)
    }
    let limit = profile == .github ? SARIFLog.Limit.flowLocations : steps.count
    array("codeFlows") { flows in
      flows.object { flow in
        flow.array("threadFlows") { threads in
          threads.object { thread in
            thread.array("locations") { list in
              for step in steps.prefix(limit) { list.step(step.element, places, profile) }
            }
          }
        }
      }
    }
  }

  private mutating func step(
    _ item: DocumentNode, _ places: SARIFPlaces, _ profile: SARIFProfile
  ) {
    let index = places.index(of: item)
    let capture = places.captures[index]
    let first = capture.node["capture"]?.text("firstTime").flatMap(ClockTime.parse)
    object { step in
      step.object("location") { location in
        location.sarifPlace(capture, index, profile, offset: nil, member: item.member)
        location.sarifText("message", item.evidenceWords)
      }
      if let first, let ns = item.integer("ns") {
        step.field("executionTimeUtc", ClockTime(first.advanced(by: ns)).text)
      }
      step.object("properties") { properties in
        for key in ["packet", "seriesPacket", "ns", "direction", "offset", "length", "excerpt"] {
          properties.field(FieldName(key), item[key])
        }
      }
    }
  }

  private mutating func details(_ finding: DocumentFinding, _ capture: DocumentCapture) {
    object("properties") { properties in
      for key in ["class", "confidence", "connection", "exchange", "direction", "cost", "causedBy", "fix"] {
        properties.field(FieldName(key), finding.node[key])
      }
      properties.field("packets", finding.packets)
      for key in ["firstPacket", "lastPacket", "filter", "filters", "thresholds"] {
        properties.field(FieldName(key), finding.node[key])
      }
      properties.field("communityId", capture.connection(of: finding)?["communityId"])
    }
  }
}

/// The captures of a log, and in which of them an evidence is: those of a comparison come in pairs.
struct SARIFPlaces {
  let captures: [DocumentCapture]
  /// That of the finding.
  let own: Int

  func index(of evidence: DocumentNode) -> Int {
    switch evidence.text("capture") {
    case "a": return own & ~1
    case "b": return min(own | 1, captures.count - 1)
    default: return own
    }
  }
}

extension DocumentFinding {
  /// The finding, its cause and its fix.
  var sentence: String {
    let cause = causedBy.map { " A consequence of \($0)." } ?? ""
    return message + cause + (fix.map { " Fix: \($0)" } ?? "")
  }
}

extension DocumentNode {
  /// An evidence in words: "#5, to the server: announces a body of 0 B".
  var evidenceWords: String {
    let packet = integer("packet") ?? 0
    let sides = ["toServer": ", to the server", "toClient": ", to the client"]
    let side = text("direction").flatMap { sides[$0] } ?? ""
    let note = text("note").map { ": \(EscapedText.text($0))" } ?? ""
    let file = member.map { FileName(path: $0).base + " " } ?? ""
    return (packet > 0 ? "\(file)#\(packet)" : "the file") + side + note
  }
}

extension DocumentCapture {
  /// In the file. Other offsets are of streams.
  func offset(of finding: DocumentFinding) -> Int64? {
    guard hasOffsets, let first = finding.node.elements("evidence").first, first.integer("packet") == 0,
      first["direction"] == nil, let offset = first.integer("offset"), offset >= 0
    else { return nil }
    return offset
  }
}
