import Downloads
import Foundation
import MediaCore
import MediaEngine
import Synchronization
import TestSupport
import Testing

/// A delegate that records the calls of a session.
final class SessionListener: NSObject, AVAssetDownloadDelegate, @unchecked Sendable {
    enum Told: @unchecked Sendable, CustomStringConvertible {
        case place(URL)
        case variants([AVAssetVariant])
        case resolved(AVMediaSelection)
        case loaded(CMTimeRange, [CMTimeRange], CMTimeRange, AVMediaSelection?)
        case completed(AVMediaSelection)
        case finished(URL)
        case waits(DownloadError?)
        case ended(NSError?)

        var description: String {
            switch self {
            case .place: "place"
            case .variants: "variants"
            case .resolved: "resolved"
            case .loaded: "loaded"
            case .completed: "completed"
            case .finished: "finished"
            case .waits(let error): error == nil ? "goes on" : "waits"
            case .ended(let error): error == nil ? "ended" : "failed"
            }
        }
    }
    struct Entry: Sendable {
        var task: URLSessionTask
        var told: Told
        var queue: OperationQueue?
    }
    private let entries = Mutex<[Entry]>([])
    private let calls = Mutex<(now: Int, most: Int)>((0, 0))
    /// Called for each recorded call, on the delegate's queue.
    let onTold: @Sendable (URLSessionTask, Told) -> Void
    /// The duration of each call, in seconds.
    let pause: Double

    init(pause: Double = 0, onTold: @escaping @Sendable (URLSessionTask, Told) -> Void = { _, _ in }) {
        self.onTold = onTold
        self.pause = pause
    }

    var all: [Entry] { entries.withLock { $0 } }
    /// The largest number of simultaneous calls.
    var mostAtOnce: Int { calls.withLock { $0.most } }
    func told(_ task: URLSessionTask) -> [Told] { all.filter { $0.task === task }.map(\.told) }
    func words(_ task: URLSessionTask) -> [String] { told(task).map(\.description) }
    func error(_ task: URLSessionTask) -> NSError? {
        for case .ended(let error) in told(task) { return error }
        return nil
    }
    func place(_ task: URLSessionTask) -> URL? {
        for case .place(let url) in told(task) { return url }
        return nil
    }
    func ends(_ task: URLSessionTask) -> Int { words(task).count { $0 == "ended" || $0 == "failed" } }

    /// Waits until `isSo` is true, for at most `seconds` seconds.
    func wait(
        seconds: Double = Deadline.seconds, isolation: isolated (any Actor)? = #isolation,
        sourceLocation: SourceLocation = #_sourceLocation, _ isSo: (SessionListener) -> Bool
    ) async -> Bool {
        await eventually(seconds: seconds, seen: { "told \(all.map(\.told))" }, sourceLocation: sourceLocation) {
            isSo(self)
        }
    }
    /// Waits until the task's end has been reported.
    func ended(
        _ task: URLSessionTask, seconds: Double = Deadline.seconds, sourceLocation: SourceLocation = #_sourceLocation
    ) async -> Bool {
        await wait(seconds: seconds, sourceLocation: sourceLocation) { $0.ends(task) > 0 }
    }

    private func note(_ task: URLSessionTask, _ told: Told) {
        calls.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
        if pause > 0 { blockWhileTimePasses(pause, because: "calls that are under way at once would overlap") }
        entries.withLock { $0.append(Entry(task: task, told: told, queue: OperationQueue.current)) }
        onTold(task, told)
        calls.withLock { $0.now -= 1 }
    }

    func urlSession(_ session: URLSession, assetDownloadTask: AVAssetDownloadTask, willDownloadTo location: URL) {
        note(assetDownloadTask, .place(location))
    }
    func urlSession(
        _ session: URLSession, assetDownloadTask: AVAssetDownloadTask, willDownloadVariants variants: [AVAssetVariant]
    ) { note(assetDownloadTask, .variants(variants)) }
    func urlSession(
        _ session: URLSession, assetDownloadTask: AVAssetDownloadTask,
        didResolve resolvedMediaSelection: AVMediaSelection
    ) { note(assetDownloadTask, .resolved(resolvedMediaSelection)) }
    func urlSession(
        _ session: URLSession, assetDownloadTask: AVAssetDownloadTask, didLoad timeRange: CMTimeRange,
        totalTimeRangesLoaded loadedTimeRanges: [NSValue],
        timeRangeExpectedToLoad: CMTimeRange
    ) {
        note(
            assetDownloadTask, .loaded(timeRange, loadedTimeRanges.map(\.timeRangeValue), timeRangeExpectedToLoad, nil))
    }
    func urlSession(_ session: URLSession, assetDownloadTask: AVAssetDownloadTask, didFinishDownloadingTo location: URL)
    { note(assetDownloadTask, .finished(location)) }
    func urlSession(
        _ session: URLSession, aggregateAssetDownloadTask: AVAggregateAssetDownloadTask, willDownloadTo location: URL
    ) { note(aggregateAssetDownloadTask, .place(location)) }
    func urlSession(
        _ session: URLSession, aggregateAssetDownloadTask: AVAggregateAssetDownloadTask,
        didCompleteFor mediaSelection: AVMediaSelection
    ) {
        note(aggregateAssetDownloadTask, .completed(mediaSelection))
    }
    func urlSession(
        _ session: URLSession, aggregateAssetDownloadTask: AVAggregateAssetDownloadTask, didLoad timeRange: CMTimeRange,
        totalTimeRangesLoaded loadedTimeRanges: [NSValue], timeRangeExpectedToLoad: CMTimeRange,
        for mediaSelection: AVMediaSelection
    ) {
        note(
            aggregateAssetDownloadTask,
            .loaded(timeRange, loadedTimeRanges.map(\.timeRangeValue), timeRangeExpectedToLoad, mediaSelection))
    }
    func urlSession(_ session: URLSession, task: URLSessionTask, isWaitingFor reason: DownloadError?) {
        note(task, .waits(reason))
    }
    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        note(task, .ended(error as NSError?))
    }
}

/// A session with a library of its own, which is deleted when the process ends.
final class TestSession: Sendable {
    /// The folder of the libraries of all sessions in this process. Other tests use the same folder.
    static let libraries: URL = {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("zt-sessions-\(getpid())")
        AVAssetDownloadURLSession.setLibraries(in: folder)
        // Sessions may end after their tests.
        atexit { try? FileManager.default.removeItem(at: TestSession.libraries) }
        return folder
    }()
    let identifier: String
    let session: AVAssetDownloadURLSession
    let listener: SessionListener

    init(
        _ identifier: String = UUID().uuidString, listener: SessionListener = SessionListener(),
        queue: OperationQueue? = nil
    ) {
        _ = TestSession.libraries
        self.identifier = identifier
        self.listener = listener
        session = AVAssetDownloadURLSession(
            configuration: .background(withIdentifier: identifier), assetDownloadDelegate: listener,
            delegateQueue: queue)
    }

    deinit {
        session.invalidateAndCancel()
    }

    func aggregate(_ url: URL, _ selections: [AVMediaSelection] = [], bitRate: Int? = nil, title: String = "Film")
        throws -> AVAggregateAssetDownloadTask
    {
        let options = bitRate.map { [AVAssetDownloadTaskMinimumRequiredMediaBitrateKey: $0] }
        guard
            let task = session.aggregateAssetDownloadTask(
                with: AVURLAsset(url: url), mediaSelections: selections, assetTitle: title, assetArtworkData: nil,
                options: options)
        else {
            throw SessionTestFailure(description: "no task was made")
        }
        return task
    }

    /// Waits until the session has carried out all earlier requests and has reported their direct effects.
    func settle() async {
        // Each call passes through the session's queue, the engine and the delegate's queue. A delegate may make
        // another request, so there are three calls.
        for _ in 0..<3 { _ = await session.allTasks }
    }

    /// The files of all packages, except lock files.
    var files: [String] {
        var result: [String] = []
        for case let path as String in FileManager.default.enumerator(atPath: session.folder.path)
            ?? FileManager.DirectoryEnumerator() where path.contains(".movpkg/") && !path.hasSuffix(".lock")
        {
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(
                atPath: session.folder.appendingPathComponent(path).path, isDirectory: &isFolder), !isFolder.boolValue
            {
                result.append(path)
            }
        }
        return result
    }
    /// The names of all packages, with any content.
    var packages: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: session.folder.path)) ?? []).filter {
            $0.hasSuffix(".movpkg")
        }
    }
}

extension AVURLAsset {
    /// Returns the preferred selection, with the audio and the subtitles of the given names.
    func selection(sound: String? = nil, subtitles: String? = nil) async throws -> AVMediaSelection {
        guard let selection = preferredMediaSelection.mutableCopy() as? AVMutableMediaSelection else {
            throw SessionTestFailure(description: "no mutable selection")
        }
        for (trait, name) in [(AVMediaCharacteristic.audible, sound), (.legible, subtitles)] {
            guard let name, let group = try await loadMediaSelectionGroup(for: trait) else { continue }
            selection.select(group.options.first { $0.displayName == name }, in: group)
        }
        return selection
    }
}

struct SessionTestFailure: Error { var description: String }
