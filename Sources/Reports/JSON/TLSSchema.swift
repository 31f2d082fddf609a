import Citation
import Events
import TLSSemantics

// The tls object of a connection in streamscope.result/1.

extension JSONWriter {
  mutating func tls(_ session: TLSSession, _ context: ResultContext) {
    object("tls") { json in
      json.field("version", session.version?.name)
      json.field("cipher", session.cipherSuite?.name)
      json.field("sni", session.serverName.map { EscapedText.text($0) })
      json.field("alpn", session.applicationProtocol.map { EscapedText.text($0) })
      json.field("ja4", session.hellos.client?.ja4)
      json.field("resumed", session.isResumed)
      json.field("decrypted", session.opening == .opened)
      json.field("opening", session.opening.name)
      json.field("handshakeNs", session.phases.handshakeNanoseconds)
      json.phases(session, context)
      if let certificate = session.certificate { json.certificate(certificate) }
      json.object("records") { json in
        for direction in Direction.allCases {
          json.object(direction.field) { $0.counts(session.sides[direction].counts) }
        }
      }
      json.object("timing") { json in
        for direction in Direction.allCases {
          json.object(direction.field) { $0.profile(session.sides[direction].application, context) }
        }
      }
      json.alerts(session.alerts)
      json.problems(session)
    }
  }

  private mutating func alerts(_ alerts: [SeenAlert]) {
    guard !alerts.isEmpty else { return }
    array("alerts") { list in
      for alert in alerts {
        list.object { json in
          json.field("direction", alert.direction.name)
          json.field("packet", alert.span.first.number)
          json.field("level", alert.alert.map { $0.level == 1 ? "warning" : "fatal" })
          json.field("code", alert.alert.map { UInt64($0.code) })
          json.field("name", alert.alert?.name ?? "encrypted")
        }
      }
    }
  }

  /// What was malformed, the first of each kind; no rule judges it yet.
  private mutating func problems(_ session: TLSSession) {
    var all: [(direction: Direction, packet: PacketRef, words: String)] = []
    for each in session.flaws { all.append((each.direction, each.flaw.span.first, each.flaw.words)) }
    for direction in Direction.allCases {
      if let record = session.sides[direction].oddRecord {
        all.append((direction, record.span.first, "record: \(record.oddities.words)"))
      }
      if let opaque = session.sides[direction].opaque {
        all.append((direction, opaque.span.first, opaque.cause.words))
      }
    }
    guard !all.isEmpty else { return }
    all.sort { $0.packet.number < $1.packet.number }
    array("problems") { list in
      for problem in all {
        list.object { json in
          json.field("direction", problem.direction.name)
          json.field("packet", problem.packet.number)
          json.field("what", problem.words)
        }
      }
    }
  }

  /// Each step after the one before it.
  private mutating func phases(_ session: TLSSession, _ context: ResultContext) {
    let phases = session.phases
    guard let start = phases.clientHello else { return }
    object("phases") { json in
      json.field("clientHelloNs", context.relative(start.time))
      json.field("retryNs", phases.retry?.time.since(start.time))
      json.field("serverHelloNs", phases.serverHello?.time.since(start.time))
      json.field("serverFlightNs", phases.serverFlight?.time.since(start.time))
      json.field("finishedNs", phases.handshakeNanoseconds)
      json.field("firstClientDataNs", phases.application.toServer?.time.since(start.time))
      json.field("firstServerDataNs", phases.application.toClient?.time.since(start.time))
    }
  }

  private mutating func certificate(_ shown: ShownCertificate) {
    object("certificate") { json in
      json.field("count", UInt64(shown.count))
      json.field("bytes", UInt64(shown.byteCount))
      guard let leaf = shown.leaf else { return }
      json.field("subject", leaf.subjectCommonName.map { EscapedText.text($0) })
      json.field("issuer", leaf.issuerCommonName.map { EscapedText.text($0) })
      json.array("names") { list in
        for name in leaf.names.prefix(32) { list.value(EscapedText.text(name)) }
        for address in leaf.addresses.prefix(32) { list.value(address.description) }
      }
      json.field("notBefore", leaf.notBefore)
      json.field("notAfter", leaf.notAfter)
      json.field("selfSigned", leaf.isSelfSigned)
      json.field("key", "\(leaf.keyKind.rawValue) \(leaf.keyBits)")
    }
  }

  private mutating func counts(_ counts: TLSSide.Counts) {
    field("handshake", counts.handshake)
    field("change_cipher_spec", counts.changeCipherSpec)
    field("alert", counts.alert)
    field("application_data", counts.applicationData)
    field("heartbeat", counts.heartbeat)
    field("other", nonzero: counts.other)
  }

  private mutating func profile(_ profile: TLSProfile, _ context: ResultContext) {
    field("firstAppNs", profile.first.map { context.relative($0.span.first.time) })
    field("records", profile.count)
    if let first = profile.first, let last = profile.last {
      let nanoseconds = last.released.time.since(first.span.first.time)
      if nanoseconds > 0 {
        // Thousandths, as the decimal of the document.
        let rate = Double(profile.count) * 1e12 / Double(nanoseconds)
        field("perSecond", decimal: Int64(rate.rounded()), scale: 3)
      }
    }
    field("bursts", profile.bursts)
    quantiles("gaps", profile.gaps)
    quantiles("size", profile.sizes)
    quantiles("spanNs", profile.spans)
  }
}

extension TLSOpening {
  /// As documents name it.
  fileprivate var name: String {
    switch self {
    case .noKeys: "noKeys"
    case .unused: "unused"
    case .opened: "opened"
    case .failed: "failed"
    case .lost: "lost"
    case .unsupported: "unsupported"
    case .unsupportedVersion: "unsupportedVersion"
    case .compressed: "compressed"
    case .notBuiltIn: "notBuiltIn"
    case .incomplete: "incomplete"
    }
  }
}

extension HandshakeFlaw {
  fileprivate var words: String {
    let what =
      switch kind {
      case .overrun: "a field extends past its container"
      case .excess: "excess bytes"
      case .illegalLength: "an illegal length"
      case .duplicate: "a duplicate extension"
      case .illegalValue: "an illegal value"
      case .tooLong: "too long to be read"
      case .tooMany: "too many messages; the rest is not read"
      case .incomplete: "incomplete"
      }
    let place = [type?.name, field.isEmpty ? nil : field].compactMap(\.self).joined(separator: " ")
    return place.isEmpty ? what : "\(place): \(what)"
  }
}

extension TLSRecord.Oddities {
  fileprivate var words: String {
    var words: [String] = []
    if contains(.unknownVersion) { words.append("unknown version") }
    if contains(.versionChanged) { words.append("version changed") }
    if contains(.empty) { words.append("empty") }
    if contains(.longChangeCipherSpec) { words.append("change_cipher_spec of more than one byte") }
    return words.joined(separator: ", ")
  }
}

extension OpaqueStart.Cause {
  fileprivate var words: String {
    switch self {
    case .notTLS: "not a TLS record"
    case .tooLong: "a record longer than TLS allows"
    case .hole: "unreadable after a hole"
    }
  }
}
