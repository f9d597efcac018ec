import Foundation
import FoundationNetworking
import MediaCore
import MediaEngine

/// A delegate that receives the events of an `AVAssetDownloadURLSession`'s tasks. Corresponds to Apple's protocol of
/// the same name; every method is optional.
///
/// All methods are called on the session's `delegateQueue`, one after the other. Every task that was resumed or
/// canceled ends with exactly one call of `urlSession(_:task:didCompleteWithError:)`, which is its last call. After
/// `cancel()`, no other method is called for the task.
///
/// ```swift
/// final class Downloads: NSObject, AVAssetDownloadDelegate {
///     func urlSession(
///         _ session: URLSession, assetDownloadTask: AVAssetDownloadTask, didFinishDownloadingTo location: URL
///     ) {
///         print("Downloaded to \(location.path)")
///     }
///     func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
///         if let error { print(error.localizedDescription) }
///     }
/// }
/// ```
public protocol AVAssetDownloadDelegate: URLSessionTaskDelegate {
    /// Reports the location of the download before its media are complete.
    ///
    /// Store the location (as `bookmarkData()`), and play it with `AVURLAsset(url:)` when the download is complete.
    func urlSession(_ session: URLSession, assetDownloadTask: AVAssetDownloadTask, willDownloadTo location: URL)
    /// Reports the variants that are loaded, as the stream's playlist describes them. Not called for a stream without a
    /// multivariant playlist.
    func urlSession(
        _ session: URLSession, assetDownloadTask: AVAssetDownloadTask, willDownloadVariants variants: [AVAssetVariant])
    /// Reports which audio and subtitles are loaded; called once for each media selection.
    func urlSession(
        _ session: URLSession, assetDownloadTask: AVAssetDownloadTask,
        didResolve resolvedMediaSelection: AVMediaSelection)
    /// Reports that a time range is on the disk, with all requested renditions.
    ///
    /// - Parameters:
    ///   - timeRange: The new time range.
    ///   - loadedTimeRanges: All time ranges on the disk (`timeRangeValue` of each), in order and without overlaps.
    ///   - timeRangeExpectedToLoad: The time range of the entire media.
    func urlSession(
        _ session: URLSession, assetDownloadTask: AVAssetDownloadTask, didLoad timeRange: CMTimeRange,
        totalTimeRangesLoaded loadedTimeRanges: [NSValue],
        timeRangeExpectedToLoad: CMTimeRange)
    /// Reports that all media are on the disk and play without a network.
    func urlSession(_ session: URLSession, assetDownloadTask: AVAssetDownloadTask, didFinishDownloadingTo location: URL)

    /// Reports the location of the download, as `urlSession(_:assetDownloadTask:willDownloadTo:)` does.
    func urlSession(
        _ session: URLSession, aggregateAssetDownloadTask: AVAggregateAssetDownloadTask, willDownloadTo location: URL)
    /// Reports that all media of `mediaSelection` are on the disk.
    func urlSession(
        _ session: URLSession, aggregateAssetDownloadTask: AVAggregateAssetDownloadTask,
        didCompleteFor mediaSelection: AVMediaSelection)
    /// Reports that a time range is on the disk, with the renditions of `mediaSelection`. Selections are loaded at the
    /// same time, each with its own progress.
    func urlSession(
        _ session: URLSession, aggregateAssetDownloadTask: AVAggregateAssetDownloadTask, didLoad timeRange: CMTimeRange,
        totalTimeRangesLoaded loadedTimeRanges: [NSValue], timeRangeExpectedToLoad: CMTimeRange,
        for mediaSelection: AVMediaSelection)

    /// Reports that a temporary condition (no network, a full disk) blocks a task. A nil `reason` reports that the task
    /// is no longer blocked. The task continues automatically.
    ///
    /// An addition of Zoetrope; Apple's protocol does not have this method.
    func urlSession(_ session: URLSession, task: URLSessionTask, isWaitingFor reason: DownloadError?)
    /// Reports that all tasks of a session with an identifier have ended.
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
