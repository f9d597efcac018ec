import CCurl
import Foundation

/// The libcurl resources of one request: the easy handle with its options, the list of headers, and the error text.
///
/// Call `close()` exactly once to release them, but not from within one of libcurl's callbacks.
@NetworkActor
final class CurlHandle {
    private let engine: CurlEngine
    private let easy: UnsafeMutableRawPointer
    private var headerList: UnsafeMutablePointer<curl_slist>?
    private let message: UnsafeMutablePointer<CChar>

    /// Creates a handle for `request`. Returns nil if there is not enough memory.
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
        // `CurlTransfer` follows redirects itself, because credentials and cookies depend on the server.
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
        // An empty string offers all encodings that this libcurl supports. "identity" requests no compression.
        set(CURLOPT_ACCEPT_ENCODING, request.acceptsCompression ? "" : "identity")
        set(CURLOPT_USERAGENT, options.userAgent ?? HTTPOptions.defaultUserAgent)
        _ = zt_curl_set_list(calls, easy, CURLOPT_HTTP200ALIASES, engine.aliases)
        _ = zt_curl_set_pointer(calls, easy, CURLOPT_ERRORBUFFER, message)
    }

    /// Registers the callbacks. libcurl calls them on the network loop, during calls of `CurlEngine`.
    private func connect(_ transfer: CurlTransfer) {
        let calls = engine.library.calls
        let userData = Unmanaged.passUnretained(transfer).toOpaque()
        _ = zt_curl_set_pointer(calls, easy, CURLOPT_PRIVATE, userData)
        _ = zt_curl_set_pointer(calls, easy, CURLOPT_WRITEDATA, userData)
        _ = zt_curl_set_pointer(calls, easy, CURLOPT_HEADERDATA, userData)
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
            }, userData)
    }

    /// Sets the options that depend on the server: the URL, and the credentials that this server may receive.
    /// - Parameters:
    ///   - timeLeft: The time left for the whole transfer, in nanoseconds. nil sets no limit.
    ///   - wantsTitles: Whether to request the titles of an internet radio.
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
            // libcurl sends a header with an empty value only if its name ends in a semicolon; with a colon it omits
            // the header.
            value.isEmpty ? "\(name);" : "\(name): \(value)"
        }
        if wantsTitles { lines.append("Icy-MetaData: 1") }
        _ = zt_curl_set_list(calls, easy, CURLOPT_HTTPHEADER, nil)
        if let headerList { engine.library.functions.slist_free_all(headerList) }
        headerList = nil
        for line in lines {
            if let extendedList = engine.library.functions.slist_append(headerList, line) { headerList = extendedList }
        }
        if headerList != nil { _ = zt_curl_set_list(calls, easy, CURLOPT_HTTPHEADER, headerList) }
    }

    private func setCookies(_ url: URL, _ credentials: HTTPCredentials, _ options: HTTPOptions) {
        let hasOwnCookies = credentials.headers.keys.contains { $0.lowercased() == "cookie" }
        _ = zt_curl_set_pointer(
            engine.library.calls, easy, CURLOPT_SHARE, engine.share(ownCookies: hasOwnCookies))
        var cookies: [String] = []
        if !hasOwnCookies {
            set(CURLOPT_COOKIEFILE, "")  // An empty file name enables cookies without a file.
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

    /// Adds the handle to libcurl, which starts the request.
    /// - Returns: Whether libcurl accepted the handle.
    func begin(_ transfer: CurlTransfer) -> Bool { engine.add(transfer, easy) }

    /// Removes the handle from libcurl, so that the request can start again with another URL.
    func stop() { engine.remove(easy) }

    /// Pauses or resumes the transfer. On resuming, libcurl may deliver bytes that it holds before this call returns.
    func setPaused(_ paused: Bool) {
        _ = engine.library.functions.easy_pause(easy, paused ? CURLPAUSE_RECV : CURLPAUSE_CONT)
    }

    // MARK: results

    /// Returns the reason for a failure: libcurl's message for this request, or its general text for `code`.
    func text(of code: CURLcode) -> String {
        let text = String(cString: message)
        if !text.isEmpty { return text }
        return engine.library.functions.easy_strerror(code).map { String(cString: $0) } ?? ""
    }

    /// The delay that the server requests with `Retry-After`, in seconds from now. libcurl converts dates to seconds
    /// (RFC 9110 §10.2.3).
    var retryAfter: Double {
        var seconds: curl_off_t = 0
        _ = zt_curl_get_offset(engine.library.calls, easy, CURLINFO_RETRY_AFTER, &seconds)
        return Double(max(0, seconds))
    }

    /// The number of body bytes received over the network, before decompression.
    var downloaded: Int64 {
        var bytes: curl_off_t = 0
        _ = zt_curl_get_offset(engine.library.calls, easy, CURLINFO_SIZE_DOWNLOAD_T, &bytes)
        return Int64(bytes)
    }

    /// Whether the transfer used only existing connections.
    var hasReusedConnection: Bool {
        var connections = 0
        _ = zt_curl_get_long(engine.library.calls, easy, CURLINFO_NUM_CONNECTS, &connections)
        return connections == 0
    }

    private static func milliseconds(_ ns: Int64) -> Int { Int(min(max(1, ns / 1_000_000), Int64(Int32.max))) }
}
