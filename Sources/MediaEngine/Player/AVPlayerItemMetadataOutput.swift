import Dispatch
import Foundation
import MediaCore
import Streaming
import Synchronization

/// An output of an `AVPlayerItem`.
public protocol AVPlayerItemOutput: AnyObject {}

extension AVPlayerItemVideoOutput: AVPlayerItemOutput {}
extension AVPlayerItemLegibleOutput: AVPlayerItemOutput {}

/// A delegate of an output that reports data when playback reaches it.
public protocol AVPlayerItemOutputPushDelegate: AnyObject {
    /// Notifies the delegate that time jumped, so that everything that was reported before is no longer valid. Called
    /// on the queue of the delegate.
    func outputSequenceWasFlushed(_ output: any AVPlayerItemOutput)
}

extension AVPlayerItemOutputPushDelegate {
    public func outputSequenceWasFlushed(_ output: any AVPlayerItemOutput) {}
}

/// A delegate that receives an item's timed metadata. The equivalent of AVFoundation's type of this name.
public protocol AVPlayerItemMetadataOutputPushDelegate: AVPlayerItemOutputPushDelegate {
    /// Notifies the delegate of metadata that playback has reached. Called on the queue that
    /// `AVPlayerItemMetadataOutput.setDelegate(_:queue:)` has set.
    ///
    /// - Parameters:
    ///   - groups: The metadata in order of time.
    ///   - track: Nil. The metadata of streams belongs to no track here.
    func metadataOutput(
        _ output: AVPlayerItemMetadataOutput, didOutputTimedMetadataGroups groups: [AVTimedMetadataGroup],
        from track: AVPlayerItemTrack?)
}

/// An output that reports an item's timed metadata when playback reaches it. The equivalent of AVFoundation's
/// `AVPlayerItemMetadataOutput`.
///
/// ```swift
/// final class SongTitles: NSObject, AVPlayerItemMetadataOutputPushDelegate {
///     func metadataOutput(
///         _ output: AVPlayerItemMetadataOutput, didOutputTimedMetadataGroups groups: [AVTimedMetadataGroup],
///         from track: AVPlayerItemTrack?
///     ) {
///         let items = groups.flatMap(\.items)
///         print(items.first { $0.commonKey == .commonKeyTitle }?.stringValue ?? "")
///     }
/// }
///
/// let output = AVPlayerItemMetadataOutput(identifiers: nil)
/// output.setDelegate(titles, queue: .main)
/// item.add(output)
/// ```
/// These are the kinds of timed metadata:
///
/// | Source | Identifiers |
/// |---|---|
/// | ID3 tags in HLS: in transport streams, before packed audio, in event messages (`emsg`) of fMP4 | `id3/TIT2` … |
/// | `EXT-X-DATERANGE` in HLS playlists with dates (`EXT-X-PROGRAM-DATE-TIME`) | `lsdr/ID`, `lsdr/X-…` … |
/// | Titles of SHOUTcast and Icecast stations | `icy/StreamTitle` |
///
/// After a jump, the metadata that applies at the new time is reported again, if it was read before. Timed metadata
/// tracks of MP4 files are not read. The item keeps about the newest 4,000 groups. An output belongs to one item at a
/// time. All methods can be called from any thread.
public final class AVPlayerItemMetadataOutput: AVPlayerItemOutput, Sendable {
    /// A reference to a delegate. Unchecked because a delegate is used only on the queue that the app has chosen.
    private struct Delegate: @unchecked Sendable {
        weak var object: (any AVPlayerItemMetadataOutputPushDelegate)?
    }
    private struct State {
        var delegate = Delegate()
        var queue: DispatchQueue?
        var advance: TimeInterval = 0
        /// The number of times that the delegate or the item has changed.
        var delegateNumber = 0
        var onChange: (@Sendable () -> Void)?
    }
    private let state = Mutex(State())
    private let identifiers: Set<String>?

    /// Creates an output. Attach it by `AVPlayerItem.add(_:)`.
    ///
    /// - Parameter identifiers: The raw values of the identifiers to report, such as `id3/TIT2`. Nil reports all
    ///   metadata.
    public init(identifiers: [String]? = nil) { self.identifiers = identifiers.map { Set($0) } }

    /// The delegate, which is held weakly. Set it by `setDelegate(_:queue:)`.
    public var delegate: (any AVPlayerItemMetadataOutputPushDelegate)? { reference.object }
    private var reference: Delegate { state.withLock { $0.delegate } }
    /// The queue on which the delegate is called; nil for the main queue.
    public var delegateQueue: DispatchQueue? { state.withLock { $0.queue } }

    /// Sets the delegate, which is held weakly, and the queue on which it is called. The metadata that applies at the
    /// current time is reported to the new delegate.
    ///
    /// - Parameter queue: A serial queue; nil is the main queue.
    public func setDelegate(_ delegate: (any AVPlayerItemMetadataOutputPushDelegate)?, queue: DispatchQueue?) {
        let reference = Delegate(object: delegate)
        let call = state.withLock { state in
            (state.delegate, state.queue) = (reference, queue)
            state.delegateNumber += 1
            return state.onChange
        }
        call?()
    }

    /// The time before the start of metadata at which it is reported, in seconds. The default is 0.
    ///
    /// Metadata that is loaded later than this is reported when it is loaded. A negative value or NaN counts as 0.
    public var advanceIntervalForDelegateInvocation: TimeInterval {
        get { state.withLock { $0.advance } }
        set {
            let call = state.withLock { state in
                state.advance = newValue > 0 ? min(newValue, 1e6) : 0
                return state.onChange
            }
            call?()
        }
    }

    // MARK: Calls from the item

    /// The number of the delegate that is set; nil without a delegate.
    var delegateNumber: Int? {
        // The delegate is used after the lock, because its `deinit` may call this output.
        let (reference, number) = state.withLock { ($0.delegate, $0.delegateNumber) }
        return reference.object == nil ? nil : number
    }
    var advance: MediaTime { MediaTime(seconds: advanceIntervalForDelegateInvocation) }

    /// Sets a closure that is called on any thread after the delegate or the advance interval has changed. Reports that
    /// the queue of the delegate has not begun are discarded.
    func setOnChange(_ body: (@Sendable () -> Void)?) {
        _ = state.withLock { state in
            state.delegateNumber += 1
            return exchange(&state.onChange, body)
        }
    }

    /// Reports `groups` without the items that the app has not requested.
    func report(_ groups: [AVTimedMetadataGroup]) {
        let requested = groups.compactMap { group -> AVTimedMetadataGroup? in
            guard let identifiers else { return group }
            let items = group.items.filter { $0.identifier.map { identifiers.contains($0.rawValue) } ?? false }
            return items.isEmpty ? nil : AVTimedMetadataGroup(items: items, timeRange: group.timeRange)
        }
        guard !requested.isEmpty else { return }
        perform { $1.metadataOutput($0, didOutputTimedMetadataGroups: requested, from: nil) }
    }

    func flush() { perform { $1.outputSequenceWasFlushed($0) } }

    /// Calls `body` with the delegate on its queue, unless the delegate or the item has changed until then.
    private func perform(
        _ body: @escaping @Sendable (AVPlayerItemMetadataOutput, any AVPlayerItemMetadataOutputPushDelegate) -> Void
    ) {
        let (reference, number, queue) = state.withLock { ($0.delegate, $0.delegateNumber, $0.queue) }
        (queue ?? .main).async { [self] in
            guard state.withLock({ $0.delegateNumber == number }), let delegate = reference.object else { return }
            body(self, delegate)
        }
    }
}

extension AVPlayerItem {
    /// Attaches a metadata output. An output belongs to one item at a time. Ignores an output that is already attached.
    public func add(_ output: AVPlayerItemMetadataOutput) { metadataOutputs.add(output) }
    /// Detaches a metadata output, which then reports nothing more. Ignores an output that is not attached.
    public func remove(_ output: AVPlayerItemMetadataOutput) { metadataOutputs.remove(output) }
}
