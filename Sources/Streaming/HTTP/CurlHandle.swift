import CCurl
import Foundation
import MediaCore

/// libcurl's side of one request: its handle with all options, the list of headers and the text of an error.
///
/// `close` gives everything back; not from within one of libcurl's callbacks.
@NetworkActor
final class CurlHandle {
    private let engine: CurlEngine
    private let easy: UnsafeMutableRawPointer
    private var headerList: UnsafeMutablePointer<curl_slist>?
    private let message: UnsafeMutablePointer<CChar>

    /// Nil when there is not enough memory.
    init?(_ request: HTTPRequest, of transfer: CurlTransfer, in engine: CurlEngine) {
        guard let easy = engine.library.functions.easy_init() else { return nil }
        self.engine = engine
        self.easy = easy
        message = .allocate(capacity: Int(CURL_ERROR_SIZE))
        message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        configure(request)
        connect(transfer)
    }

    func close() {
        engine.remove(easy)
        engine.library.functions.easy_cleanup(easy)
        if let headerList { engine.library.functions.slist_free_all(headerList) }
        headerList = nil
        message.deallocate()
    }

    // MARK: options

    private func set(_ option: CURLoption, _ value: Int) {
        _ = zt_curl_set_long(engine.library.calls, easy, option, value)
    }

    private func set(_ option: CURLoption, _ value: String?) {
        if let value {
            _ = zt_curl_set_string(engine.library.calls, easy, option, value)
        } else {
            _ = zt_curl_set_pointer(engine.library.calls, easy, option, nil)
        }
    }

    private func configure(_ request: HTTPRequest) {
        let calls = engine.library.calls
        let options = request.options
        zt_curl_set_protocols(calls, easy)
        zt_curl_set_quick_exit(calls, easy)
        set(CURLOPT_NOSIGNAL, 1)
        // Redirects are followed by `CurlTransfer`, as what is sent depends on the server.
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        set(CURLOPT_TCP_KEEPALIVE, 1)
        set(CURLOPT_BUFFERSIZE, 64 * 1024)
        set(CURLOPT_CONNECTTIMEOUT_MS, CurlHandle.milliseconds(options.timeouts.connect))
        if options.allowsUntrustedCertificates {
            set(CURLOPT_SSL_VERIFYPEER, 0)
            set(CURLOPT_SSL_VERIFYHOST, 0)
        }
        if let range = request.range { set(CURLOPT_RANGE, "\(range.first)-\(range.last.map(String.init) ?? "")") }
        // "": whatever this libcurl can undo. Without it a server is told that compressing is no use.
        set(CURLOPT_ACCEPT_ENCODING, request.acceptsCompression ? "" : "identity")
        set(CURLOPT_USERAGENT, options.userAgent ?? HTTPOptions.defaultUserAgent)
        _ = zt_curl_set_list(calls, easy, CURLOPT_HTTP200ALIASES, engine.aliases)
        _ = zt_curl_set_pointer(calls, easy, CURLOPT_ERRORBUFFER, message)
    }

    /// The callbacks, which libcurl calls on the loop, from within the engine's calls.
    private func connect(_ transfer: CurlTransfer) {
        let calls = engine.library.calls
        let target = Unmanaged.passUnretained(transfer).toOpaque()
        _ = zt_curl_set_pointer(calls, easy, CURLOPT_PRIVATE, target)
        _ = zt_curl_set_pointer(calls, easy, CURLOPT_WRITEDATA, target)
        _ = zt_curl_set_pointer(calls, easy, CURLOPT_HEADERDATA, target)
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
            }, target)
    }

    /// Sets what depends on the server that is asked: the URL, and what of the source's credentials it gets.
    /// - Parameters:
    ///   - timeLeft: nanoseconds for what is left of the transfer; nil: as long as bytes come.
    ///   - wantsTitles: an internet radio is asked for the titles of what it plays.
    func address(
        _ url: URL, _ credentials: HTTPCredentials, _ options: HTTPOptions, timeLeft: Int64?, wantsTitles: Bool
    ) {
        set(CURLOPT_URL, (url.withoutLogin ?? url).absoluteString)
        set(CURLOPT_USERNAME, credentials.login?.user)
        set(CURLOPT_PASSWORD, credentials.login?.password)
        if let timeLeft { set(CURLOPT_TIMEOUT_MS, CurlHandle.milliseconds(max(1_000_000, timeLeft))) }
        setHeaders(credentials, wantsTitles: wantsTitles)
        setCookies(url, credentials, options)
    }

    private func setHeaders(_ credentials: HTTPCredentials, wantsTitles: Bool) {
        let calls = engine.library.calls
        var lines = credentials.headers.map { name, value in
            // An empty value needs libcurl's semicolon: with a colon alone the header would be left out.
            value.isEmpty ? "\(name);" : "\(name): \(value)"
        }
        if wantsTitles { lines.append("Icy-MetaData: 1") }
        _ = zt_curl_set_list(calls, easy, CURLOPT_HTTPHEADER, nil)
        if let headerList { engine.library.functions.slist_free_all(headerList) }
        headerList = nil
        for line in lines {
            if let longer = engine.library.functions.slist_append(headerList, line) { headerList = longer }
        }
        if headerList != nil { _ = zt_curl_set_list(calls, easy, CURLOPT_HTTPHEADER, headerList) }
    }

    private func setCookies(_ url: URL, _ credentials: HTTPCredentials, _ options: HTTPOptions) {
        let hasOwnCookies = credentials.headers.keys.contains { $0.lowercased() == "cookie" }
        _ = zt_curl_set_pointer(
            engine.library.calls, easy, CURLOPT_SHARE, engine.share(ownCookies: hasOwnCookies))
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

    // MARK: the transfer

    /// - Returns: false: libcurl has rejected it.
    func begin(_ transfer: CurlTransfer) -> Bool { engine.add(transfer, easy) }

    /// Takes it out of libcurl, so that it can begin again with another URL.
    func stop() { engine.remove(easy) }

    /// Bytes that libcurl holds back may be delivered within this very call.
    func setPaused(_ paused: Bool) {
        _ = engine.library.functions.easy_pause(easy, paused ? CURLPAUSE_RECV : CURLPAUSE_CONT)
    }

    // MARK: what it says

    /// Why it ended.
    func text(of code: CURLcode) -> String {
        let text = String(cString: message)
        if !text.isEmpty { return text }
        return engine.library.functions.easy_strerror(code).map { String(cString: $0) } ?? ""
    }

    /// The server's `Retry-After` from now on, seconds: seconds and dates alike (RFC 9110 §10.2.3).
    var retryAfter: Double {
        var seconds: curl_off_t = 0
        _ = zt_curl_get_offset(engine.library.calls, easy, CURLINFO_RETRY_AFTER, &seconds)
        return Double(max(0, seconds))
    }

    /// Of the body, bytes as they came over the wire.
    var downloaded: Int64 {
        var bytes: curl_off_t = 0
        _ = zt_curl_get_offset(engine.library.calls, easy, CURLINFO_SIZE_DOWNLOAD_T, &bytes)
        return Int64(bytes)
    }

    /// No new connection had to be made.
    var hasReusedConnection: Bool {
        var connections = 0
        _ = zt_curl_get_long(engine.library.calls, easy, CURLINFO_NUM_CONNECTS, &connections)
        return connections == 0
    }

    private static func milliseconds(_ ns: Int64) -> Int { Int(min(max(1, ns / 1_000_000), Int64(Int32.max))) }
}
