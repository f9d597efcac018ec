import Foundation
import FoundationNetworking
import MediaCore
import MediaEngine
import Synchronization

/// The common superclass of `AVAssetDownloadTask` and `AVAggregateAssetDownloadTask`. Any thread.
///
/// An `AVAssetDownloadURLSession` makes tasks, which are suspended at first. `cancel()` deletes all files except those
/// that other downloads use. `suspend()` keeps the downloaded bytes. `resume()` continues from them, even if
/// `suspend()` was called twice.
public class AVDownloadSessionTask: URLSessionTask, @unchecked Sendable {
    // Unchecked because each subclass has to repeat the unchecked conformance of Foundation's class. All mutable state
    // is in a mutex or is isolated to `DownloadActor`.
    struct State {
        var phase = URLSessionTask.State.suspended
        var description: String?
        var error: NSError?
        var wasCancelled = false
        var isEndReported = false
        var bytes: Int64 = 0
        var expectedBytes: Int64 = 0
        var downloadState = DownloadState.paused
        var priority = URLSessionTask.defaultPriority
        weak var delegate: (any URLSessionTaskDelegate)?
        var loaded: [NSValue] = []
    }
    let id: UUID
    let hub: SessionHub
    let choices: [MediaChoice]
    /// The selections of `choices`, in the same order.
    let selections: [AVMediaSelection]
    private let asset: AVURLAsset
    private let number: Int
    private let lockedState: Mutex<State>
    private let ownProgress = Progress(totalUnitCount: 1000)
    let copies = TaskCopies()
    @DownloadActor var reported = ReportedEvents()

    init(_ id: UUID, _ note: DownloadTaskNote, asset: AVURLAsset, selections: [AVMediaSelection], hub: SessionHub) {
        self.id = id
        self.hub = hub
        self.asset = asset
        choices = note.selections
        self.selections = selections
        number = note.number
        lockedState = Mutex(State(description: note.description))
        super.init()
        asset.read(from: copies.copies)
        ownProgress.cancellationHandler = { [weak self] in self?.cancel() }
        ownProgress.pausingHandler = { [weak self] in self?.suspend() }
        ownProgress.resumingHandler = { [weak self] in self?.resume() }
    }

    func withState<T: Sendable>(_ body: (inout State) -> T) -> T { lockedState.withLock { body(&$0) } }
    /// The values to store with the download.
    var note: DownloadTaskNote {
        var note = DownloadTaskNote(
            kind: self is AVAssetDownloadTask ? .single : .aggregate, number: number, selections: choices)
        lockedState.withLock { (note.description, note.isTold) = ($0.description, $0.isEndReported) }
        return note
    }

    // MARK: media

    /// The asset that the task loads. A restored task has an asset with the same URL.
    ///
    /// A new player item of this asset reads downloaded parts from the disk and the rest from the server. It plays the
    /// variant and languages that the task loads. This works during the download and after it has finished.
    public var urlAsset: AVURLAsset { asset }
    /// The state of the download, with the reason why it waits or has failed.
    ///
    /// An addition of Zoetrope; Apple's class does not have this property.
    public var downloadState: DownloadState { lockedState.withLock { $0.downloadState } }

    // MARK: requests

    public override func resume() { hub.resume(self) }
    public override func suspend() { hub.suspend(self) }
    public override func cancel() { hub.cancel(self) }

    /// The description that an app gives the task. It is stored soon after the call, so that a restored task has it
    /// too.
    public override var taskDescription: String? {
        get { lockedState.withLock { $0.description } }
        set {
            lockedState.withLock { $0.description = newValue }
            hub.keep(self)
        }
    }
    /// The delegate that is called in place of the session's. The task does not retain it. If it is nil or is not an
    /// `AVAssetDownloadDelegate`, the session's delegate is called.
    public override var delegate: (any URLSessionTaskDelegate)? {
        get { lockedState.withLock { $0.delegate } }
        set { lockedState.withLock { $0.delegate = newValue } }
    }
    /// The priority of the task, which has no effect: tasks are loaded in the order in which they were made.
    public override var priority: Float {
        get { lockedState.withLock { $0.priority } }
        set { lockedState.withLock { $0.priority = newValue } }
    }

    // MARK: state

    /// The number of the task in its session, which stays the same after a relaunch.
    public override var taskIdentifier: Int { number }
    public override var state: URLSessionTask.State { lockedState.withLock { $0.phase } }
    /// The reason why the task failed or was canceled. Nil while the task is unfinished and after it has succeeded.
    public override var error: (any Error)? { lockedState.withLock { $0.error } }
    public override var originalRequest: URLRequest? { URLRequest(url: asset.url) }
    public override var currentRequest: URLRequest? {
        get { URLRequest(url: asset.url) }
        set {}
    }
    public override var response: URLResponse? {
        get { nil }
        set {}
    }
    /// The number of received bytes of all renditions, including those that are not on the disk yet.
    public override var countOfBytesReceived: Int64 {
        get { lockedState.withLock { $0.bytes } }
        set {}
    }
    /// The expected total number of bytes. The value is an estimate from bit rates until the servers have reported all
    /// sizes. `NSURLSessionTransferSizeUnknown` before there is an estimate.
    public override var countOfBytesExpectedToReceive: Int64 {
        get { lockedState.withLock { $0.expectedBytes > 0 ? $0.expectedBytes : NSURLSessionTransferSizeUnknown } }
        set {}
    }
    /// The progress in thousandths, which never decreases. Canceling, pausing and resuming the progress does the same
    /// to the task.
    public override var progress: Progress { ownProgress }

    // MARK: updates from the library

    func take(_ snapshot: DownloadSnapshot) {
        lockedState.withLock { state in
            state.downloadState = snapshot.state
            state.bytes = snapshot.progress.bytes
            state.expectedBytes = snapshot.progress.expectedBytes
        }
        let thousandths = snapshot.state == .finished ? 1000 : Int64(snapshot.progress.fraction * 1000)
        if thousandths > ownProgress.completedUnitCount { ownProgress.completedUnitCount = min(1000, thousandths) }
    }

    public override var description: String { "<\(type(of: self)) \(number): \(asset.url.location)>" }
}

/// A task that loads one variant of a stream, or a file, with the requested audio and subtitles. Corresponds to Apple's
/// class of the same name.
public final class AVAssetDownloadTask: AVDownloadSessionTask, @unchecked Sendable {
    // Unchecked for the same reason as the superclass; this class has no state.
    /// The time ranges that are on the disk with all requested renditions (`timeRangeValue` of each).
    public var loadedTimeRanges: [NSValue] { withState { $0.loaded } }
}

/// A task that loads several media selections of an asset and reports each. Corresponds to Apple's class of the same
/// name.
///
/// Tasks can be keys of a dictionary, like every `NSObject`.
public final class AVAggregateAssetDownloadTask: AVDownloadSessionTask, @unchecked Sendable {
    // Unchecked for the same reason as the superclass; this class has no state.
}

/// The events of a task that were reported to the delegate in this process.
struct ReportedEvents {
    var isLocationReported = false
    var progress: [SelectionProgress] = []
    var completed: Set<Int> = []
    var isWaitReported = false
    /// Whether the outcome of the task is decided.
    var isEnding = false
    /// The error with which the library refused to add the download. Nil if the library accepted it.
    var failure: DownloadError?
    /// The qualifiers, one list per variant, that need the stream's list of variants before the download starts. Empty
    /// if the qualities are known.
    var qualifiers: [[AVAssetVariantQualifier]] = []
}
