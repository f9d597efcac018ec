import Foundation
import Glibc
import MediaCore
import Synchronization

/// A request that is served from this machine: a `file:` or `data:` URL, or a resource with a local copy
/// (`LocalCopies`). It delivers pieces of 128 KiB, between the loop's other work.
@NetworkActor
final class LocalTransfer: HTTPTask {
    private let request: HTTPRequest
    private nonisolated let loop: any NetworkLoop
    private let copy: LocalCopy?
    private nonisolated let isCancelled = Atomic<Bool>(false)
    private var callbacks: HTTPCallbacks?
    private var isPaused = false
    private var stepIsDue = false

    private var file: Int32 = -1
    private var data = Data()
    private var position: Int64 = 0
    private var end: Int64 = 0
    private var started = HostTime(nanoseconds: 0)
    private var firstByte = HostTime(nanoseconds: 0)
    private var sent: Int64 = 0

    nonisolated init(_ request: HTTPRequest, _ callbacks: HTTPCallbacks, loop: any NetworkLoop, copy: LocalCopy? = nil)
    {
        self.request = request
        self.callbacks = callbacks
        self.loop = loop
        self.copy = copy
    }

    deinit { if file >= 0 { close(file) } }

    nonisolated func cancel() {
        isCancelled.store(true, ordering: .releasing)
        loop.perform { [self] in release() }
    }

    nonisolated func setPaused(_ paused: Bool) {
        loop.perform { [self] in
            isPaused = paused
            if !paused { stepSoon() }
        }
    }

    // MARK: on the loop

    func begin() {
        guard !isCancelled.load(ordering: .acquiring) else { return }
        started = loop.time
        switch open() {
        case .failure(let error): finish(.failure(error))
        case .success(let response):
            if let limit = request.limit, end - position > limit {
                return finish(
                    .failure(
                        HTTPError(
                            .tooLarge, url: request.url, reason: AVError.tooLong(limit, at: "").reason
                        )))
            }
            firstByte = loop.time
            callbacks?.onResponse(response)
            stepSoon()
        }
    }

    private func open() -> Result<HTTPResponse, HTTPError> {
        let whole: Int64
        var headers: [String: String] = ["accept-ranges": "bytes"]
        if let copy { return open(copy) }
        if request.url.scheme?.lowercased() == "data" {
            guard let (type, bytes) = DataURL.decode(request.url) else {
                return .failure(HTTPError(.unsupportedURL, url: request.url, reason: "the data: URL is not valid"))
            }
            data = bytes
            headers["content-type"] = type
            whole = Int64(bytes.count)
        } else if request.url.isFileURL {
            switch openFile(request.url) {
            case .failure(let error): return .failure(error)
            case .success(let size): whole = size
            }
        } else {
            return .failure(
                HTTPError(
                    .unsupportedURL, url: request.url,
                    reason: AVError.unsupportedScheme(request.url).reason))
        }
        end = whole
        guard let range = request.range else {
            return .success(
                HTTPResponse(
                    url: request.url, status: 200, headers: headers, contentLength: whole, wholeLength: whole,
                    acceptsRanges: true))
        }
        guard range.first >= 0, range.first < whole, range.last.map({ $0 >= range.first }) ?? true else {
            return .failure(
                HTTPError(
                    .status, url: request.url, status: 416,
                    reason: "the requested range begins at byte \(range.first), but the data has \(whole) bytes"))
        }
        position = range.first
        end = min(whole, (range.last ?? whole - 1) + 1)
        headers["content-range"] = "bytes \(position)-\(end - 1)/\(whole)"
        return .success(
            HTTPResponse(
                url: request.url, status: 206, headers: headers, contentLength: end - position,
                rangeStart: position, wholeLength: whole, acceptsRanges: true))
    }

    /// Opens a local copy, from the first requested byte to the last one, or to the end of the copy.
    private func open(_ copy: LocalCopy) -> Result<HTTPResponse, HTTPError> {
        switch copy.content {
        case .bytes(let bytes): data = bytes
        case .file(let url):
            switch openFile(url) {
            case .failure(let error): return .failure(error)
            case .success(let size) where size < copy.length:
                return .failure(
                    HTTPError(.truncated, url: url, reason: "the file has only \(size) of \(copy.length) bytes"))
            case .success: break
            }
        }
        let first = request.range?.first ?? copy.offset
        let last = request.range?.last ?? copy.offset.addingSaturating(copy.length - 1)
        guard first >= copy.offset, last >= first, last - copy.offset < copy.length else {
            return .failure(
                HTTPError(
                    .status, url: request.url, status: 416,
                    reason: "the local copy has no bytes from \(first) to \(last)"))
        }
        position = first - copy.offset
        end = last - copy.offset + 1
        let isPart = request.range != nil
        return .success(
            HTTPResponse(
                url: request.url, status: isPart ? 206 : 200, headers: ["accept-ranges": "bytes"],
                contentLength: end - position,
                rangeStart: isPart ? first : nil, wholeLength: isPart ? copy.whole : copy.length, acceptsRanges: true))
    }

    private func openFile(_ url: URL) -> Result<Int64, HTTPError> {
        guard let path = FilePath(url) else {
            return .failure(HTTPError(.fileNotFound, url: url, reason: "the file name is not valid"))
        }
        // Opened without blocking, because a named pipe without a writer must not stop the loop.
        file = path.withCString { Glibc.open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
        guard file >= 0 else {
            let code = errno
            let text = String(cString: strerror(code))
            let kind: HTTPError.Kind = code == ENOENT || code == ENOTDIR ? .fileNotFound : .fileUnreadable
            return .failure(HTTPError(kind, url: url, reason: kind == .fileNotFound ? "the file does not exist" : text))
        }
        var info = stat()
        guard fstat(file, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            return .failure(HTTPError(.fileUnreadable, url: url, reason: "the path is not a regular file"))
        }
        return .success(Int64(info.st_size))
    }

    private func stepSoon() {
        guard !stepIsDue, callbacks != nil else { return }
        stepIsDue = true
        loop.perform { [self] in
            stepIsDue = false
            step()
        }
    }

    private func step() {
        guard !isPaused, callbacks != nil, !isCancelled.load(ordering: .acquiring) else { return }
        let wanted = Int(min(end - position, 128 * 1024))
        guard wanted > 0 else {
            return finish(
                .success(
                    HTTPMetrics(
                        started: started, firstByte: firstByte, ended: loop.time, bytes: sent,
                        reusedConnection: true)))
        }
        if file >= 0 {
            let count = withUnsafeTemporaryAllocation(byteCount: wanted, alignment: 16) { buffer in
                let count = pread(file, buffer.baseAddress, wanted, off_t(position))
                if count > 0 { deliver(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
                return count
            }
            guard count > 0 else {
                return finish(
                    .failure(
                        HTTPError(
                            .truncated, url: request.url,
                            reason: count == 0
                                ? "the file became shorter while it was being read" : String(cString: strerror(errno))))
                )
            }
        } else {
            data.withUnsafeBytes {
                deliver(UnsafeRawBufferPointer(rebasing: $0[Int(position)..<Int(position) + wanted]))
            }
        }
        stepSoon()
    }

    private func deliver(_ bytes: UnsafeRawBufferPointer) {
        position += Int64(bytes.count)
        sent += Int64(bytes.count)
        callbacks?.onBytes(bytes)
    }

    private func finish(_ result: Result<HTTPMetrics, HTTPError>) {
        let onEnd = callbacks?.onEnd
        release()
        if !isCancelled.load(ordering: .acquiring) { onEnd?(result) }
    }

    private func release() {
        callbacks = nil
        if file >= 0 { close(file) }
        file = -1
        data = Data()
    }
}
