import Foundation
import MediaCore
import Streaming
import Synchronization

/// Brings one resource, or a part of one, into a file: from where an earlier try left it, if it is still the same
/// resource (`If-Range`, RFC 9110 §13.1.5), else from its beginning.
///
/// Bytes come on the loop and are handed over in pieces; all else happens on the engine's queue. Writing outpaced by
/// the network pauses the network.
final class ItemTransfer: @unchecked Sendable {
    struct Request {
        var url: URL
        /// Of the resource; nil: all of it.
        var range: ByteRange?
        var options: HTTPOptions
        /// Where it goes, and from which byte of that file on.
        var path: DiskPath
        var fileOffset: Int64 = 0
        /// Of the resource (or range) already in the file, and what was said of it.
        var received: Int64 = 0
        var validator = ""
        /// A part of a whole that must not have changed since the first part came.
        var isPart = false
        var wholeLength: Int64?
        /// More is not taken, bytes.
        var limit: Int64
    }

    struct Arrived {
        var file: DiskFile.Handle
        var length: Int64
        var digest: ContentDigest
        var validator: String
    }

    // Guarded by confinement to the engine's queue, but for `sink`, which is the loop's.
    private var request: Request
    private let queue: DispatchQueue
    private let loop: any NetworkLoop
    private let sink: Sink
    private var task: (any HTTPTask)?
    private var file: DiskFile.Handle?
    private var digest = ContentDigest.Maker()
    private(set) var received: Int64
    private var skip: Int64 = 0
    /// Of the resource or range; nil: nobody has said.
    private(set) var expected: Int64?
    private var isOver = false
    private(set) var validator: String

    /// The server has said which version of the resource this is.
    var onValidator: (String) -> Void = { _ in }
    /// So many bytes more; negative: what had come of it was of another version.
    var onProgress: (Int64) -> Void = { _ in }
    var onEnd: (Result<Arrived, DownloadError>) -> Void = { _ in }

    init(_ request: Request, queue: DispatchQueue, loop: any NetworkLoop, limits: [RateLimit]) {
        self.request = request
        self.queue = queue
        self.loop = loop
        received = request.received
        validator = request.validator
        sink = Sink(queue: queue, loop: loop, limits: limits)
    }

    deinit { task?.cancel() }

    func start() {
        do throws(DownloadError) {
            let file = try DiskFile.Handle(request.path)
            self.file = file
            if received > 0 { try file.read(from: request.fileOffset, count: received) { digest.add($0) } }
        } catch {
            return end(.failure(error))
        }
        var options = request.options
        let range: (first: Int64, last: Int64?)?
        if let own = request.range {
            if received >= own.length, own.length > 0 { return finish() }
            range = (own.offset + received, own.end - 1)
        } else {
            range = received > 0 ? (received, nil) : nil
        }
        if !validator.isEmpty, range != nil { options.headers["If-Range"] = validator }
        var http = HTTPRequest(url: request.url, range: range, options: options, limit: request.limit)
        http.isBackground = true
        let sink = sink
        sink.owner = self
        task = loop.start(
            http,
            HTTPCallbacks(
                onResponse: { [queue, weak self] response in
                    queue.async { [weak self] in self?.answered(response, asked: range?.first) }
                },
                onBytes: { sink.take($0) },
                onEnd: { result in sink.end(result) }))
        sink.task.withLock { $0 = task }
    }

    func cancel() {
        isOver = true
        task?.cancel()
        task = nil
        file = nil
    }

    // MARK: on the queue

    private func answered(_ response: HTTPResponse, asked: Int64?) {
        guard !isOver else { return }
        let fresh = response.validator
        if let asked {
            if response.status == 206 {
                guard let start = response.rangeStart, start == asked else {
                    return end(
                        .failure(
                            DownloadError(
                                .network, at: request.url.location,
                                reason: "the server answers with another range than the one asked for")))
                }
                if let whole = response.wholeLength, let known = request.wholeLength, whole != known {
                    return changed()
                }
                // Without If-Range the same range of another version may come.
                if !validator.isEmpty, !fresh.isEmpty, fresh != validator, received > 0 || request.isPart {
                    return changed()
                }
            } else if received > 0 || !validator.isEmpty && request.isPart {
                // Another version, or a server that gives no ranges any more: from the beginning.
                if request.isPart { return changed() }
                skip = request.range?.offset ?? 0
                restart()
            } else {
                skip = request.range?.offset ?? 0
            }
        }
        guard !isOver else { return }
        if fresh != validator {
            validator = fresh
            onValidator(fresh)
        }
        if let own = request.range {
            expected = own.length
        } else if response.status == 206 {
            expected = response.wholeLength ?? response.contentLength.map { received.addingSaturating($0) }
        } else {
            expected = response.contentLength
        }
    }

    private func restart() {
        onProgress(-received)
        received = 0
        digest = ContentDigest.Maker()
        do throws(DownloadError) { try file?.truncate(to: request.fileOffset) } catch { end(.failure(error)) }
    }

    private func changed() {
        end(
            .failure(
                DownloadError(
                    .changedOnServer, at: request.url.location,
                    reason: "another resource stands there than the one whose beginning is here",
                    suggestion: "Retry: it begins anew")))
    }

    fileprivate func came(_ piece: [UInt8]) {
        guard !isOver, let file else { return }
        piece.withUnsafeBytes { bytes in
            var bytes = bytes
            if skip > 0 {
                let left = min(skip, Int64(bytes.count))
                skip -= left
                bytes = UnsafeRawBufferPointer(rebasing: bytes[Int(left)...])
            }
            if let own = request.range, received + Int64(bytes.count) > own.length {
                bytes = UnsafeRawBufferPointer(rebasing: bytes[..<Int(max(0, own.length - received))])
            }
            guard !bytes.isEmpty else { return }
            do throws(DownloadError) {
                try file.write(bytes, at: request.fileOffset + received)
            } catch {
                return end(.failure(error))
            }
            digest.add(bytes)
            received += Int64(bytes.count)
            onProgress(Int64(bytes.count))
        }
        // A server without ranges would go on to the end of the whole.
        if let own = request.range, received >= own.length { finish() }
    }

    fileprivate func ended(_ result: Result<HTTPMetrics, HTTPError>) {
        guard !isOver else { return }
        switch result {
        case .success:
            if let expected, received != expected {
                return end(
                    .failure(
                        DownloadError(
                            .network, at: request.url.location, reason: "gave \(received) of \(expected) bytes")))
            }
            finish()
        case .failure(let error):
            // All of it had come when its last connection broke, and there is no byte behind it.
            if error.status == 416, request.range == nil, received > 0 { return finish() }
            end(.failure(DownloadError(error)))
        }
    }

    private func finish() {
        guard let file else { return }
        end(.success(Arrived(file: file, length: received, digest: digest.finish(), validator: validator)))
    }

    private func end(_ result: Result<Arrived, DownloadError>) {
        guard !isOver else { return }
        cancel()
        onEnd(result)
    }

    /// Where bytes come in. Confined to the loop, but for what is atomic or locked.
    private final class Sink: @unchecked Sendable {
        // Guarded by confinement to the loop; `owner` is set before the request begins and used on the queue alone.
        private static let piece = 256 << 10
        private static let most = 4 << 20
        private let queue: DispatchQueue
        private let loop: any NetworkLoop
        private let limits: [RateLimit]
        private var buffer: [UInt8] = []
        private var flush: (any NetworkTimer)?
        /// Handed over and not yet written.
        private let pending = Atomic<Int>(0)
        private let isFull = Atomic<Bool>(false)
        private var isLimited = false
        weak var owner: ItemTransfer?
        let task = Mutex<(any HTTPTask)?>(nil)

        init(queue: DispatchQueue, loop: any NetworkLoop, limits: [RateLimit]) {
            self.queue = queue
            self.loop = loop
            self.limits = limits
        }

        func take(_ bytes: UnsafeRawBufferPointer) {
            buffer.append(contentsOf: bytes)
            let now = loop.now
            if buffer.count >= Sink.piece {
                handOver()
            } else if flush == nil {
                // A slow or silent server's bytes are on the disk soon all the same.
                flush = loop.schedule(at: now + 200_000_000) { [weak self] in
                    guard let self else { return }
                    self.flush = nil
                    self.handOver()
                }
            }
            let until = limits.compactMap { $0.take(bytes.count) }.max()
            guard let until, !isLimited else { return }
            isLimited = true
            task.withLock { $0 }?.setPaused(true)
            loop.schedule(at: until) { [self] in
                isLimited = false
                if !isFull.load(ordering: .acquiring) { task.withLock { $0 }?.setPaused(false) }
            }
        }

        func end(_ result: Result<HTTPMetrics, HTTPError>) {
            flush?.cancel()
            flush = nil
            handOver()
            queue.async { [weak owner] in owner?.ended(result) }
        }

        private func handOver() {
            guard !buffer.isEmpty else { return }
            let piece = buffer
            buffer = []
            buffer.reserveCapacity(Sink.piece + (64 << 10))
            let (_, count) = pending.add(piece.count, ordering: .acquiringAndReleasing)
            if count > Sink.most, !isFull.exchange(true, ordering: .acquiringAndReleasing) {
                task.withLock { $0 }?.setPaused(true)
            }
            queue.async { [self] in
                owner?.came(piece)
                let (_, left) = pending.subtract(piece.count, ordering: .acquiringAndReleasing)
                guard left < Sink.most / 4, isFull.exchange(false, ordering: .acquiringAndReleasing) else { return }
                loop.perform { [self] in if !isLimited { task.withLock { $0 }?.setPaused(false) } }
            }
        }
    }
}
