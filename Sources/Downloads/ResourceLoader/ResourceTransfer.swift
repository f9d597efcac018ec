import Foundation
import FoundationNetworking
import MediaCore
import Streaming
import Synchronization

/// A request that the delegate of an `AVAssetResourceLoader` answers, in the form of an HTTP transfer.
///
/// The transfer first requests information and two bytes, as AVFoundation does, then the bytes of the request.
@NetworkActor
final class ResourceTransfer: HTTPTask {
    private let request: HTTPRequest
    private nonisolated let loader: AVAssetResourceLoader
    private nonisolated let loop: any NetworkLoop
    private nonisolated let isCancelled = Atomic<Bool>(false)
    /// The callbacks; nil after the end.
    private var callbacks: HTTPCallbacks?
    /// The delegate's current request, which has not ended.
    private var current: AVAssetResourceLoadingRequest?
    /// The number of the current request. Events of earlier ones are ignored.
    private var number = 0
    /// The transfer to which the delegate has redirected this one.
    private var redirected: (any HTTPTask)?

    private var isPaused = false
    private var bytes = ResourceBytes()
    private var stepIsDue = false

    private var times = ResourceTransferTimes()
    private var timer: (any NetworkTimer)?

    /// The size of the first request, in bytes.
    private static let probeLength = 2
    private static let largestPiece = 128 * 1024
    /// The number of redirects that led to this transfer.
    private let redirects: Int
    private static let maximumRedirects = 10

    nonisolated init(
        _ request: HTTPRequest, _ callbacks: HTTPCallbacks, loader: AVAssetResourceLoader, loop: any NetworkLoop,
        redirects: Int = 0
    ) {
        self.request = request
        self.callbacks = callbacks
        self.loader = loader
        self.loop = loop
        self.redirects = redirects
    }

    nonisolated func cancel() {
        isCancelled.store(true, ordering: .releasing)
        loop.perform { [self] in
            callbacks = nil
            release()
        }
    }

    nonisolated func setPaused(_ paused: Bool) {
        loop.perform { [self] in
            isPaused = paused
            redirected?.setPaused(paused)
            // A pause of the receiver is not a silence of the delegate.
            times.didAct(at: loop.time)
            if !paused { stepSoon() }
        }
    }

    // MARK: requests to the delegate

    func begin() {
        guard callbacks != nil, !isCancelled.load(ordering: .acquiring) else { return }
        times.begin(at: loop.time)
        watch()
        if let first = request.range?.first, first > 0, let known = loader.information(of: request.url),
            known.supportsRanges
        {
            load(known)
        } else {
            ask(wantsInformation: true, offset: 0, length: Self.probeLength, isOpenEnded: false)
        }
    }

    private func ask(wantsInformation: Bool, offset: Int64, length: Int, isOpenEnded: Bool) {
        number += 1
        let own = number
        let loop = loop
        let loading = AVAssetResourceLoadingRequest(
            urlRequest(offset: offset, length: length, isOpenEnded: isOpenEnded), wantsInformation: wantsInformation,
            offset: offset, length: length, isOpenEnded: isOpenEnded,
            onEvent: { [self] event in loop.perform { [self] in take(event, of: own) } })
        current = loading
        loader.ask(loading) { [self] isAccepted in
            if !isAccepted { loop.perform { [self] in decline(own) } }
        }
    }

    private func urlRequest(offset: Int64, length: Int, isOpenEnded: Bool) -> URLRequest {
        var result = URLRequest(url: request.url)
        result.setValue(
            request.options.userAgent ?? HTTPOptions.defaultUserAgent, forHTTPHeaderField: "User-Agent")
        // A User-Agent header of the app replaces the default one, as in requests to a server.
        for (name, value) in request.options.headers { result.setValue(value, forHTTPHeaderField: name) }
        let last = isOpenEnded ? "" : "\(offset.addingSaturating(Int64(length) - 1))"
        result.setValue("bytes=\(offset)-\(last)", forHTTPHeaderField: "Range")
        return result
    }

    private func decline(_ own: Int) {
        guard own == number, let current, !current.isFinished else { return }
        _ = current.cancel()
        fail(.unsupportedURL, "the resource loader's delegate does not load this URL")
    }

    // MARK: the delegate's answers

    private func take(_ event: AVAssetResourceLoadingRequest.Event, of own: Int) {
        guard own == number, callbacks != nil, let loading = current else { return }
        times.didAct(at: loop.time)
        switch event {
        // The bytes of the first request are loaded again, together with those that follow.
        case .bytes(let data): if bytes.receive(data) { stepSoon() }
        case .finished(let error?):
            current = nil
            fail(
                .other, "the resource loader's delegate reported an error: \(error.localizedDescription)",
                isFinal: true)
        case .finished(nil):
            current = nil
            if let redirect = loading.redirect { return follow(redirect) }
            if bytes.isExpecting {
                bytes.finish()
                stepSoon()
            } else {
                answer(loading)
            }
        }
    }

    /// Reads the information that the delegate has given, and requests the content.
    private func answer(_ loading: AVAssetResourceLoadingRequest) {
        let information = loading.contentInformationRequest?.information ?? ResourceInformation()
        loader.store(information, of: request.url)
        load(information)
    }

    private func load(_ information: ResourceInformation) {
        let whole = information.length > 0 ? information.length : nil
        let range = information.supportsRanges ? request.range : nil
        let first = range?.first ?? 0
        if first < 0 || whole.map({ first >= $0 }) == true {
            var error = HTTPError(
                .status, url: request.url, status: 416,
                reason: "the requested range begins at byte \(first), but the resource has \(whole ?? 0) bytes")
            error.resourceLength = whole
            return end(.failure(error))
        }
        let last = range?.last.map { min($0, (whole ?? .max) - 1) }
        let length = (last.map { $0.addingSaturating(1) } ?? whole).map { max(0, $0 - first) }
        if let limit = request.limit, let length, length > limit { return failTooLarge(limit) }
        bytes.expect(length)
        times.didAnswer(at: loop.time)
        callbacks?.onResponse(
            HTTPResponse(
                url: request.url, status: range == nil ? 200 : 206, contentLength: length,
                rangeStart: range == nil ? nil : first, wholeLength: whole,
                acceptsRanges: information.supportsRanges))
        guard callbacks != nil else { return }
        ask(
            wantsInformation: false, offset: first, length: length.map { Int(clamping: $0) } ?? .max,
            isOpenEnded: last == nil)
    }

    private func follow(_ redirect: URLRequest) {
        guard let url = redirect.url else { return fail(.unsupportedURL, "the redirected request has no URL") }
        guard redirects < Self.maximumRedirects else {
            return fail(.tooManyRedirects, "the resource was redirected more than \(Self.maximumRedirects) times")
        }
        guard !url.isFileURL else {
            return fail(.unsupportedURL, "a redirected request may not name a local file; send its bytes instead")
        }
        timer?.cancel()
        var next = request
        next.url = url
        if let headers = redirect.allHTTPHeaderFields, !headers.isEmpty {
            next.options.headers = headers.filter { $0.key.lowercased() != "range" }
            next.options.origin = HTTPOrigin(url)
        }
        let forwarding = HTTPCallbacks(
            onResponse: { [self] in callbacks?.onResponse($0) }, onBytes: { [self] in callbacks?.onBytes($0) },
            onEnd: { [self] in end($0) }, onTitle: callbacks?.onTitle)
        if loader.loads(url) {
            let transfer = ResourceTransfer(next, forwarding, loader: loader, loop: loop, redirects: redirects + 1)
            redirected = transfer
            transfer.begin()
        } else {
            redirected = loop.start(next, forwarding)
        }
        if isPaused { redirected?.setPaused(true) }
    }

    // MARK: delivery

    private func stepSoon() {
        guard !stepIsDue, bytes.isExpecting, callbacks != nil else { return }
        stepIsDue = true
        loop.perform { [self] in
            stepIsDue = false
            step()
        }
    }

    /// Delivers one piece, between the loop's other work.
    private func step() {
        guard !isPaused, callbacks != nil else { return }
        switch bytes.next(atMost: Self.largestPiece) {
        case .wait: break
        case .complete: finish()
        case .truncated(let missing):
            fail(.truncated, "the resource loader's delegate sent \(missing) bytes less than requested")
        case .deliver(let piece):
            if let limit = request.limit, bytes.delivered > limit { return failTooLarge(limit) }
            piece.withUnsafeBytes { callbacks?.onBytes($0) }
            stepSoon()
        }
    }

    private func finish() { end(.success(times.metrics(at: loop.time, bytes: bytes.delivered))) }

    private func failTooLarge(_ limit: Int64) { fail(.tooLarge, AVError.tooLong(limit, at: "").reason) }

    private func fail(_ kind: HTTPError.Kind, _ reason: String, isFinal: Bool = false) {
        var error = HTTPError(kind, url: request.url, reason: reason)
        error.isFinal = isFinal
        error.spent = times.elapsed(at: loop.time)
        end(.failure(error))
    }

    private func end(_ result: Result<HTTPMetrics, HTTPError>) {
        let onEnd = callbacks?.onEnd
        callbacks = nil
        // The delegate may still call `finishLoading()` after it has sent all bytes.
        release(isComplete: bytes.isComplete && redirected == nil)
        if !isCancelled.load(ordering: .acquiring) { onEnd?(result) }
    }

    private func release(isComplete: Bool = false) {
        timer?.cancel()
        timer = nil
        redirected?.cancel()
        redirected = nil
        bytes.discard()
        guard let current else { return }
        self.current = nil
        if !isComplete, current.cancel() { loader.tellCancelled(current) }
    }

    // MARK: silence

    private func watch() {
        timer = loop.schedule(at: times.end(ofSilence: request.options.timeouts.idle)) { [weak self] in
            self?.checkSilence()
        }
    }

    private func checkSilence() {
        guard callbacks != nil, redirected == nil else { return }
        let idle = request.options.timeouts.idle
        if isPaused || bytes.isWaiting { times.didAct(at: loop.time) }
        if times.isSilent(for: idle, at: loop.time) {
            let seconds = (Double(idle) / 1e9).formatted(.number.precision(.fractionLength(0...1)))
            return fail(.timedOut, "the resource loader's delegate did not answer for \(seconds) s")
        }
        watch()
    }
}
