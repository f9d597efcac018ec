import Synchronization
import Zoetrope

/// The images of the process, in memory: the most recently used ones, at most 500 images and 500 MiB. Any thread.
public actor ArtworkCache {
    static let shared = ArtworkCache()
    /// The maximum size of an image, in bytes. A larger image is an error.
    public static let largestPicture = 32 << 20
    private let most: Int, mostBytes: Int

    private struct CachedImage {
        let data: Data
        var used: UInt64
    }
    private var images: [URL: CachedImage] = [:]
    private var running: [URL: Task<Data, any Error>] = [:]
    private(set) var bytes = 0
    private var uses: UInt64 = 0
    /// The number of images that were loaded.
    private(set) var fetches = 0
    var count: Int { images.count }

    init(most: Int = 500, mostBytes: Int = 500 << 20) { (self.most, self.mostBytes) = (most, mostBytes) }

    func data(for url: URL) async throws -> Data {
        uses += 1
        if let known = images[url] {
            images[url]?.used = uses
            return known.data
        }
        // A second request for an image that is being loaded waits for the same load.
        if let running = running[url] { return try await running.value }
        fetches += 1
        let task = Task { try await ArtworkFetch.data(url) }
        running[url] = task
        defer { running[url] = nil }
        let data = try await task.value
        keep(data, for: url)
        return data
    }

    private func keep(_ data: Data, for url: URL) {
        guard data.count <= mostBytes, images[url] == nil else { return }
        uses += 1
        images[url] = CachedImage(data: data, used: uses)
        bytes += data.count
        while images.count > most || bytes > mostBytes, let oldest = images.min(by: { $0.value.used < $1.value.used }) {
            bytes -= oldest.value.data.count
            images[oldest.key] = nil
        }
    }
}

/// The functions that load one image.
private enum ArtworkFetch {
    static func data(_ url: URL) async throws -> Data {
        switch url.scheme?.lowercased() {
        case "file": try file(url)
        case "http", "https": try await download(url)
        default: throw ArtworkError.unsupportedScheme(url)
        }
    }

    /// Returns the data of a file.
    /// - Parameters:
    ///   - url: The file.
    ///   - source: The URL to name in an error; nil for that of the file.
    private static func file(_ url: URL, of source: URL? = nil) throws -> Data {
        guard let size = try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int else {
            throw PlayerError.notAvailable
        }
        guard size <= ArtworkCache.largestPicture else { throw ArtworkError.tooLarge(source ?? url) }
        return try Data(contentsOf: url)
    }

    /// Downloads an image to a file, so that an endless response does not fill the memory. The download is canceled
    /// when it exceeds the maximum size of an image.
    private static func download(_ url: URL) async throws -> Data {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("zt-artwork-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let holder = TaskHolder()
        let watch = Task {
            while !Task.isCancelled {
                try await Task.sleep(nanoseconds: 50_000_000)
                if holder.received > Int64(ArtworkCache.largestPicture) { return holder.cancelAsTooLarge() }
            }
        }
        defer { watch.cancel() }
        do {
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                    holder.start(
                        URLSession.shared.downloadTask(with: url) { location, response, error in
                            continuation.resume(
                                with: Result {
                                    if let error { throw error }
                                    if let status = (response as? HTTPURLResponse)?.statusCode,
                                        !(200...299).contains(status)
                                    {
                                        throw ArtworkError.status(status, url)
                                    }
                                    guard let location else { throw PlayerError.notAvailable }
                                    // The session deletes its file when this closure returns.
                                    try FileManager.default.moveItem(at: location, to: file)
                                })
                        })
                }
            } onCancel: {
                holder.cancel()
            }
        } catch {
            throw holder.isTooLarge ? ArtworkError.tooLarge(url) : error
        }
        return try self.file(file, of: url)
    }
}

/// A download that another thread may cancel.
private final class TaskHolder: Sendable {
    private struct State {
        var task: URLSessionDownloadTask?
        var wasCancelled = false, isTooLarge = false
    }
    private let state = Mutex(State())

    func start(_ task: URLSessionDownloadTask) {
        state.withLock { state in
            state.task = task
            task.resume()
            if state.wasCancelled { task.cancel() }
        }
    }
    func cancel() {
        state.withLock { state in
            state.wasCancelled = true
            state.task?.cancel()
        }
    }
    func cancelAsTooLarge() {
        state.withLock { state in
            state.isTooLarge = true
            state.task?.cancel()
        }
    }
    var isTooLarge: Bool { state.withLock { $0.isTooLarge } }
    var received: Int64 { state.withLock { $0.task?.countOfBytesReceived ?? 0 } }
}
