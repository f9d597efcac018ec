import Export
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
            let outputIdentity = outputs.identity(of: CommandArguments.bytes(output))
            if let input = head.inputPath, outputs.realPath(of: input) == outputIdentity {
                return problems.append(Problem(line: line, reason: JobProblem.writesOverSource.reason))
            }
            if let other = outputs.claim(outputIdentity, line: line) {
                throw ToolFailure(
                    .failed,
                    "Lines \(other) and \(line) of “\(name)” write the same file, “\(CommandArguments.readable(output))”. Nothing was started. Give each job an output of its own."
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

/// The files that jobs write. Two names of the same file count as one file. Names are compared as bytes, because two
/// equal strings can be the names of two files.
private struct OutputNames {
    private struct Folder {
        /// The path without symbolic links, with a slash at its end.
        let path: [UInt8]
        /// The names of the symbolic links in the folder; nil if the folder has not been read.
        var links: Set<[UInt8]>?
    }

    private var lines: [[UInt8]: Int] = [:]
    private var folders: [[UInt8]: Folder] = [:]

    /// - Returns: The line that already writes this file; nil if there is none.
    mutating func claim(_ identity: [UInt8], line: Int) -> Int? {
        if let other = lines[identity] { return other }
        lines[identity] = line
        return nil
    }

    /// Returns the path of the file that is written for `path`. Like the writing, follows symbolic links.
    mutating func identity(of path: [UInt8]) -> [UInt8] {
        var whole = path
        for _ in 0..<WriteTarget.maximumLinkCount {
            let (key, name) = OutputNames.split(whole)
            var folder = folder(key)
            // Reading each folder once is faster than checking each of many files.
            let links = folder.links ?? OutputNames.links(in: folder.path)
            folder.links = links
            folders[key] = folder
            whole = folder.path + name
            guard links.contains(name), let target = FilePath(bytes: whole).flatMap(WriteTarget.link) else {
                return whole
            }
            whole = target.bytes
        }
        return whole
    }

    /// Returns the path with the symbolic links of its folder resolved.
    mutating func realPath(of path: [UInt8]) -> [UInt8] {
        let (key, name) = OutputNames.split(path)
        let folder = folder(key)
        folders[key] = folder
        return folder.path + name
    }

    private func folder(_ key: [UInt8]) -> Folder { folders[key] ?? Folder(path: OutputNames.resolved(key)) }

    /// Returns the folder of a path, with a slash at its end, and the name of the file.
    private static func split(_ path: [UInt8]) -> (folder: [UInt8], name: [UInt8]) {
        guard let slash = path.lastIndex(of: 0x2F) else { return (Array("./".utf8), path) }
        return (Array(path[...slash]), Array(path[(slash + 1)...]))
    }

    /// Resolves the symbolic links in the path of a folder. Only the part of the path that exists can contain links.
    private static func resolved(_ folder: [UInt8]) -> [UInt8] {
        let names = folder.split(separator: 0x2F).map(Array.init)
        let start: [UInt8] = folder.first == 0x2F ? [0x2F] : Array("./".utf8)
        for count in (0...names.count).reversed() {
            guard let existing = FilePath(bytes: start + Array(names[..<count].joined(separator: [0x2F])))?.resolved
            else { continue }
            var path = existing.bytes.split(separator: 0x2F).map(Array.init)
            for name in names[count...] where name != Array(".".utf8) {
                if name == Array("..".utf8) { _ = path.popLast() } else { path.append(name) }
            }
            return [0x2F] + path.flatMap { $0 + [0x2F] }
        }
        return folder
    }

    private static func links(in folder: [UInt8]) -> Set<[UInt8]> {
        guard let path = FilePath(bytes: folder), let handle = path.withCString({ opendir($0) }) else { return [] }
        defer { closedir(handle) }
        var links: Set<[UInt8]> = []
        while let entry = readdir(handle) {
            let type = Int(entry.pointee.d_type)
            guard type == DT_LNK || type == DT_UNKNOWN else { continue }
            links.insert(withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) })
        }
        return links
    }
}

extension FilePath {
    /// The absolute path without symbolic links; nil if nothing exists at the path.
    var resolved: FilePath? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX) + 1)
        let isFound = withCString { path in
            buffer.withUnsafeMutableBytes { realpath(path, $0.baseAddress?.assumingMemoryBound(to: CChar.self)) != nil }
        }
        return isFound ? FilePath(bytes: buffer.prefix { $0 != 0 }) : nil
    }
}
