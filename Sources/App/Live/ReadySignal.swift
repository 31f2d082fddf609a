import Events
import Platform

/// Signals a test harness that capturing has started.
enum ReadySignal {
  static func tell(_ options: LiveOptions) throws(Stop) {
    do throws(ReportError) {
      if let number = options.readyDescriptor {
        let descriptor = Descriptor(number)
        let file = OutputFile.descriptor(descriptor, name: "descriptor \(number) of --ready-fd")
        try file.write(Array("ready\n".utf8))
        try file.flush()
        descriptor.close()
      }
      if let path = options.readyFile {
        let file = try OutputFile.file(path)
        try file.write(Array("ready\n".utf8))
        try file.commit()
      }
    } catch {
      throw Stop(error.what)
    }
  }
}
