// The rules of the command line, which are those of getopt_long without its abbreviations:
//
//   -q -vj4 -j 4 -j=4       short flags may share a dash; the last one may carry its value
//   --jobs 4 --jobs=4       long ones never share; "=" is needed only for a value that begins with "--"
//   --                      what follows is operands
//   -                       an operand: standard input
//
// Operands may stand anywhere. Later flags see what earlier ones did, so the last of two that disagree wins.

extension Array {
  /// Applies the flags among `arguments` to `options` and returns the operands.
  package func parse<Options>(
    _ arguments: [String], into options: inout Options
  ) throws(UsageError) -> [String] where Element == Flag<Options> {
    var operands: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let flagEndedIt: Bool
      if argument == "--" {
        return operands + rest
      } else if argument.utf8.starts(with: "--".utf8) {
        flagEndedIt = try applyLong(argument, &rest, &options)
      } else if argument.utf8.first == UInt8(ascii: "-"), argument.utf8.count > 1 {
        flagEndedIt = try applyCluster(argument, &rest, &options)
      } else {
        operands.append(argument)
        flagEndedIt = false
      }
      if flagEndedIt { return operands }
    }
    return operands
  }

  private func applyLong<Options>(
    _ argument: String, _ rest: inout ArraySlice<String>, _ options: inout Options
  ) throws(UsageError) -> Bool where Element == Flag<Options> {
    let equals = argument.utf8.firstIndex(of: UInt8(ascii: "="))
    let spelling = String(argument[..<(equals ?? argument.endIndex)])
    guard let flag = first(where: { $0.form.spelling == spelling }) else {
      throw .unknown(spelling, among: map(\.form))
    }
    let value = equals.map { String(argument[argument.utf8.index(after: $0)...]) }
    if flag.form.placeholder == nil {
      guard value == nil else { throw UsageError("\(spelling) takes no value") }
      try flag.effect(&options, spelling)
    } else {
      try flag.apply(value, spelled: spelling, &rest, &options)
    }
    return flag.endsParsing
  }

  private func applyCluster<Options>(
    _ argument: String, _ rest: inout ArraySlice<String>, _ options: inout Options
  ) throws(UsageError) -> Bool where Element == Flag<Options> {
    var letters = argument.unicodeScalars.dropFirst()
    while let letter = letters.popFirst() {
      let spelling = "-\(letter)"
      guard let flag = first(where: { $0.form.short == Character(letter) }) else {
        throw .unknown(spelling, in: argument, among: map(\.form))
      }
      if flag.form.placeholder != nil {
        let isJoined = !letters.isEmpty
        if letters.first == "=" { letters.removeFirst() }
        try flag.apply(isJoined ? String(letters) : nil, spelled: spelling, &rest, &options)
        return flag.endsParsing
      }
      guard letters.first != "=" else { throw UsageError("\(spelling) takes no value") }
      try flag.effect(&options, spelling)
      if flag.endsParsing { return true }
    }
    return false
  }
}

extension Flag {
  fileprivate func apply(
    _ joined: String?, spelled spelling: String, _ rest: inout ArraySlice<String>, _ options: inout Options
  ) throws(UsageError) {
    let value: String
    if let joined {
      value = joined
    } else if let next = rest.first, !next.utf8.starts(with: "--".utf8) {
      value = next
      rest.removeFirst()
    } else {
      throw .missingValue(of: form, spelled: spelling, next: rest.first)
    }
    if case .oneOf(let choices) = form.values, !choices.contains(value) {
      throw .notAChoice(value, of: choices, spelled: spelling)
    }
    try effect(&options, value)
  }
}

extension UsageError {
  fileprivate static func unknown(_ spelling: String, among forms: [FlagForm]) -> UsageError {
    let names = forms.filter { !$0.isHidden }.map(\.name)
    let nearest = nearestWord(to: String(spelling.dropFirst(2)), among: names)
    return UsageError("unknown option \(spelling)", hint: nearest.map { "did you mean --\($0)?" })
  }

  fileprivate static func unknown(_ spelling: String, in argument: String, among forms: [FlagForm]) -> UsageError {
    // "-json" is five letters to the parser and one word to the person who typed it.
    let word = String(argument.unicodeScalars.dropFirst().prefix { $0 != "=" })
    if word.unicodeScalars.count > 1, let form = forms.first(where: { $0.name == word && !$0.isHidden }) {
      return UsageError("unknown option \(spelling) in \(argument)", hint: "did you mean \(form.spelling)?")
    }
    let place = word.unicodeScalars.count > 1 ? " in \(argument)" : ""
    let letter = spelling.dropFirst()
    let other = letter == letter.lowercased() ? letter.uppercased() : letter.lowercased()
    let hint = forms.first { $0.short.map(String.init) == other && !$0.isHidden }
    return UsageError(
      "unknown option \(spelling)\(place)", hint: hint.map { "did you mean -\(other), \($0.spelling)?" })
  }

  fileprivate static func missingValue(of form: FlagForm, spelled spelling: String, next: String?) -> UsageError {
    let placeholder = form.placeholder ?? "VALUE"
    guard let next, next != "--" else { return UsageError("\(spelling) needs a value: \(spelling) \(placeholder)") }
    return UsageError(
      "\(spelling) needs a value: \(spelling) \(placeholder)",
      hint: "if '\(next)' is the value: \(form.spelling)=\(next)")
  }

  fileprivate static func notAChoice(_ value: String, of choices: [String], spelled spelling: String) -> UsageError {
    let nearest = nearestWord(to: value, among: choices)
    return UsageError(
      "\(spelling) takes \(choices.alternatives), not '\(value)'", hint: nearest.map { "did you mean \($0)?" })
  }
}

extension [String] {
  /// "a, b or c".
  fileprivate var alternatives: String {
    guard let last, count > 1 else { return first ?? "nothing" }
    return dropLast().joined(separator: ", ") + " or " + last
  }
}
