import CCurl

/// The functions of libcurl, loaded once per process.
///
/// The GnuTLS build of libcurl is preferred, because libavformat has already loaded GnuTLS into the process.
final class CurlLibrary: @unchecked Sendable {
    // Unchecked because of `calls`. It holds function pointers that `init` writes once and that are never unloaded.
    let calls: UnsafePointer<zt_curl>

    /// The loaded library, or nil if libcurl is missing or lacks a function.
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
