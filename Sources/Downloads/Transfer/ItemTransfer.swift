import Foundation
import MediaCore
import Streaming
import Synchronization

/// Loads one resource, or a part of it, into a file, continuing behind the bytes that an earlier try left there.
/// `TransferPlan` decides what is requested and what an answer means.
///
/// Bytes come on the loop and are handed over in pieces; all else happens on the engine's queue. Writing outpaced by
/// the network pauses the network.
final class ItemTransfer: @unchecked Sendable {
    struct Request {
        var url: URL
        var options: HTTPOptions
        /// Where it goes, and from which byte of that file on.
        var path: DiskPath
        var fileOffset: Int64 = 0
        /// What of the resource is wanted, and what is in the file already.
        var plan: TransferPlan
        /// A part of a file whose other parts are loaded by others: a server that answers with the whole is of no use.
        var isPart = false
        /// More is not taken, bytes.
        var limit: Int64
    }

    struct Arrived {
        var file: DiskFile.Handle
        var length: Int64
        var digest: ContentDigest
        var validator: String
    }

    enum Failure: Error {
        /// The network or the server. What has come stays, and `plan` knows of it.
        case network(HTTPError)
        /// The file cannot be written.
        case file(DownloadError)
        /// The server does not give parts of the file.
        case needsWhole
    }

    // Guarded by confinement to the engine's queue.
    private let request: Request
    private let queue: DispatchQueue
    private let loop: any NetworkLoop
    private let limits: [RateLimit]
    /// Of the request under way; what others bring is too late.
    private var sink: Sink?
    private var file: DiskFile.Handle?
    private var digest = ContentDigest.Maker()
    private(set) var plan: TransferPlan
    private var isOver = false

    /// The server has said which version of the resource this is.
    var onVersion: () -> Void = {}
    /// Something odd in the server's answer, which is used all the same.
    var onNote: (String) -> Void = { _ in }
    /// The number of new bytes; negative: the number of bytes that were discarded.
    var onProgress: (Int64) -> Void = { _ in }
    var onEnd: (Result<Arrived, Failure>) -> Void = { _ in }

    init(_ request: Request, queue: DispatchQueue, loop: any NetworkLoop, limits: [RateLimit]) {
        self.request = request
        self.queue = queue
        self.loop = loop
        self.limits = limits
        plan = request.plan
    }

    var received: Int64 { plan.received }
    /// For a later try; empty: nothing tells versions apart.
    var version: String { plan.facts.version }

    deinit { sink?.stop() }

    func start() {
        do throws(DownloadError) {
            file = try DiskFile.Handle(request.path)
        } catch {
            return end(.failure(.file(error)))
        }
        if received > 0 {
            do throws(DownloadError) {
                try file?.read(from: request.fileOffset, count: received) { digest.add($0) }
            } catch {
                // What was there is not there any more.
                discard()
            }
        }
        guard !isOver else { return }
        if plan.isComplete || received > 0 && plan.isAtEndOfResource { return finish() }
        send()
    }

    private func send() {
        let (range, ifRange) = plan.request()
        var options = request.options
        if let ifRange { options.headers["If-Range"] = ifRange }
        var http = HTTPRequest(url: request.url, range: range, options: options, limit: request.limit)
        http.isBackground = true
        let sink = Sink(queue: queue, loop: loop, limits: limits)
        sink.owner = self
        self.sink = sink
        let task = loop.start(
            http,
            HTTPCallbacks(
                onResponse: { [queue, weak self] response in
                    queue.async { [weak self] in self?.answered(response, sink) }
                },
                onBytes: { sink.take($0) },
                onEnd: { result in sink.end(result) }))
        sink.task.withLock { $0 = task }
    }

    private func stop() {
        sink?.stop()
        sink = nil
    }

    func cancel() {
        isOver = true
        stop()
        file = nil
    }

    // MARK: on the queue

    private func answered(_ response: HTTPResponse, _ from: Sink) {
        guard !isOver, from === sink else { return }
        let before = version
        switch plan.answered(response) {
        case .fail(let error): return end(.failure(.network(error)))
        case .again: return goOn()
        case .take(let isOtherVersion, let note):
            if let note { onNote(note) }
            if request.isPart, plan.facts.ranges == .refused { return end(.failure(.needsWhole)) }
            if isOtherVersion { discard() }
        }
        if !isOver, version != before { onVersion() }
    }

    /// The next request, at once.
    private func goOn() {
        stop()
        if request.isPart, plan.facts.ranges == .refused { return end(.failure(.needsWhole)) }
        send()
    }

    private func discard() {
        onProgress(-received)
        plan.startOver()
        digest = ContentDigest.Maker()
        do throws(DownloadError) { try file?.truncate(to: request.fileOffset) } catch { end(.failure(.file(error))) }
    }

    private func came(_ piece: [UInt8], _ from: Sink) {
        guard !isOver, from === sink, let file else { return }
        let at = received
        let before = plan
        let new = plan.received(piece.count)
        if !new.isEmpty {
            piece.withUnsafeBytes { bytes in
                let bytes = UnsafeRawBufferPointer(rebasing: bytes[new])
                do throws(DownloadError) {
                    try file.write(bytes, at: request.fileOffset + at)
                } catch {
                    // A later try goes on from what the disk has.
                    plan = before
                    return end(.failure(.file(error)))
                }
                digest.add(bytes)
                onProgress(Int64(bytes.count))
            }
        }
        // A server without ranges would go on to the end of the whole.
        if !isOver, plan.hasSurplus { finish() }
    }

    private func ended(_ result: Result<HTTPMetrics, HTTPError>, _ from: Sink) {
        guard !isOver, from === sink else { return }
        let error: HTTPError? = if case .failure(let error) = result { error } else { nil }
        switch plan.ended(error, url: request.url, at: loop.time) {
        case .complete: finish()
        case .again: goOn()
        case .failed(let error): end(.failure(.network(error)))
        }
    }

    private func finish() {
        guard let file else { return }
        end(.success(Arrived(file: file, length: received, digest: digest.finish(), validator: plan.facts.validator)))
    }

    private func end(_ result: Result<Arrived, Failure>) {
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
        /// Of the request that brings them.
        let task = Mutex<(any HTTPTask)?>(nil)

        init(queue: DispatchQueue, loop: any NetworkLoop, limits: [RateLimit]) {
            self.queue = queue
            self.loop = loop
            self.limits = limits
        }

        func stop() { task.withLock { $0 }?.cancel() }

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
            queue.async { [self, weak owner] in owner?.ended(result, self) }
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
                owner?.came(piece, self)
                let (_, left) = pending.subtract(piece.count, ordering: .acquiringAndReleasing)
                guard left < Sink.most / 4, isFull.exchange(false, ordering: .acquiringAndReleasing) else { return }
                loop.perform { [self] in if !isLimited { task.withLock { $0 }?.setPaused(false) } }
            }
        }
    }
}
