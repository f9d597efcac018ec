import Foundation
import TestSupport

struct UsageError: Error { let message: String }

/// The parsed command line.
struct Options {
    var root = Repository.root.appendingPathComponent(".generated/streams")
    var port: UInt16 = 0
    var rules: [FaultRule] = []
    var network: Throughput?
    var live: [(path: String, master: String)] = []
    var isLowLatency = false
    var logs = false
    var wantsHelp = false

    init(_ arguments: ArraySlice<String>) throws {
        var rest = arguments
        func value<T>(of option: String, _ convert: (String) -> T?) throws -> T {
            guard let text = rest.popFirst() else { throw UsageError(message: "\(option) needs a value.") }
            guard let value = convert(text) else { throw UsageError(message: "\(option) does not take “\(text)”.") }
            return value
        }
        func pair(_ text: String) -> (String, String)? {
            guard let cut = text.lastIndex(of: "=") else { return nil }
            return (String(text[..<cut]), String(text[text.index(after: cut)...]))
        }
        func counted(_ text: String) -> (String, Int64)? {
            pair(text).flatMap { pattern, count in Int64(count).map { (pattern, $0) } }
        }
        while let argument = rest.popFirst() {
            switch argument {
            case "--port": port = try value(of: argument) { UInt16($0) }
            case "--throttle": network = .kilobits(try value(of: argument) { Double($0).flatMap { $0 > 0 ? $0 : nil } })
            case "--trace": network = try value(of: argument, Self.trace)
            case "--latency": rules.append(FaultRule([.latency(try value(of: argument) { Double($0) })]))
            case "--status":
                let (pattern, status) = try value(of: argument, counted)
                rules.append(FaultRule([.status(Int(status))], on: pattern))
            case "--stall":
                let (pattern, bytes) = try value(of: argument, counted)
                rules.append(FaultRule([.stall(after: bytes)], on: pattern))
            case "--reset":
                let (pattern, bytes) = try value(of: argument, counted)
                rules.append(FaultRule([.reset(after: bytes)], on: pattern))
            case "--truncate":
                let (pattern, bytes) = try value(of: argument, counted)
                rules.append(FaultRule([.truncate(after: bytes)], on: pattern))
            case "--no-ranges": rules.append(FaultRule([.noRanges]))
            case "--gzip": rules.append(FaultRule([.gzip], on: "*.m3u8"))
            case "--chunked": rules.append(FaultRule([.chunked]))
            case "--live": live.append(try value(of: argument, pair))
            case "--low-latency": isLowLatency = true
            case "--log": logs = true
            case "-h", "--help": wantsHelp = true
            default:
                guard !argument.hasPrefix("-") else { throw UsageError(message: "no option “\(argument)”.") }
                root = URL(fileURLWithPath: argument)
            }
        }
    }

    private static func trace(_ path: String) -> Throughput? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        let rates = text.split(whereSeparator: \.isNewline).compactMap {
            Double($0.trimmingCharacters(in: .whitespaces))
        }
        return rates.isEmpty ? nil : Throughput(steps: rates.map { (1, $0 * 125_000) }, repeats: true)
    }
}
