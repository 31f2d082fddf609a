/// A day of the proleptic Gregorian calendar.
package struct CivilDate: Equatable, Sendable {
  package var year: Int64
  package var month: Int64
  package var day: Int64

  /// nil where no calendar has that day.
  package init?(year: Int64, month: Int64, day: Int64) {
    self.year = year
    self.month = month
    self.day = day
    guard (1...12).contains(month), (1...31).contains(day), CivilDate(daysSince1970: daysSince1970) == self else {
      return nil
    }
  }

  /// The year is taken to begin in March, so that the leap day is its last.
  package init(daysSince1970 days: Int64) {
    let shifted = days + 719_468
    let era = shifted.flooredQuotient(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  package var daysSince1970: Int64 {
    let shifted = month > 2 ? year : year - 1
    let era = shifted.flooredQuotient(by: 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

extension Int64 {
  /// Rounded down, also below zero.
  package func flooredQuotient(by divisor: Int64) -> Int64 {
    let quotient = self / divisor
    return self % divisor < 0 ? quotient - 1 : quotient
  }
}
