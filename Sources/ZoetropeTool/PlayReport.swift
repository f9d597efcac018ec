import Foundation
import MediaCore
import MediaEngine

/// What `play --report json` prints as the last line of standard output.
struct PlayReport: Encodable {
    struct Offsets: Encodable {
        /// Milliseconds a picture reached the screen after it was due, by the clock that sound leads; null when no
        /// picture was shown.
        var p50: Double?
        var p95: Double?
        var max: Double?
    }
    /// `ended`: played to its end; `stopped`: by the time limit, the frame limit or the user; `failed`: see `error`.
    enum Status: String, Encodable { case ended, stopped, failed }

    var framesDecoded: Int
    var framesShown: Int
    var framesDropped: Int
    var loops: Int
    var underruns: Int
    /// Milliseconds from the process's start to its first picture; null when none was shown.
    var firstFrameMs: Double?
    var cpuSeconds: Double
    var wallSeconds: Double
    var peakMemoryMB: Double
    var avOffsetMs: Offsets
    var status: Status
    var error: String?
    /// Of remote sources.
    struct Rung: Encodable {
        /// Seconds since the process's start when its first segment was asked for.
        var at: Double
        var bitrate: Double
        var width: Int?
        var height: Int?
        var reason: String
    }
    /// How often, and for how many seconds in all, playing stopped for want of data.
    var stalls: Int
    var stallSeconds: Double
    var rungs: [Rung]
    var bytes: Int64
    /// Bit/s the network was last seen to carry; null when nothing came from it.
    var observedBitrate: Double?
    /// Failed requests, mended or not.
    var networkErrors: Int

    init(players: [PlaybackStatistics], items: [AVPlayerItem] = [], firstFrame: Int64?, status: Status, error: String?)
    {
        func sum(_ path: KeyPath<PlaybackStatistics, Int>) -> Int { players.reduce(0) { $0 + $1[keyPath: path] } }
        framesDecoded = sum(\.framesDecoded)
        framesShown = sum(\.framesShown)
        framesDropped = sum(\.framesDropped)
        loops = sum(\.loops)
        underruns = sum(\.underruns)
        let start = ProcessFacts.startTime
        func rounded(_ x: Double) -> Double { (x * 1000).rounded() / 1000 }
        firstFrameMs = firstFrame.map { rounded(Double($0 - start) / 1e6) }
        cpuSeconds = rounded(ProcessFacts.cpuSeconds)
        wallSeconds = rounded(Double(HostClock.now() - start) / 1e9)
        peakMemoryMB = rounded(ProcessFacts.peakMemoryMB)
        let offsets = players.flatMap(\.offsets).sorted()
        func quantile(_ q: Double) -> Double? {
            offsets.isEmpty ? nil : rounded(offsets[min(offsets.count - 1, Int(Double(offsets.count) * q))])
        }
        avOffsetMs = Offsets(p50: quantile(0.5), p95: quantile(0.95), max: offsets.last.map(rounded))
        self.status = status
        self.error = error
        stalls = sum(\.stalls)
        stallSeconds = rounded(players.reduce(0) { $0 + $1.stallSeconds })
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
        networkErrors = failures
        let began = Date().addingTimeInterval(-Double(HostClock.now() - start) / 1e9)
        rungs = events.filter { $0.indicatedBitrate > 0 }.map { event in
            Rung(
                at: rounded(max(0, event.playbackStartDate?.timeIntervalSince(began) ?? 0)),
                bitrate: event.indicatedBitrate,
                width: event.resolution.map { Int(saturating: $0.width) },
                height: event.resolution.map { Int(saturating: $0.height) }, reason: event.switchReason ?? "")
        }
        bytes = events.reduce(0) { $0 + max(0, $1.numberOfBytesTransferred) }
        observedBitrate = events.last.map { $0.observedBitrate.rounded() }
    }

    /// One line; every key is present, with null where there is nothing to tell.
    var line: String {
        func number(_ x: Double?) -> String { x.map { Int64(exactly: $0).map { String($0) } ?? String($0) } ?? "null" }
        func text(_ s: String?) -> String {
            guard let s, let data = try? JSONEncoder().encode(s), let quoted = String(data: data, encoding: .utf8)
            else { return "null" }
            return quoted
        }
        return "{\"framesDecoded\":\(framesDecoded),\"framesShown\":\(framesShown),\"framesDropped\":\(framesDropped),"
            + "\"loops\":\(loops),\"underruns\":\(underruns),\"firstFrameMs\":\(number(firstFrameMs)),"
            + "\"cpuSeconds\":\(number(cpuSeconds)),\"wallSeconds\":\(number(wallSeconds)),\"peakMemoryMB\":\(number(peakMemoryMB)),"
            + "\"avOffsetMs\":{\"p50\":\(number(avOffsetMs.p50)),\"p95\":\(number(avOffsetMs.p95)),\"max\":\(number(avOffsetMs.max))},"
            + "\"status\":\(text(status.rawValue)),\"error\":\(text(error)),"
            + "\"stalls\":\(stalls),\"stallSeconds\":\(number(stallSeconds)),\"bytes\":\(bytes),"
            + "\"observedBitrate\":\(number(observedBitrate)),\"networkErrors\":\(networkErrors),"
            + "\"rungs\":["
            + rungs.map { rung in
                "{\"at\":\(number(rung.at)),\"bitrate\":\(number(rung.bitrate)),\"width\":\(rung.width.map(String.init) ?? "null"),"
                    + "\"height\":\(rung.height.map(String.init) ?? "null"),\"reason\":\(text(rung.reason))}"
            }.joined(separator: ",") + "]}"
    }
}

/// What the kernel knows of this process.
enum ProcessFacts {
    /// When the process started, CLOCK_MONOTONIC nanoseconds, to the kernel's tick (10 ms).
    static let startTime: Int64 = {
        // Field 22 of /proc/self/stat, counted after the parenthesised name (proc(5)).
        guard let stat = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),
            let end = stat.lastIndex(of: ")")
        else { return HostClock.now() }
        let fields = stat[stat.index(after: end)...].split(separator: " ")
        guard fields.count > 19, let ticks = Int64(fields[19]) else { return HostClock.now() }
        var boot = timespec()
        var monotonic = timespec()
        clock_gettime(CLOCK_BOOTTIME, &boot)
        clock_gettime(CLOCK_MONOTONIC, &monotonic)
        let slept = Int64(boot.tv_sec - monotonic.tv_sec) * 1_000_000_000 + Int64(boot.tv_nsec - monotonic.tv_nsec)
        let started = ticks * 1_000_000_000 / Int64(sysconf(Int32(_SC_CLK_TCK))) - slept
        return min(started, HostClock.now())
    }()

    static var cpuSeconds: Double {
        var t = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t)
        return Double(t.tv_sec) + Double(t.tv_nsec) / 1e9
    }

    /// The most resident memory the process ever had, MiB.
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
