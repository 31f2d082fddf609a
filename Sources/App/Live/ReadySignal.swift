import Events
import Glibc

/// Signals a test harness that capturing has started.
enum ReadySignal {
  static func tell(_ options: LiveOptions) throws(Stop) {
    do throws(ReportError) {
      if let number = options.readyDescriptor {
        let descriptor = OutputFile.descriptor(number, name: "descriptor \(number) of --ready-fd")
        try descriptor.write(Array("ready\n".utf8))
        try descriptor.flush()
        close(number)
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
