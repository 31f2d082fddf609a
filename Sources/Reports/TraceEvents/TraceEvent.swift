/// One event of the trace-event format.
struct TraceEvent {
  enum Phase {
    /// Complete: with a duration.
    case slice(Int64)
    case instant
    /// Both ends of an arrow between two slices; equal numbers belong together.
    case arrowOut(Int)
    case arrowIn(Int)
  }

  var phase: Phase
  var name: String
  var category: String
  /// Nanoseconds since the first packet of the earliest capture.
  var start: Int64
  var track: TraceTrack
  var arguments: [(key: String, value: DocumentNode)]

  func write(to json: inout JSONWriter) {
    json.row { json in
      json.field("name", name)
      json.field("cat", category)
      switch phase {
      case .slice: json.field("ph", "X")
      case .instant:
        json.field("ph", "i")
        json.field("s", "t")
      case .arrowOut(let number):
        json.field("ph", "s")
        json.field("id", number)
      case .arrowIn(let number):
        json.field("ph", "f")
        // To the slice around it, not to the next one.
        json.field("bp", "e")
        json.field("id", number)
      }
      json.field("pid", track.process)
      json.field("tid", track.thread)
      json.field("ts", decimal: start, scale: 3)
      if case .slice(let duration) = phase { json.field("dur", decimal: duration, scale: 3) }
      json.object("args") { json in
        for argument in arguments { json.field(FieldName(argument.key), argument.value) }
      }
    }
  }
}

/// Where an event stands.
struct TraceTrack: Hashable {
  var process: Int
  var thread: Int
}

/// Gives out processes and their tracks. No number is used twice, not even of a process and of a thread: viewers take a
/// thread with its process's number for the main one.
struct TraceTracks {
  private var last = 0
  private(set) var names: [(track: TraceTrack, name: String, isProcess: Bool)] = []

  mutating func process(_ name: String) -> Int {
    last += 1
    names.append((TraceTrack(process: last, thread: last), name, true))
    return last
  }

  mutating func track(_ name: String, of process: Int) -> TraceTrack {
    last += 1
    let track = TraceTrack(process: process, thread: last)
    names.append((track, name, false))
    return track
  }

  /// The names, and the order in which the tracks were given out.
  func write(to json: inout JSONWriter) {
    for (place, entry) in names.enumerated() {
      let noun = entry.isProcess ? "process" : "thread"
      for (what, key) in [("name", "name"), ("sort_index", "sort_index")] {
        json.row { json in
          json.field("name", "\(noun)_\(what)")
          json.field("cat", "__metadata")
          json.field("ph", "M")
          json.field("pid", entry.track.process)
          json.field("tid", entry.isProcess ? 0 : entry.track.thread)
          json.field("ts", decimal: 0, scale: 3)
          json.object("args") { json in
            if key == "name" { json.field("name", entry.name) } else { json.field(FieldName(key), place) }
          }
        }
      }
    }
  }
}

/// Tracks of one kind, as many as it takes: slices on a track never overlap, because viewers nest what begins inside
/// another and refuse what ends outside of it.
struct TraceLanes {
  private let name: String
  private let process: Int
  private var lanes: [(track: TraceTrack, end: Int64)] = []

  init(_ name: String, of process: Int) {
    self.name = name
    self.process = process
  }

  /// A track that is free from `range` on; callers come in the order of their beginnings.
  mutating func place(_ range: ClosedRange<Int64>, _ tracks: inout TraceTracks) -> TraceTrack {
    if let free = lanes.firstIndex(where: { $0.end <= range.lowerBound }) {
      lanes[free].end = range.upperBound
      return lanes[free].track
    }
    let number = lanes.count + 1
    let track = tracks.track(number == 1 ? name : "\(name) (\(number))", of: process)
    lanes.append((track, range.upperBound))
    return track
  }
}
