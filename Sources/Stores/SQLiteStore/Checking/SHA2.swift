import Foundation

/// The hashes SHA-512 (`SHA2<UInt64>`) and SHA-256 (`SHA2<UInt32>`) of FIPS 180-4, for the sums of
/// version hashes: core-data-stores 2.
enum SHA2<Word: FixedWidthInteger & UnsignedInteger & SendableMetatype> {
  private static var wordSize: Int { Word.bitWidth / 8 }
  private static var isLong: Bool { Word.bitWidth == 64 }

  /// Returns the hash of some bytes, of 8 words.
  static func hash(_ data: Data) -> Data {
    let size = 16 * wordSize
    let bytes = Array(data)
    var message = bytes + [0x80]
    let padding = (2 * size - 2 * wordSize - message.count % size) % size
    message += [UInt8](repeating: 0, count: padding + 2 * wordSize - 8)
    message += withUnsafeBytes(of: (UInt64(bytes.count) * 8).bigEndian, Array.init)
    var state = SHA2Constants.start.map(word)
    for block in stride(from: 0, to: message.count, by: size) {
      add(message[block..<(block + size)], to: &state)
    }
    return Data(state.flatMap { Self.bytes(of: $0) })
  }

  private static func bytes(of word: Word) -> [UInt8] {
    withUnsafeBytes(of: word.bigEndian) { Array($0) }
  }

  /// The first bits of a constant.
  private static func word(_ constant: UInt64) -> Word {
    Word(truncatingIfNeeded: constant >> (64 - UInt64(Word.bitWidth)))
  }

  private static func add(_ block: ArraySlice<UInt8>, to state: inout [Word]) {
    var words: [Word] = stride(from: block.startIndex, to: block.endIndex, by: wordSize).map {
      block[$0..<($0 + wordSize)].reduce(0) { $0 << 8 | Word($1) }
    }
    let rounds = isLong ? 80 : 64
    for index in 16..<rounds {
      let (near, far) = (words[index - 2], words[index - 15])
      let first =
        isLong
        ? rotated(far, 1) ^ rotated(far, 8) ^ far >> 7
        : rotated(far, 7) ^ rotated(far, 18) ^ far >> 3
      let second =
        isLong
        ? rotated(near, 19) ^ rotated(near, 61) ^ near >> 6
        : rotated(near, 17) ^ rotated(near, 19) ^ near >> 10
      words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
    }
    let ends: [Word] = isLong ? [14, 18, 41] : [6, 11, 25]
    let starts: [Word] = isLong ? [28, 34, 39] : [2, 13, 22]
    func turned(_ word: Word, _ counts: [Word]) -> Word {
      counts.reduce(0) { $0 ^ rotated(word, $1) }
    }
    var mix = state
    for index in 0..<rounds {
      let (a, e) = (mix[0], mix[4])
      let choice = e & mix[5] ^ ~e & mix[6]
      let first =
        mix[7] &+ turned(e, ends) &+ choice &+ word(SHA2Constants.rounds[index]) &+ words[index]
      let majority = a & mix[1] ^ a & mix[2] ^ mix[1] & mix[2]
      mix = [
        first &+ turned(a, starts) &+ majority, a, mix[1], mix[2], mix[3] &+ first, e, mix[5],
        mix[6],
      ]
    }
    for index in 0..<8 { state[index] &+= mix[index] }
  }

  private static func rotated(_ word: Word, _ count: Word) -> Word {
    word >> count | word << (Word(Word.bitWidth) - count)
  }
}

/// The constants of SHA-512; those of SHA-256 are their first halves.
private enum SHA2Constants {
  /// The fractions of the square roots of the first 8 primes.
  static let start: [UInt64] = [
    0x6A09_E667_F3BC_C908, 0xBB67_AE85_84CA_A73B, 0x3C6E_F372_FE94_F82B, 0xA54F_F53A_5F1D_36F1,
    0x510E_527F_ADE6_82D1, 0x9B05_688C_2B3E_6C1F, 0x1F83_D9AB_FB41_BD6B, 0x5BE0_CD19_137E_2179,
  ]

  /// The fractions of the cube roots of the first 80 primes.
  static let rounds: [UInt64] = [
    0x428A_2F98_D728_AE22, 0x7137_4491_23EF_65CD, 0xB5C0_FBCF_EC4D_3B2F, 0xE9B5_DBA5_8189_DBBC,
    0x3956_C25B_F348_B538, 0x59F1_11F1_B605_D019, 0x923F_82A4_AF19_4F9B, 0xAB1C_5ED5_DA6D_8118,
    0xD807_AA98_A303_0242, 0x1283_5B01_4570_6FBE, 0x2431_85BE_4EE4_B28C, 0x550C_7DC3_D5FF_B4E2,
    0x72BE_5D74_F27B_896F, 0x80DE_B1FE_3B16_96B1, 0x9BDC_06A7_25C7_1235, 0xC19B_F174_CF69_2694,
    0xE49B_69C1_9EF1_4AD2, 0xEFBE_4786_384F_25E3, 0x0FC1_9DC6_8B8C_D5B5, 0x240C_A1CC_77AC_9C65,
    0x2DE9_2C6F_592B_0275, 0x4A74_84AA_6EA6_E483, 0x5CB0_A9DC_BD41_FBD4, 0x76F9_88DA_8311_53B5,
    0x983E_5152_EE66_DFAB, 0xA831_C66D_2DB4_3210, 0xB003_27C8_98FB_213F, 0xBF59_7FC7_BEEF_0EE4,
    0xC6E0_0BF3_3DA8_8FC2, 0xD5A7_9147_930A_A725, 0x06CA_6351_E003_826F, 0x1429_2967_0A0E_6E70,
    0x27B7_0A85_46D2_2FFC, 0x2E1B_2138_5C26_C926, 0x4D2C_6DFC_5AC4_2AED, 0x5338_0D13_9D95_B3DF,
    0x650A_7354_8BAF_63DE, 0x766A_0ABB_3C77_B2A8, 0x81C2_C92E_47ED_AEE6, 0x9272_2C85_1482_353B,
    0xA2BF_E8A1_4CF1_0364, 0xA81A_664B_BC42_3001, 0xC24B_8B70_D0F8_9791, 0xC76C_51A3_0654_BE30,
    0xD192_E819_D6EF_5218, 0xD699_0624_5565_A910, 0xF40E_3585_5771_202A, 0x106A_A070_32BB_D1B8,
    0x19A4_C116_B8D2_D0C8, 0x1E37_6C08_5141_AB53, 0x2748_774C_DF8E_EB99, 0x34B0_BCB5_E19B_48A8,
    0x391C_0CB3_C5C9_5A63, 0x4ED8_AA4A_E341_8ACB, 0x5B9C_CA4F_7763_E373, 0x682E_6FF3_D6B2_B8A3,
    0x748F_82EE_5DEF_B2FC, 0x78A5_636F_4317_2F60, 0x84C8_7814_A1F0_AB72, 0x8CC7_0208_1A64_39EC,
    0x90BE_FFFA_2363_1E28, 0xA450_6CEB_DE82_BDE9, 0xBEF9_A3F7_B2C6_7915, 0xC671_78F2_E372_532B,
    0xCA27_3ECE_EA26_619C, 0xD186_B8C7_21C0_C207, 0xEADA_7DD6_CDE0_EB1E, 0xF57D_4F7F_EE6E_D178,
    0x06F0_67AA_7217_6FBA, 0x0A63_7DC5_A2C8_98A6, 0x113F_9804_BEF9_0DAE, 0x1B71_0B35_131C_471B,
    0x28DB_77F5_2304_7D84, 0x32CA_AB7B_40C7_2493, 0x3C9E_BE0A_15C9_BEBC, 0x431D_67C4_9C10_0D4C,
    0x4CC5_D4BE_CB3E_42B6, 0x597F_299C_FC65_7E2A, 0x5FCB_6FAB_3AD6_FAEC, 0x6C44_198C_4A47_5817,
  ]
}
