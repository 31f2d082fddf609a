import Citation
import TLSSemantics

extension CertificateSummary {
  /// Nil for what is no certificate, or where this program was built without libcrypto.
  package init?(der: Span<UInt8>) {
    self.init()
    guard der.count <= CertificateSummary.sizeLimit, read(der) else { return nil }
  }
}

#if OpenSSL
  import CCrypto

  extension CertificateSummary {
    mutating func read(_ der: Span<UInt8>) -> Bool {
      // Whatever is wrong with a part of it is left in libcrypto's list of the thread's errors.
      defer { ERR_clear_error() }
      let certificate = der.withUnsafeBufferPointer { bytes -> OpaquePointer? in
        var position = bytes.baseAddress
        return d2i_X509(nil, &position, bytes.count)
      }
      guard let certificate else { return false }
      defer { X509_free(certificate) }
      let subject = X509_get_subject_name(certificate)
      subjectCommonName = text(of: subject, NID_commonName)
      subjectOrganization = text(of: subject, NID_organizationName)
      issuerCommonName = text(of: X509_get_issuer_name(certificate), NID_commonName)
      notBefore = seconds(X509_get0_notBefore(certificate))
      notAfter = seconds(X509_get0_notAfter(certificate))
      isSelfSigned = X509_self_signed(certificate, 0) == 1
      readNames(certificate)
      readKey(certificate)
      return true
    }

    /// The last one, which is the most specific.
    private func text(of name: OpaquePointer?, _ kind: CInt) -> String? {
      var last: CInt = -1
      while true {
        let next = X509_NAME_get_index_by_NID(name, kind, last)
        guard next > last else { break }
        last = next
      }
      guard last >= 0, let string = X509_NAME_ENTRY_get_data(X509_NAME_get_entry(name, last)) else { return nil }
      var bytes: UnsafeMutablePointer<UInt8>?
      let count = ASN1_STRING_to_UTF8(&bytes, string)
      guard count >= 0, let bytes else { return nil }
      defer { CRYPTO_free(bytes, nil, 0) }
      let kept = UnsafeBufferPointer(start: bytes, count: min(Int(count), CertificateSummary.textLimit))
      return String(decoding: kept, as: UTF8.self)
    }

    private func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
      guard let time, let epoch = ASN1_TIME_set(nil, 0) else { return nil }
      defer { ASN1_STRING_free(epoch) }
      var days: CInt = 0
      var seconds: CInt = 0
      guard ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return nil }
      return Int64(days) * 86_400 + Int64(seconds)
    }

    private mutating func readNames(_ certificate: OpaquePointer) {
      guard let extensionValue = X509_get_ext_d2i(certificate, NID_subject_alt_name, nil, nil) else { return }
      let list = OpaquePointer(extensionValue)
      defer { GENERAL_NAMES_free(list) }
      for index in 0..<max(0, ccrypto_name_count(list)) {
        var kind: CInt = 0
        guard let string = ccrypto_name(list, index, &kind) else { continue }
        var count: CInt = 0
        let bytes = UnsafeBufferPointer(start: ccrypto_bytes(string, &count), count: Int(max(0, count)))
        guard names.count + addresses.count < CertificateSummary.nameLimit else {
          omittedNames += 1
          continue
        }
        if kind == GEN_DNS, bytes.count <= CertificateSummary.textLimit {
          names.append(String(decoding: bytes, as: UTF8.self))
        } else if kind == GEN_IPADD, let address = IPAddress(subjectAlternative: bytes) {
          addresses.append(address)
        } else {
          omittedNames += 1
        }
      }
    }

    private mutating func readKey(_ certificate: OpaquePointer) {
      guard let key = X509_get0_pubkey(certificate) else { return }
      keyBits = Int(EVP_PKEY_get_bits(key))
      keyKind =
        switch EVP_PKEY_get_base_id(key) {
        case NID_rsaEncryption: .rsa
        case NID_rsassaPss: .rsaPSS
        case NID_dsa: .dsa
        case NID_X9_62_id_ecPublicKey: .ellipticCurve
        case NID_ED25519: .ed25519
        case NID_ED448: .ed448
        default: .other
        }
    }
  }

  extension IPAddress {
    /// Of four or sixteen bytes.
    fileprivate init?(subjectAlternative bytes: UnsafeBufferPointer<UInt8>) {
      func word(_ range: Range<Int>) -> UInt64 { bytes[range].reduce(0) { $0 << 8 | UInt64($1) } }
      switch bytes.count {
      case 4: self.init(v4: UInt32(word(0..<4)))
      case 16: self.init(high: word(0..<8), low: word(8..<16))
      default: return nil
      }
    }
  }
#else
  extension CertificateSummary {
    func read(_ der: Span<UInt8>) -> Bool { false }
  }
#endif
