import Citation

/// A problem that kept part of the file from being read. Reading continued where possible.
package enum CaptureProblem: Hashable, Sendable {
  /// The file ends inside a record. For compressed files the byte is an offset in the file on disk if the compressed
  /// data is cut, else in the decompressed data.
  case cutShort(atByte: UInt64, lastWholePacket: UInt64)
  /// The file is damaged from here on.
  case damaged(atByte: UInt64, what: String)
  /// Capturing failed: the device is gone, or packets could not be written.
  case interrupted(what: String)
  /// Blocks of unknown kinds.
  case blocksSkipped(type: UInt32, count: UInt64)
  /// Blocks of further unknown kinds.
  case moreBlocksSkipped(count: UInt64)
  /// Packets whose interface the file never describes, so that their bytes have no meaning.
  case interfaceUnknown(packets: UInt64, firstPacket: UInt64)
  /// Packets of a link type that the filter cannot be applied to.
  case notFilterable(linkType: UInt16, packets: UInt64)
  /// Interfaces or sections whose options do not fit their block.
  case optionsDamaged(blocks: UInt64)
  /// Interfaces beyond what is kept.
  case interfacesCut(count: UInt64)
  /// Decryption secrets beyond what is kept.
  case secretsCut(bytes: UInt64)
  /// Of a series: files without packets, that could not be read, or with a problem of their own.
  case memberEmpty(file: String)
  case memberUnreadable(file: String, what: String)
  case member(file: String, what: String)
  /// Two files of a series that follow one another, with time between them or in both.
  case membersApart(first: String, second: String, nanoseconds: Int64, missing: UInt64)
  case membersOverlap(first: String, second: String, nanoseconds: Int64)
  /// Further problems of files of a series.
  case moreMembers(count: UInt64)

  /// Whether it belongs to a place in its file.
  var isOfPlace: Bool {
    if case .interfaceUnknown = self { return true }
    return endsTheCapture
  }

  /// Whether nothing after it was read.
  package var endsTheCapture: Bool {
    switch self {
    case .cutShort, .damaged, .interrupted: true
    default: false
    }
  }

  /// Sort order. Problems of one rank come from one place and are noted in the order of the file.
  var rank: Int {
    switch self {
    case .cutShort, .damaged, .interrupted: 0
    case .memberEmpty, .memberUnreadable, .member, .membersApart, .membersOverlap: 0
    case .moreMembers: 1
    case .interfaceUnknown: 1
    case .notFilterable: 2
    case .optionsDamaged: 3
    case .interfacesCut: 4
    case .secretsCut: 5
    case .blocksSkipped: 6
    case .moreBlocksSkipped: 7
    }
  }

  /// Both as one, when they are of the same kind.
  func adding(_ other: CaptureProblem) -> CaptureProblem? {
    switch (self, other) {
    case (.blocksSkipped(let type, let a), .blocksSkipped(let other, let b)) where type == other:
      .blocksSkipped(type: type, count: a.addingCapped(b))
    case (.moreBlocksSkipped(let a), .moreBlocksSkipped(let b)):
      .moreBlocksSkipped(count: a.addingCapped(b))
    case (.interfaceUnknown(let a, let first), .interfaceUnknown(let b, _)):
      .interfaceUnknown(packets: a.addingCapped(b), firstPacket: first)
    case (.notFilterable(let type, let a), .notFilterable(let other, let b)) where type == other:
      .notFilterable(linkType: type, packets: a.addingCapped(b))
    case (.optionsDamaged(let a), .optionsDamaged(let b)):
      .optionsDamaged(blocks: a.addingCapped(b))
    case (.interfacesCut(let a), .interfacesCut(let b)):
      .interfacesCut(count: a.addingCapped(b))
    case (.secretsCut(let a), .secretsCut(let b)):
      .secretsCut(bytes: a.addingCapped(b))
    case (.moreMembers(let a), .moreMembers(let b)):
      .moreMembers(count: a.addingCapped(b))
    default: nil
    }
  }
}

extension CaptureProblem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .cutShort(let byte, let last):
      "the capture is cut short at byte \(byte), after \(counted(last, "whole packet"))"
    case .damaged(let byte, let what):
      "the capture is damaged at byte \(byte): \(what); nothing after it was read"
    case .interrupted(let what): what
    case .blocksSkipped(let type, let count):
      "\(counted(count, "block")) of the unknown type 0x\(String(type, radix: 16)) skipped"
    case .moreBlocksSkipped(let count):
      "\(counted(count, "block")) of other unknown types skipped"
    case .interfaceUnknown(let packets, let first):
      "\(counted(packets, "packet")) skipped, from an interface that the file does not describe; the first is #\(first)"
    case .notFilterable(let type, let packets):
      "\(counted(packets, "packet")) left out: the filter cannot be applied to \(LinkTypes.name(of: type))"
    case .optionsDamaged(let blocks):
      "\(counted(blocks, "block")) with options longer than the block"
    case .interfacesCut(let count):
      "\(counted(count, "interface")) beyond the first \(CaptureLimits.interfaces) left out"
    case .secretsCut(let bytes):
      "\(counted(bytes, "byte")) of decryption secrets beyond \(CaptureLimits.secrets) left out"
    case .memberEmpty(let file): "\(file) has no packets"
    case .memberUnreadable(let file, let what): "\(file) was not read: \(what)"
    case .member(let file, let what): "\(file): \(what)"
    case .membersApart(let first, let second, let time, let missing):
      missing > 0
        ? "\(counted(missing, "file")) between \(first) and \(second) missing or unread, by their numbers: "
          + "\(seconds(time)) without packets"
        : "\(seconds(time)) without packets between \(first) and \(second): nothing was sent, or a file is missing"
    case .membersOverlap(let first, let second, let time):
      "\(second) begins \(seconds(time)) before \(first) ends"
    case .moreMembers(let count): "\(counted(count, "further problem")) of files"
    }
  }
}

/// With three digits after the point.
private func seconds(_ nanoseconds: Int64) -> String {
  let milliseconds = nanoseconds.magnitude / 1_000_000
  let rest = String(milliseconds % 1_000)
  return "\(milliseconds / 1_000).\(String(repeating: "0", count: 3 - rest.count))\(rest) s"
}

private func counted(_ count: UInt64, _ noun: String) -> String {
  count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
}
