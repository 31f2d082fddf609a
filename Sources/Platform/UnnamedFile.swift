#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A file of this program alone, which is gone with it.
///
/// Linux opens it by its descriptor, afresh each time, and it has no name from the beginning. Opening a descriptor of
/// Darwin goes on where the last reader stopped, so there the file keeps its name as long as this value lives.
package final class UnnamedFile {
  /// Can be opened any number of times.
  package let path: String
  private let descriptor: Descriptor

  package init(in folder: String, named name: String, _ bytes: [UInt8]) throws(SystemError) {
    var template = Array("\(folder)/\(name).XXXXXX".utf8CString)
    let number = mkstemp(&template)
    guard number >= 0 else { throw .last }
    descriptor = Descriptor(number)
    #if canImport(Darwin)
      path = String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    #else
      unlink(template)
      path = "/proc/self/fd/\(number)"
    #endif
    // Should this fail, the descriptor is closed by deinit as all properties have their values.
    try descriptor.write(bytes)
  }

  deinit {
    descriptor.close()
    #if canImport(Darwin)
      FileSystem.remove(path)
    #endif
  }
}
