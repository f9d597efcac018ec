import Foundation
import MediaCore

/// The records of a batch, read incrementally as their files grow. Not thread-safe: use from one thread.
final class BatchRecords {
    private let folder: FilePath
    /// The number of bytes read from each file.
    private var offsets: [String: UInt64] = [:]
    private(set) var known: [String: BatchState.Known] = [:]
    /// The last recorded line of each unit that has finished or failed. Empty unless `keepsLines` is true.
    private(set) var lines: [String: String] = [:]
    /// Whether each unit that has ended since `forgetEnds()` has finished (true) or failed (false).
    private(set) var ends: [String: Bool] = [:]
    private let keepsLines: Bool

    init(_ folder: FilePath, keepsLines: Bool = false) {
        self.folder = folder
        self.keepsLines = keepsLines
    }

    private struct Line: Decodable {
        var event: String, unit: String
        var bytes: Int64?, source: String?, files: String?, error: String?
    }

    func forgetEnds() { ends = [:] }

    /// Reads the lines added since the last call. An incomplete last line, which a killed process can leave, is
    /// ignored.
    func update() {
        let decoder = JSONDecoder()
        for name in names {
            // The path of the folder need not be UTF-8.
            let descriptor = folder.appending(Array(name.utf8)).withCString { open($0, O_RDONLY | O_CLOEXEC) }
            guard descriptor >= 0 else { continue }
            let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            let offset = offsets[name] ?? 0
            guard (try? file.seek(toOffset: offset)) != nil, let bytes = try? file.readToEnd(),
                let end = bytes.lastIndex(of: 0x0A)
            else { continue }
            offsets[name] = offset + UInt64(end - bytes.startIndex + 1)
            for text in bytes[..<end].split(separator: 0x0A) {
                guard let line = try? decoder.decode(Line.self, from: text) else { continue }
                take(line, text)
            }
        }
    }

    /// The names of the record files, oldest first. In each name, `run-` is followed by the time at which the file was
    /// created.
    private var names: [String] {
        folder.names.map { String(decoding: $0, as: UTF8.self) }
            .filter { $0.hasPrefix("run-") && $0.hasSuffix(".jsonl") }.sorted()
    }

    private func take(_ line: Line, _ text: Data) {
        var unit = known[line.unit] ?? BatchState.Known()
        switch line.event {
        case "started":
            // The error of an earlier run says nothing about this one, which may be killed.
            unit.error = nil
            unit.killCount += 1
        case "finished":
            unit = BatchState.Known(finished: .init(bytes: line.bytes, source: line.source, files: line.files))
        case "failed": unit = BatchState.Known(error: line.error ?? "unknown")
        // The unit was interrupted by a signal, not killed, and will run again.
        case "stopped": unit.killCount = max(0, unit.killCount - 1)
        default: return
        }
        known[line.unit] = unit
        guard line.event == "finished" || line.event == "failed" else { return }
        ends[line.unit] = line.event == "finished"
        guard keepsLines else { return }
        lines[line.unit] = String(decoding: text, as: UTF8.self)
    }
}
