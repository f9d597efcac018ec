import CCurl

/// The owner of libcurl's multi handle, of the cookies that requests share, and of the running transfers.
@NetworkActor
final class CurlEngine {
    let library: CurlLibrary
    let priority: LinkPriority
    private let multi: UnsafeMutableRawPointer
    private let sockets: CurlSockets
    /// The libcurl share handle for TLS sessions and cookies. Requests that bring their own cookies use
    /// `shareWithoutCookies`, which shares TLS sessions only.
    private let shareWithCookies: UnsafeMutableRawPointer?
    private let shareWithoutCookies: UnsafeMutableRawPointer?
    private var transfers: [UnsafeMutableRawPointer: CurlTransfer] = [:]
    /// The cookies of apps that are already in the cookie jar. Each is added only once, so that it does not overwrite a
    /// later value from the server.
    private var presetCookies: Set<HTTPCookieValue> = []
    /// The status line of SHOUTcast servers, which libcurl must accept in place of `HTTP/1.0 200 OK`.
    let aliases: UnsafeMutablePointer<curl_slist>?

    init?(library: CurlLibrary, wakeDescriptor: Int32, loop: any NetworkLoop) {
        let curl = library.functions
        guard let multi = curl.multi_init() else { return nil }
        self.library = library
        priority = LinkPriority(loop: loop)
        self.multi = multi
        sockets = CurlSockets(wakeDescriptor: wakeDescriptor)
        aliases = curl.slist_append(nil, "ICY 200 OK")
        shareWithCookies = curl.share_init()
        shareWithoutCookies = curl.share_init()
        _ = zt_curl_share(library.calls, shareWithCookies, CURL_LOCK_DATA_SSL_SESSION)
        _ = zt_curl_share(library.calls, shareWithCookies, CURL_LOCK_DATA_COOKIE)
        _ = zt_curl_share(library.calls, shareWithoutCookies, CURL_LOCK_DATA_SSL_SESSION)
        _ = zt_curl_multi_set_long(library.calls, multi, CURLMOPT_MAXCONNECTS, 16)
        // The engine lives as long as the process.
        let user = Unmanaged.passRetained(sockets).toOpaque()
        zt_curl_multi_watch(
            library.calls, multi,
            { _, socket, what, user, _ in
                CurlEngine.withSockets(user) { $0.watch(socket, for: what) }
                return 0
            },
            { _, milliseconds, user in
                CurlEngine.withSockets(user) { $0.setTimer(milliseconds: milliseconds) }
                return 0
            }, user)
    }

    /// Calls `body` in one of libcurl's callbacks, which are on the loop.
    private nonisolated static func withSockets(
        _ user: UnsafeMutableRawPointer?, _ body: @NetworkActor (CurlSockets) -> Void
    ) {
        guard let user else { return }
        let sockets = Unmanaged<CurlSockets>.fromOpaque(user).takeUnretainedValue()
        NetworkActor.assumeIsolated { body(sockets) }
    }

    /// Whether at least one running transfer is not paused.
    var isReceiving: Bool { transfers.values.contains { !$0.isPaused } }

    func share(ownCookies: Bool) -> UnsafeMutableRawPointer? { ownCookies ? shareWithoutCookies : shareWithCookies }

    func isNew(_ cookie: HTTPCookieValue) -> Bool { presetCookies.insert(cookie).inserted }

    /// The cookies that a server has set or deleted, as pairs of host and name. An app's cookie of that name is no
    /// longer sent to that host.
    private var replacedCookies: Set<[String]> = []
    func replaceCookie(_ name: String, host: String) {
        if replacedCookies.count < 4096 { replacedCookies.insert([host, name]) }
    }
    func isReplaced(_ name: String, host: String) -> Bool { replacedCookies.contains([host, name]) }

    func add(_ transfer: CurlTransfer, _ easy: UnsafeMutableRawPointer) -> Bool {
        guard library.functions.multi_add_handle(multi, easy) == CURLM_OK else { return false }
        transfers[easy] = transfer
        return true
    }

    /// Removes the transfer of `easy` from libcurl. Must not be called from within one of libcurl's callbacks.
    func remove(_ easy: UnsafeMutableRawPointer) {
        guard transfers.removeValue(forKey: easy) != nil else { return }
        _ = library.functions.multi_remove_handle(multi, easy)
    }

    /// Advances all transfers as far as possible without waiting, and ends those that are complete.
    func advance() {
        guard !transfers.isEmpty else { return }
        var running: Int32 = 0
        for (socket, events) in sockets.ready() {
            _ = library.functions.multi_socket_action(multi, socket, events, &running)
        }
        if sockets.takeTimer() { _ = library.functions.multi_socket_action(multi, CURL_SOCKET_BAD, 0, &running) }
        var left: Int32 = 0
        while let message = library.functions.multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else { continue }
            // libcurl frees the message when the handle is removed, so the result is read first.
            let code = zt_curl_message_result(message)
            transfers[easy]?.ended(code)
        }
    }

    /// Waits until a socket is ready, another thread wakes the loop, or the time is over.
    /// - Parameter milliseconds: The longest wait.
    /// - Returns: Whether another thread woke the loop.
    func wait(milliseconds: Int32) -> Bool { sockets.wait(milliseconds: milliseconds) }
}
