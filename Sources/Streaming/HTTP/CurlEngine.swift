import CCurl
import MediaCore

/// libcurl's multi handle, its shared cookies, and the transfers in it.
@NetworkActor
final class CurlEngine {
    let library: CurlLibrary
    let priority: LinkPriority
    private let multi: UnsafeMutableRawPointer
    private let wakeDescriptor: Int32
    /// TLS sessions and cookies; for a request with cookies of its own, TLS sessions alone.
    private let shareWithCookies: UnsafeMutableRawPointer?
    private let shareWithoutCookies: UnsafeMutableRawPointer?
    private var transfers: [UnsafeMutableRawPointer: CurlTransfer] = [:]
    /// Cookies that apps have set beforehand are put into the jar once: what a server makes of them later stands.
    private var presetCookies: Set<HTTPCookieValue> = []
    /// What SHOUTcast servers begin their answers with in place of `HTTP/1.0 200 OK`.
    let aliases: UnsafeMutablePointer<curl_slist>?

    init?(library: CurlLibrary, wakeDescriptor: Int32, loop: any NetworkLoop) {
        let curl = library.functions
        guard let multi = curl.multi_init() else { return nil }
        self.library = library
        priority = LinkPriority(loop: loop)
        self.multi = multi
        self.wakeDescriptor = wakeDescriptor
        aliases = curl.slist_append(nil, "ICY 200 OK")
        shareWithCookies = curl.share_init()
        shareWithoutCookies = curl.share_init()
        _ = zt_curl_share(library.calls, shareWithCookies, CURL_LOCK_DATA_SSL_SESSION)
        _ = zt_curl_share(library.calls, shareWithCookies, CURL_LOCK_DATA_COOKIE)
        _ = zt_curl_share(library.calls, shareWithoutCookies, CURL_LOCK_DATA_SSL_SESSION)
        _ = zt_curl_multi_set_long(library.calls, multi, CURLMOPT_MAXCONNECTS, 16)
    }

    var isBusy: Bool { !transfers.isEmpty }
    /// Whether a transfer is under way whose receiver has not paused it.
    var isReceiving: Bool { transfers.values.contains { !$0.isPaused } }

    func share(ownCookies: Bool) -> UnsafeMutableRawPointer? { ownCookies ? shareWithoutCookies : shareWithCookies }

    func isNew(_ cookie: HTTPCookieValue) -> Bool { presetCookies.insert(cookie).inserted }

    /// Cookies that a server has set or deleted: what a user has given under that name is no longer sent to that host.
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

    /// Not from within one of libcurl's callbacks.
    func remove(_ easy: UnsafeMutableRawPointer) {
        guard transfers.removeValue(forKey: easy) != nil else { return }
        _ = library.functions.multi_remove_handle(multi, easy)
    }

    /// Does what can be done without waiting, and ends what is done.
    func advance() {
        guard isBusy else { return }
        var running: Int32 = 0
        _ = library.functions.multi_perform(multi, &running)
        var left: Int32 = 0
        while let message = library.functions.multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE, let easy = message.pointee.easy_handle else { continue }
            // The message is gone with the handle's removal.
            let code = zt_curl_message_result(message)
            transfers[easy]?.ended(code)
        }
    }

    /// - Returns: whether another thread woke it.
    func wait(milliseconds: Int32) -> Bool {
        var extra = curl_waitfd(fd: wakeDescriptor, events: Int16(CURL_WAIT_POLLIN), revents: 0)
        _ = library.functions.multi_poll(multi, &extra, 1, milliseconds, nil)
        return extra.revents != 0
    }
}
