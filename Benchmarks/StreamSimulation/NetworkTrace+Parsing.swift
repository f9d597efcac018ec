import Foundation

/// The reason why a text is not a network trace. `description` contains the file and the line.
package struct NetworkTraceError: Error, Sendable, Hashable, CustomStringConvertible {
    package let file: String
    /// The number of the line, from 1; nil if the error concerns the whole file.
    package let line: Int?
    package let reason: String

    package init(file: String, line: Int?, reason: String) {
        self.file = file
        self.line = line
        self.reason = reason
    }

    package var description: String { "\(file)\(line.map { ":\($0)" } ?? ""): \(reason)" }
}

extension NetworkTrace {
    /// The maximum duration in seconds. A trace of more than a week indicates an error in its numbers.
    private static let longest = 7.0 * 86_400

    /// Reads a trace. The first line with numbers determines which of the two usual forms the trace has:
    /// - One number per line: the Mbit/s of one second (as made from the Norwegian HSDPA logs).
    /// - Two columns: a time in seconds, and the Mbit/s from then until the next line's time (Pensieve's “cooked”
    ///   traces). The last step lasts as long as the one before it. The time of the first line is the beginning of the
    ///   trace.
    ///
    /// Blanks or a comma separate columns. Empty lines and lines that begin with # are skipped.
    package init(parsing text: String, file: String, name: String) throws(NetworkTraceError) {
        var columns = 0
        var times: [Double] = []
        var rates: [Double] = []
        var number = 0
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            number += 1
            let fields = line.split { $0 == " " || $0 == "\t" || $0 == "," }
            guard let first = fields.first, !first.hasPrefix("#") else { continue }
            func fail(_ reason: String) -> NetworkTraceError {
                NetworkTraceError(file: file, line: number, reason: reason)
            }
            if columns == 0 {
                guard fields.count <= 2 else {
                    throw fail(
                        "the line has \(fields.count) column\(fields.count == 1 ? "" : "s"); a trace has one (Mbit/s, one line per second) or two (seconds, Mbit/s)"
                    )
                }
                columns = fields.count
            }
            guard fields.count == columns else {
                throw fail(
                    "the line has \(fields.count) column\(fields.count == 1 ? "" : "s"), but the previous lines have \(columns)"
                )
            }
            var values: [Double] = []
            for field in fields {
                guard let value = Double(field), value.isFinite else {
                    throw fail("“\(field.prefix(40))” is not a number")
                }
                values.append(value)
            }
            let rate = values[columns - 1]
            guard rate >= 0 else { throw fail("\(rate) Mbit/s is negative") }
            guard rate <= 1e6 else { throw fail("\(rate) Mbit/s is too large; values are in Mbit/s") }
            if columns == 2 {
                if let last = times.last, values[0] <= last {
                    throw fail("the time \(values[0]) s is not later than \(last) s")
                }
                guard abs(values[0]) <= 1e12 else { throw fail("the time \(values[0]) s is out of range") }
                times.append(values[0])
            }
            rates.append(rate * 1e6)
        }
        guard let last = rates.last else {
            throw NetworkTraceError(file: file, line: nil, reason: "the file contains no numbers")
        }

        var steps: [(seconds: Double, bitRate: Double)] = []
        if columns == 1 {
            steps = rates.map { (1, $0) }
        } else {
            for index in rates.indices.dropLast() { steps.append((times[index + 1] - times[index], rates[index])) }
            steps.append((steps.last?.seconds ?? 1, last))
        }
        let length = steps.reduce(0) { $0 + $1.seconds }
        guard length <= NetworkTrace.longest else {
            throw NetworkTraceError(
                file: file, line: nil,
                reason: "the trace lasts \(Int(length)) s, more than a week; times are in seconds")
        }
        guard let trace = NetworkTrace(name: name, steps: steps) else {
            throw NetworkTraceError(
                file: file, line: nil, reason: "the bandwidth is always 0, so no segment would ever arrive")
        }
        self = trace
    }
}
