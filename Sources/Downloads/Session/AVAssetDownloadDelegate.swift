import Foundation
import FoundationNetworking
import MediaCore
import MediaEngine

/// Told what becomes of an `AVAssetDownloadURLSession`'s tasks; after Apple's protocol of that name. Every method is
/// optional.
///
/// All are called on the session's `delegateQueue`, one after the other. After
/// `urlSession(_:task:didCompleteWithError:)`, which every task that was resumed or cancelled ends with, exactly once,
/// nothing more is told of it; after `cancel()` nothing but that.
public protocol AVAssetDownloadDelegate: URLSessionTaskDelegate {
    /// Where it is going to lie: what to keep (as `bookmarkData()`), and to play with `AVURLAsset(url:)` once it is
    /// complete.
    func urlSession(_ session: URLSession, assetDownloadTask: AVAssetDownloadTask, willDownloadTo location: URL)
    /// The rungs that are loaded, as the stream's playlist describes them; none where it has no multivariant playlist.
    func urlSession(
        _ session: URLSession, assetDownloadTask: AVAssetDownloadTask, willDownloadVariants variants: [AVAssetVariant])
    /// Which sound and subtitles are loaded; once for each selection.
    func urlSession(
        _ session: URLSession, assetDownloadTask: AVAssetDownloadTask,
        didResolve resolvedMediaSelection: AVMediaSelection)
    /// A stretch of media is on the disk, with all renditions that were asked for.
    ///
    /// - Parameters:
    ///   - timeRange: what has come.
    ///   - loadedTimeRanges: all that is there (`timeRangeValue` of each), in order, apart from each other.
    ///   - timeRangeExpectedToLoad: the whole.
    func urlSession(
        _ session: URLSession, assetDownloadTask: AVAssetDownloadTask, didLoad timeRange: CMTimeRange,
        totalTimeRangesLoaded loadedTimeRanges: [NSValue],
        timeRangeExpectedToLoad: CMTimeRange)
    /// All of it is on the disk, and can be played without a network.
    func urlSession(_ session: URLSession, assetDownloadTask: AVAssetDownloadTask, didFinishDownloadingTo location: URL)

    /// See `urlSession(_:assetDownloadTask:willDownloadTo:)`.
    func urlSession(
        _ session: URLSession, aggregateAssetDownloadTask: AVAggregateAssetDownloadTask, willDownloadTo location: URL)
    /// All that `mediaSelection` takes is on the disk.
    func urlSession(
        _ session: URLSession, aggregateAssetDownloadTask: AVAggregateAssetDownloadTask,
        didCompleteFor mediaSelection: AVMediaSelection)
    /// A stretch of media is on the disk, with the renditions of `mediaSelection`. Selections are loaded at the same
    /// time; each has a progress of its own.
    func urlSession(
        _ session: URLSession, aggregateAssetDownloadTask: AVAggregateAssetDownloadTask, didLoad timeRange: CMTimeRange,
        totalTimeRangesLoaded loadedTimeRanges: [NSValue], timeRangeExpectedToLoad: CMTimeRange,
        for mediaSelection: AVMediaSelection)

    /// Ours: something that passes by itself holds it up (no network, a full disk), or, nil, no longer does. It goes on
    /// without being asked.
    func urlSession(_ session: URLSession, task: URLSessionTask, isWaitingFor reason: DownloadError?)
    /// All tasks of a session with an identifier have ended.
    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession)
}

extension AVAssetDownloadDelegate {
    public func urlSession(_ session: URLSession, assetDownloadTask: AVAssetDownloadTask, willDownloadTo location: URL)
    {}
    public func urlSession(
        _ session: URLSession, assetDownloadTask: AVAssetDownloadTask, willDownloadVariants variants: [AVAssetVariant]
    ) {}
    public func urlSession(
        _ session: URLSession, assetDownloadTask: AVAssetDownloadTask,
        didResolve resolvedMediaSelection: AVMediaSelection
    ) {}
    public func urlSession(
        _ session: URLSession, assetDownloadTask: AVAssetDownloadTask, didLoad timeRange: CMTimeRange,
        totalTimeRangesLoaded loadedTimeRanges: [NSValue],
        timeRangeExpectedToLoad: CMTimeRange
    ) {}
    public func urlSession(
        _ session: URLSession, assetDownloadTask: AVAssetDownloadTask, didFinishDownloadingTo location: URL
    ) {}
    public func urlSession(
        _ session: URLSession, aggregateAssetDownloadTask: AVAggregateAssetDownloadTask, willDownloadTo location: URL
    ) {}
    public func urlSession(
        _ session: URLSession, aggregateAssetDownloadTask: AVAggregateAssetDownloadTask,
        didCompleteFor mediaSelection: AVMediaSelection
    ) {}
    public func urlSession(
        _ session: URLSession, aggregateAssetDownloadTask: AVAggregateAssetDownloadTask, didLoad timeRange: CMTimeRange,
        totalTimeRangesLoaded loadedTimeRanges: [NSValue], timeRangeExpectedToLoad: CMTimeRange,
        for mediaSelection: AVMediaSelection
    ) {}
    public func urlSession(_ session: URLSession, task: URLSessionTask, isWaitingFor reason: DownloadError?) {}
    public func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {}
}
