/// The decryption secrets of several files, each once: the files of one recorder often repeat them.
struct SharedSecrets {
  private var known: Set<DecryptionSecrets> = []
  private var length = 0

  /// `seen` of a file's own secrets were looked at before.
  mutating func note(_ own: [DecryptionSecrets], _ seen: inout Int, into info: inout CaptureInfo) {
    guard own.count > seen else { return }
    for secret in own[seen...] where !known.contains(secret) {
      if length + secret.bytes.count <= CaptureLimits.secrets {
        length += secret.bytes.count
        known.insert(secret)
        info.secrets.append(secret)
      } else {
        info.note(.secretsCut(bytes: UInt64(secret.bytes.count)))
      }
    }
    seen = own.count
  }
}
