import Foundation

/// The parser and writer for dates in playlists: ISO 8601, years 0 to 9999, with a precision of up to nanoseconds.
enum PlaylistDate {
    /// Parses a date, or returns nil if the text is not a valid date. Like deployed players, it assumes UTC if the text
    /// has no time zone.
    static func date(_ text: Bytes) -> Date? {
        var reader = Reader(text: text)
        guard let year = reader.digits(4), reader.skip(0x2D), let month = reader.digits(2), reader.skip(0x2D),
            let day = reader.digits(2), (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        var seconds = (daysSince1970(year: year, month: month, day: day) - 11_323) * 86_400
        var nanoseconds = 0
        if reader.skip(0x54) || reader.skip(0x74) || reader.skip(0x20) {
            guard let hour = reader.digits(2), reader.skip(0x3A), let minute = reader.digits(2), hour <= 24,
                minute <= 59
            else { return nil }
            seconds += hour * 3600 + minute * 60
            if reader.skip(0x3A) {
                // A leap second is written as second 60.
                guard let second = reader.digits(2), second <= 60 else { return nil }
                seconds += second
                if reader.skip(0x2E) || reader.skip(0x2C) { nanoseconds = reader.fraction() }
            }
            guard let offset = reader.zone() else { return nil }
            seconds -= offset
        }
        let time = Double(seconds) + Double(nanoseconds) / 1e9
        guard reader.isAtEnd, writable.contains(time) else { return nil }
        return Date(timeIntervalSinceReferenceDate: time)
    }

    /// Returns the date in UTC, with as many digits as are needed to parse the same date again.
    static func text(_ date: Date) -> String {
        let time = min(max(date.timeIntervalSinceReferenceDate, writable.lowerBound), writable.upperBound.nextDown)
        let whole = time.rounded(.down)
        let nanoseconds = min(Int(((time - whole) * 1e9).rounded()), 999_999_999)
        let seconds = Int(whole) + 11_323 * 86_400
        let days = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
        let secondOfDay = seconds - days * 86_400
        let (year, month, day) = civil(daysSince1970: days)
        var text =
            "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(padded(secondOfDay / 3600, 2)):\(padded(secondOfDay / 60 % 60, 2)):\(padded(secondOfDay % 60, 2))"
        // Milliseconds are always written, as in other playlists. More digits follow only if the date requires them.
        for (digits, unit) in [(3, 1_000_000), (6, 1_000), (9, 1)] {
            let count = (nanoseconds + unit / 2) / unit
            guard digits == 9 || (count < 1_000_000_000 / unit && whole + Double(count * unit) / 1e9 == time) else {
                continue
            }
            text += ".\(padded(count, digits))"
            break
        }
        return text + "Z"
    }

    /// The range of valid dates, years 0 to 9999, in seconds from the reference date (1 January 2001).
    private static let writable = -63_145_526_400.0..<252_423_993_600.0

    private static func padded(_ value: Int, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// Returns the days since 1970-01-01 in the proleptic Gregorian calendar. The computation starts years in March, so
    /// that a leap day is the last day of a year.
    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let years = (month <= 2 ? year - 1 : year) + 400
        let days = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return years * 365 + years / 4 - years / 100 + years / 400 + days - 719_468 - 146_097
    }

    private static func civil(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468 + 146_097
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let year = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        return (
            era * 400 + year - 400 + (month >= 10 ? 1 : 0), month < 10 ? month + 3 : month - 9,
            dayOfYear - (153 * month + 2) / 5 + 1
        )
    }

    private struct Reader {
        let text: Bytes
        var index = 0

        var isAtEnd: Bool { index == text.count }

        mutating func skip(_ byte: UInt8) -> Bool {
            guard index < text.count, text[index] == byte else { return false }
            index += 1
            return true
        }

        mutating func digits(_ count: Int) -> Int? {
            guard index + count <= text.count, let value = text.slice(index, index + count).integer else { return nil }
            index += count
            return value
        }

        /// Reads the fraction of a second in nanoseconds. Further digits are skipped.
        mutating func fraction() -> Int {
            var value = 0
            var unit = 100_000_000
            while index < text.count, text[index] >= 0x30, text[index] <= 0x39 {
                value += Int(text[index] - 0x30) * unit
                unit /= 10
                index += 1
            }
            return value
        }

        /// Reads the time zone as seconds east of UTC.
        mutating func zone() -> Int? {
            if isAtEnd || skip(0x5A) || skip(0x7A) { return 0 }
            let isWest = skip(0x2D)
            guard isWest || skip(0x2B), let hours = digits(2), hours <= 23 else { return nil }
            _ = skip(0x3A)
            var minutes = 0
            if !isAtEnd {
                guard let stated = digits(2), stated <= 59 else { return nil }
                minutes = stated
            }
            return (isWest ? -1 : 1) * (hours * 3600 + minutes * 60)
        }
    }
}
