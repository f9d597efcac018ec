import Foundation
import MediaCore
import StreamSimulation

/// A simulation of the choice of variants over recorded network traces, compared with simple rules and the optimum.
///
///     Benches ABR [--json] [--log] [--buffer SECONDS] [--variation FRACTION] [TRACE…]
///
/// Without traces, all files in Benchmarks/traces below the working directory are simulated. A trace is a text file.
/// Each line has one number (Mbit/s, one line per second) or two (seconds, and the Mbit/s from then on). The score is
/// the quality of experience (QoE) of Yin et al. (SIGCOMM 2015) with the constants of Pensieve.
enum ABRBench {
    private struct Failure: Error { var text: String }

    private struct Options {
        var isJSON = false
        /// Whether quality is the logarithm of the bit rate (QoE_log) instead of Mbit/s (QoE_lin).
        var isLogarithmic = false
        var buffer = 60.0
        /// The variation of the segments' sizes, as a fraction of the mean.
        var variation = 0.0
        var traces: [String] = []

        init(_ arguments: [String]) throws {
            var rest = arguments[...]
            func number(_ name: String, in range: ClosedRange<Double>) throws -> Double {
                guard let value = rest.popFirst().flatMap(Double.init), range.contains(value) else {
                    throw Failure(text: "\(name) needs a number from \(range.lowerBound) to \(range.upperBound)")
                }
                return value
            }
            while let next = rest.popFirst() {
                switch next {
                case "--json": isJSON = true
                case "--log": isLogarithmic = true
                case "--buffer": buffer = try number(next, in: 4...3600)
                case "--variation": variation = try number(next, in: 0...0.9)
                default: traces.append(next)
                }
            }
        }
    }

    static func main(_ arguments: [String]) throws {
        do {
            let options = try Options(arguments)
            let report = try simulate(options)
            print(options.isJSON ? String(decoding: try JSONEncoder().encode(report), as: UTF8.self) : report.text)
        } catch {
            FileHandle.standardError.write(Data("Benches: \((error as? Failure)?.text ?? "\(error)")\n".utf8))
            exit(1)
        }
    }

    private static func simulate(_ options: Options) throws -> SimulationReport {
        let stream = SimulatedStream(variation: options.variation)
        let quality = QualityOfExperience(options.isLogarithmic ? .log : .linear, variants: stream.variants)
        let comparisons = try (options.traces.isEmpty ? allTraces() : options.traces).map { path in
            var simulator = StreamSimulator(stream: stream, trace: try trace(path))
            simulator.bufferTarget = options.buffer
            return SimulationComparison(simulator, quality, clock: { HostClock.now() })
        }
        return SimulationReport(comparisons, stream: stream, quality: quality, bufferTarget: options.buffer)
    }

    private static func allTraces() throws -> [String] {
        let folder = "Benchmarks/traces"
        return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".txt") }.sorted()
            .map { "\(folder)/\($0)" }
    }

    private static func trace(_ path: String) throws -> NetworkTrace {
        let file = URL(fileURLWithPath: path)
        return try NetworkTrace(
            parsing: String(contentsOf: file, encoding: .utf8), file: path,
            name: file.deletingPathExtension().lastPathComponent)
    }
}
