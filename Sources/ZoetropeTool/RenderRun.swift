import Dispatch
import Export
import Foundation
import MediaCore
import PlayerControls
import Synchronization

/// A run of `zoetrope render`. The session exports on other threads, while this thread shows progress on standard
/// error. Ctrl-C cancels the export.
struct RenderRun {
    struct Outcome: Sendable {
        var wallSeconds: Double
        var cpuSeconds: Double
    }

    private let session: AVAssetExportSession
    private let showsProgress: Bool
    private let receivedSignal = ReceivedSignal()
    /// The signal that interrupted the export; nil if none did.
    var signal: Int32? { receivedSignal.number }

    init(_ session: AVAssetExportSession, showsProgress: Bool) {
        self.session = session
        self.showsProgress = showsProgress
    }

    /// Runs the export and waits until it ends. The session then has the result.
    func run() -> Outcome {
        let session = session
        let receivedSignal = receivedSignal
        ExitSignals.setHandler { number in
            receivedSignal.set(number)
            session.cancelExport()
        }
        defer { ExitSignals.setHandler(nil) }
        let began = HostClock.now()
        let cpu = ProcessFacts.cpuSeconds
        let exportEnded = DispatchSemaphore(value: 0)
        session.exportAsynchronously { exportEnded.signal() }
        if showsProgress {
            var bar = ProgressBar()
            while exportEnded.wait(timeout: .now() + .milliseconds(100)) == .timedOut {
                bar.draw(session.exportProgress, after: Double(HostClock.now() - began) / 1e9)
            }
            bar.clear()
        } else {
            exportEnded.wait()
        }
        return Outcome(wallSeconds: Double(HostClock.now() - began) / 1e9, cpuSeconds: ProcessFacts.cpuSeconds - cpu)
    }
}

/// A holder for the signal that interrupted a command. The signal thread sets it.
final class ReceivedSignal: Sendable {
    private let value = Mutex<Int32?>(nil)
    var number: Int32? { value.withLock { $0 } }
    func set(_ number: Int32) { value.withLock { $0 = number } }
}

/// A line on a terminal with the progress, the speed and the remaining time of an export.
struct ProgressBar {
    private var terminal = TerminalLine()

    mutating func draw(_ progress: ExportProgress, after seconds: Double) {
        terminal.draw(ProgressBar.line(progress, after: seconds, columns: TerminalLine.columns))
    }

    mutating func clear() { terminal.clear() }

    static func line(_ progress: ExportProgress, after seconds: Double, columns: Int) -> String {
        let fps = seconds > 0 ? Double(progress.frames) / seconds : 0
        let speed = seconds > 0 ? progress.time / seconds : 0
        var facts = String(format: "%5.0f fps  %5.2f×", fps, speed)
        guard progress.duration != nil else {
            return String(String(format: "%7.1f s  ", progress.time) + facts).prefix(max(10, columns - 1)).description
        }
        let left = progress.fraction > 0.005 ? seconds / progress.fraction - seconds : nil
        facts += "  " + TimeText.clock(left?.rounded(.up) ?? .nan, unknown: "–:––") + " left"
        let percent = String(format: "%3d%%", Int(saturating: progress.fraction * 100))
        let space = min(40, columns - 1 - percent.count - facts.count - 6)
        guard space >= 8 else { return String("\(percent)  \(facts)".prefix(max(5, columns - 1))) }
        let full = Int(saturating: (progress.fraction * Double(space)).rounded(.down))
        return "\(percent)  [" + String(repeating: "#", count: full) + String(repeating: "·", count: space - full)
            + "]  " + facts
    }
}

/// The report of `zoetrope render --report json`: one line with every key.
struct RenderReport: Encodable {
    let status: String
    @OrNull var error: String?
    let file: String
    let pictures: Int
    let seconds: Double
    @OrNull var bytes: Int?
    let wallSeconds: Double
    let cpuSeconds: Double
    /// The speed of the export, in seconds of video per second.
    let speed: Double

    init(_ session: AVAssetExportSession, _ outcome: RenderRun.Outcome, file: String, error: String?) {
        status =
            switch session.status {
            case .completed: "completed"
            case .cancelled: "cancelled"
            default: "failed"
            }
        self.error = error
        self.file = file
        let progress = session.exportProgress
        pictures = progress.frames
        seconds = progress.time.inThousandths
        bytes = session.status == .completed ? RenderReport.size(of: session.outputURL) : nil
        wallSeconds = outcome.wallSeconds.inThousandths
        cpuSeconds = outcome.cpuSeconds.inThousandths
        speed = (outcome.wallSeconds > 0 ? progress.time / outcome.wallSeconds : 0).inThousandths
    }

    private static func size(of url: URL?) -> Int? {
        var info = stat()
        guard let path = url.flatMap({ FilePath($0) }), path.withCString({ stat($0, &info) }) == 0 else { return nil }
        return Int(info.st_size)
    }

    var line: String { get throws(ToolFailure) { try ReportJSON.line(self) } }
}
