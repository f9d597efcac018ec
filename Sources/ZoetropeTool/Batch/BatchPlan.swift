import Foundation
import MediaCore

/// The jobs of a list, and the units of work into which they are divided.
///
/// A list may have a hundred thousand lines. The plan therefore keeps the bytes of the file, and for each line only the
/// values that it needs.
struct BatchPlan: Sendable {
    struct Job: Sendable {
        /// The number of the line in the list, from 1.
        let line: Int
        let bytes: Range<Int>
        /// The digest of the line. A changed line is a different job.
        let id: String
        let parts: Int32
    }
    /// An invalid line, and the reason.
    struct Problem: Sendable {
        let line: Int
        let reason: String
    }

    let name: String
    private(set) var jobs: [Job] = []
    private(set) var problems: [Problem] = []
    private let text: [UInt8]
    /// The number of units before each job.
    private var firstUnits: [Int] = []
    private(set) var unitCount = 0

    private static let maximumBytes = 1 << 30

    /// - Throws: A failure if the list can't be read, or if two jobs write the same file.
    init(_ file: FileArgument) throws {
        guard let path = FilePath(file.path) else {
            throw ToolFailure(.usage, "Can't read the job list “\(file.name)”. Name a file.")
        }
        try self.init(name: file.name, text: path.contents(limit: BatchPlan.maximumBytes, kind: "jobs"))
    }

    init(name: String, text: [UInt8]) throws(ToolFailure) {
        self.name = name
        self.text = text
        var outputs = OutputNames()
        var line = 0
        var start = 0
        while start < text.count {
            let end = text[start...].firstIndex(of: 0x0A) ?? text.count
            line += 1
            try add(line, start..<end, &outputs)
            start = end + 1
        }
    }

    private mutating func add(_ line: Int, _ bytes: Range<Int>, _ outputs: inout OutputNames) throws(ToolFailure) {
        let content = text[bytes]
        // Empty lines are not jobs.
        guard content.contains(where: { ![0x20, 0x09, 0x0D].contains($0) }) else { return }
        let head: JobHead
        do throws(JobProblem) { head = try JobHead.read(content) } catch {
            return problems.append(Problem(line: line, reason: error.reason))
        }
        if let output = head.output {
            let outputIdentity = outputs.identity(of: output)
            if !head.input.contains("://"), outputs.identity(of: head.input) == outputIdentity {
                return problems.append(Problem(line: line, reason: "the job would write over its source"))
            }
            if let other = outputs.claim(outputIdentity, line: line) {
                throw ToolFailure(
                    .failed,
                    "Lines \(other) and \(line) of “\(name)” write the same file, “\(output)”. Nothing was started. Give each job an output of its own."
                )
            }
        }
        let maker = ContentDigest.Maker()
        content.withUnsafeBytes { maker.add($0) }
        firstUnits.append(unitCount)
        unitCount += head.parts
        jobs.append(Job(line: line, bytes: bytes, id: maker.finish().text, parts: Int32(head.parts)))
    }

    func bytes(of job: Job) -> ArraySlice<UInt8> { text[job.bytes] }

    // MARK: units

    /// Returns the unit at `index`, from 0: a whole job or a part. Joins are not counted.
    func unit(_ index: Int) -> BatchUnit {
        var (low, high) = (0, jobs.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if firstUnits[middle] <= index { low = middle } else { high = middle - 1 }
        }
        let job = jobs[low]
        return BatchUnit(job: job, piece: job.parts == 1 ? .whole : .part(index - firstUnits[low] + 1))
    }

    /// The units that join parts. They run after all other units.
    var joins: [BatchUnit] { jobs.filter { $0.parts > 1 }.map { BatchUnit(job: $0, piece: .join) } }

    /// Returns the units of a slice in order, or all units if `slice` is nil.
    func units(in slice: SliceArgument?) -> [BatchUnit] {
        guard let slice else { return (0..<unitCount).map(unit) }
        return stride(from: slice.number - 1, to: unitCount, by: slice.count).map(unit)
    }
}

/// A unit of work: a job, a part of a job, or the join of its parts.
struct BatchUnit: Sendable {
    enum Piece: Sendable, Hashable {
        case whole, join
        /// A part, numbered from 1.
        case part(Int)
    }
    let job: BatchPlan.Job
    let piece: Piece

    /// The name of the unit in the records.
    var key: String {
        switch piece {
        case .whole: job.id
        case .part(let number): "\(job.id)/\(number)"
        case .join: "\(job.id)/join"
        }
    }
}

/// The files that jobs write. Two names of the same file count as one file.
private struct OutputNames {
    private var lines: [String: Int] = [:]
    private var folders: [String: String] = [:]

    /// - Returns: The line that already writes this file; nil if there is none.
    mutating func claim(_ identity: String, line: Int) -> Int? {
        if let other = lines[identity] { return other }
        lines[identity] = line
        return nil
    }

    /// Returns the path of the file, with the symbolic links of its folder resolved.
    mutating func identity(of name: String) -> String {
        let slash = name.utf8.lastIndex(of: 0x2F)
        let folder = slash.map { String(name[..<$0]) + "/" } ?? "./"
        let last = slash.map { String(name[name.utf8.index(after: $0)...]) } ?? name
        if let known = folders[folder] { return known + last }
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        // A folder that does not exist yet contains no symbolic links to resolve.
        let real =
            realpath(folder, &buffer) == nil
            ? URL(fileURLWithPath: folder).standardized.path
            : buffer.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? folder }
        let whole = real == "/" ? real : real + "/"
        folders[folder] = whole
        return whole + last
    }
}
