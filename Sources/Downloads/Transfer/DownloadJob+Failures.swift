import MediaCore
import Streaming

/// The reactions to a resource that cannot be loaded or has wrong contents.
///
/// - After a network failure, the request is repeated, with pauses that double, until `patience` seconds have passed
///   since the first of consecutive failures. Then the download fails, unless only I-frames are missing.
/// - If the server has another version of the resource, it is loaded from the start.
/// - If a URL is refused or missing, the playlists are requested again, and their segments are matched by number. For a
///   recording, only the resource is requested again, because the live playlist has other segments by then.
/// - If the received bytes are not the planned resource, the resource is loaded again, with at most three tries.
/// - I-frames that still fail after these tries are left out. Segments of a recording that stay refused, missing or
///   wrong are replaced by gaps.
/// - If the disk is full or the quota is used up, the download waits.
/// - In all other cases the download fails.
extension DownloadJob {
    func itemFailed(_ item: ItemReference, _ failure: ItemTransfer.Failure) {
        switch failure {
        case .file(let error): handle(error)
        case .needsWhole:
            loadInOnePiece(
                DownloadError(
                    .network, at: row.url.location,
                    reason: "the server no longer supports range requests for this file",
                    suggestion: "Try again"))
        case .network(let error) where error.isTransient: stalled(item, error)
        case .network(let error): itemFailed(item, DownloadError(error), isCutOff: error.isFinal)
        }
    }

    private func itemFailed(_ item: ItemReference, _ error: DownloadError, isCutOff: Bool) {
        let isFile = contents.renditions[item.rendition].facts != nil
        switch error.code {
        case .changedOnServer where isFile: loadInOnePiece(error)
        case .changedOnServer: checkFailed(item, error)
        case .refused, .gone:
            refused(
                item, error,
                mayRefresh: !isFile && !isExtra(item) && !isRecorded(item) && retries.mayRefresh(for: item))
        // The transfer has already retried a truncated response.
        case .notMedia where isCutOff && !isExtra(item): giveUp(item, error)
        case .notMedia: checkFailed(item, error)
        case .secureConnectionFailed where isExtra(item), .invalidArgument where isExtra(item): giveUp(item, error)
        default: handle(error)
        }
    }

    /// Returns whether an item is an I-frame. I-frames are optional: the video is complete without them.
    private func isExtra(_ item: ItemReference) -> Bool { contents.renditions[item.rendition].row.kind == .iFrames }

    private func isRecorded(_ item: ItemReference) -> Bool {
        LiveRecording.isRecorded(contents.renditions[item.rendition].row)
    }

    /// Continues without a resource that cannot be loaded if the download is usable without it. Otherwise, the download
    /// fails.
    private func giveUp(_ item: ItemReference, _ error: DownloadError) {
        if isExtra(item) { return leaveOut(contents.renditions[item.rendition].row) }
        // A refused key may need other credentials, with which the download can be resumed.
        let isKey = contents.renditions[item.rendition].items[item.place].kind == .key
        if isRecorded(item), !isKey || error.code != .refused { return leaveGap(item, error) }
        fail(error)
    }

    private func retryItem(_ item: ItemReference, after delay: Int64) {
        let time = engine.loop.time + delay
        transfers.wait(item, until: time)
        wake(at: time)
    }

    private func stalled(_ item: ItemReference, _ failure: HTTPError) {
        let delay = retries.stalled(
            item, inARow: transfers.failuresInARow(item), failure, patience: patience, at: engine.loop.time,
            random: .random(in: 0...1))
        guard let delay else {
            let error = DownloadError(failure)
            guard isExtra(item) else { return fail(error) }
            if contents.isCompleteWithoutIFrames { return giveUp(item, error) }
            // While other resources are loading, their failures decide whether this is an outage.
            if transfers.isRunning { return retryItem(item, after: backoff(8)) }
            // A resumed download then loads the I-frames.
            return fail(error)
        }
        retryItem(item, after: delay)
        if !transfers.isRunning { setWaiting(for: DownloadError(failure)) }
    }

    private func refused(_ item: ItemReference, _ error: DownloadError, mayRefresh: Bool) {
        let count = retries.refused(item)
        if mayRefresh {
            transfers.wait(item, until: engine.loop.time + backoff(1))
            return refresh(for: item)
        }
        guard count < (isRecorded(item) ? JobRetries.triesOfRecording : JobRetries.tries) else {
            return giveUp(
                item,
                !retries.mayRefresh(for: item) && error.code == .refused
                    ? DownloadError(
                        .linkExpired, at: error.location,
                        reason: error.reason + ", also for the URL that the playlist now contains",
                        suggestion: "Get a new URL, and retry with it", httpStatus: error.httpStatus) : error)
        }
        retryItem(item, after: backoff(count))
    }

    /// Handles received bytes that are not the planned resource.
    func checkFailed(_ item: ItemReference, _ error: DownloadError) {
        let isOfContent = [.notMedia, .keyMissing, .wrongKey, .changedOnServer, .network].contains(error.code)
        guard isOfContent else { return handle(error) }
        let (isRetried, count) = retries.wasWrong(item)
        // Load a wrong key again, now or when the user retries.
        if error.code == .wrongKey, let key = contents.key(of: item) { lose(key) }
        guard isRetried else { return giveUp(item, error) }
        transfers.forget(item)
        retryItem(item, after: backoff(count))
    }

    private func backoff(_ failures: Int) -> Int64 { JobRetries.backoff(failures, random: .random(in: 0...1)) }
}
