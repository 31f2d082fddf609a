import Events
import Foundation
import Testing

@testable import Rules

/// Where rules stand in the sources, and that nobody runs one past the lists.
@Suite("The sources of rules")
struct RuleSourceTests {
  /// Folders that are no family.
  private static let rooms: Set<String> = ["Contract", "Index", "Parts"]

  private struct Source {
    let folder: String
    let name: String
    let text: String
  }

  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Sources/Rules").standardizedFileURL

  private static let sources: [Source] = {
    let paths = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    return (paths?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "swift" }.compactMap { file in
      let below = file.standardizedFileURL.pathComponents.dropFirst(root.pathComponents.count)
      guard let text = try? String(contentsOf: file, encoding: .utf8) else { return nil }
      return Source(
        folder: below.count > 1 ? below.first ?? "" : "", name: file.deletingPathExtension().lastPathComponent,
        text: text)
    }
  }()

  @Test("The folders of Sources/Rules are the families, and the rooms that they share.")
  func folders() throws {
    let folders = Set(Self.sources.map(\.folder)).subtracting(Self.rooms).subtracting([""])
    #expect(folders.map { $0.lowercased() }.sorted() == Registry.families.map(\.folder).sorted())
  }

  @Test("A rule stands in a file of its name, in its family's folder, and is a type of that name.")
  func files() throws {
    var holdersOf: [Substring: [Source]] = [:]
    for source in Self.sources {
      for id in Set(source.text.matches(of: /id: "([^"]+)"/).map(\.1)) { holdersOf[id, default: []].append(source) }
    }
    for family in Registry.families {
      for rule in family.rules {
        let holders = holdersOf[Substring(rule.id.text)] ?? []
        #expect(holders.count == 1, "\(rule.id)")
        let source = try #require(holders.first)
        #expect(source.folder.lowercased() == family.folder, "\(rule.id)")
        #expect(source.name.lowercased() == Self.fileName(rule.id, in: family), "\(rule.id)")
        #expect(
          source.text.contains(try Regex("(enum|struct) \(source.name): [A-Za-z, ]*(Rule|Watcher)")), "\(rule.id)")
        #expect(source.text.count(of: "RuleInfo(") == 1, "\(source.name) holds one rule")
      }
    }
  }

  /// The words of an id after the slash, one behind the other: capitals are the author's. The family's folder stands in
  /// front where that is no name (a digit comes first) or another family has a rule of the same.
  private static func fileName(_ id: RuleID, in family: RuleFamily) -> String {
    let own = id.text.drop { $0 != "/" }.dropFirst()
    let isShared = Registry.all.contains { $0.id != id && $0.id.text.hasSuffix("/" + own) }
    let name = own.filter { $0 != "-" }
    return isShared || name.first?.isNumber == true ? family.folder + name : name
  }

  @Test("A rule says once what to change; a finding has other words only where it has figures or names to put in.")
  func fixes() throws {
    for family in Registry.families {
      for source in Self.sources where source.folder.lowercased() == family.folder {
        let words = source.text.matches(of: /(?s)\bfix:\s*("""(.*?)"""|"([^\n]*)")/).map(\.1)
        let plain = words.filter { !$0.contains("\\(") }
        let allowed = source.text.contains("RuleInfo(") ? 1 : 0
        #expect(plain.count <= allowed || source.name == "LikelyHolder", "\(source.name)")
      }
    }
  }

  @Test("Every list of rules is run by somebody, and no rule is asked past its list.")
  func lists() throws {
    let index = try #require(Self.sources.first { $0.name == "RuleIndex" }).text
    let others = Self.sources.filter { $0.folder != "Index" }
    let lists = index.matches(of: /static let (\w+): \[/).map(\.1)
    #expect(!lists.isEmpty)
    for list in lists {
      #expect(others.contains { $0.text.contains("RuleIndex.\(list)") }, "nobody runs \(list)")
    }
    let types = others.flatMap { source in
      source.text.matches(of: /(?m)^(?:package )?(?:enum|struct) (\w+): [\w, ]*Rule\b/).map(\.1)
    }
    let rules = Set(types)
    for source in others {
      for call in source.text.matches(of: /\b(\w+)(?:\(\))?\.(?:judge|observe|finish)\(/) where rules.contains(call.1) {
        Issue.record("\(source.name) asks \(call.1) past its list")
      }
    }
  }
}

extension String {
  fileprivate func count(of part: String) -> Int { components(separatedBy: part).count - 1 }
}
