import Foundation
import MediaCore
import Streaming

/// What is done about a resource that does not come, or is not what it should be.
///
/// **Again** after the network's trouble, with pauses that double, until `patience` is over without a new byte.
/// **From the start** where another version stands there. **By another address** where it is refused or gone: the
/// playlists are asked once more, and their segments matched by number. Else it is the end.
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
        let isFile = renditions[item.rendition].facts != nil
        switch error.code {
        case .changedOnServer where isFile: loadInOnePiece(error)
        case .changedOnServer: checkFailed(item, error)
        case .refused, .gone:
            let isExtra = renditions[item.rendition].row.kind == .iFrames
            refusedAgain(item, error, mayRefresh: !isFile && !isExtra && !hasRefreshed)
        // It has been tried often enough.
        case .notMedia where isCutOff && renditions[item.rendition].row.kind != .iFrames: fail(error)
        case .notMedia: checkFailed(item, error)
        default: handle(error)
        }
    }

    /// What has come of a file is of no use with what comes now: all of it is loaded again, once, in one answer.
    private func loadInOnePiece(_ error: DownloadError) {
        let isSecond = inOnePiece
        turnOver()
        arrived = []
        attempt { () throws(DownloadError) in
            try forgetFile()
            guard !isSecond else { return fail(error) }
            inOnePiece = true
            renditions = []
            try plan()
        }
    }

    private func again(_ item: ItemReference, forgetting: Bool, after delay: Int64) {
        if forgetting {
            plans[item] = nil
            let rendition = renditions[item.rendition]
            rendition.begun[item.place] = nil
            try? DiskFile.remove(folder.file(rendition.items[item.place].fileName, of: rendition.row).part)
            let row = (rendition.row.id, rendition.items[item.place].kind, rendition.items[item.place].number)
            try? engine.record.write { try $0.removeResource(row.0, row.1, row.2) }
        }
        let time = engine.loop.now.addingSaturating(delay)
        queue.wait(item, until: time)
        wake(at: time)
    }

    private func stalled(_ item: ItemReference, _ failure: HTTPError) {
        // New bytes end a row of failures: a server that closes each connection early is not waited for longer and longer.
        let count = plans[item].map { max(1, $0.retry.failures) } ?? failures[item, default: 0] + 1
        failures[item] = count
        guard let delay = delay(after: failure, count) else { return fail(DownloadError(failure)) }
        again(item, forgetting: false, after: delay)
        if transfers.isEmpty { waitsFor(DownloadError(failure)) }
    }

    /// From here on it is waited without an end, seconds.
    private static let forever = 1e12

    /// Nanoseconds until the next try, after the network has failed; nil: it has been waited for long enough.
    /// - Parameter count: failures in a row of what is tried again.
    func delay(after error: HTTPError, _ count: Int) -> Int64? {
        let now = engine.loop.time
        retry.failed(at: now)
        let delay = max(engine.backoff(count), Int64(saturating: min(error.retryAfter ?? 0, 3600) * 1e9))
        let patience = patience
        guard patience < DownloadJob.forever else { return delay }
        return delay <= Int64(saturating: patience * 1e9) - retry.elapsed(at: now) ? delay : nil
    }

    /// How long the network is waited for, in seconds.
    private var patience: Double {
        if let own = row.options.patience { return own }
        // A server that has never answered is rather not there.
        return row.progress.bytes == 0 ? engine.policy.patience / 10 : engine.policy.patience
    }

    /// Servers have bad moments: so often it is asked again.
    private static let tries = 3

    private func refusedAgain(_ item: ItemReference, _ error: DownloadError, mayRefresh: Bool) {
        let count = failures[item, default: 0] + 1
        failures[item] = count
        if mayRefresh { return refresh(item, error) }
        guard count < DownloadJob.tries else {
            if renditions[item.rendition].row.kind == .iFrames { return leaveOutPictures() }
            return fail(
                hasRefreshed && error.code == .refused
                    ? DownloadError(
                        .linkExpired, at: error.location,
                        reason: error.reason + ", also for the URL that the playlist now contains",
                        suggestion: "Get a new URL, and retry with it", httpStatus: error.httpStatus) : error)
        }
        again(item, forgetting: false, after: engine.backoff(count))
    }

    /// Single pictures are an extra: without them the film is whole.
    private func leaveOutPictures() {
        guard let index = renditions.firstIndex(where: { $0.row.kind == .iFrames }) else { return }
        let id = renditions[index].row.id
        turnOver()
        attempt { () throws(DownloadError) in
            try engine.record.write { try $0.execute(sql: "DELETE FROM rendition WHERE id = ?", arguments: [id]) }
            try takePlan(try engine.record.read { try $0.renditions(of: self.row.id) })
        }
    }

    // MARK: content

    func checkFailed(_ item: ArrivedItem, _ error: DownloadError) {
        checkFailed(ArrivedItemFailure(item: item.item, digest: item.arrived.digest), error)
    }

    func checkFailed(_ item: ItemReference, _ error: DownloadError) {
        checkFailed(ArrivedItemFailure(item: item, digest: .none), error)
    }

    private func checkFailed(_ failed: ArrivedItemFailure, _ error: DownloadError) {
        let item = failed.item
        let isOfContent = [.notMedia, .keyMissing, .wrongKey, .changedOnServer, .network].contains(error.code)
        guard isOfContent else { return handle(error) }
        let before = checkFailures[item]
        let count = (before?.count ?? 0) + 1
        checkFailures[item] = (count, failed.digest)
        // A key that was wrong once is fetched again, by a retry too.
        if error.code == .wrongKey { forgetKey(of: item) }
        guard count < DownloadJob.tries else {
            if renditions[item.rendition].row.kind == .iFrames { return leaveOutPictures() }
            return fail(error)
        }
        again(item, forgetting: true, after: engine.backoff(count))
    }

    // MARK: new addresses

    /// The playlists are fetched again, the multivariant one first: addresses carry tokens that expire.
    private func refresh(_ item: ItemReference, _ error: DownloadError) {
        hasRefreshed = true
        stopTransfers()
        queue.wait(item, until: engine.loop.now.addingSaturating(engine.backoff(1)))
        let expired: @Sendable (DownloadJob, DownloadError) -> Void = { job, found in
            guard found.code == .refused || found.code == .gone else { return job.fail(found) }
            job.fail(
                DownloadError(
                    .linkExpired, at: found.location,
                    reason: "the server now refuses the URL; it accepted the URL when the download started",
                    suggestion: "Get a new URL, and retry with it", httpStatus: found.httpStatus))
        }
        guard renditions.contains(where: { !$0.row.tag.isEmpty }) else {
            return refreshPlaylists(from: 0, renditions.map { [$0.row.url] }, expired)
        }
        fetchText(
            row.url,
            { job, bytes, url throws(DownloadError) in
                let presentation = try DownloadJob.presentation(bytes, url, asked: job.row.url)
                let choice = try RenditionChoice(presentation, job.row.options)
                let urls = job.renditions.map { rendition in
                    choice.all.first { $0.name == rendition.row.name }.map { [$0.url] + $0.others } ?? [
                        rendition.row.url
                    ]
                }
                job.refreshPlaylists(from: 0, urls, expired)
            }, onFailure: expired)
    }

    private func refreshPlaylists(
        from index: Int, _ urls: [[URL]], _ expired: @escaping @Sendable (DownloadJob, DownloadError) -> Void
    ) {
        guard index < renditions.count else { return isRefreshed() }
        guard let url = urls[index].first else { return refreshPlaylists(from: index + 1, urls, expired) }
        fetchText(
            url,
            { job, bytes, url throws(DownloadError) in
                try job.replace(index, bytes, url)
                job.refreshPlaylists(from: index + 1, urls, expired)
            }, onFailure: expired)
    }

    /// Segments of the same number and length are the same, wherever they lie now (RFC 8216 §6.2.1).
    private func replace(_ index: Int, _ bytes: [UInt8], _ url: URL) throws(DownloadError) {
        let rendition = renditions[index]
        guard let old = rendition.plan?.playlist else { return }
        let new = try DownloadJob.mediaPlaylist(bytes, url, rendition.row.variables)
        let isSame =
            new.segments.count == old.segments.count
            && zip(new.segments, old.segments).allSatisfy { new, old in
                new.mediaSequence == old.mediaSequence && abs(new.duration - old.duration) < 0.01
                    && new.isGap == old.isGap && (new.byteRange == nil) == (old.byteRange == nil)
            }
        guard isSame else {
            throw DownloadError(
                .changedOnServer, at: url.location, reason: "the playlist now belongs to another video",
                suggestion: "Remove the download and start it again")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        try engine.record.write { try $0.setPlaylist(text, from: url, of: rendition.row.id) }
        (rendition.row.playlist, rendition.row.playlistURL) = (text, url)
        let plan = try RenditionPlan.all(of: renditions.map(\.row))[index]
        if let plan { rendition.take(plan) }
    }

    private func isRefreshed() {
        loads = []
        attempt { () throws(DownloadError) in try fill() }
    }
}

private struct ArrivedItemFailure {
    var item: ItemReference
    var digest: ContentDigest
}
