import Downloads
import Foundation
import FoundationNetworking
import MediaCore
import MediaEngine

/// An app with a download session, which the tests kill. Its arguments are IDENTIFIER URL [--mute] [--paused]. The
/// environment variable `ZOETROPE_SESSIONS` names the folder of the libraries.
///
/// It begins the download unless the session already has one, and prints a line for each delegate call. With `--mute`
/// the delegate's queue is suspended, so that no call arrives. With `--paused` the task is created but not resumed.
struct SessionProbe {
    static func main() {
        let arguments = Array(Probes.arguments.dropFirst())
        guard arguments.count >= 2, let url = URL(string: arguments[1]) else { exit(64) }
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let session = AVAssetDownloadURLSession(
            configuration: .background(withIdentifier: arguments[0]), assetDownloadDelegate: Teller(),
            delegateQueue: queue)
        if arguments.contains("--mute") {
            queue.isSuspended = true
            begin(session, url, isPaused: false)
        } else {
            session.getAllTasks { tasks in
                say("tasks \(tasks.count)")
                if tasks.isEmpty { begin(session, url, isPaused: arguments.contains("--paused")) }
            }
        }
        // Wait until a test kills the process.
        withExtendedLifetime(session) { DispatchSemaphore(value: 0).wait() }
    }

    static func begin(_ session: AVAssetDownloadURLSession, _ url: URL, isPaused: Bool) {
        let asset = AVURLAsset(url: url)
        var selections = [asset.preferredMediaSelection]
        if let group = asset.mediaSelectionGroup(forMediaCharacteristic: .audible),
            let other = asset.preferredMediaSelection.mutableCopy() as? AVMutableMediaSelection
        {
            other.select(group.options.last, in: group)
            selections.append(other)
        }
        let task = session.aggregateAssetDownloadTask(
            with: asset, mediaSelections: selections, assetTitle: "Film", assetArtworkData: nil,
            options: [AVAssetDownloadTaskMinimumRequiredMediaBitrateKey: 265_000])
        task?.taskDescription = "my film"
        if !isPaused { task?.resume() }
        say("made \(task?.taskIdentifier ?? 0)")
    }

    /// Prints without buffering, because a test may kill the process as soon as it reads the line.
    static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}

extension SessionProbe {
    private final class Teller: NSObject, AVAssetDownloadDelegate, @unchecked Sendable {
        func urlSession(
            _ session: URLSession, aggregateAssetDownloadTask: AVAggregateAssetDownloadTask,
            willDownloadTo location: URL
        ) { SessionProbe.say("place \(location.path)") }
        func urlSession(
            _ session: URLSession, aggregateAssetDownloadTask: AVAggregateAssetDownloadTask,
            didLoad timeRange: CMTimeRange,
            totalTimeRangesLoaded loadedTimeRanges: [NSValue], timeRangeExpectedToLoad: CMTimeRange,
            for mediaSelection: AVMediaSelection
        ) {
            SessionProbe.say("loaded \(loadedTimeRanges.reduce(0) { $0 + $1.timeRangeValue.duration.seconds })")
        }
        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            SessionProbe.say("ended \(error.map { "\($0)" } ?? "")")
        }
    }
}
