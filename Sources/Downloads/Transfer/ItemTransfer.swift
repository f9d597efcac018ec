import Foundation
import MediaCore
import Streaming
import Synchronization

/// A transfer of one resource, or of a part of it, into a file. Continues after the bytes that an earlier try wrote.
/// `TransferPlan` decides which range to request and interprets the responses.
///
/// Bytes arrive on the loop and are passed on in pieces. If writing is slower than the network, the network is paused.
@DownloadActor
final class ItemTransfer {
    struct Request {
        var url: URL
        var options: HTTPOptions
        /// The path of the file, and the offset at which the resource begins in it.
        var path: DiskPath
        var fileOffset: Int64 = 0
        /// The requested range of the resource, and the bytes of it that are already in the file.
        var plan: TransferPlan
        /// Whether other transfers load other parts of the file. A response with the entire resource is then unusable.
        var isPart = false
        /// The maximum number of bytes to accept.
        var limit: Int64
    }

    struct Arrived {
        var file: DiskFile.Handle
        var length: Int64
        var digest: ContentDigest
        var validator: String
    }

    enum Failure: Error {
        /// The network or the server failed. The received bytes are kept, and `plan` contains their count.
        case network(HTTPError)
        /// The file cannot be written.
        case file(DownloadError)
        /// The server does not support range requests for the file.
        case needsWhole
    }

    private let request: Request
    private let loop: any NetworkLoop
    private let limits: [RateLimit]
    /// The sink of the current request. Bytes from the sinks of earlier requests are discarded.
    private var sink: Sink?
    private var file: DiskFile.Handle?
    private var digest = ContentDigest.Maker()
    private(set) var plan: TransferPlan
    private var isOver = false

    /// Called when the server has identified the version of the resource.
    var onVersion: () -> Void = {}
    /// Called when the server's response is incorrect but usable.
    var onNote: (String) -> Void = { _ in }
    /// Called with the number of new bytes, or, if negative, the number of bytes that were discarded.
    var onProgress: (Int64) -> Void = { _ in }
    var onEnd: (Result<Arrived, Failure>) -> Void = { _ in }

    init(_ request: Request, loop: any NetworkLoop, limits: [RateLimit]) {
        self.request = request
        self.loop = loop
        self.limits = limits
        plan = request.plan
    }

    var received: Int64 { plan.received }
    /// The version of the resource, for a later try. Empty if the server does not identify versions.
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
                // The earlier bytes are missing on the disk, or cannot be read.
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
        let sink = Sink(loop: loop, limits: limits, owner: self)
        self.sink = sink
        sink.start(http)
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

    // MARK: events of the network

    private func answered(_ response: HTTPResponse, _ source: Sink) {
        guard !isOver, source === sink else { return }
        let earlierVersion = version
        switch plan.answered(response) {
        case .fail(let error): return end(.failure(.network(error)))
        case .sendNextRequest: return sendNextRequest()
        case .take(let isOtherVersion, let note):
            if let note { onNote(note) }
            if request.isPart, plan.facts.ranges == .refused { return end(.failure(.needsWhole)) }
            if isOtherVersion { discard() }
        }
        if !isOver, version != earlierVersion { onVersion() }
    }

    /// Sends the next request at once.
    private func sendNextRequest() {
        stop()
        if request.isPart, plan.facts.ranges == .refused { return end(.failure(.needsWhole)) }
        send()
    }

    private func discard() {
        onProgress(-received)
        plan.startOver()
        digest = ContentDigest.Maker()
        // Other parts follow in the same file. The bytes of this part are overwritten.
        guard !request.isPart else { return }
        do throws(DownloadError) { try file?.truncate(to: request.fileOffset) } catch { end(.failure(.file(error))) }
    }

    private func didReceive(_ piece: [UInt8], _ source: Sink) {
        guard !isOver, source === sink, let file else { return }
        let position = received
        let earlierPlan = plan
        let new = plan.received(piece.count)
        if !new.isEmpty {
            piece.withUnsafeBytes { bytes in
                let bytes = UnsafeRawBufferPointer(rebasing: bytes[new])
                do throws(DownloadError) {
                    try file.write(bytes, at: request.fileOffset + position)
                } catch {
                    // A later try continues from the bytes that are on the disk.
                    plan = earlierPlan
                    return end(.failure(.file(error)))
                }
                digest.add(bytes)
                onProgress(Int64(bytes.count))
            }
        }
        // A server without range support would send the resource up to its end.
        if !isOver, plan.hasSurplus { finish() }
    }

    private func ended(_ result: Result<HTTPMetrics, HTTPError>, _ source: Sink) {
        guard !isOver, source === sink else { return }
        let error: HTTPError? = if case .failure(let error) = result { error } else { nil }
        switch plan.ended(error, url: request.url, at: loop.time) {
        case .complete: finish()
        case .sendNextRequest: sendNextRequest()
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

    /// A buffer that collects the bytes of one request on the network's loop, and passes them on in pieces.
    private final class Sink: Sendable {
        private struct State {
            /// The request that delivers the bytes, or nil until it is started on the loop.
            var task: (any HTTPTask)?
            var isStopped = false
            var buffer: [UInt8] = []
            var flush: (any NetworkTimer)?
            /// The number of bytes that were passed on but are not written yet.
            var pending = 0
            var isFull = false
            var isLimited = false
        }
        private static let piece = 256 << 10
        private static let most = 4 << 20
        private let loop: any NetworkLoop
        private let limits: [RateLimit]
        private weak let owner: ItemTransfer?
        private let state = Mutex(State())

        init(loop: any NetworkLoop, limits: [RateLimit], owner: ItemTransfer) {
            self.loop = loop
            self.limits = limits
            self.owner = owner
        }

        /// Starts the request on the loop. On another thread, bytes could arrive before `task` is set, and the request
        /// could not be paused.
        func start(_ request: HTTPRequest) {
            loop.perform { [self] in
                state.withLock { state in
                    guard !state.isStopped else { return }
                    state.task = loop.start(
                        request,
                        HTTPCallbacks(
                            onResponse: { [self] in answered($0) }, onBytes: { [self] in take($0) },
                            onEnd: { [self] in end($0) }))
                }
            }
        }

        func stop() {
            let task = state.withLock { state in
                state.isStopped = true
                return state.task
            }
            task?.cancel()
        }

        // MARK: on the loop

        func answered(_ response: HTTPResponse) {
            DownloadActor.enqueue { [self, weak owner] in owner?.answered(response, self) }
        }

        func take(_ bytes: UnsafeRawBufferPointer) {
            let (isPiece, isFirst) = state.withLock { state in
                state.buffer.append(contentsOf: bytes)
                return (state.buffer.count >= Sink.piece, state.flush == nil)
            }
            if isPiece {
                handOver()
            } else if isFirst {
                // If the server is slow, write the bytes after a short time, even if they are few.
                let timer = loop.schedule(at: loop.time + 200_000_000) { [weak self] in
                    guard let self else { return }
                    self.state.withLock { $0.flush = nil }
                    self.handOver()
                }
                state.withLock { $0.flush = timer }
            }
            guard let until = limits.compactMap({ $0.take(bytes.count) }).max() else { return }
            let paused: (any HTTPTask)? = state.withLock { state in
                guard !state.isLimited else { return nil }
                state.isLimited = true
                return state.task
            }
            guard let paused else { return }
            paused.setPaused(true)
            loop.schedule(at: until) { [self] in
                state.withLock { $0.isLimited = false }
                resume()
            }
        }

        func end(_ result: Result<HTTPMetrics, HTTPError>) {
            let flush = state.withLock { state in
                defer { state.flush = nil }
                return state.flush
            }
            flush?.cancel()
            handOver()
            DownloadActor.enqueue { [self, weak owner] in owner?.ended(result, self) }
        }

        private func resume() {
            let task = state.withLock { $0.isLimited || $0.isFull ? nil : $0.task }
            task?.setPaused(false)
        }

        private func handOver() {
            let (piece, paused): ([UInt8], (any HTTPTask)?) = state.withLock { state in
                guard !state.buffer.isEmpty else { return ([], nil) }
                let piece = state.buffer
                state.buffer = []
                state.buffer.reserveCapacity(Sink.piece + (64 << 10))
                state.pending += piece.count
                guard state.pending > Sink.most, !state.isFull else { return (piece, nil) }
                state.isFull = true
                return (piece, state.task)
            }
            guard !piece.isEmpty else { return }
            paused?.setPaused(true)
            DownloadActor.enqueue { [self] in
                owner?.didReceive(piece, self)
                let hasSpace = state.withLock { state in
                    state.pending -= piece.count
                    guard state.isFull, state.pending < Sink.most / 4 else { return false }
                    state.isFull = false
                    return true
                }
                if hasSpace { loop.perform { [self] in resume() } }
            }
        }
    }
}
