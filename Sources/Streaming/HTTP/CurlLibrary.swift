import CCurl

/// libcurl's functions, loaded once a process.
///
/// Which libcurl: the GnuTLS build first, because libavformat has brought GnuTLS into the process already.
final class CurlLibrary: @unchecked Sendable {
    // Unchecked because of `calls`: addresses of functions, written once by `init`, never unloaded.
    let calls: UnsafePointer<zt_curl>

    /// Nil when there is no libcurl on this machine, or one from before 7.66 (2019).
    static let shared = CurlLibrary()

    private init?() {
        let calls = UnsafeMutablePointer<zt_curl>.allocate(capacity: 1)
        calls.initialize(to: zt_curl())
        guard zt_curl_load(calls) != 0, calls.pointee.global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK else {
            calls.deallocate()
            return nil
        }
        self.calls = UnsafePointer(calls)
    }

    var functions: zt_curl { calls.pointee }
}
