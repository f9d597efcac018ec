import Foundation
import MediaCore

/// Brings the bytes of one segment: asks for its pieces one after the other, undoes AES-128, and goes on where a
/// connection broke. What to do about a failure its owner decides. Confined to the loop; cancelled when let go.
final class SegmentFetch: @unchecked Sendable {
    /// A resource or a part of one.
    struct Piece {
        var url: URL
        var range: ByteRange?
        /// Nanoseconds, of a part; 0 of a whole segment.
        var duration: Int64 = 0
    }

    // Guarded by confinement: everything happens on the loop.
    let segment: StreamSegment
    private let loop: any NetworkLoop
    private let options: HTTPOptions
    private var decryptor: SegmentDecryptor?
    private var pieces: [Piece]
    /// More pieces will be added: the segment is still being made.
    var isOpen: Bool
    private var task: (any HTTPTask)?
    private var timer: (any NetworkTimer)?
    /// Bytes of the current piece that came, as sent.
    private var received: Int64 = 0
    /// Of a server that sends all again though asked for the rest.
    private var skip: Int64 = 0
    private var expected: Int64?
    private var isOver = false

    private(set) var bytes: Int64 = 0
    private var counted: Int64 = 0
    private(set) var began: HostTime
    private(set) var firstByte: HostTime?
    /// Failures in a row that brought not one byte.
    private(set) var barren = 0
    private(set) var failures = 0
    private(set) var firstFailure: HostTime?
    /// Bytes since the newest failure.
    private var progress = 0

    /// What of the segment's media its parts have brought, nanoseconds.
    private(set) var mediaBrought: Int64 = 0
    /// Everything the playlist tells of has come; more is being made.
    var isWaitingForParts: Bool { isOpen && pieces.isEmpty }

    var onProgress: () -> Void = {}
    /// A part has come: how many bytes, and what its request took.
    var onPart: (HTTPMetrics) -> Void = { _ in }
    var onEnd: (Result<Void, AVError>) -> Void = { _ in }
    /// A try failed: nothing comes until `retry`.
    var onFailure: (HTTPError) -> Void = { _ in }

    init(_ segment: StreamSegment, pieces: [Piece], isOpen: Bool = false, loop: any NetworkLoop, options: HTTPOptions) {
        self.segment = segment
        self.pieces = pieces
        self.isOpen = isOpen
        self.loop = loop
        self.options = options
        began = loop.time
    }

    deinit { cancel() }

    func start(decryptor: SegmentDecryptor?) {
        self.decryptor = decryptor
        began = loop.time
        fetchPiece()
    }

    func cancel() {
        isOver = true
        task?.cancel()
        timer?.cancel()
        task = nil
        timer = nil
    }

    /// Bytes that came since the last call.
    func takeUncounted() -> Int64 {
        defer { counted = bytes }
        return bytes - counted
    }

    /// Pieces that the playlist has meanwhile told of.
    func add(_ more: [Piece], isLast: Bool) {
        let isIdle = pieces.isEmpty && task == nil && timer == nil
        pieces += more
        if isLast { isOpen = false }
        if isIdle { fetchPiece() }
    }

    /// What it will weigh as far as the server has said; nil while unknown.
    var total: Int64? {
        guard pieces.count <= 1, !isOpen, let expected else { return nil }
        return bytes - received + expected
    }

    private func fetchPiece() {
        guard !isOver else { return }
        guard let piece = pieces.first else {
            if !isOpen { finish() }
            return
        }
        let range: (first: Int64, last: Int64?)? =
            if let own = piece.range {
                (own.offset + received, own.end - 1)
            } else {
                received > 0 ? (received, nil) : nil
            }
        // A piece that came whole before its connection broke.
        if let own = piece.range, received >= own.length { return pieceEnded() }
        let request = HTTPRequest(url: piece.url, range: range, options: options, limit: 512 << 20)
        task = loop.start(
            request,
            HTTPCallbacks(
                onResponse: { [weak self] in self?.answered($0, asked: range?.first) },
                onBytes: { [weak self] in self?.came($0) },
                onEnd: { [weak self] in self?.ended($0) }))
    }

    private func answered(_ response: HTTPResponse, asked: Int64?) {
        skip = 0
        if let asked, asked > 0, response.rangeStart == nil { skip = asked }
        if let start = response.rangeStart, let asked, start < asked { skip = asked - start }
        if let length = response.contentLength { expected = max(0, received + length - skip) }
        if let own = pieces.first?.range { expected = own.length }
        if let expected, decryptor == nil { segment.buffer.reserve(Int(clamping: bytes - received + expected)) }
    }

    private func came(_ chunk: UnsafeRawBufferPointer) {
        guard !isOver else { return }
        var chunk = chunk
        if skip > 0 {
            let left = min(skip, Int64(chunk.count))
            skip -= left
            chunk = UnsafeRawBufferPointer(rebasing: chunk[Int(left)...])
        }
        if let own = pieces.first?.range, received + Int64(chunk.count) > own.length {
            chunk = UnsafeRawBufferPointer(rebasing: chunk[..<Int(max(0, own.length - received))])
        }
        guard !chunk.isEmpty else { return }
        if firstByte == nil { firstByte = loop.time }
        received += Int64(chunk.count)
        bytes += Int64(chunk.count)
        barren = 0
        progress += chunk.count
        // A few bytes between two breaks are no recovery.
        if failures > 0, progress >= 16 << 10 {
            failures = 0
            firstFailure = nil
        }
        if let decryptor { decryptor.feed(chunk) { segment.buffer.append($0) } } else { segment.buffer.append(chunk) }
        onProgress()
    }

    private func ended(_ result: Result<HTTPMetrics, HTTPError>) {
        guard !isOver else { return }
        task = nil
        switch result {
        case .success(let metrics):
            // A server without ranges sent all of it, or one sent less than the range.
            if let own = pieces.first?.range, received < own.length {
                return failed(
                    HTTPError(
                        .truncated, url: pieces[0].url, reason: "gave \(received) of \(own.length) bytes of the range"))
            }
            if let part = pieces.first, part.duration > 0 { onPart(metrics) }
            pieceEnded()
        case .failure(let error):
            // Nothing is left to ask for: what came was whole after all.
            if error.status == 416, received > 0 { return pieceEnded() }
            failed(error)
        }
    }

    private func pieceEnded() {
        received = 0
        expected = nil
        if !pieces.isEmpty { mediaBrought += pieces.removeFirst().duration }
        fetchPiece()
    }

    private func finish() {
        isOver = true
        if let decryptor, !decryptor.finish(to: { segment.buffer.append($0) }) {
            let error = AVError(
                .decodeFailed, at: segment.location,
                reason: "its decryption failed: the key is not the right one, or the segment is cut off",
                suggestion: "The stream's author has to mend it")
            segment.buffer.end(.failed(error))
            return onEnd(.failure(error))
        }
        segment.buffer.end(.complete)
        onEnd(.success(()))
    }

    private func failed(_ error: HTTPError) {
        failures += 1
        barren += 1
        progress = 0
        if firstFailure == nil { firstFailure = loop.time }
        onFailure(error)
    }

    /// How long to wait before the next try, nanoseconds; nil: not at all.
    func delay(after error: HTTPError, _ policy: RetryPolicy) -> Int64? {
        let now = loop.time
        return policy.delay(
            after: error, failures: failures, elapsed: now - (firstFailure ?? now), random: .random(in: 0...1))
    }

    /// Goes on where it broke.
    /// - Parameter delay: nanoseconds until then.
    func retry(after delay: Int64) {
        guard !isOver else { return }
        timer = loop.schedule(at: loop.time + delay) { [weak self] in
            self?.timer = nil
            self?.fetchPiece()
        }
    }

    var state: LoadProgress {
        LoadProgress(
            began: began, firstByte: firstByte, bytes: bytes, total: total, mediaBrought: mediaBrought,
            failures: failures, barren: barren, firstFailure: firstFailure, isWaitingForParts: isWaitingForParts)
    }

    /// What of `parts` is to be had.
    static func pieces(_ parts: some Sequence<PartialSegment>, _ playlist: MediaPlaylist) -> [Piece] {
        parts.filter { !$0.isGap }.compactMap { part in
            part.url(relativeTo: playlist.url).map {
                Piece(url: $0, range: part.byteRange, duration: TimedPlaylist.nanoseconds(part.duration))
            }
        }
    }
}
