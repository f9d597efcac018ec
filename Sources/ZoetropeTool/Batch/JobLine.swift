import Export
import Foundation
import MediaCore

/// A command of the tool that a job of `zoetrope batch` can run.
enum JobKind: String, CaseIterable, Sendable {
    case render, snapshot
    case contactSheet = "contact-sheet"
    case probe, loudness

    /// Whether the job must name an output file. Other jobs return a report, which is also written to a file if the job
    /// names one.
    var needsOutput: Bool { self != .probe && self != .loudness }
}

/// The form of job lines.
private enum JobLine {
    /// Returns a line as JSON, which is UTF-8. Names of files need not be UTF-8; bytes that are not are escaped, as in
    /// `CommandArguments`.
    static func json(_ line: ArraySlice<UInt8>) -> Data { Data(CommandArguments.text(Array(line)).utf8) }

    /// Returns the reason why a line can't be decoded.
    static func problem(_ error: any Error) -> JobProblem {
        let path: [any CodingKey]
        switch error as? DecodingError {
        case .keyNotFound(let key, _): return JobProblem("“\(key.stringValue)” is missing")
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            path = context.codingPath
        default: path = []
        }
        guard let key = path.first?.stringValue else { return JobProblem("the line is not a JSON object") }
        return JobProblem("“\(key)” must be a text")
    }
}

/// The keys of a job line that the plan needs. The other keys are options of the command, which are checked when the
/// job runs.
struct JobHead: Decodable, Sendable {
    let kind: JobKind
    let input: String
    let output: String?
    /// The number of parts into which a render is divided; 1 for other jobs.
    let parts: Int

    /// The path of the source; nil if the source is not a file on this computer.
    var inputPath: [UInt8]? {
        guard input.contains("://") else { return CommandArguments.bytes(input) }
        guard input.prefix(5).lowercased() == "file:" else { return nil }
        return FilePath(MediaLocation.url(input))?.bytes
    }

    /// Reads the keys of a line.
    /// - Throws: The reason why the line is invalid, as a clause.
    static func read(_ line: ArraySlice<UInt8>) throws(JobProblem) -> JobHead {
        do {
            return try JSONDecoder().decode(JobHead.self, from: JobLine.json(line))
        } catch let problem as JobProblem {
            throw problem
        } catch {
            throw JobLine.problem(error)
        }
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: JobKey.self)
        let name = try values.decode(String.self, forKey: .job)
        guard let kind = JobKind(rawValue: name) else {
            throw JobProblem(
                "“\(name)” is not a job; use one of \(JobKind.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        self.kind = kind
        input = try values.decode(String.self, forKey: .input)
        output = try values.decodeIfPresent(String.self, forKey: .output)
        do { parts = try values.decodeIfPresent(Int.self, forKey: .parts) ?? 1 } catch { throw JobProblem.invalidParts }
        guard !input.isEmpty, input != "-" else { throw JobProblem("“input” must name a file or a URL") }
        guard output.map({ !$0.isEmpty && $0 != "-" }) ?? !kind.needsOutput else {
            throw JobProblem("“output” must name the file to write")
        }
        guard parts == 1 || kind == .render else { throw JobProblem("only a render can have “parts”") }
        guard ExportPart(1, of: parts) != nil else { throw JobProblem.invalidParts }
    }
}

/// The reason why a job line is invalid, as a clause without a period.
struct JobProblem: Error, Sendable {
    let reason: String
    init(_ reason: String) { self.reason = reason }

    static let invalidParts = JobProblem("“parts” must be a whole number from 1 to \(ExportPart.maximumCount)")
    static let writesOverSource = JobProblem("the job would write over its source")
}

private struct JobKey: CodingKey {
    static let job = JobKey("job"), input = JobKey("input"), output = JobKey("output"), parts = JobKey("parts")
    static let all: Set<String> = ["job", "input", "output", "parts"]

    let stringValue: String
    var intValue: Int? { nil }
    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

/// The options of a job line, as command-line arguments. `"max-width": 320` becomes `--max-width=320`, `true` becomes a
/// flag, and a list repeats the option.
struct JobOptions: Decodable, Sendable {
    let arguments: [String]
    /// The names of the files, besides the source, that the options may refer to: subtitles, shaders and images.
    let fileNames: [String]

    /// The names of options that a job can't set. A batch sets some of them itself.
    private static let reserved: Set<String> = ["overwrite", "report", "quiet", "json", "part", "help", "version"]

    init(_ arguments: [String]) { (self.arguments, fileNames) = (arguments, []) }

    static func read(_ line: ArraySlice<UInt8>) throws -> JobOptions {
        try JSONDecoder().decode(JobOptions.self, from: JobLine.json(line))
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: JobKey.self)
        var result: [String] = []
        var files: [String] = []
        for key in values.allKeys.sorted(by: { $0.stringValue < $1.stringValue })
        where !JobKey.all.contains(key.stringValue) {
            let name = key.stringValue
            guard !JobOptions.reserved.contains(name), !name.contains("=") else {
                throw JobProblem("“\(name)” can't be set by a job")
            }
            guard let value = try? values.decode(Value.self, forKey: key) else {
                throw JobProblem("“\(name)” must be a text, a number, true, false or a list of texts")
            }
            switch value {
            case .flag(let isSet): if isSet { result.append("--\(name)") }
            case .texts(let texts):
                result += texts.map { "--\(name)=\($0)" }
                if ["subtitles", "sub-file", "shader"].contains(name) { files += texts }
                if name == "filter" { files += texts.flatMap(JobOptions.values(ofFilter:)) }
            }
        }
        (arguments, fileNames) = (result, files)
    }

    /// Returns the values of a filter's parameters, some of which are the names of images.
    private static func values(ofFilter text: String) -> [String] {
        FilterArgument(argument: text)?.values.map(\.text) ?? []
    }

    private enum Value: Decodable {
        case flag(Bool)
        case texts([String])

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let flag = try? value.decode(Bool.self) {
                self = .flag(flag)
            } else if let text = try? value.decode(String.self) {
                self = .texts([text])
            } else if let number = try? value.decode(Int.self) {
                self = .texts(["\(number)"])
            } else if let number = try? value.decode(Double.self) {
                self = .texts(["\(number)"])
            } else {
                self = .texts(try value.decode([String].self))
            }
        }
    }
}
