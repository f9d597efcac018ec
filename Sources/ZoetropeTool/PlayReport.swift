import Foundation
import MediaCore
import MediaEngine

/// The report that `play --report json` prints as the last line of standard output. It has every key, with null for
/// unknown values.
struct PlayReport: Encodable {
    struct Offsets: Encodable {
        /// The median delay of displayed frames relative to their due times on the playback clock, in milliseconds.
        /// `p95` is the 95th percentile, and `max` the maximum. All are null if no frame was shown.
        @OrNull var p50: Double?
        @OrNull var p95: Double?
        @OrNull var max: Double?
    }
    /// The result: `ended` after the end, `stopped` by the time limit, the frame limit or the user, or `failed` (see
    /// `error`).
    enum Status: String, Encodable { case ended, stopped, failed }

    var framesDecoded: Int
    var framesShown: Int
    var framesDropped: Int
    /// The number of times that an item or the playlist restarted.
    var loops: Int
    /// The number of times that an item was played to its end, including passes of a loop.
    var itemsEnded: Int
    var underruns: Int
    /// The milliseconds from the start of the process to the first frame; null if no frame was shown.
    @OrNull var firstFrameMs: Double?
    var cpuSeconds: Double
    var wallSeconds: Double
    var peakMemoryMB: Double
    var avOffsetMs: Offsets
    var status: Status
    @OrNull var error: String?
    /// The number of times that playback stalled because data was missing. `stallSeconds` is the total duration in
    /// seconds.
    var stalls: Int
    var stallSeconds: Double
    var rungs: [Variant]
    var bytes: Int64
    /// The last measured throughput, in bit/s; null if nothing was loaded.
    @OrNull var observedBitrate: Double?
    /// The number of failed requests, including those that succeeded after a retry.
    var networkErrors: Int

    /// A variant of a stream that was played.
    struct Variant: Encodable {
        /// The time at which the variant's first segment was requested, in seconds since the start of the process.
        var at: Double
        var bitrate: Double
        @OrNull var width: Int?
        @OrNull var height: Int?
        var reason: String
    }

    init(
        players: [PlaybackStatistics], rounds: Int = 0, items: [AVPlayerItem] = [], itemsEnded: Int = 0,
        firstFrame: HostTime?, status: Status, error: String?
    ) {
        func sum(_ path: KeyPath<PlaybackStatistics, Int>) -> Int { players.reduce(0) { $0 + $1[keyPath: path] } }
        framesDecoded = sum(\.framesDecoded)
        framesShown = sum(\.framesShown)
        framesDropped = sum(\.framesDropped)
        loops = sum(\.loops) + rounds
        self.itemsEnded = itemsEnded
        underruns = sum(\.underruns)
        let start = ProcessFacts.startTime
        firstFrameMs = firstFrame.map { (Double($0 - start) / 1e6).inThousandths }
        cpuSeconds = ProcessFacts.cpuSeconds.inThousandths
        wallSeconds = (Double(HostTime.now() - start) / 1e9).inThousandths
        peakMemoryMB = ProcessFacts.peakMemoryMB.inThousandths
        let offsets = players.flatMap(\.offsets).sorted()
        func quantile(_ q: Double) -> Double? {
            offsets.isEmpty ? nil : offsets[min(offsets.count - 1, Int(Double(offsets.count) * q))].inThousandths
        }
        avOffsetMs = Offsets(p50: quantile(0.5), p95: quantile(0.95), max: offsets.last?.inThousandths)
        self.status = status
        self.error = error
        let (events, failures) = MainActor.assumeIsolated {
            (
                items.flatMap { $0.accessLog()?.events ?? [] },
                items.reduce(0) {
                    $0
                        + ($1.errorLog()?.events.count { $0.errorDomain == AVPlayerItemErrorLogEvent.networkDomain }
                            ?? 0)
                }
            )
        }
        let processStart = Date().addingTimeInterval(-Double(HostTime.now() - start) / 1e9)
        rungs = events.filter { $0.indicatedBitrate > 0 }.map { event in
            Variant(
                at: max(0, event.playbackStartDate?.timeIntervalSince(processStart) ?? 0).inThousandths,
                bitrate: event.indicatedBitrate,
                width: event.resolution.map { Int(saturating: $0.width) },
                height: event.resolution.map { Int(saturating: $0.height) }, reason: event.switchReason ?? "")
        }
        stalls = sum(\.stalls)
        stallSeconds = players.reduce(0) { $0 + $1.stallSeconds }.inThousandths
        bytes = events.reduce(0) { $0 + max(0, $1.numberOfBytesTransferred) }
        observedBitrate = events.last.map { $0.observedBitrate.rounded() }
        networkErrors = failures
    }

    var line: String { get throws(ToolFailure) { try ReportJSON.line(self) } }
}

/// The kernel's statistics about this process.
enum ProcessFacts {
    /// The time at which the process started, with the precision of the kernel's tick (10 ms).
    static let startTime: HostTime = {
        // The time is field 22 of /proc/self/stat. Fields are counted after the name in parentheses (proc(5)).
        guard let stat = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),
            let end = stat.lastIndex(of: ")")
        else { return .now() }
        let fields = stat[stat.index(after: end)...].split(separator: " ")
        guard fields.count > 19, let ticks = Int64(fields[19]) else { return .now() }
        var boot = timespec()
        var monotonic = timespec()
        clock_gettime(CLOCK_BOOTTIME, &boot)
        clock_gettime(CLOCK_MONOTONIC, &monotonic)
        let slept = Int64(boot.tv_sec - monotonic.tv_sec) * 1_000_000_000 + Int64(boot.tv_nsec - monotonic.tv_nsec)
        let started = ticks * 1_000_000_000 / Int64(sysconf(Int32(_SC_CLK_TCK))) - slept
        return min(HostTime(nanoseconds: started), .now())
    }()

    static var cpuSeconds: Double {
        var t = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t)
        return Double(t.tv_sec) + Double(t.tv_nsec) / 1e9
    }

    /// The peak resident memory, in MiB.
    static var peakMemoryMB: Double {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
            let kilobytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap({
                Double($0)
            })
        else { return 0 }
        return kilobytes / 1024
    }
}
