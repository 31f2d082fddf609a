import Capture
import Testing

#if Zlib
  @Suite struct GzipCaptureTests {
    /// gzip members whose data is stored, so that they can be made here.
    static func packed(_ bytes: [UInt8], pieceLength: Int = 1000) -> [UInt8] {
      var file: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
      var start = 0
      repeat {
        let piece = bytes[start..<min(start + pieceLength, bytes.count)]
        start += piece.count
        file += [start == bytes.count ? 1 : 0]
        file += [UInt8(piece.count & 0xFF), UInt8(piece.count >> 8)]
        file += [UInt8(~piece.count & 0xFF), UInt8(~piece.count >> 8 & 0xFF)]
        file += piece
      } while start < bytes.count
      var crc = UInt32.max
      for byte in bytes {
        crc ^= UInt32(byte)
        for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
      }
      for word in [~crc, UInt32(bytes.count)] {
        for shift in [0, 8, 16, 24] { file.append(UInt8(word >> UInt32(shift) & 0xFF)) }
      }
      return file
    }

    static let plain = PcapFlavour.all[0].file(packets: 40)

    @Test("members one after the other are one file, whatever the pieces")
    func members() throws {
      let plain = GzipCaptureTests.plain
      let file =
        GzipCaptureTests.packed(Array(plain[..<1001])) + GzipCaptureTests.packed(Array(plain[1001...]), pieceLength: 99)
      let all = try read(plain).packets
      for length in [1, 2, 17, 1000, 100_000] {
        let reading = try read(MemorySource(file, pieceLength: length), window: 300)
        #expect(reading.packets == all)
        #expect(reading.info.problems.isEmpty)
        #expect(reading.info.format.name == "pcap.gz")
      }
    }

    @Test("packed data that is cut gives the whole packets and says so")
    func everyLength() throws {
      let file = GzipCaptureTests.packed(GzipCaptureTests.plain, pieceLength: 200)
      let all = try read(GzipCaptureTests.plain).packets
      for length in stride(from: 40, to: file.count, by: 7) {
        let reading = try read(Array(file[..<length]))
        #expect(reading.packets == Array(all.prefix(reading.packets.count)))
        #expect(
          reading.info.problems
            == [.cutShort(atByte: UInt64(length), lastWholePacket: UInt64(reading.packets.count))])
      }
      for length in 3..<30 { #expect(refusal(Array(file[..<length])) != nil) }
    }

    @Test("corrupt data is damage, zeros behind it padding, anything else is said")
    func tails() throws {
      let file = GzipCaptureTests.packed(GzipCaptureTests.plain)
      var corrupt = file
      corrupt[file.count - 6] ^= 1
      #expect(try !read(corrupt).info.isComplete)
      #expect(try read(file + [0, 0, 0, 0]).info.problems.isEmpty)
      let tail = try read(file + [1, 2, 3])
      #expect(tail.packets.count == 40)
      #expect(
        tail.info.problems
          == [.damaged(atByte: UInt64(file.count), what: "the data after the end of the gzip stream is not gzip")])
    }

    @Test("gzip inside of gzip is refused")
    func twice() {
      let file = GzipCaptureTests.packed(GzipCaptureTests.packed(GzipCaptureTests.plain))
      #expect(refusal(file)?.contains("decompress it once") == true)
    }
  }
#else
  @Test("a gzip file is refused by name")
  func gzipRefused() {
    #expect(refusal([0x1F, 0x8B, 8, 0])?.contains("gunzip") == true)
  }
#endif

#if Zstd
  @Suite struct ZstdCaptureTests {
    /// A frame of raw blocks, so that it can be made here.
    static func packed(_ bytes: [UInt8], pieceLength: Int = 1000) -> [UInt8] {
      // A window of 1 KiB, no content size, no checksum.
      var file: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x00]
      var start = 0
      repeat {
        let piece = bytes[start..<min(start + pieceLength, bytes.count)]
        start += piece.count
        let header = piece.count << 3 | (start == bytes.count ? 1 : 0)
        file += [UInt8(header & 0xFF), UInt8(header >> 8 & 0xFF), UInt8(header >> 16)]
        file += piece
      } while start < bytes.count
      return file
    }

    static let plain = PcapFlavour.all[0].file(packets: 40)
    static let skippable: [UInt8] = [0x53, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3]

    @Test("frames one after the other are one file, whatever the pieces")
    func frames() throws {
      let plain = ZstdCaptureTests.plain
      let file =
        ZstdCaptureTests.skippable + ZstdCaptureTests.packed(Array(plain[..<1001])) + ZstdCaptureTests.skippable
        + ZstdCaptureTests.packed(Array(plain[1001...]), pieceLength: 99)
      let all = try read(plain).packets
      for length in [1, 2, 17, 1000, 100_000] {
        let reading = try read(MemorySource(file, pieceLength: length), window: 300)
        #expect(reading.packets == all)
        #expect(reading.info.problems.isEmpty)
        #expect(reading.info.format.name == "pcap.zst")
      }
    }

    @Test("packed data that is cut gives the whole packets and says so")
    func everyLength() throws {
      let file = ZstdCaptureTests.packed(ZstdCaptureTests.plain, pieceLength: 200)
      let all = try read(ZstdCaptureTests.plain).packets
      for length in stride(from: 300, to: file.count, by: 7) {
        let reading = try read(Array(file[..<length]))
        #expect(reading.packets == Array(all.prefix(reading.packets.count)))
        #expect(
          reading.info.problems
            == [.cutShort(atByte: UInt64(length), lastWholePacket: UInt64(reading.packets.count))])
      }
      for length in 4..<30 { #expect(refusal(Array(file[..<length])) != nil) }
    }

    @Test("what follows the data and is none is said")
    func tail() throws {
      let file = ZstdCaptureTests.packed(ZstdCaptureTests.plain)
      let reading = try read(file + [1, 2, 3, 4, 5, 6, 7, 8])
      #expect(reading.packets.count == 40)
      #expect(!reading.info.isComplete)
    }
  }
#else
  @Test("a zstd file is refused by name")
  func zstdRefused() {
    #expect(refusal([0x28, 0xB5, 0x2F, 0xFD])?.contains("unzstd") == true)
  }
#endif
