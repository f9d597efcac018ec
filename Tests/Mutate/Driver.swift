import Foundation
import Synchronization

struct Finding: Sendable {
    let seed: UInt64
    let step: String
    let what: String
}

/// Distributes the seeds over child processes. A child that crashes or hangs is a finding, and the next child continues
/// after that seed.
struct Driver: Sendable {
    let program: String
    let media: String
    let jobs: Int
    /// Whether to use the files unchanged.
    let isPlain: Bool
    private static let batch: UInt64 = 100
    private static let patience = 10.0

    /// A measurement of a step's duration, on a machine that may also run other programs.
    private struct Pace {
        private let pid: pid_t
        private let begun = ContinuousClock.now
        private let cpu: Double
        init(_ pid: pid_t) {
            self.pid = pid
            cpu = Pace.cpu(of: pid)
        }

        /// Whether the step used the CPU for more than 10 s, was idle for 10 s, or has taken a minute.
        var isLate: Bool {
            let passed = Double((ContinuousClock.now - begun).components.seconds)
            let worked = Pace.cpu(of: pid) - cpu
            return worked > patience || passed >= patience && worked < patience / 10 || passed >= 6 * patience
        }

        /// Returns the CPU time of all threads, in seconds: fields 14 and 15 of stat in proc(5).
        private static func cpu(of pid: pid_t) -> Double {
            guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
                let name = text.lastIndex(of: ")")
            else { return 0 }
            let fields = text[name...].split(separator: " ")
            guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else { return 0 }
            return (user + system) / Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
        }
    }

    private final class Shared: Sendable {
        let next: Mutex<UInt64>
        let findings = Mutex<[Finding]>([])
        init(_ first: UInt64) { next = Mutex(first) }
    }

    func run(_ seeds: Range<UInt64>) -> [Finding] {
        let shared = Shared(seeds.lowerBound)
        let group = DispatchGroup()
        for _ in 0..<jobs {
            let thread = Thread {
                while true {
                    let first = shared.next.withLock { next in
                        defer { next = min(seeds.upperBound, next + Driver.batch) }
                        return next
                    }
                    guard first < seeds.upperBound else { break }
                    let new = work(first..<min(seeds.upperBound, first + Driver.batch))
                    shared.findings.withLock { $0 += new }
                }
                group.leave()
            }
            group.enter()
            thread.start()
        }
        group.wait()
        return shared.findings.withLock { $0 }.sorted { $0.seed < $1.seed }
    }

    private func work(_ seeds: Range<UInt64>) -> [Finding] {
        var found: [Finding] = []
        var rest = seeds
        while !rest.isEmpty {
            let (reached, new) = child(rest)
            found += new
            guard let reached else { break }
            rest = reached + 1..<rest.upperBound
        }
        return found
    }

    /// Runs a child process.
    /// - Returns: The seed at which the child ended early, or nil if it did not, and the findings.
    private func child(_ seeds: Range<UInt64>) -> (reached: UInt64?, [Finding]) {
        let words =
            ["--child", "yes", "--media", media, "--first", "\(seeds.lowerBound)", "--count", "\(seeds.count)"]
            + (isPlain ? ["--plain", "yes"] : [])
        guard let (pid, descriptor) = Driver.spawn(program, words) else {
            return (
                nil, [Finding(seed: seeds.lowerBound, step: "start", what: "the child process could not be started")]
            )
        }
        defer { close(descriptor) }
        var found: [Finding] = []
        var seed = seeds.lowerBound
        var step = "start"
        var pace = Pace(pid)
        var isDone = false
        var rest: [UInt8] = []
        var isLate = false
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            // The child prints a line before each step, so during silence a step is running.
            guard poll(&wait, 1, 500) > 0 else {
                guard pace.isLate else { continue }
                isLate = true
                kill(pid, SIGKILL)
                break
            }
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            rest += buffer[..<count]
            while let end = rest.firstIndex(of: 10) {
                let line = String(decoding: rest[..<end], as: UTF8.self)
                rest.removeFirst(end + 1)
                if line == "done" {
                    isDone = true
                    continue
                }
                if line.hasPrefix("! ") {
                    found.append(Finding(seed: seed, step: step, what: String(line.dropFirst(2))))
                    continue
                }
                let words = line.split(separator: " ")
                if words.count == 2, let number = UInt64(words[0]) {
                    seed = number
                    step = String(words[1])
                    pace = Pace(pid)
                }
            }
        }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        try? FileManager.default.removeItem(
            at: FileManager.default.temporaryDirectory.appendingPathComponent("zoetrope-mutate-\(pid)"))
        let signal = status & 0x7F
        if isLate {
            found.append(Finding(seed: seed, step: step, what: "took more than \(Driver.patience) s"))
        } else if signal != 0 {
            found.append(Finding(seed: seed, step: step, what: "signal \(signal)"))
        } else if !isDone {
            found.append(Finding(seed: seed, step: step, what: "ended early with \(status >> 8 & 0xFF)"))
        }
        return (isDone && !isLate && signal == 0 ? nil : seed, found)
    }

    /// Starts a child process.
    /// - Returns: Its process ID and a descriptor to read its output, or nil.
    private static func spawn(_ program: String, _ words: [String]) -> (pid_t, Int32)? {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[1]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var arguments: [UnsafeMutablePointer<CChar>?] = ([program] + words).map { strdup($0) } + [nil]
        // The seed identifies a finding. Backtraces would take seconds each.
        let values = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        var environment: [UnsafeMutablePointer<CChar>?] = values.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in arguments + environment { free(text) } }
        var pid: pid_t = 0
        guard posix_spawn(&pid, program, &actions, nil, &arguments, &environment) == 0 else {
            close(ends[0])
            return nil
        }
        return (pid, ends[0])
    }
}
