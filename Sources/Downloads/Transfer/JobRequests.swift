import Foundation
import Streaming

/// The requests of a download during planning: playlists, and the beginning of a resource. Keeps the credentials of its
/// servers in memory, because they must not be stored.
@DownloadActor
final class JobRequests {
    private let loop: any NetworkLoop
    private(set) var credentials = DownloadCredentials()
    /// The running requests. A request that is not in this dictionary was canceled.
    private var loads: [Int: any HTTPTask] = [:]
    private var lastNumber = 0

    init(loop: any NetworkLoop) { self.loop = loop }

    // MARK: credentials

    func use(_ credentials: DownloadCredentials) { self.credentials = credentials }
    /// Keeps the credentials in `options`, and removes them from `options`, which may then be stored.
    func take(from options: inout DownloadOptions) { credentials.take(from: &options) }
    /// Keeps the user name and password of a URL.
    ///
    /// - Returns: The URL without them.
    func take(from url: URL) -> URL { credentials.take(from: url) }

    /// Returns the options of a download, including headers that are not stored.
    func options(of row: DownloadRow) -> DownloadOptions {
        var options = row.options
        options.network.headers.merge(credentials.headers) { $1 }
        return options
    }

    func httpOptions(of row: DownloadRow) -> HTTPOptions {
        var options = HTTPOptions()
        options.headers = self.options(of: row).network.headers
        options.origin = HTTPOrigin(credentials.authorized(row.url))
        options.sharesCredentials = row.options.network.sharesCredentials
        options.userAgent = row.options.network.userAgent
        options.allowsUntrustedCertificates = row.options.network.allowsUntrustedCertificates
        return options
    }

    // MARK: requests

    /// Loads an entire playlist. The limit of 32 MiB applies to the decompressed size, so that a small response cannot
    /// fill the memory.
    func text(
        _ url: URL, for row: DownloadRow,
        _ done: @escaping @DownloadActor (Result<(bytes: [UInt8], url: URL), HTTPError>) -> Void
    ) {
        var request = HTTPRequest(
            url: credentials.authorized(url), options: httpOptions(of: row), limit: 32 << 20, acceptsCompression: true)
        request.isBackground = true
        let number = next()
        loads[number] = loop.load(request) { [weak self] result in
            DownloadActor.enqueue { [weak self] in
                guard let self, self.removeIfRunning(number) else { return }
                done(result.map { self.withoutCredentials(Array($0.data), $0.response.url) })
            }
        }
    }

    /// Loads the first 4,096 bytes of the download's own resource, or an entire playlist, with the response. Reads no
    /// more than was requested, even if the server sends more.
    func beginning(
        of row: DownloadRow, isPlaylist: Bool,
        _ done: @escaping @DownloadActor (Result<(bytes: [UInt8], response: HTTPResponse), HTTPError>) -> Void
    ) {
        var request = HTTPRequest(
            url: credentials.authorized(row.url), options: httpOptions(of: row), acceptsCompression: isPlaylist)
        // These bytes are enough to recognize a playlist. The response contains the size of the resource.
        if !isPlaylist { request.range = (0, 4095) }
        request.isBackground = true
        let number = next()
        loads[number] = SmallLoadTask(loop: loop, request: request) { [weak self] result in
            DownloadActor.enqueue { [weak self] in
                guard let self, self.removeIfRunning(number) else { return }
                done(
                    result.map { bytes, response in
                        var response = response
                        let (bytes, url) = self.withoutCredentials(bytes, response.url)
                        response.url = url
                        return (bytes, response)
                    })
            }
        }
    }

    /// Cancels all requests. Their closures are not called.
    func cancel() {
        for load in loads.values { load.cancel() }
        loads = [:]
    }

    private func next() -> Int {
        lastNumber += 1
        return lastNumber
    }

    private func removeIfRunning(_ number: Int) -> Bool { loads.removeValue(forKey: number) != nil }

    /// Removes the user names and passwords from a URL and a playlist, because both are stored. Keeps the credentials
    /// for their servers.
    private func withoutCredentials(_ bytes: [UInt8], _ url: URL) -> (bytes: [UInt8], url: URL) {
        let url = credentials.take(from: url)
        guard bytes.starts(with: Array("#EXTM3U".utf8)) || bytes.starts(with: [0xEF, 0xBB, 0xBF]),
            bytes.contains(UInt8(ascii: "@"))
        else { return (bytes, url) }
        return (Array(credentials.take(from: String(decoding: bytes, as: UTF8.self)).utf8), url)
    }
}
