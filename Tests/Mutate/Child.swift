import Foundation
import MediaCore

/// Runs seeds one after the other. Prints `seed step` before each step and `! finding` for each finding to standard
/// output.
enum Child {
    /// Limits in bytes: the resident memory of a step, and the larger address space of the process, so that a finding
    /// cannot exhaust the machine.
    private static let memory = 512 << 20, address: UInt = 8 << 30

    static func run(_ seeds: Range<UInt64>, _ made: @Sendable (UInt64) -> Mutation) async {
        // No sound server, whose clock cannot be accelerated, and no core files.
        setenv("PULSE_SERVER", "unix:/nonexistent/zoetrope-mutate", 1)
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        var most = rlimit(rlim_cur: address, rlim_max: address)
        setrlimit(__rlimit_resource_t(4), &none)  // RLIMIT_CORE
        setrlimit(__rlimit_resource_t(9), &most)  // RLIMIT_AS
        HostClock.accelerate(by: Trial.acceleration)
        let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("zoetrope-mutate-\(getpid())")
        try? FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }
        for seed in seeds {
            let mutation = made(seed)
            let file = scratch.appendingPathComponent("film." + mutation.source.pathExtension)
            guard FileManager.default.createFile(atPath: file.path, contents: Data(mutation.bytes)) else {
                say("! cannot write \(file.path)")
                exit(3)
            }
            for step in Trial.Step.allCases {
                say("\(seed) \(step.rawValue)")
                resetPeak()
                if let finding = await Trial.run(step, file, scratch: scratch) { say("! \(finding)") }
                if peak() > memory { say("! \(peak() >> 20) MB") }
            }
        }
        say("done")
    }

    private static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
    }

    private static func resetPeak() {
        let file = open("/proc/self/clear_refs", O_WRONLY)
        guard file >= 0 else { return }
        _ = write(file, "5", 1)
        close(file)
    }

    /// Returns the peak of the resident memory since `resetPeak`, in bytes.
    private static func peak() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) << 10
    }
}
