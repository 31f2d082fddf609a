import Foundation
import Support
import Testing

@testable import App

@Suite("Tables in a folder")
struct TableTests {
  private static let names = ["captures", "connections", "exchanges", "findings", "histograms", "pieces"]

  private static func files(_ folder: String) -> [String] {
    (FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []).filter { $0.contains(".") }.sorted()
  }

  @Test("A capture has a file in each table, named by its bytes, the same in every run; standard output stays empty.")
  func names() async throws {
    let scratch = try Scratch()
    let capture = try scratch.capture(Scripts.conflict)
    let folder = scratch.file("tables")
    let run = await ProgramRun("-o", "parquet=\(folder)", capture)
    #expect(run.code == .success && run.output.isEmpty && run.errors.isEmpty)
    let line = try #require(try await ProgramRun("-o", "ndjson", capture).lines().first)
    let id = try #require(line["captureId"] as? String)
    #expect(Self.files(folder) == Self.names.map { "\($0)/\(id).parquet" })
    let before = try Self.files(folder).map { try scratch.bytes("tables/\($0)") }
    #expect(before.allSatisfy { $0.starts(with: Array("PAR1".utf8)) && $0.suffix(4) == Array("PAR1".utf8)[...] })
    let again = await ProgramRun("-j", "1", "-o", "parquet=\(folder)", capture)
    #expect(again.code == .success)
    #expect(try Self.files(folder).map { try scratch.bytes("tables/\($0)") } == before)
  }

  @Test("A file that is no capture has no tables; those of the others are there.")
  func bad() async throws {
    let scratch = try Scratch()
    let bad = try scratch.write("<html>no capture</html>", "b.pcap")
    let good = try scratch.capture(Scripts.conflict, "a.pcap")
    let folder = scratch.file("tables")
    let run = await ProgramRun("-o", "parquet=\(folder)", good, bad)
    #expect(run.code == .failure && run.errors.contains("b.pcap: not a capture"))
    #expect(Self.files(folder).count == Self.names.count)
  }

  @Test("What is no folder is refused before anything is read, and stays as it is.")
  func refused() async throws {
    let scratch = try Scratch()
    let file = try scratch.write("old", "old.txt")
    let capture = try scratch.capture(Scripts.conflict)
    let run = await ProgramRun("-o", "parquet=\(file)", capture)
    run.expectRefusal(saying: "is no folder")
    #expect(try scratch.bytes("old.txt") == Array("old".utf8))
    let missing = await ProgramRun("-o", "parquet=\(scratch.file("no/such"))", capture)
    missing.expectRefusal(saying: "cannot write tables to")
    await ProgramRun("-o", "parquet", capture).expectRefusal(saying: "-o parquet=DIR")
    await ProgramRun("compare", "-o", "parquet=x", capture, capture).expectRefusal(saying: "a comparison can only")
  }
}
