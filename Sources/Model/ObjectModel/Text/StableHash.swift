extension String {
  /// The 64-bit FNV-1a hash of its UTF-8 bytes: the same in every run of the program, for the names
  /// of files and identifiers.
  package var stableHash: UInt64 {
    utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
