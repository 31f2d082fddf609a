import Testing

@testable import Parquet

/// Rows by hand from the specification of the compact protocol.
@Suite("Thrift's compact protocol") struct ThriftWriterTests {
  @Test("Numbers are zigzag and variable in length; a field's header holds the step from the field before.")
  func numbers() {
    var thrift = ThriftWriter()
    thrift.structure { thrift in
      thrift.field(1, Int32(1))
      thrift.field(3, Int64(-1))
      thrift.field(4, Int64(300))
      // Sixteen further: the number follows in full.
      thrift.field(20, Int32(-3))
      thrift.field(21, Int16(7))
    }
    #expect(
      thrift.bytes == [0x15, 0x02, 0x26, 0x01, 0x16, 0xD8, 0x04, 0x05, 0x28, 0x05, 0x14, 0x0E, 0x00])
  }

  @Test("Truths stand in the header; texts after their length; a structure counts its own fields.")
  func structures() {
    var thrift = ThriftWriter()
    thrift.structure { thrift in
      thrift.field(1, true)
      thrift.field(2, false)
      thrift.field(5) { inner in inner.field(1, "ab") }
      thrift.field(6, [UInt8]())
    }
    #expect(thrift.bytes == [0x11, 0x12, 0x3C, 0x18, 0x02, 0x61, 0x62, 0x00, 0x18, 0x00, 0x00])
  }

  @Test("A list of up to fourteen has its size in the header, a longer one after it.")
  func lists() {
    var thrift = ThriftWriter()
    thrift.structure { thrift in
      thrift.list(1, [Int32(0), 3])
      thrift.list(2, [String](repeating: "x", count: 15))
      thrift.list(3, [1, 2]) { (element, value) in element.field(1, Int32(value)) }
    }
    var expected: [UInt8] = [0x19, 0x25, 0x00, 0x06, 0x19, 0xF8, 0x0F]
    for _ in 0..<15 { expected += [0x01, 0x78] }
    expected += [0x19, 0x2C, 0x15, 0x02, 0x00, 0x15, 0x04, 0x00, 0x00]
    #expect(thrift.bytes == expected)
  }
}
