import Citation
import Events
import RunSupport
import Support

@testable import Comparison

/// Where a conversation is captured: in front of a proxy and behind it.
enum Place {
  static let front = "== 10.0.0.1:40000 10.0.0.2:80"
  /// A hop further, a moment later.
  static let behind = "== 10.1.0.1:50000 10.1.0.2:8080 +1ms"
  /// The same hop on another day.
  static let later = "== 10.0.0.1:41000 10.0.0.2:80 +86400s"
}

/// Messages as scripts write them.
enum Talk {
  static func request(_ line: String = "GET /x", _ fields: [String] = [], body: String = "") -> String {
    head("\(line) HTTP/1.1", ["Host: h"] + fields, body)
  }

  static func answer(_ status: String = "200 OK", _ fields: [String] = ["Content-Length: 2"], body: String = "ok")
    -> String
  {
    head("HTTP/1.1 \(status)", fields, body)
  }

  private static func head(_ line: String, _ fields: [String], _ body: String) -> String {
    ([line] + fields).map { $0 + #"\r\n"# }.joined() + #"\r\n"# + body
  }

  static func connection(_ place: String, _ lines: String) -> String {
    "\(place)\n> SYN\n< SYN ACK\n> ACK\n\(lines)\n> FIN\n< FIN\n> ACK\n"
  }

  /// `wait` is milliseconds from the request to the answer.
  static func exchange(
    _ place: String, _ request: String = request(), _ answer: String = answer(), wait: Int = 10
  ) -> String {
    connection(place, "> \"\(request)\"\n+\(wait - 1)ms\n< \"\(answer)\"")
  }

  /// Exchanges one after the other on one connection.
  static func exchanges(_ place: String, _ requests: [String], answer: String = answer()) -> String {
    connection(place, requests.map { "> \"\($0)\"\n+9ms\n< \"\(answer)\"\n+9ms" }.joined(separator: "\n"))
  }

  /// A body in segments of so many bytes.
  static func payload(_ bytes: [UInt8], cut: Int = 1_400) -> String {
    stride(from: 0, to: bytes.count, by: cut).map { at in
      let part = bytes[at..<min(at + cut, bytes.count)]
      return "< x\"" + part.map { String(UInt8($0 >> 4), radix: 16) + String($0 & 15, radix: 16) }.joined() + "\""
    }.joined(separator: "\n")
  }

  static func download(_ place: String, _ bytes: [UInt8], fields: [String] = [], cut: Int = 1_400) -> String {
    let head = answer("200 OK", ["Content-Length: \(bytes.count)"] + fields, body: "")
    return connection(place, "> \"\(request())\"\n< \"\(head)\"\n\(payload(bytes, cut: cut))")
  }
}

extension ComparisonOptions {
  static let points = ComparisonOptions(.points)
  static let runs = ComparisonOptions(.runs)

  private init(_ relation: CaptureRelation.Kind) {
    self.init()
    self.relation = relation
  }
}

extension ComparedPair {
  /// `request fieldValue X-A: 1 | 2`, in the order of the comparison; a role that is not plain stands before it.
  var told: [String] {
    differences.map { difference in
      let role = difference.role == .plain ? "" : "(\(difference.role.rawValue)) "
      let name = difference.name.isEmpty ? "" : " \(difference.name)"
      return "\(role)\(difference.part.rawValue) \(difference.kind.rawValue)\(name): "
        + "\(difference.a ?? "-") | \(difference.b ?? "-")"
    }
  }

  var words: [String] { verdicts.map { $0.words + ($0.side.map { " in \($0.name)" } ?? "") } }
}

extension ComparisonRecord {
  /// `A1 B1`, the places of what was matched, counted from 1 in each capture.
  func matched(_ run: ComparisonRun) -> [String] {
    pairs.map { pair in
      let places = CompareSide.allCases.map { side -> String in
        let all = side == .a ? run.a.exchanges : run.b.exchanges
        let place = all.firstIndex { $0.leg == pair[side].leg } ?? -1
        return "\(side.name)\(place + 1)"
      }
      return places.joined(separator: " ")
    }
  }
}
