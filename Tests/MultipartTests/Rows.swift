import HTTPSemantics
import Multipart
import Testing

/// A body and the tokens it must give, at every cut.
struct Row: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var wire: String
  var boundary: String
  var isFormData: Bool
  var expected: [String]

  init(
    _ what: String, _ wire: String, boundary: String = "b0undary", isForm: Bool = true, _ expected: String...
  ) {
    testDescription = what
    self.wire = wire
    self.boundary = boundary
    isFormData = isForm
    self.expected = expected
  }
}

private let a = "Content-Disposition: form-data; name=\"a\"\r\n"

enum Rows {
  static let all = plain + delimiters + headers + dispositions + sample

  static let plain: [Row] = [
    Row(
      "two fields", "--b0undary\r\n\(a)\r\none\r\n--b0undary\r\n\(a)\r\n\r\n--b0undary--\r\n",
      "delimiter 0-10", "part 1 [Content-Disposition] name=a", "data 1 3", "delimiter 61-71",
      "part 2 [Content-Disposition] name=a", "data 2 0", "close 119-131", "epilogue 2 visible 0", "end"),
    Row(
      "parts of no form need no fields", "--b0undary\r\n\r\nx\r\n--b0undary--", isForm: false,
      "delimiter 0-10", "part 1 []", "data 1 1", "close 17-29", "end"),
    Row("nothing at all", "", "end"),
    Row("no delimiter", "a=1&b=2", "end"),
    Row(
      "preamble and epilogue", "hello\r\n--b0undary\r\n\(a)\r\n1\r\n--b0undary--\r\nbye",
      "preamble 5 visible 5", "delimiter 7-17", "part 1 [Content-Disposition] name=a", "data 1 1", "close 66-78",
      "epilogue 5 visible 3", "end"),
    Row(
      "a line end before the first delimiter is none", "\r\n--b0undary--", "close 2-14", "end"),
    Row(
      "a boundary made of dashes and more", "------WebKitX\r\n\(a)\r\n----\r\n------WebKitX--", boundary: "----WebKitX",
      "delimiter 0-13", "part 1 [Content-Disposition] name=a", "data 1 4", "close 65-80", "end"),
    Row(
      "a boundary of dashes alone", "-------\r\n\(a)\r\n1\r\n---------", boundary: "-----",
      "delimiter 0-7", "part 1 [Content-Disposition] name=a", "data 1 1", "close 56-65", "end"),
    Row(
      "blanks behind a delimiter, and lines that only begin like one",
      "--b0undary \t\r\n\(a)\r\n--b0undar\r\n--b0undaryX\r\n\r\n--b0undary--",
      "delimiter 0-10", "part 1 [Content-Disposition] name=a", "data 1 24", "close 84-96", "end"),
    Row(
      "a folded line, and a name that is not ASCII",
      "--b0undary\r\nContent-Disposition: form-data;\r\n name=\"\u{E4}\"\r\n\r\n1\r\n--b0undary--",
      "delimiter 0-10", "part 1 [Content-Disposition] name=\u{E4}", "data 1 1", "close 61-73", "end"),
  ]

  static let delimiters: [Row] = [
    Row(
      "no closing delimiter", "--b0undary\r\n\(a)\r\none\r\n",
      "delimiter 0-10", "part 1 [Content-Disposition] name=a", "data 1 5 open", "end"),
    Row(
      "the closing delimiter has no dashes at its end", "--b0undary\r\n\(a)\r\none\r\n--b0undary\r\n",
      "delimiter 0-10", "part 1 [Content-Disposition] name=a", "data 1 3", "delimiter 61-71",
      "closeDashesMissing 1 61-71", "end"),
    Row(
      "the same without line end", "--b0undary\r\n\(a)\r\none\r\n--b0undary",
      "delimiter 0-10", "part 1 [Content-Disposition] name=a", "data 1 3", "delimiter 61-71",
      "closeDashesMissing 1 61-71", "end -2"),
    Row(
      "cut inside the closing delimiter", "--b0undary\r\n\(a)\r\none\r\n--b0und",
      "delimiter 0-10", "part 1 [Content-Disposition] name=a", "data 1 12 open", "end -5"),
    Row(
      "cut before its last dash", "--b0undary\r\n\(a)\r\none\r\n--b0undary-",
      "delimiter 0-10", "part 1 [Content-Disposition] name=a", "data 1 16 open", "end -1"),
    Row(
      "a delimiter in a line", "--b0undary\r\n\(a)\r\none--b0undary--\r\n",
      "delimiter 0-10", "part 1 [Content-Disposition] name=a", "delimiterInLine 1 59-71", "data 1 3", "close 59-71",
      "epilogue 2 visible 0", "end"),
    Row(
      "a short boundary in a line is data", "--b0\r\n\(a)\r\none--b0--\r\n\r\n--b0--", boundary: "b0",
      "delimiter 0-4", "part 1 [Content-Disposition] name=a", "data 1 11", "close 63-69", "end"),
    Row(
      "no dashes before", "b0undary\r\n\(a)\r\none\r\nb0undary--\r\n",
      "dashesMissing 0 0-8", "delimiter 0-8", "part 1 [Content-Disposition] name=a", "dashesMissing 1 59-69",
      "data 1 3", "close 59-69", "epilogue 2 visible 0", "end"),
    Row(
      "LF alone", "--b0undary\nContent-Disposition: form-data; name=a\n\none\n--b0undary--\n",
      "bareLF 0 0-10", "delimiter 0-10", "bareLF 1 11-50", "bareLF 1 50-51", "part 1 [Content-Disposition] name=a",
      "bareLF 1 55-67", "data 1 3", "close 55-67", "epilogue 1 visible 0", "end"),
    Row(
      "a delimiter behind the end", "--b0undary--\r\n--b0undary\r\nx",
      "close 0-12", "delimiterAfterClose 0 14-24", "epilogue 15 visible 11", "end"),
    Row(
      "a boundary with a colon", "--a:b=c\r\n\r\n1\r\n--a:b=c--", boundary: "a:b=c", isForm: false,
      "delimiter 0-7", "part 1 []", "data 1 1", "close 14-23", "end"),
  ]

  static let headers: [Row] = [
    Row(
      "data instead of a header", "--b0undary\r\n<html>\r\n--b0undary--",
      "delimiter 0-10", "headerMissing 1 0-10", "part 1 []", "data 1 6", "close 20-32", "end"),
    Row(
      "a delimiter instead of a header", "--b0undary\r\n--b0undary--",
      "delimiter 0-10", "headerMissing 1 0-10", "part 1 []", "data 1 0", "close 12-24", "end"),
    Row(
      "data behind the fields", "--b0undary\r\n\(a)hello\r\n--b0undary--",
      "delimiter 0-10", "blankLineMissing 1 12-54", "part 1 [Content-Disposition] name=a", "data 1 5", "close 61-73",
      "end"),
    Row(
      "data glued to a field",
      "--b0undary\r\nContent-Type: image/jpeg\u{FF}\u{D8}\u{FF}\u{E0}\u{0}\u{10}\r\n--b0undary--",
      "delimiter 0-10", "blankLineMissing 1 12-36", "dispositionMissing 1 12-36", "part 1 [Content-Type]", "data 1 6",
      "close 44-56", "end"),
    Row(
      "the body ends in a field", "--b0undary\r\nContent-Dispo",
      "delimiter 0-10", "headerMissing 1 0-10", "part 1 []", "data 1 13 open", "end"),
    Row(
      "the body ends in a value", "--b0undary\r\nContent-Type: text/pl",
      "delimiter 0-10", "blankLineMissing 1 12-33", "dispositionMissing 1 12-33", "part 1 [Content-Type]",
      "data 1 0 open", "end"),
    Row(
      "a header of one endless line", "--b0undary\r\nX: " + String(repeating: "x", count: 9_000) + "\r\n--b0undary--",
      "delimiter 0-10", "headerTooLarge 1 0-10", "dispositionMissing 1 12-12", "part 1 []", "data 1 9003",
      "close 9017-9029", "end"),
    Row(
      "a header of too many lines",
      "--b0undary\r\n" + String(repeating: "X: y\r\n", count: 1_400) + "\r\n1\r\n--b0undary--",
      "delimiter 0-10", "headerTooLarge 1 8196-8202", "dispositionMissing 1 12-8202",
      "part 1 [" + Array(repeating: "X", count: 64).joined(separator: ",") + "]", "data 1 213", "close 8417-8429", "end"
    ),
  ]

  private static func field(_ what: String, _ value: String, _ expected: String...) -> Row {
    let header = "Content-Disposition: \(value)\r\nContent-Type: text/plain\r\n\r\n"
    let start = 12 + wire(header).count
    var row = Row(what, "--b0undary\r\n\(header)1\r\n--b0undary--")
    row.expected = ["delimiter 0-10"] + expected + ["data 1 1", "close \(start + 3)-\(start + 15)", "end"]
    return row
  }

  static let dispositions: [Row] = [
    field(
      "a file", "form-data; name=\"f\"; filename=\"a; b.jpg\"",
      "part 1 [Content-Disposition,Content-Type] name=f file=a; b.jpg"),
    field(
      "a quote is missing", "form-data; name=\"f; filename=\"a.jpg\"", "quoteUnbalanced 1 12-69",
      "part 1 [Content-Disposition,Content-Type] name=f file=a.jpg"),
    field(
      "no quotes", "form-data; name=f; filename=a.jpg", "part 1 [Content-Disposition,Content-Type] name=f file=a.jpg"),
    field(
      "no quotes around a blank", "form-data; name=f; filename=a b.jpg", "parameterUnquoted 1 12-68",
      "part 1 [Content-Disposition,Content-Type] name=f file=a b.jpg"),
    field(
      "quotes inside", "form-data; name=\"f\"; filename=\"a \"b\".jpg\"", "fileNameRaw 1 12-74",
      "part 1 [Content-Disposition,Content-Type] name=f file=a \"b\".jpg"),
    field(
      "an escaped quote", "form-data; name=\"f\"; filename=\"a\\\"b\\\".jpg\"", "fileNameRaw 1 12-75",
      "part 1 [Content-Disposition,Content-Type] name=f file=a\\\"b\\\".jpg"),
    field(
      "the other spelling of a file name", "form-data; name=\"f\"; filename*=UTF-8''a.jpg", "fileNameExtended 1 12-76",
      "part 1 [Content-Disposition,Content-Type] name=f"),
    field("no name", "form-data", "nameMissing 1 12-42", "part 1 [Content-Disposition,Content-Type]"),
    field(
      "no form-data", "attachment; name=\"a\"", "dispositionOther 1 12-53",
      "part 1 [Content-Disposition,Content-Type] name=a"),
    Row(
      "a file without type, and a coding",
      "--b0undary\r\nContent-Disposition: form-data; name=f; filename=g\r\nContent-Transfer-Encoding: base64\r\n\r\nMQ==\r\n--b0undary--",
      "delimiter 0-10", "fileWithoutType 1 12-62", "transferEncoding 1 64-97",
      "part 1 [Content-Disposition,Content-Transfer-Encoding] name=f file=g", "data 1 4", "close 107-119", "end"),
  ]

  /// What a widely copied sample of Swift code sends: a literal of several lines, a quote and the dashes forgotten.
  static let sample: [Row] = [
    Row(
      "the sample",
      "khanlou.comX\nContent-Disposition: form-data; name=\"file; filename=\"a.jpg\"8\u{B4}R\u{F7}2\r\u{9E}&\r\n--khanlou.comX--",
      boundary: "khanlou.comX",
      "bareLF 0 0-12", "dashesMissing 0 0-12", "delimiter 0-12", "blankLineMissing 1 13-73",
      "quoteUnbalanced 1 13-73", "fileWithoutType 1 13-73", "part 1 [Content-Disposition] name=file file=a.jpg",
      "data 1 8", "close 83-99", "end"),
    Row(
      "the sample with every mistake",
      "khanlou.comX\nContent-Disposition: form-data; name=\"file; filename=\"a.jpg\"\nContent-Type: image/jpeg\nJPEG data\nkhanlou.comX\nContent-Disposition: form-data; name=\"x\"\nmore",
      boundary: "khanlou.comX",
      "bareLF 0 0-12", "dashesMissing 0 0-12", "delimiter 0-12", "bareLF 1 13-74", "bareLF 1 74-99",
      "blankLineMissing 1 74-99", "quoteUnbalanced 1 13-73",
      "part 1 [Content-Disposition,Content-Type] name=file file=a.jpg", "bareLF 1 109-121", "dashesMissing 1 109-121",
      "data 1 9", "delimiter 109-121", "bareLF 2 122-163", "blankLineMissing 2 122-163",
      "part 2 [Content-Disposition] name=x", "data 2 4 open", "end"),
  ]
}
