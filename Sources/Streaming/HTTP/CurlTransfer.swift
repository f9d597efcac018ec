import CCurl
import Foundation
import MediaCore
import Synchronization

/// One request over libcurl.
final class CurlTransfer: HTTPTask, @unchecked Sendable {
    // Guarded: `isCancelled` and `wantsPause` are atomic, `request` and `client` immutable; all else is touched by the
    // loop's thread alone.
    let request: HTTPRequest
    private let client: HTTPClient
    private let isCancelled = Atomic<Bool>(false)
    private let wantsPause = Atomic<Bool>(false)

    private var callbacks: HTTPCallbacks?
    private var engine: CurlEngine?
    private var easy: UnsafeMutableRawPointer?
    private var headerList: UnsafeMutablePointer<curl_slist>?
    private let message = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    /// Where it is, after redirects.
    private var url: URL
    private var redirects = 0
    /// Whether this server does not get all that was given for the source.
    private var isWithheld = false
    private var head = HTTPHead()
    /// Of an internet radio.
    private var icy: IcyMetadata?
    /// Our own verdict, which libcurl's then only follows.
    private var failure: HTTPError?
    private var received: Int64 = 0
    private var started = HostTime(nanoseconds: 0)
    private var firstByte = HostTime(nanoseconds: 0)
    /// What of an error's body is still swallowed, so that the connection can be used again.
    private var errorBodyLeft = 16 * 1024

    private(set) var isPaused = false
    /// Of the background, while what plays has the link.
    private var isHeld = false
    private var hasBegun = false
    private var watch: (any NetworkTimer)?
    /// The answer's head must be whole by then.
    private var headDeadline = HostTime(nanoseconds: 0)
    private var lastBytes = HostTime(nanoseconds: 0)
    private var stretchStart = HostTime(nanoseconds: 0)
    private var stretchBytes: Int64 = 0

    init(_ request: HTTPRequest, _ callbacks: HTTPCallbacks, client: HTTPClient) {
        self.request = request
        url = request.url
        self.callbacks = callbacks
        self.client = client
        message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit { message.deallocate() }

    // MARK: from any thread

    func cancel() {
        guard !isCancelled.exchange(true, ordering: .acquiringAndReleasing) else { return }
        client.perform { [self] in release() }
    }

    func setPaused(_ paused: Bool) {
        wantsPause.store(paused, ordering: .releasing)
        // From within `onBytes` at once: libcurl would go on delivering megabytes before the loop's next round.
        // Going on, in contrast, delivers from within the call, so never inside of another.
        if paused, client.isOnLoop { followPause() } else { client.perform { [self] in followPause() } }
    }

    // MARK: on the loop

    func begin() {
        guard !isCancelled.load(ordering: .acquiring) else { return }
        started = client.time
        guard let engine = client.requireEngine() else {
            return finish(
                .failure(
                    HTTPError(
                        .libraryMissing, url: request.url,
                        reason:
                            "libcurl (libcurl-gnutls.so.4 or libcurl.so.4) is not installed; http and https require it"
                    )))
        }
        if let problem = request.options.problem {
            return finish(.failure(HTTPError(.invalidRequest, url: request.url, reason: problem)))
        }
        self.engine = engine
        guard let easy = engine.library.functions.easy_init() else {
            return finish(.failure(HTTPError(.other, url: request.url, reason: "there is not enough memory")))
        }
        self.easy = easy
        configure(easy, engine)
        guard send(easy, engine) else { return }
        hasBegun = true
        if !request.isBackground { client.priority.began() }
    }

    /// Sends the request to `url`.
    private func send(_ easy: UnsafeMutableRawPointer, _ engine: CurlEngine) -> Bool {
        address(easy, engine)
        headDeadline = client.time + request.options.timeouts.connect + request.options.timeouts.idle
        guard engine.add(self, easy) else {
            finish(.failure(HTTPError(.other, url: url, reason: "libcurl rejected the request")))
            return false
        }
        armWatch(at: headDeadline)
        return true
    }

    private func configure(_ easy: UnsafeMutableRawPointer, _ engine: CurlEngine) {
        let calls = engine.library.calls
        let options = request.options
        func set(_ option: CURLoption, _ value: Int) { _ = zt_curl_set_long(calls, easy, option, value) }
        func set(_ option: CURLoption, _ value: String) { _ = zt_curl_set_string(calls, easy, option, value) }
        let me = Unmanaged.passUnretained(self).toOpaque()
        zt_curl_set_protocols(calls, easy)
        zt_curl_set_quick_exit(calls, easy)
        set(CURLOPT_NOSIGNAL, 1)
        // Redirects are followed by `ended`, as what is sent depends on the server.
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(CURLOPT_TCP_KEEPALIVE, 1)
        set(CURLOPT_BUFFERSIZE, 64 * 1024)
        set(CURLOPT_CONNECTTIMEOUT_MS, CurlTransfer.milliseconds(options.timeouts.connect))
        if options.allowsUntrustedCertificates {
            set(CURLOPT_SSL_VERIFYPEER, 0)
            set(CURLOPT_SSL_VERIFYHOST, 0)
        }
        if let range = request.range { set(CURLOPT_RANGE, "\(range.first)-\(range.last.map(String.init) ?? "")") }
        // "": whatever this libcurl can undo. Without it a server is told that compressing is no use.
        set(CURLOPT_ACCEPT_ENCODING, request.acceptsCompression ? "" : "identity")
        set(CURLOPT_USERAGENT, options.userAgent ?? HTTPOptions.defaultUserAgent)
        _ = zt_curl_set_list(calls, easy, CURLOPT_HTTP200ALIASES, engine.aliases)

        _ = zt_curl_set_pointer(calls, easy, CURLOPT_PRIVATE, me)
        _ = zt_curl_set_pointer(calls, easy, CURLOPT_ERRORBUFFER, message)
        _ = zt_curl_set_pointer(calls, easy, CURLOPT_WRITEDATA, me)
        _ = zt_curl_set_pointer(calls, easy, CURLOPT_HEADERDATA, me)
        _ = zt_curl_set_sink(calls, easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, data in
            guard let bytes, let data else { return 0 }
            let transfer = Unmanaged<CurlTransfer>.fromOpaque(data).takeUnretainedValue()
            return transfer.takeHead(UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
        }
        _ = zt_curl_set_sink(calls, easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, data in
            guard let bytes, let data else { return 0 }
            let transfer = Unmanaged<CurlTransfer>.fromOpaque(data).takeUnretainedValue()
            return transfer.takeBody(UnsafeRawBufferPointer(start: bytes, count: size * count)) ? size * count : 0
        }
        zt_curl_set_before_request(
            calls, easy,
            { data, _, _, _, _ in
                if let data { Unmanaged<CurlTransfer>.fromOpaque(data).takeUnretainedValue().willSend() }
                return 0
            }, me)
    }

    /// Sets what depends on the server that is asked: the URL, and what of the source's credentials it gets.
    private func address(_ easy: UnsafeMutableRawPointer, _ engine: CurlEngine) {
        let calls = engine.library.calls
        let options = request.options
        func set(_ option: CURLoption, _ value: String?) {
            if let value {
                _ = zt_curl_set_string(calls, easy, option, value)
            } else {
                _ = zt_curl_set_pointer(calls, easy, option, nil)
            }
        }
        let credentials = HTTPCredentials(for: url, first: request.url, options)
        isWithheld = credentials.isWithheld
        set(CURLOPT_URL, (url.withoutLogin ?? url).absoluteString)
        set(CURLOPT_USERNAME, credentials.login?.user)
        set(CURLOPT_PASSWORD, credentials.login?.password)
        if let total = options.timeouts.total {
            let left = max(1_000_000, total - (client.time - started))
            _ = zt_curl_set_long(calls, easy, CURLOPT_TIMEOUT_MS, CurlTransfer.milliseconds(left))
        }

        var lines = credentials.headers.map { name, value in
            // An empty value needs libcurl's semicolon: with a colon alone the header would be left out.
            value.isEmpty ? "\(name);" : "\(name): \(value)"
        }
        if callbacks?.onTitle != nil { lines.append("Icy-MetaData: 1") }
        _ = zt_curl_set_list(calls, easy, CURLOPT_HTTPHEADER, nil)
        if let headerList { engine.library.functions.slist_free_all(headerList) }
        headerList = nil
        for line in lines {
            if let longer = engine.library.functions.slist_append(headerList, line) { headerList = longer }
        }
        if headerList != nil { _ = zt_curl_set_list(calls, easy, CURLOPT_HTTPHEADER, headerList) }

        let hasOwnCookies = credentials.headers.keys.contains { $0.lowercased() == "cookie" }
        _ = zt_curl_set_pointer(calls, easy, CURLOPT_SHARE, engine.share(ownCookies: hasOwnCookies))
        var cookies: [String] = []
        if !hasOwnCookies {
            set(CURLOPT_COOKIEFILE, "")  // no file: turns cookies on
            for cookie in credentials.jarCookies where engine.isNew(cookie) {
                set(CURLOPT_COOKIELIST, cookie.jarLine(isSecure: options.origin?.scheme == "https"))
            }
            let host = HTTPOrigin(url)?.host ?? ""
            cookies = credentials.cookies.filter { !engine.isReplaced($0.name, host: host) }
                .map { "\($0.name)=\($0.value)" }
        }
        set(CURLOPT_COOKIE, cookies.isEmpty ? nil : cookies.joined(separator: "; "))
    }

    /// The connection stands: from here on the server has `idle` for its head. Called again after each redirect.
    private func willSend() {
        headDeadline = client.time + request.options.timeouts.idle
        armWatch(at: headDeadline)
    }

    /// False ends the transfer.
    private func takeHead(_ line: UnsafeRawBufferPointer) -> Bool {
        if isCancelled.load(ordering: .acquiring) { return false }
        noteCookie(line)
        switch head.take(line) {
        case .more, .another:
            return true
        case .tooMuch:
            failure = HTTPError(.other, url: url, reason: "the response headers are larger than 256 KiB")
            return false
        case .complete:
            let time = client.time
            firstByte = time
            lastBytes = time
            stretchStart = time
            stretchBytes = 0
            icy = IcyMetadata(head.headers["icy-metaint"])
            guard takeResponse(head.response(url: url)) else { return false }
            if request.isBackground { isHeld = !client.priority.mayReceive(self) }
            if failure == nil { followPause() }
            return true
        }
    }

    private func noteCookie(_ line: UnsafeRawBufferPointer) {
        let field = "set-cookie:".utf8
        guard let engine, !request.options.cookies.isEmpty, line.count > field.count,
            zip(line, field).allSatisfy({ $0 | 0x20 == $1 | 0x20 }), let origin = HTTPOrigin(url)
        else { return }
        let value = String(decoding: line.dropFirst(field.count), as: UTF8.self)
        let name = value.prefix { $0 != "=" && $0 != ";" }.trimmingCharacters(in: .whitespaces)
        engine.replaceCookie(name, host: origin.host)
    }

    private func takeResponse(_ response: HTTPResponse) -> Bool {
        guard (200..<300).contains(response.status) else {
            failure = statusError(response)
            return response.contentLength.map { $0 <= errorBodyLeft } ?? false
        }
        if let limit = request.limit, let length = response.contentLength, length > limit {
            failure = tooLarge(limit)
            return false
        }
        callbacks?.onResponse(response)
        return !isCancelled.load(ordering: .acquiring)
    }

    /// False ends the transfer.
    private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if isCancelled.load(ordering: .acquiring) { return false }
        if failure != nil {
            errorBodyLeft -= bytes.count
            return errorBodyLeft >= 0
        }
        // The body of a redirect.
        guard head.isComplete else {
            errorBodyLeft -= bytes.count
            return errorBodyLeft >= 0
        }
        lastBytes = client.time
        stretchBytes += Int64(bytes.count)
        received += Int64(bytes.count)
        if let limit = request.limit, received > limit {
            failure = tooLarge(limit)
            return false
        }
        if icy == nil {
            callbacks?.onBytes(bytes)
        } else {
            icy?.take(bytes, audio: { callbacks?.onBytes($0) }, title: { callbacks?.onTitle?($0) })
        }
        if isCancelled.load(ordering: .acquiring) { return false }
        if !request.isBackground {
            client.priority.came()
        } else if !isHeld, !client.priority.mayReceive(self) {
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
        // libcurl forgets a pause that comes before the answer's head.
        guard let easy, let engine, paused != isPaused, head.isComplete else { return }
        isPaused = paused
        if !paused {
            let time = client.time
            lastBytes = time
            stretchStart = time
            stretchBytes = 0
            armWatch(at: time + request.options.timeouts.idle)
        }
        // Bytes that libcurl holds back may be delivered within this very call.
        _ = engine.library.functions.easy_pause(easy, paused ? CURLPAUSE_RECV : CURLPAUSE_CONT)
    }

    // MARK: silence

    private func armWatch(at time: HostTime) {
        watch?.cancel()
        watch = client.schedule(at: time) { [self] in watchSilence() }
    }

    private func watchSilence() {
        guard callbacks != nil, !isCancelled.load(ordering: .acquiring) else { return }
        let time = client.time
        let idle = request.options.timeouts.idle
        guard head.isComplete else {
            if time >= headDeadline {
                return finish(
                    .failure(
                        HTTPError(
                            .timedOut, url: url,
                            reason: "the server did not respond within \(CurlTransfer.seconds(idle))"))
                )
            }
            return armWatch(at: headDeadline)
        }
        // Armed again when it goes on.
        if isPaused { return }
        if time - lastBytes >= idle {
            return finish(
                .failure(
                    failure
                        ?? HTTPError(
                            .timedOut, url: url, reason: "no more data arrived within \(CurlTransfer.seconds(idle))"))
            )
        }
        if time - stretchStart >= idle {
            if Double(stretchBytes) < Double(HTTPTimeouts.minimumRate) * Double(idle) / 1e9 {
                return finish(
                    .failure(
                        failure
                            ?? HTTPError(
                                .timedOut, url: url,
                                reason: "only \(stretchBytes) bytes arrived within \(CurlTransfer.seconds(idle))")))
            }
            stretchStart = time
            stretchBytes = 0
        }
        armWatch(at: min(lastBytes, stretchStart) + idle)
    }

    // MARK: the end

    /// libcurl is done with it.
    func ended(_ code: CURLcode) {
        if let failure { return finish(.failure(failure)) }
        if head.isRedirect, code == CURLE_OK || code == CURLE_WRITE_ERROR || code == CURLE_PARTIAL_FILE {
            return follow()
        }
        if code == CURLE_OK {
            if head.isComplete { return finish(.success(metrics)) }
            return finish(
                .failure(
                    HTTPError(
                        .connectionLost, url: url, reason: "the server closed the connection without a response"))
            )
        }
        let text = String(cString: message)
        let detail =
            text.isEmpty ? engine?.library.functions.easy_strerror(code).map { String(cString: $0) } ?? "" : text
        finish(
            .failure(
                HTTPError.curl(
                    code, detail: detail, url: url, isAnswered: head.isComplete, redirects: redirects,
                    timeouts: request.options.timeouts)))
    }

    /// How many redirects a request follows.
    private static let mostRedirects = 10

    /// Asks the server that a redirect names.
    private func follow() {
        guard let engine, let easy else { return }
        let target = head.location.flatMap { URL(lenient: $0, relativeTo: url)?.absoluteURL }
        guard !isCancelled.load(ordering: .acquiring) else { return }
        guard redirects < CurlTransfer.mostRedirects else {
            return finish(
                .failure(
                    HTTPError(
                        .tooManyRedirects, url: url,
                        reason: "the server redirected the request more than \(redirects) times")))
        }
        guard let target else {
            return finish(
                .failure(
                    HTTPError(.unsupportedURL, url: url, reason: "the server redirected the request to an invalid URL"))
            )
        }
        redirects += 1
        engine.remove(easy)
        // The same server under the same login as before.
        url = CurlTransfer.keepingLogin(of: url, target)
        head = HTTPHead()
        errorBodyLeft = 16 * 1024
        _ = send(easy, engine)
    }

    private static func keepingLogin(of old: URL, _ new: URL) -> URL {
        guard HTTPLogin(new) == nil, HTTPLogin(old) != nil, let a = HTTPOrigin(old), let b = HTTPOrigin(new),
            a.isSame(as: b), var parts = URLComponents(url: new, resolvingAgainstBaseURL: true),
            let login = URLComponents(url: old, resolvingAgainstBaseURL: true)
        else { return new }
        (parts.percentEncodedUser, parts.percentEncodedPassword) = (
            login.percentEncodedUser, login.percentEncodedPassword
        )
        return parts.url ?? new
    }

    private func finish(_ result: Result<HTTPMetrics, HTTPError>) {
        let onEnd = callbacks?.onEnd
        let spent = client.time - started
        release()
        guard !isCancelled.load(ordering: .acquiring) else { return }
        onEnd?(
            result.mapError { error in
                var error = error
                error.spent = spent
                return error
            })
    }

    /// Lets go of everything; not from within one of libcurl's callbacks.
    private func release() {
        callbacks = nil
        watch?.cancel()
        watch = nil
        if hasBegun {
            hasBegun = false
            if request.isBackground { client.priority.forget(self) } else { client.priority.ended() }
        }
        guard let engine, let easy else { return }
        engine.remove(easy)
        engine.library.functions.easy_cleanup(easy)
        self.easy = nil
        self.engine = nil
        if let headerList { engine.library.functions.slist_free_all(headerList) }
        headerList = nil
    }

    private var metrics: HTTPMetrics {
        guard let engine, let easy else {
            return HTTPMetrics(
                started: started.nanoseconds, firstByte: firstByte.nanoseconds, ended: client.now, bytes: received,
                reusedConnection: false)
        }
        var bytes: curl_off_t = 0
        var connections = 0
        _ = zt_curl_get_offset(engine.library.calls, easy, CURLINFO_SIZE_DOWNLOAD_T, &bytes)
        _ = zt_curl_get_long(engine.library.calls, easy, CURLINFO_NUM_CONNECTS, &connections)
        return HTTPMetrics(
            started: started.nanoseconds, firstByte: firstByte.nanoseconds, ended: client.now, bytes: Int64(bytes),
            reusedConnection: connections == 0)
    }

    private func statusError(_ response: HTTPResponse) -> HTTPError {
        var after: Double?
        if let engine, let easy, response.headers["retry-after"] != nil {
            var seconds: curl_off_t = 0
            // Seconds and dates alike (RFC 9110 §10.2.3).
            _ = zt_curl_get_offset(engine.library.calls, easy, CURLINFO_RETRY_AFTER, &seconds)
            after = Double(max(0, seconds))
        }
        let phrase = head.phrase.isEmpty ? "" : " " + head.phrase
        var reason = "the server returned \(response.status)\(phrase)"
        if isWithheld, [401, 403].contains(response.status) {
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
            .tooLarge, url: url, status: head.status,
            reason: "the response is larger than the limit of \(limit) bytes")
    }

    private static func milliseconds(_ ns: Int64) -> Int { Int(min(max(1, ns / 1_000_000), Int64(Int32.max))) }

    static func seconds(_ ns: Int64) -> String {
        let value = Double(ns) / 1e9
        return value == value.rounded() ? "\(Int(value)) s" : "\(value) s"
    }
}
