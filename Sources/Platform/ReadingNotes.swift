import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What a thread is reading, in memory that stays where it is: the handler of a fault looks it up on the thread that failed.
///
/// A note costs one store. Public, for the compiler inlines no package function of another module.
public struct ReadingNote: @unchecked Sendable {
  @usableFromInline
  struct Words: ~Copyable {
    /// 0 while nobody reads.
    let thread = Atomic<UInt>(0)
    let kind = Atomic<UInt8>(0)
    @usableFromInline
    let packet = Atomic<UInt64>(0)
    let connection = Atomic<UInt64>(0)
  }

  @usableFromInline
  let words: UnsafeMutablePointer<Words>

  /// A task begins to read on this thread. `kind` is for whoever asks.
  public func begin(_ kind: UInt8) {
    Fault.prepareThread()
    read(0, of: 0)
    words.pointee.kind.store(kind, ordering: .relaxed)
    words.pointee.thread.store(ReadingNotes.thisThread, ordering: .relaxed)
  }

  public func end() {
    words.pointee.thread.store(0, ordering: .relaxed)
  }

  @inlinable
  @inline(__always)
  public func read(_ packet: UInt64) {
    words.pointee.packet.store(packet, ordering: .relaxed)
  }

  /// Besides, the first packet of a connection, or 0.
  public func read(_ packet: UInt64, of connection: UInt64) {
    words.pointee.packet.store(packet, ordering: .relaxed)
    words.pointee.connection.store(connection, ordering: .relaxed)
  }

  /// For a handler.
  package var packet: UInt64 { words.pointee.packet.load(ordering: .relaxed) }
  package var connection: UInt64 { words.pointee.connection.load(ordering: .relaxed) }
  package var kind: UInt8 { words.pointee.kind.load(ordering: .relaxed) }
}

/// The notes of all that reads at once. They are never given back.
public struct ReadingNotes: @unchecked Sendable {
  /// Each on cache lines of its own.
  private static let stride = 128
  private let start: UnsafeMutableRawPointer
  private let count: Int

  package init(count: Int) {
    self.count = count
    start = .allocate(byteCount: count * Self.stride, alignment: Self.stride)
    for at in 0..<count { note(at).words.initialize(to: ReadingNote.Words()) }
  }

  public subscript(at: Int) -> ReadingNote { note(at % count) }

  /// That of the calling thread; also in a handler.
  package var current: ReadingNote? {
    let thread = Self.thisThread
    for at in 0..<count where note(at).words.pointee.thread.load(ordering: .relaxed) == thread { return note(at) }
    return nil
  }

  private func note(_ at: Int) -> ReadingNote {
    ReadingNote(words: (start + at * Self.stride).assumingMemoryBound(to: ReadingNote.Words.self))
  }

  fileprivate static var thisThread: UInt {
    #if canImport(Darwin) || canImport(Musl)
      UInt(bitPattern: pthread_self())
    #else
      UInt(pthread_self())
    #endif
  }
}
