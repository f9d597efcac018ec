import Foundation
import Synchronization

/// What the process has of threads and memory, looked at every few milliseconds by a thread of its own: what is there only for a moment counts too.
final class ProcessWatch: Sendable {
    private struct Peaks {
        var feeders = 0, decoders = 0
        /// KiB: what nothing else shares (pictures are such), and all that is resident.
        var own = 0, resident = 0
        var ownBefore = 0, residentBefore = 0
    }
    private let peaks = Mutex(Peaks())

    func begin() {
        let (own, resident) = Self.memory()
        peaks.withLock { $0.ownBefore = own; $0.residentBefore = resident }
        let thread = Thread { [weak self] in
            while let self {
                self.look()
                usleep(4000)
            }
        }
        thread.name = "probe-watch"
        thread.start()
    }

    func look() {
        let names = Self.threads(), (own, resident) = Self.memory()
        peaks.withLock {
            $0.feeders = max($0.feeders, names.count { $0 == "zt-feeder" })
            $0.decoders = max($0.decoders, names.count { $0 == "zt-video" })
            $0.own = max($0.own, own)
            $0.resident = max($0.resident, resident)
        }
    }

    /// Most feeders at once, most decoders at once, and by how many KiB the memory of its own grew at most, and all of it.
    var words: String { peaks.withLock { "\($0.feeders) \($0.decoders) \($0.own - $0.ownBefore) \($0.resident - $0.residentBefore)" } }

    private static func threads() -> [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return all.compactMap { try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8).trimmingCharacters(in: .newlines) }
    }

    private static func memory() -> (own: Int, resident: Int) {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        func value(_ name: String) -> Int {
            let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") } ?? ""
            return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
        }
        let shared = value("RssShmem")
        return (value("RssAnon") + shared, value("VmRSS"))
    }
}
