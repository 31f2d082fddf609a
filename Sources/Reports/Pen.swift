/// Writes bytes one behind the other into room that was made for all of them at once: to make it for each field of a line took
/// longer than to write the line.
struct Pen {
  private let room: UnsafeMutableBufferPointer<UInt8>
  fileprivate var count = 0

  fileprivate init(_ room: UnsafeMutableBufferPointer<UInt8>) {
    self.room = room
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    precondition(count < room.count)
    room.initializeElement(at: count, to: byte)
    count &+= 1
  }

  @inline(__always)
  mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    precondition(bytes.count <= room.count &- count)
    UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(room)[count...]).copyMemory(
      from: UnsafeRawBufferPointer(bytes))
    count &+= bytes.count
  }

  @inline(__always)
  mutating func append(_ text: String) {
    let isWritten: Void? = text.utf8.withContiguousStorageIfAvailable { append($0) }
    if isWritten == nil { for byte in text.utf8 { append(byte) } }
  }

  /// The last `width` digits, with zeros in front.
  @inline(__always)
  mutating func append(digits value: UInt64, width: Int) {
    precondition(width <= room.count &- count)
    Digits.initialize(room, at: count, to: value, width: width)
    count &+= width
  }

  @inline(__always)
  mutating func append(digits value: UInt64) {
    append(digits: value, width: Digits.count(of: value))
  }
}

extension [UInt8] {
  /// Appends what is written, which is no longer than `room`.
  @inline(__always)
  mutating func append(room: Int, _ write: (inout Pen) -> Void) {
    append(addingCapacity: room) { output in
      output.withUnsafeMutableBufferPointer { buffer, count in
        var pen = Pen(buffer)
        write(&pen)
        count = pen.count
      }
    }
  }
}
