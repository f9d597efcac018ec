import Foundation
import MediaCore
import Streaming

/// What a download requests while it plans: playlists, and the beginning of a resource. Keeps the credentials of its
/// servers, which live as long as the process: nothing that is stored may contain them.
@DownloadActor
final class JobRequests {
    private let loop: any NetworkLoop
    private(set) var credentials = DownloadCredentials()
    /// Whoever is not in here any more was cancelled.
    private var loads: [Int: any HTTPTask] = [:]
    private var last = 0

    init(loop: any NetworkLoop) { self.loop = loop }

    // MARK: credentials

    func use(_ credentials: DownloadCredentials) { self.credentials = credentials }
    /// Remembers the credentials in `options`, which are then fit to be stored.
    func take(from options: inout DownloadOptions) { credentials.take(from: &options) }
    /// - Returns: the URL without its name and password, which are remembered.
    func take(from url: URL) -> URL { credentials.take(from: url) }

    /// The options of a download, with the headers that are not stored.
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

    /// A playlist, whole. `limit`: what a bomb of gzip unfolds to is counted.
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
                guard let self, self.isOver(number) else { return }
                done(result.map { self.withoutCredentials(Array($0.data), $0.response.url) })
            }
        }
    }

    /// The beginning of the download's own resource, and what was said of it. Not more is read than was requested,
    /// whatever the server sends.
    func beginning(
        of row: DownloadRow, isPlaylist: Bool,
        _ done: @escaping @DownloadActor (Result<(bytes: [UInt8], response: HTTPResponse), HTTPError>) -> Void
    ) {
        var request = HTTPRequest(
            url: credentials.authorized(row.url), options: httpOptions(of: row), acceptsCompression: isPlaylist)
        // Enough to tell a playlist, and what a server says of the whole.
        if !isPlaylist { request.range = (0, 4095) }
        request.isBackground = true
        let number = next()
        loads[number] = SmallLoadTask(loop: loop, request: request) { [weak self] result in
            DownloadActor.enqueue { [weak self] in
                guard let self, self.isOver(number) else { return }
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

    /// Nothing that was requested before is reported.
    func cancel() {
        for load in loads.values { load.cancel() }
        loads = [:]
    }

    private func next() -> Int {
        last += 1
        return last
    }

    private func isOver(_ number: Int) -> Bool { loads.removeValue(forKey: number) != nil }

    /// What a server has sent is kept, and must not have a password in it: those of its URLs are remembered for their
    /// servers, and are in no URL from here on.
    private func withoutCredentials(_ bytes: [UInt8], _ url: URL) -> (bytes: [UInt8], url: URL) {
        let url = credentials.take(from: url)
        guard bytes.starts(with: Array("#EXTM3U".utf8)) || bytes.starts(with: [0xEF, 0xBB, 0xBF]),
            bytes.contains(UInt8(ascii: "@"))
        else { return (bytes, url) }
        return (Array(credentials.take(from: String(decoding: bytes, as: UTF8.self)).utf8), url)
    }
}
