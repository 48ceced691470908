/// Formats a number with a comma between groups of three digits: `1,000,000`.
package func groupedDigits(_ number: Int) -> String {
  var result = ""
  let digits = String(number.magnitude)
  for (index, digit) in digits.enumerated() {
    if index > 0, (digits.count - index) % 3 == 0 { result.append(",") }
    result.append(digit)
  }
  return number < 0 ? "-" + result : result
}
