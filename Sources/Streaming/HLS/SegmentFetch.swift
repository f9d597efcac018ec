import Foundation
import MediaCore

/// A transfer of the bytes of one segment. It requests the segment's pieces in order, decrypts AES-128, and resumes
/// after a lost connection as `TransferPlan` decides. Its owner decides how to handle a failure. Releasing the fetch
/// cancels it.
@NetworkActor
final class SegmentFetch {
    /// A resource, or a range of it.
    struct Piece {
        var url: URL
        var range: ByteRange?
        /// The duration of a part in nanoseconds, or 0 for a whole segment.
        var duration: Int64 = 0
    }

    /// An event of the fetch. After `didLoad` and `loadFailed`, the fetch is over.
    enum Event {
        /// More bytes have arrived: the number since the last event.
        case progressed(Int64)
        /// A part has arrived, with the measurements of its request.
        case didLoadPart(HTTPMetrics)
        /// An irregularity in the server's response, which is used nevertheless.
        case noted(URL, String)
        /// A try has failed. The fetch pauses until `retry` is called.
        case tryFailed(HTTPError, LoadProgress)
        case didLoad
        case loadFailed(AVError)
    }

    let segment: StreamSegment
    private let loop: any NetworkLoop
    private let options: HTTPOptions
    private var decryptor: SegmentDecryptor?
    private var pieces: PieceQueue
    private var task: (any HTTPTask)?
    private var timer: (any NetworkTimer)?
    /// The plan for the first piece, or nil before it is requested.
    private var plan: TransferPlan?
    /// Whether the response may have another version, so that its bytes are compared with those already present.
    private var isCompared = false
    private var isOver = false
    private var progress: LoadProgress
    var report: (Event) -> Void = { _ in }

    init(_ segment: StreamSegment, pieces: [Piece], isOpen: Bool = false, loop: any NetworkLoop, options: HTTPOptions) {
        self.segment = segment
        self.pieces = PieceQueue(pieces, isOpen: isOpen)
        self.loop = loop
        self.options = options
        progress = LoadProgress(began: loop.time)
    }

    deinit {
        task?.cancel()
        timer?.cancel()
    }

    func start(decryptor: SegmentDecryptor?) {
        self.decryptor = decryptor
        progress.began = loop.time
        fetchPiece()
    }

    func cancel() {
        isOver = true
        task?.cancel()
        timer?.cancel()
        task = nil
        timer = nil
    }

    /// Adds pieces that have since appeared in the playlist.
    func add(_ more: [Piece], isLast: Bool) {
        let isIdle = pieces.first == nil && task == nil && timer == nil
        pieces.add(more, isLast: isLast)
        if isIdle { fetchPiece() }
    }

    /// The progress of the fetch.
    var state: LoadProgress {
        var state = progress
        state.total = total
        state.mediaBrought = pieces.mediaBrought
        state.isWaitingForParts = pieces.isWaiting
        if let plan { state.retry = plan.retry }
        return state
    }

    /// The expected size in bytes as far as the server has stated it, or nil if it is unknown.
    private var total: Int64? {
        guard pieces.isAtLast, let plan, let expected = plan.expected else { return nil }
        return progress.bytes - plan.received + expected
    }

    private func fetchPiece() {
        guard !isOver else { return }
        guard let piece = pieces.first else {
            if !pieces.isWaiting { finish() }
            return
        }
        var plan =
            plan
            ?? TransferPlan(
                from: piece.range?.offset ?? 0, to: piece.range?.end, retry: progress.retry,
                // Decrypted bytes cannot be compared with those of a response.
                earlierBytes: decryptor == nil ? .compared : .kept)
        let (range, ifRange) = plan.request()
        self.plan = plan
        // The piece was complete before its connection was lost.
        if plan.isComplete { return pieceEnded() }
        var options = options
        if let ifRange { options.headers["If-Range"] = ifRange }
        let request = HTTPRequest(url: piece.url, range: range, options: options, limit: 512 << 20)
        task = loop.start(
            request,
            HTTPCallbacks(
                onResponse: { [weak self] in self?.answered($0) },
                onBytes: { [weak self] in self?.received($0) },
                onEnd: { [weak self] in self?.ended($0) }))
    }

    private func answered(_ response: HTTPResponse) {
        guard !isOver else { return }
        switch plan?.answered(response) {
        case nil: break
        case .take(let isOtherVersion, let note):
            if let note { report(.noted(response.url, note)) }
            isCompared = isOtherVersion && decryptor == nil
            if let plan, let expected = plan.expected, decryptor == nil {
                segment.buffer.reserve(Int(clamping: (progress.bytes - plan.received).addingSaturating(expected)))
            }
        case .sendNextRequest:
            stopTask()
            fetchPiece()
        case .fail(let error):
            stopTask()
            plan?.retry.failed(at: loop.time)
            failed(error)
        }
    }

    private func stopTask() {
        task?.cancel()
        task = nil
    }

    private func received(_ chunk: UnsafeRawBufferPointer) {
        if !isOver, isCompared, let current = plan, let piece = pieces.first, !agrees(chunk, with: current) {
            stopTask()
            plan?.retry.failed(at: loop.time)
            return failed(
                HTTPError(
                    .changed, url: piece.url, reason: "the segment was replaced on the server while it was being read"))
        }
        guard !isOver, let new = plan?.received(chunk.count) else { return }
        if !new.isEmpty {
            if progress.firstByte == nil { progress.firstByte = loop.time }
            progress.bytes += Int64(new.count)
            let chunk = UnsafeRawBufferPointer(rebasing: chunk[new])
            if let decryptor {
                decryptor.feed(chunk) { segment.buffer.append($0) }
            } else {
                segment.buffer.append(chunk)
            }
            report(.progressed(Int64(new.count)))
        }
        // A server without ranges would also send all bytes after the range.
        guard !isOver, task != nil, plan?.hasSurplus == true else { return }
        stopTask()
        pieceEnded()
    }

    /// Returns whether the next bytes of the body equal those already present, which the decoders may have used.
    private func agrees(_ chunk: UnsafeRawBufferPointer, with plan: TransferPlan) -> Bool {
        let start = max(plan.first, plan.bodyPosition)
        let end = min(plan.position, plan.bodyPosition.addingSaturating(Int64(chunk.count)))
        guard start < end else { return true }
        let offset = progress.bytes - plan.received + start - plan.first
        let known = segment.buffer.peek(Int(clamping: offset), Int(end - start))
        let from = Int(start - plan.bodyPosition)
        return chunk[from..<from + known.count].elementsEqual(known)
    }

    private func ended(_ result: Result<HTTPMetrics, HTTPError>) {
        guard !isOver, let piece = pieces.first else { return }
        task = nil
        let error: HTTPError? = if case .failure(let error) = result { error } else { nil }
        switch plan?.ended(error, url: piece.url, at: loop.time) {
        case nil: break
        case .complete:
            if case .success(let metrics) = result, piece.duration > 0 { report(.didLoadPart(metrics)) }
            pieceEnded()
        case .sendNextRequest: fetchPiece()
        case .failed(let error): failed(error)
        }
    }

    private func pieceEnded() {
        progress.retry = plan?.retry ?? progress.retry
        plan = nil
        pieces.removeFirst()
        fetchPiece()
    }

    private func finish() {
        isOver = true
        if let decryptor, !decryptor.finish(to: { segment.buffer.append($0) }) {
            let error = AVError(
                .decodeFailed, at: segment.location,
                reason: progress.bytes == 0
                    ? "the segment is empty" : "decryption failed: the key is wrong, or the segment is cut off",
                suggestion: "Report the error to the publisher of the stream")
            segment.buffer.end(.failed(error))
            return report(.loadFailed(error))
        }
        segment.buffer.end(.complete)
        report(.didLoad)
    }

    private func failed(_ error: HTTPError) { report(.tryFailed(error, state)) }

    /// Resumes after a failure.
    /// - Parameter delay: The time to wait before the next request, in nanoseconds.
    func retry(after delay: Int64) {
        guard !isOver else { return }
        timer = loop.schedule(at: loop.time + delay) { [weak self] in
            self?.timer = nil
            self?.fetchPiece()
        }
    }

    /// Returns the pieces of `parts`, without those that are marked as missing or have no valid URL.
    nonisolated static func pieces(_ parts: some Sequence<PartialSegment>, _ playlist: MediaPlaylist) -> [Piece] {
        parts.filter { !$0.isGap }.compactMap { part in
            part.url(relativeTo: playlist.url).map {
                Piece(url: $0, range: part.byteRange, duration: TimedPlaylist.nanoseconds(part.duration))
            }
        }
    }
}

/// A queue with the pieces of one segment that are still to be loaded.
struct PieceQueue {
    private var pieces: [SegmentFetch.Piece]
    /// Whether more pieces will follow, because the segment is not complete on the server.
    private var isOpen: Bool
    /// The duration of the parts that have arrived, in nanoseconds.
    private(set) var mediaBrought: Int64 = 0

    init(_ pieces: [SegmentFetch.Piece], isOpen: Bool) {
        self.pieces = pieces
        self.isOpen = isOpen
    }

    var first: SegmentFetch.Piece? { pieces.first }
    /// Whether all known pieces have arrived and the server is producing more.
    var isWaiting: Bool { isOpen && pieces.isEmpty }
    /// Whether no piece follows the first one.
    var isAtLast: Bool { pieces.count <= 1 && !isOpen }

    mutating func add(_ more: [SegmentFetch.Piece], isLast: Bool) {
        pieces += more
        if isLast { isOpen = false }
    }

    /// Removes the first piece after it has arrived.
    mutating func removeFirst() { if !pieces.isEmpty { mediaBrought += pieces.removeFirst().duration } }
}
