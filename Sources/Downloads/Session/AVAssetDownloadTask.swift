import Foundation
import FoundationNetworking
import MediaCore
import MediaEngine
import Synchronization

/// What `AVAssetDownloadTask` and `AVAggregateAssetDownloadTask` have in common. Made by an
/// `AVAssetDownloadURLSession`, suspended; any thread.
///
/// `cancel()` leaves no byte of it on the disk but what other downloads have too. `suspend()` lets what has come stand;
/// `resume()` goes on from there, also after `suspend()` was called twice.
public class AVDownloadSessionTask: URLSessionTask, @unchecked Sendable {
    // Unchecked because the compiler wants Foundation's unchecked conformance restated in each subclass. All that
    // changes here is in a mutex or belongs to `DownloadActor`.
    struct State {
        var phase = URLSessionTask.State.suspended
        var description: String?
        var error: NSError?
        var wasCancelled = false
        var isEndTold = false
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
    /// Of `choices`, one each.
    let selections: [AVMediaSelection]
    private let asset: AVURLAsset
    private let number: Int
    private let own: Mutex<State>
    private let ownProgress = Progress(totalUnitCount: 1000)
    let copies = TaskCopies()
    @DownloadActor var telling = TaskTelling()

    init(_ id: UUID, _ note: DownloadTaskNote, asset: AVURLAsset, selections: [AVMediaSelection], hub: SessionHub) {
        self.id = id
        self.hub = hub
        self.asset = asset
        choices = note.selections
        self.selections = selections
        number = note.number
        own = Mutex(State(description: note.description))
        super.init()
        asset.read(from: copies.copies)
        ownProgress.cancellationHandler = { [weak self] in self?.cancel() }
        ownProgress.pausingHandler = { [weak self] in self?.suspend() }
        ownProgress.resumingHandler = { [weak self] in self?.resume() }
    }

    func withState<T: Sendable>(_ body: (inout State) -> T) -> T { own.withLock { body(&$0) } }
    /// As it is kept.
    var note: DownloadTaskNote {
        var note = DownloadTaskNote(
            kind: self is AVAssetDownloadTask ? .single : .aggregate, number: number, selections: choices)
        own.withLock { (note.description, note.isTold) = ($0.description, $0.isEndTold) }
        return note
    }

    // MARK: what it loads

    /// What is loaded, as it was given; of a task that was restored, an asset at the same URL. A player item of it that
    /// is made from now on, as long as the task loads and after it has finished, reads what has come from the disk, and
    /// the rest from the server at once, in the rung and languages that are loaded.
    public var urlAsset: AVURLAsset { asset }
    /// Ours: what becomes of it, and why it waits.
    public var downloadState: DownloadState { own.withLock { $0.downloadState } }

    // MARK: what it is told

    public override func resume() { hub.resume(self) }
    public override func suspend() { hub.suspend(self) }
    public override func cancel() { hub.cancel(self) }

    /// Kept with the download: a task that is restored has it too.
    public override var taskDescription: String? {
        get { own.withLock { $0.description } }
        set {
            own.withLock { $0.description = newValue }
            hub.keep(self)
        }
    }
    /// In place of the session's; not kept alive.
    public override var delegate: (any URLSessionTaskDelegate)? {
        get { own.withLock { $0.delegate } }
        set { own.withLock { $0.delegate = newValue } }
    }
    /// Has no effect: what was made first is loaded first.
    public override var priority: Float {
        get { own.withLock { $0.priority } }
        set { own.withLock { $0.priority = newValue } }
    }

    // MARK: what becomes of it

    /// Among the session's; the same at the next start.
    public override var taskIdentifier: Int { number }
    public override var state: URLSessionTask.State { own.withLock { $0.phase } }
    /// Why it ended; nil: not yet, or all of it is there.
    public override var error: (any Error)? { own.withLock { $0.error } }
    public override var originalRequest: URLRequest? { URLRequest(url: asset.url) }
    public override var currentRequest: URLRequest? {
        get { URLRequest(url: asset.url) }
        set {}
    }
    public override var response: URLResponse? {
        get { nil }
        set {}
    }
    /// On the disk, or on the way there, of all renditions together.
    public override var countOfBytesReceived: Int64 {
        get { own.withLock { $0.bytes } }
        set {}
    }
    /// As far as is known: estimated from bit rates until all has been asked for; `NSURLSessionTransferSizeUnknown`
    /// before that.
    public override var countOfBytesExpectedToReceive: Int64 {
        get { own.withLock { $0.expectedBytes > 0 ? $0.expectedBytes : NSURLSessionTransferSizeUnknown } }
        set {}
    }
    /// In thousandths of the whole; never goes back. Cancelling, pausing and resuming it is the task's.
    public override var progress: Progress { ownProgress }

    // MARK: from the library

    func take(_ snapshot: DownloadSnapshot) {
        own.withLock { state in
            state.downloadState = snapshot.state
            state.bytes = snapshot.progress.bytes
            state.expectedBytes = snapshot.progress.expectedBytes
        }
        let thousandths = snapshot.state == .finished ? 1000 : Int64(snapshot.progress.fraction * 1000)
        if thousandths > ownProgress.completedUnitCount { ownProgress.completedUnitCount = min(1000, thousandths) }
    }

    public override var description: String { "<\(type(of: self)) \(number): \(asset.url.location)>" }
}

/// Loads one rung of a stream, or a file, with the sounds and subtitles that were asked for; after Apple's class of
/// that name.
public final class AVAssetDownloadTask: AVDownloadSessionTask, @unchecked Sendable {
    // Unchecked for the same reason; it has no state of its own.
    /// What is on the disk with all renditions that were asked for (`timeRangeValue` of each).
    public var loadedTimeRanges: [NSValue] { withState { $0.loaded } }
}

/// Loads several media selections of an asset, and tells of each; after Apple's class of that name. A dictionary's key,
/// as any `NSObject`.
public final class AVAggregateAssetDownloadTask: AVDownloadSessionTask, @unchecked Sendable {
    // Unchecked for the same reason; it has no state of its own.
}

/// What has been told of a task in this process.
struct TaskTelling {
    var isPlaceTold = false
    var progress: [SelectionProgress] = []
    var completed: Set<Int> = []
    var isWaitTold = false
    /// It is decided how it ends.
    var isEnding = false
    /// It could not be put into the library.
    var failure: DownloadError?
    /// Variants have to be looked for first.
    var qualifiers: [[AVAssetVariantQualifier]] = []
}
