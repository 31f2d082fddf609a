import Capture
import Events
import Reports

/// The packets that findings cite, for an extract that Wireshark opens with the findings as comments.
struct Citations {
  /// More than anyone will look at.
  private static let limit = 100_000
  private var comments: [UInt64: [String]] = [:]

  mutating func add(_ finding: Finding) {
    for evidence in finding.evidence {
      guard let packet = evidence.packet, comments[packet.number] != nil || comments.count < Self.limit else {
        continue
      }
      let comment = EscapedText.text("\(finding.rule): \(evidence.note). \(finding.message.text)")
      if comments[packet.number]?.contains(comment) != true { comments[packet.number, default: []].append(comment) }
    }
  }

  /// Reads the capture again and writes the cited packets.
  func extract(from files: [String], _ points: PointAlignment?, to path: String) throws(Stop) {
    var bytes: [UInt8] = []
    do throws(CaptureError) {
      if let points {
        try write(try points.open(files, filter: nil), into: &bytes)
      } else if files.count > 1 {
        try write(try CaptureSeries(paths: files, filter: nil), into: &bytes)
      } else {
        try write(try CaptureFile(path: files[0], filter: nil), into: &bytes)
      }
    } catch {
      throw Stop(error.description)
    }
    do throws(ReportError) {
      let file = try OutputFile.file(path)
      try file.write(bytes)
      try file.commit()
    } catch {
      throw Stop(error)
    }
  }

  private func write(_ source: some CaptureSource, into bytes: inout [UInt8]) throws(CaptureError) {
    var writer = PcapNGWriter()
    writer.begin(application: "streamscope \(App.version)", into: &bytes)
    var numbers: [UInt16: UInt32] = [:]
    var window = PacketWindow()
    while try source.fill(&window) {
      for packet in window.packets {
        guard let comments = comments[packet.number] else { continue }
        if numbers[packet.interface] == nil {
          let interfaces = source.info.interfaces
          let interface = Int(packet.interface) < interfaces.count ? interfaces[Int(packet.interface)] : nil
          numbers[packet.interface] = writer.interface(
            linkType: packet.linkType, snapLength: interface?.snapLength ?? 0, name: interface?.name, into: &bytes)
        }
        writer.packet(
          window.bytes.span.extracting(packet.offset..<(packet.offset + packet.capturedLength)),
          interface: numbers[packet.interface] ?? 0, time: packet.time, wireLength: packet.wireLength,
          comments: comments, into: &bytes)
      }
    }
  }
}
