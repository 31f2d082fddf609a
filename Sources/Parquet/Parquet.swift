// Writes Apache Parquet, and knows nothing of captures: a schema of named columns goes in, then records, field by field, and
// bytes come out a row group at a time. https://parquet.apache.org/docs/file-format/ and its parquet.thrift are the
// specification; the subset here is what every reader has:
//
//   Schema          columns, groups and lists, and the levels that tell what of them is there
//   RecordWriter    one record after the other, taken apart into columns
//   ColumnBuffer    levels and values of one column of a row group
//   ColumnChunk     those as a page, with a dictionary before it where that is shorter
//   ParquetWriter   row groups, one after the other, and the footer
//
// A column chunk has one data page of the first version: its size is that of a row group's buffer at most. Strings are plain
// or of a dictionary, whole numbers of a dictionary or differences in blocks (DELTA_BINARY_PACKED): numbers of packets and
// times are a third of their size that way. Nothing here depends on hashes of the process: the same records are the same
// bytes.

/// How values are stored, as they are before they are encoded.
enum PhysicalType: Int32 {
  case boolean = 0
  case int64 = 2
  case double = 5
  case byteArray = 6
}

enum Encoding: Int32 {
  case plain = 0
  /// Levels.
  case rle = 3
  case deltaBinaryPacked = 5
  /// Places in the dictionary page.
  case rleDictionary = 8
}

/// What a page is packed with. One that this program was built without is the same as none.
package enum Compression: Int32, Sendable, CaseIterable {
  case none = 0
  case gzip = 2
  case zstd = 6

  /// The best of those that are there.
  package static var best: Compression {
    #if Zstd
      .zstd
    #elseif Zlib
      .gzip
    #else
      .none
    #endif
  }
}
