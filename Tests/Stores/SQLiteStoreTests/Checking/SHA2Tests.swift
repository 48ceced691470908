import Foundation
import Testing

@testable import SQLiteStore

struct SHA2Tests {
  /// The beginning of the hash of the bytes 0, 1, 2, … by another implementation.
  @Test(arguments: [
    (0, "cf83e1357eefb8bdf1542850d66d8007"),
    (1, "b8244d028981d693af7b456af8efa4ca"),
    (111, "a1a111449b198d9b1f538bad7f3fc102"),
    (112, "c5fbd731d19d2ae1180f001be72c2c1a"),
    (127, "eab89674feaa34e27aebeeff3c0a4d70"),
    (128, "1dffd5e3adb71d45d2245939665521ae"),
    (129, "1d9da57fbbdab09afb3506ab2d223d06"),
    (239, "cb4c7fd522756d5781ad3a4f590a1d86"),
    (240, "6c48466c9f6c07e4ab762c696b7eeb35"),
    (1000, "6cd2eda9bf9c0597129029b0054b81e4"),
  ])
  func `hashes of 512 bits are those of FIPS 180-4`(_ count: Int, _ expected: String) {
    let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
    let digits = SHA2<UInt64>.hash(data).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    #expect(digits.count == 64)
    #expect(digits.joined().hasPrefix(expected))
  }

  @Test(arguments: [
    (0, "e3b0c44298fc1c149afbf4c8996fb924"),
    (1, "6e340b9cffb37a989ca544e6bb780a2c"),
    (55, "463eb28e72f82e0a96c0a4cc53690c57"),
    (56, "da2ae4d6b36748f2a318f23e7ab1dfdf"),
    (63, "29af2686fd53374a36b0846694cc3421"),
    (64, "fdeab9acf3710362bd2658cdc9a29e8f"),
    (65, "4bfd2c8b6f1eec7a2afeb48b934ee4b2"),
    (119, "da18797ed7c3a777f0847f429724a2d8"),
    (120, "f52b23db1fbb6ded89ef42a23ce0c892"),
    (1000, "a8af099bf2e878609558dbf69d8f88f4"),
  ])
  func `hashes of 256 bits are those of FIPS 180-4`(_ count: Int, _ expected: String) {
    let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
    let digits = SHA2<UInt32>.hash(data).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    #expect(digits.count == 32)
    #expect(digits.joined().hasPrefix(expected))
  }
}
