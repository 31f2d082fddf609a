import Citation
import Events

/// A large capture: causes by cost, then servers.
struct TextOverview {
  private static let causeLimit = 8
  private static let serverLimit = 8

  let style: TextStyle
  let redaction: Redaction
  let run: RunInfo

  func write(
    _ summary: Summary, _ causes: CauseTable, _ servers: ServerTable, _ findings: [Finding], to block: inout TextBlock
  ) {
    let diagnoses = causes.diagnoses
    if !diagnoses.isEmpty {
      block.line()
      block.line(
        "\(Wording.count(UInt64(diagnoses.count), "cause")) affected \(Wording.number(summary.hurt)) of "
          + Wording.count(summary.connections, "connection") + (diagnoses.count > 1 ? "; worst first:" : ":"))
      writeCauses(diagnoses, findings, to: &block)
    }
    if !style.isQuiet {
      if summary.endpoints.isEmpty {
        writeServers(servers, to: &block)
      } else {
        TextEndpoints(style: style).write(summary.endpoints, to: &block)
      }
      writeTail(summary, causes, diagnoses, servers, to: &block)
    }
    if style.showsLint {
      TextFindings(style: style, redaction: redaction, isSingle: false, members: summary.capture.members).write(
        findings.filter { !$0.isDiagnosis }, CauseTable(), to: &block)
    }
    writeNext(summary, diagnoses, to: &block)
  }

  private func writeCauses(_ causes: [Cause], _ findings: [Finding], to block: inout TextBlock) {
    let rows = causes.prefix(Self.causeLimit).map { cause in
      [
        cause.rule.text, Wording.count(cause.connections, "connection"), cause.costWords,
        style.shortened(cause.place, to: 32), "#\(cause.firstConnection) pkt \(Wording.number(cause.firstPacket))",
      ]
    }
    var table = [["cause", "hit", "cost", "where", "first seen"]] + rows
    if rows.allSatisfy({ $0[3].isEmpty }) { for index in table.indices { table[index].remove(at: 3) } }
    let margins =
      ["   "]
      + causes.prefix(Self.causeLimit).map { cause in
        " " + style.paint(String(cause.severity.name.uppercased().prefix(1)), style.paint(for: cause.severity)) + " "
      }
    block.table(table, alignsRight: false, margins: margins, width: style.width) { index, block in
      guard index > 0, let first = Self.example(of: causes[index - 1].rule, findings) else { return }
      block.paragraph(EscapedText.text(first.message.text), indent: "     ", width: style.width)
      if let fix = first.fix { block.paragraph(fix, indent: "          ", first: "     Fix: ", width: style.width) }
    }
  }

  /// The finding that stands for a rule: of several that cost the same, the one that explains others, and then the one about
  /// most.
  private static func example(of rule: RuleID, _ findings: [Finding]) -> Finding? {
    let roots = findings.filter { $0.rule == rule && $0.isDiagnosis && $0.causedBy == nil }
    let explained = Set(
      findings.lazy.filter { $0.causedBy == rule && $0.isDiagnosis }.compactMap { $0.parties?.server })
    let explains = { (finding: Finding) in finding.parties.map { explained.contains($0.server) } ?? false }
    return roots.min { left, right in
      let isSame = left.shownSeverity == right.shownSeverity && left.cost.weight == right.cost.weight
      guard isSame else { return Finding.isWorse(left, right) }
      if explains(left) != explains(right) { return explains(left) }
      return left.count != right.count ? left.count > right.count : Finding.isWorse(left, right)
    }
  }

  private func writeServers(_ servers: ServerTable, to block: inout TextBlock) {
    let rows = servers.worstFirst.prefix(Self.serverLimit).map { server in
      [
        server.endpoint.description, Wording.number(server.connections), Wording.number(server.hurt),
        Wording.size(server.bytesUp), Wording.size(server.bytesDown), Wording.number(server.resets),
        Wording.size(server.retransmitted), server.roundTrips.quantile(50).map(Wording.duration) ?? "-",
        server.roundTrips.maximum.map(Wording.duration) ?? "-",
      ]
    }
    let header = ["server", "n", "hurt", "up", "down", "reset", "resent", "RTT p50", "max"]
    block.line()
    let margins = [String](repeating: "   ", count: rows.count + 1)
    block.table([header] + rows, alignsRight: true, margins: margins, width: style.width)
  }

  private func writeTail(
    _ summary: Summary, _ causes: CauseTable, _ diagnoses: [Cause], _ servers: ServerTable, to block: inout TextBlock
  ) {
    var parts: [String] = []
    if summary.endpoints.isEmpty {
      let more = servers.count - min(servers.count, Self.serverLimit)
      if more > 0 { parts.append(Wording.count(UInt64(more), "more server")) }
    } else if let more = TextEndpoints.rest(summary) {
      parts.append(more)
    }
    if diagnoses.count > Self.causeLimit {
      parts.append(Wording.count(UInt64(diagnoses.count - Self.causeLimit), "more cause"))
    }
    let lint = causes.lint
    if !lint.isEmpty, !style.showsLint {
      let total = lint.reduce(0) { $0 + $1.count }
      parts.append(
        "lint: \(Wording.count(total, "remark")) of \(Wording.count(UInt64(lint.count), "rule")), no harm seen in this capture   [--lint]"
      )
    }
    guard !parts.isEmpty else { return }
    block.parts(parts, between: style.separator, indent: "   ", width: style.width)
  }

  private func writeNext(_ summary: Summary, _ diagnoses: [Cause], to block: inout TextBlock) {
    guard !style.isQuiet else { return }
    block.line()
    let connection = diagnoses.first?.firstConnection ?? 1
    var parts = ["streamscope \(input(summary)) --connection \(connection)"]
    if let rule = diagnoses.first?.rule { parts.append("--only \(rule)") }
    block.parts(parts, between: style.separator, indent: "      ", first: "next: ", width: style.width)
  }
}

extension TextOverview {
  /// The same packets again.
  private func input(_ summary: Summary) -> String {
    let files =
      run.points.isEmpty
      ? FileName(path: summary.capture.file).argument
      : (["--points"] + run.points.map { FileName(path: $0).argument }).joined(separator: " ")
    let options = run.inputOptions.map { " \($0.name) \(FileName(path: $0.value).argument(or: "VALUE"))" }
    return files + options.joined()
  }
}

extension Cause {
  /// The cost of all connections together.
  fileprivate var costWords: String {
    if case .failed = cost { return "\(Wording.number(count)) failed" }
    return cost.words
  }
}
