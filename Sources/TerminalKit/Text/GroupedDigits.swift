/// A number with a comma between groups of three digits: `1,000,000`.
///
/// Used for every count on the screen.
public func groupedDigits(_ number: Int) -> String {
  var result = ""
  let digits = String(number.magnitude)
  for (place, digit) in digits.enumerated() {
    if place > 0, (digits.count - place) % 3 == 0 { result.append(",") }
    result.append(digit)
  }
  return number < 0 ? "-" + result : result
}
