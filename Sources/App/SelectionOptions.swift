import Arguments
import Conditions
import Engine
import Reports

extension AnalyzeOptions {
  /// What --connection, --select, --ignore, --where, --from and --to select together.
  func itemSelection() throws(Stop) -> ItemSelection {
    var selection = ItemSelection()
    selection.select = select
    selection.ignore = ignore
    selection.connection = connection
    if let condition {
      do throws(ConditionError) {
        selection.condition = try Condition(condition, SubjectField.vocabulary)
      } catch {
        throw Stop(error, in: condition, of: "--where")
      }
    }
    selection.range.from = try Self.point(from, "--from")
    selection.range.to = try Self.point(to, "--to")
    if let from = selection.range.from, let to = selection.range.to, from.point.isSurelyAfter(to.point) {
      throw Stop("--from \(from.text) comes after --to \(to.text)")
    }
    return selection
  }

  /// The assertions of --assert, parsed and checked.
  /// Includes those of a check's configuration.
  func checkedAssertions() throws(Stop) -> [Assertion] {
    let configured = check.configuration.assertions.map { (text: $0.text, origin: "\($0.origin)") }
    var checked: [Assertion] = []
    for (text, origin) in configured + assertions.map({ (text: $0, origin: "--assert") }) {
      do throws(ConditionError) {
        checked.append(try Assertion(text, AssertionSeries.catalogue))
      } catch {
        throw Stop(error, in: text, of: origin)
      }
    }
    return checked
  }

  private static func point(_ text: String?, _ flag: String) throws(Stop) -> (point: TimePoint, text: String)? {
    guard let text else { return nil }
    guard let point = TimePoint(text) else {
      throw Stop(
        "\(flag) needs a time such as 1.5, 90s, 2m, 1:30, 12:30:00 or 2026-01-31T12:30:00Z, not '\(text)'")
    }
    return (point, text)
  }
}

extension Stop {
  /// A mistake in a condition, with the condition and a caret below the place.
  init(_ error: ConditionError, in text: String, of flag: String) {
    let near = error.word.flatMap { nearestWord(to: $0, among: error.candidates) }.map { "; did you mean \($0)?" } ?? ""
    // As it will be shown, in which a character may be several.
    let before = String(String.UnicodeScalarView(text.unicodeScalars.prefix(max(0, error.column - 1))))
    let margin = String(repeating: " ", count: 2 + EscapedText.text(before).count)
    self.init(
      "\(flag), column \(error.column): \(error.message)\(near)", further: ["  " + text, margin + "^"])
  }
}
