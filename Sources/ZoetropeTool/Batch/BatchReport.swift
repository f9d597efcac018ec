import Foundation
import MediaCore
import PlayerControls

/// A line of `zoetrope batch` about a unit or an invalid job. Results of units are printed and recorded. The events
/// `started` and `stopped` are only recorded. All other lines are only printed.
struct BatchLine: Codable {
    /// The kind of line: `started`, `finished`, `failed`, `skipped` or `stopped`.
    var event: String
    var unit: String?
    /// The number of the line in the job list, from 1.
    var line: Int
    var job: String?
    /// The number of the part, from 1; nil if the unit is not a part.
    var part: Int?
    var parts: Int?
    var input: String?
    var output: String?
    var bytes: Int64?
    /// The size and the modification time of the source.
    var source: String?
    /// The sizes and the modification times of other files that the options of the job name.
    var files: String?
    var seconds: Double?
    /// The peak memory of the process so far, in MiB, rounded up.
    var memoryMB: Double?
    var error: String?
    /// The report of the job's command.
    var result: RawJSON?

    init(_ event: String, _ unit: BatchUnit, _ head: JobHead?) {
        self.event = event
        self.unit = unit.key
        line = unit.job.line
        job = head?.kind.rawValue
        input = head.map { Credentials.removed(from: CommandArguments.readable($0.input)) }
        output = head?.output.map(CommandArguments.readable)
        if case .part(let number) = unit.piece { part = number }
        if unit.job.parts > 1 { parts = Int(unit.job.parts) }
        if unit.piece == .join { job = "join" }
    }

    /// Creates the line of a unit that an earlier run has finished. It repeats the recorded values, so that the output
    /// of a second run contains all results too.
    /// - Parameters:
    ///   - recorded: The recorded line of the unit.
    ///   - head: The start of the job, for a unit without a recorded line.
    init(skipped unit: BatchUnit, recorded: String?, _ head: @autoclosure () -> JobHead? = nil) {
        let known = recorded.flatMap { try? JSONDecoder().decode(BatchLine.self, from: Data($0.utf8)) }
        self = known ?? BatchLine("skipped", unit, head())
        // The line may have moved in the job list.
        (event, line) = ("skipped", unit.job.line)
    }

    init(_ problem: BatchPlan.Problem) {
        event = "failed"
        line = problem.line
        error = problem.reason
    }

    var text: String { get throws(ToolFailure) { try ReportJSON.line(self) } }
}

/// JSON text that is encoded as a value, not as a string.
struct RawJSON: Codable {
    private let value: Value

    init(from decoder: any Decoder) throws { value = try Value(from: decoder) }

    /// Creates a value from JSON text; nil if `text` is not JSON.
    init?(_ text: String) {
        guard let value = try? JSONDecoder().decode(Value.self, from: Data(text.utf8)) else { return nil }
        self.value = value
    }

    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }

    private enum Value: Codable {
        case null
        case flag(Bool)
        case integer(Int64)
        case number(Double)
        case text(String)
        case list([Value])
        case object([String: Value])

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if value.decodeNil() {
                self = .null
            } else if let flag = try? value.decode(Bool.self) {
                self = .flag(flag)
            } else if let number = try? value.decode(Int64.self) {
                self = .integer(number)
            } else if let number = try? value.decode(Double.self) {
                self = .number(number)
            } else if let text = try? value.decode(String.self) {
                self = .text(text)
            } else if let list = try? value.decode([Value].self) {
                self = .list(list)
            } else {
                self = .object(try value.decode([String: Value].self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .null: try container.encodeNil()
            case .flag(let flag): try container.encode(flag)
            case .integer(let number): try container.encode(number)
            case .number(let number): try container.encode(number)
            case .text(let text): try container.encode(text)
            case .list(let list): try container.encode(list)
            case .object(let object): try container.encode(object)
            }
        }
    }
}

/// The progress of a batch.
struct BatchProgress: Sendable, Equatable {
    var total = 0
    var finished = 0
    /// The number of units that an earlier run has finished.
    var skipped = 0
    var failed = 0

    var ended: Int { finished + skipped + failed }

    /// Returns a progress line for a terminal of `columns` columns. The line uses one column less, because some
    /// terminals wrap a full line.
    func line(after seconds: Double, note: String? = nil, columns: Int) -> String {
        let fraction = total > 0 ? min(1, Double(ended) / Double(total)) : 1
        // Skipped units took no time, so the estimate ignores them.
        let done = finished + failed
        let left = done > 0 ? seconds / Double(done) * Double(max(0, total - ended)) : nil
        let facts =
            [
                "\(ended) of \(total)", failed > 0 ? "\(failed) failed" : nil, note,
                TimeText.clock(left?.rounded(.up) ?? .nan, unknown: "–:––") + " left",
            ].compactMap { $0 }.joined(separator: "  ")
        let percent = String(format: "%3d%%", Int(saturating: fraction * 100))
        let width = min(40, columns - 1 - percent.count - facts.count - 6)
        guard width >= 8 else { return String("\(percent)  \(facts)".prefix(max(5, columns - 1))) }
        let full = Int(saturating: (fraction * Double(width)).rounded(.down))
        return "\(percent)  [" + String(repeating: "#", count: full) + String(repeating: "·", count: width - full)
            + "]  " + facts
    }
}
