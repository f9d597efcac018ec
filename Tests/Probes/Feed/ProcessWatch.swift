import Foundation
import Synchronization
import TestSupport

extension FeedProbe {
    /// The peaks of the process's threads and memory. A separate thread measures them every few milliseconds, so that
    /// short peaks count too.
    final class ProcessWatch: Sendable {
        private struct Peaks {
            var feeders = 0
            /// The private memory (which contains the frames) and the resident memory, in KiB.
            var own = 0, resident = 0
            /// The values before the feed, and the private memory after the first page and its neighbor are ready, in
            /// KiB.
            var ownBefore = 0, residentBefore = 0, ownAtFirst = 0
        }
        private let peaks = Mutex(Peaks())

        func begin() {
            let (own, resident) = Self.memory()
            peaks.withLock {
                $0.ownBefore = own
                $0.residentBefore = resident
            }
            let thread = Thread { [weak self] in
                while let self {
                    self.look()
                    blockWhileTimePasses(0.004, because: "threads and memory are sampled")
                }
            }
            thread.name = "probe-watch"
            thread.start()
        }

        /// Stores the private memory, when the first page is shown and the next is ready.
        func firstPageStands() {
            let (own, _) = Self.memory()
            peaks.withLock { $0.ownAtFirst = own }
        }

        func look() {
            let names = Self.threads()
            let (own, resident) = Self.memory()
            peaks.withLock {
                $0.feeders = max($0.feeders, names.count { $0 == "zt-feeder" })
                $0.own = max($0.own, own)
                $0.resident = max($0.resident, resident)
            }
        }

        /// The peaks as four numbers: feeder threads at once, then the growth in KiB of the private memory since the
        /// first page, of the private memory since before the feed, and of the resident memory since before the feed.
        var words: String {
            peaks.withLock {
                "\($0.feeders) \($0.own - $0.ownAtFirst) \($0.own - $0.ownBefore) \($0.resident - $0.residentBefore)"
            }
        }

        private static func threads() -> [String] {
            let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
            return all.compactMap {
                try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8).trimmingCharacters(
                    in: .newlines)
            }
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
}
