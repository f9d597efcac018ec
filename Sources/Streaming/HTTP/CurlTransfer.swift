import CCurl
import Foundation
import MediaCore
import Synchronization

/// A request over libcurl.
@NetworkActor
final class CurlTransfer: HTTPTask {
    /// A server in a chain of redirects, and the response that has arrived from it.
    private struct Hop {
        var url: URL
        /// The number of redirects followed to reach this URL.
        var redirects = 0
        /// Whether some of the given credentials are withheld from this server.
        var isWithheld = false
        var head = HTTPHead()
        /// The number of bytes of an error's body that are still read and discarded, so that the connection can be
        /// reused.
        var errorBodyLeft = 16 * 1024
    }

    let request: HTTPRequest
    private nonisolated let client: HTTPClient
    private nonisolated let isCancelled = Atomic<Bool>(false)
    private nonisolated let wantsPause = Atomic<Bool>(false)

    private var uncancelledCallbacks: HTTPCallbacks?
    /// The callbacks; nil after the end of the transfer and after `cancel()`.
    private var callbacks: HTTPCallbacks? { isCancelled.load(ordering: .acquiring) ? nil : uncancelledCallbacks }
    /// The engine while the transfer runs; nil before it begins and after it ends.
    private var engine: CurlEngine?
    private var handle: CurlHandle?
    private var hop: Hop
    /// The parser of an internet radio's metadata; nil for other responses.
    private var icy: IcyMetadata?
    /// The error found by this class. libcurl's own error, which follows from it, is then ignored.
    private var failure: HTTPError?
    private var progress = HTTPMetrics()

    private(set) var isPaused = false
    /// Whether this background transfer is paused because playback needs the connection.
    private var isHeld = false
    private var silence: SilenceWatch
    private var watch: (any NetworkTimer)?

    nonisolated init(_ request: HTTPRequest, _ callbacks: HTTPCallbacks, client: HTTPClient) {
        self.request = request
        hop = Hop(url: request.url)
        uncancelledCallbacks = callbacks
        self.client = client
        silence = SilenceWatch(request.options.timeouts)
    }

    // MARK: from any thread

    nonisolated func cancel() {
        guard !isCancelled.exchange(true, ordering: .acquiringAndReleasing) else { return }
        client.perform { [self] in release() }
    }

    nonisolated func setPaused(_ paused: Bool) {
        wantsPause.store(paused, ordering: .releasing)
        // A pause requested within `onBytes` takes effect immediately. Otherwise libcurl could deliver megabytes before
        // the loop's next round. A resume is deferred: libcurl delivers bytes during that call, which must not be
        // nested.
        if paused, client.isOnLoop {
            NetworkActor.assumeIsolated { followPause() }
        } else {
            client.perform { [self] in followPause() }
        }
    }

    // MARK: on the loop

    func begin() {
        guard !isCancelled.load(ordering: .acquiring) else { return }
        progress.started = client.time
        guard let engine = client.requireEngine() else {
            return fail(
                .libraryMissing,
                "libcurl (libcurl-gnutls.so.4 or libcurl.so.4) is not installed; http and https require it")
        }
        if let problem = request.options.problem { return fail(.invalidRequest, problem) }
        guard let handle = CurlHandle(request, of: self, in: engine) else {
            return fail(.other, "there is not enough memory")
        }
        self.handle = handle
        guard send(handle) else { return }
        self.engine = engine
        if !request.isBackground { engine.priority.began() }
    }

    /// Sends the request to the server of `hop`. Returns false if it failed.
    private func send(_ handle: CurlHandle) -> Bool {
        let options = request.options
        let credentials = HTTPCredentials(for: hop.url, first: request.url, options)
        hop.isWithheld = credentials.isWithheld
        handle.address(
            hop.url, credentials, options,
            timeLeft: options.timeouts.total.map { $0 - (client.time - progress.started) },
            wantsTitles: callbacks?.onTitle != nil)
        silence.begins(at: client.time)
        guard handle.begin(self) else {
            fail(.other, "libcurl rejected the request")
            return false
        }
        armWatch(at: silence.headDeadline)
        return true
    }

    /// Records that the connection is established and the request is about to be sent. Called again after each
    /// redirect.
    func willSend() {
        silence.isSent(at: client.time)
        armWatch(at: silence.headDeadline)
    }

    /// Processes one line of the response's head.
    /// - Returns: Whether the transfer continues.
    func takeHead(_ line: UnsafeRawBufferPointer) -> Bool {
        if isCancelled.load(ordering: .acquiring) { return false }
        noteCookie(line)
        switch hop.head.take(line) {
        case .more, .another:
            return true
        case .tooMuch:
            failure = HTTPError(.other, url: hop.url, reason: "the response headers are larger than 256 KiB")
            return false
        case .complete:
            let time = client.time
            progress.firstByte = time
            silence.bodyGoesOn(at: time)
            icy = IcyMetadata(hop.head.headers["icy-metaint"])
            guard takeResponse(hop.head.response(url: hop.url)) else { return false }
            if request.isBackground, let engine { isHeld = !engine.priority.mayReceive(self) }
            if failure == nil { followPause() }
            return true
        }
    }

    private func noteCookie(_ line: UnsafeRawBufferPointer) {
        let field = "set-cookie:".utf8
        guard let engine, !request.options.cookies.isEmpty, line.count > field.count,
            zip(line, field).allSatisfy({ $0 | 0x20 == $1 | 0x20 }), let origin = HTTPOrigin(hop.url)
        else { return }
        let value = String(decoding: line.dropFirst(field.count), as: UTF8.self)
        let name = value.prefix { $0 != "=" && $0 != ";" }.trimmingCharacters(in: .whitespaces)
        engine.replaceCookie(name, host: origin.host)
    }

    private func takeResponse(_ response: HTTPResponse) -> Bool {
        guard (200..<300).contains(response.status) else {
            failure = statusError(response)
            return response.contentLength.map { $0 <= hop.errorBodyLeft } ?? false
        }
        if let limit = request.limit, let length = response.contentLength, length > limit {
            failure = tooLarge(limit)
            return false
        }
        callbacks?.onResponse(response)
        return !isCancelled.load(ordering: .acquiring)
    }

    /// Processes bytes of the response's body.
    /// - Returns: Whether the transfer continues.
    func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if isCancelled.load(ordering: .acquiring) { return false }
        // The bytes belong to an error or a redirect.
        guard failure == nil, hop.head.isComplete else {
            hop.errorBodyLeft -= bytes.count
            return hop.errorBodyLeft >= 0
        }
        silence.received(bytes.count, at: client.time)
        progress.bytes += Int64(bytes.count)
        if let limit = request.limit, progress.bytes > limit {
            failure = tooLarge(limit)
            return false
        }
        if icy == nil {
            callbacks?.onBytes(bytes)
        } else {
            icy?.take(bytes, audio: { callbacks?.onBytes($0) }, title: { callbacks?.onTitle?($0) })
        }
        if isCancelled.load(ordering: .acquiring) { return false }
        guard let engine else { return true }
        if !request.isBackground {
            engine.priority.didReceive()
        } else if !isHeld, !engine.priority.mayReceive(self) {
            setHeld(true)
        }
        return true
    }

    func setHeld(_ held: Bool) {
        isHeld = held
        followPause()
    }

    private func followPause() {
        let paused = wantsPause.load(ordering: .acquiring) || isHeld
        // libcurl ignores a pause before the response's head has arrived.
        guard let handle, paused != isPaused, hop.head.isComplete else { return }
        isPaused = paused
        if !paused { armWatch(at: silence.bodyGoesOn(at: client.time)) }
        handle.setPaused(paused)
    }

    // MARK: silence

    private func armWatch(at time: HostTime) {
        watch?.cancel()
        watch = client.schedule(at: time) { [self] in watchSilence() }
    }

    private func watchSilence() {
        guard callbacks != nil else { return }
        let isAnswered = hop.head.isComplete
        // `followPause` restarts the timer when the transfer resumes.
        if isAnswered, isPaused { return }
        let idle = CurlTransfer.seconds(request.options.timeouts.idle)
        switch silence.check(at: client.time, isAnswered: isAnswered) {
        case .checkAgain(let time): armWatch(at: time)
        case .isUnanswered: fail(.timedOut, "the server did not respond within \(idle)")
        case .isSilent: failUnlessFailed("no more data arrived within \(idle)")
        case .isSlow(let bytes): failUnlessFailed("only \(bytes) bytes arrived within \(idle)")
        }
    }

    /// Fails with `reason`, unless the transfer has already failed and only the error's body has stalled.
    private func failUnlessFailed(_ reason: String) {
        if let failure { finish(.failure(failure)) } else { fail(.timedOut, reason) }
    }

    // MARK: the end

    /// Ends the transfer, or follows a redirect, after libcurl has finished.
    func ended(_ code: CURLcode) {
        if let failure { return finish(.failure(failure)) }
        if hop.head.isRedirect, code == CURLE_OK || code == CURLE_WRITE_ERROR || code == CURLE_PARTIAL_FILE {
            return follow()
        }
        if code == CURLE_OK {
            if hop.head.isComplete { return finish(.success(metrics)) }
            return fail(.connectionLost, "the server closed the connection without a response")
        }
        finish(
            .failure(
                HTTPError.curl(
                    code, detail: handle?.text(of: code) ?? "", url: hop.url, isAnswered: hop.head.isComplete,
                    redirects: hop.redirects, timeouts: request.options.timeouts)))
    }

    /// The maximum number of redirects that a request follows.
    private static let mostRedirects = 10

    /// Sends the request to the URL that a redirect names.
    private func follow() {
        guard let handle else { return }
        let target = hop.head.location.flatMap { URL(lenient: $0, relativeTo: hop.url)?.absoluteURL }
        guard !isCancelled.load(ordering: .acquiring) else { return }
        guard hop.redirects < CurlTransfer.mostRedirects else {
            return fail(.tooManyRedirects, "the server redirected the request more than \(hop.redirects) times")
        }
        guard let target else {
            return fail(.unsupportedURL, "the server redirected the request to an invalid URL")
        }
        handle.stop()
        // On the same server, the login stays the same.
        hop = Hop(url: CurlTransfer.keepingLogin(of: hop.url, target), redirects: hop.redirects + 1)
        _ = send(handle)
    }

    private nonisolated static func keepingLogin(of old: URL, _ new: URL) -> URL {
        guard HTTPLogin(new) == nil, HTTPLogin(old) != nil, let a = HTTPOrigin(old), let b = HTTPOrigin(new),
            a.isSame(as: b), var parts = URLComponents(url: new, resolvingAgainstBaseURL: true),
            let login = URLComponents(url: old, resolvingAgainstBaseURL: true)
        else { return new }
        (parts.percentEncodedUser, parts.percentEncodedPassword) = (
            login.percentEncodedUser, login.percentEncodedPassword
        )
        return parts.url ?? new
    }

    private func fail(_ kind: HTTPError.Kind, _ reason: String) {
        finish(.failure(HTTPError(kind, url: hop.url, reason: reason)))
    }

    private func finish(_ result: Result<HTTPMetrics, HTTPError>) {
        let onEnd = callbacks?.onEnd
        let spent = client.time - progress.started
        release()
        onEnd?(
            result.mapError { error in
                var error = error
                error.spent = spent
                return error
            })
    }

    /// Releases all resources. Must not be called from within one of libcurl's callbacks.
    private func release() {
        uncancelledCallbacks = nil
        watch?.cancel()
        watch = nil
        if let engine {
            if request.isBackground { engine.priority.forget(self) } else { engine.priority.ended() }
        }
        handle?.close()
        handle = nil
        engine = nil
    }

    private var metrics: HTTPMetrics {
        var all = progress
        all.ended = client.time
        guard let handle else { return all }
        all.bytes = handle.downloaded
        all.reusedConnection = handle.hasReusedConnection
        return all
    }

    private func statusError(_ response: HTTPResponse) -> HTTPError {
        let after = response.headers["retry-after"] == nil ? nil : handle?.retryAfter
        let phrase = hop.head.phrase.isEmpty ? "" : " " + hop.head.phrase
        var reason = "the server returned \(response.status)\(phrase)"
        if hop.isWithheld, [401, 403].contains(response.status) {
            reason += "; the headers, cookies or password given for another server are not sent to this one"
        }
        var error = HTTPError(
            .status, url: response.url, status: response.status, retryAfter: after,
            reason: reason)
        if response.status == 416 {
            error.resourceLength = response.headers["content-range"].flatMap(HTTPHead.wholeLength)
        }
        return error
    }

    private func tooLarge(_ limit: Int64) -> HTTPError {
        HTTPError(
            .tooLarge, url: hop.url, status: hop.head.status,
            reason: "the response is larger than the limit of \(limit) bytes")
    }

    nonisolated static func seconds(_ ns: Int64) -> String {
        let value = Double(ns) / 1e9
        return value == value.rounded() ? "\(Int(value)) s" : "\(value) s"
    }
}
