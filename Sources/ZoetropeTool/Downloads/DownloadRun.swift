import Downloads
import Foundation
import MediaCore
import Synchronization

/// Downloads on their way, until nothing more happens by itself, or somebody presses Ctrl-C.
@MainActor final class DownloadRun {
    private let library: DownloadLibrary
    private let downloads: [Download]
    private let reporter: any DownloadReporter
    private var failure: (any Error)?
    private let signals = Pending()

    /// A signal taken on its own thread.
    private final class Pending: Sendable {
        private let state = Mutex<(signal: Int32?, waiting: AsyncStream<Int32>.Continuation?)>((nil, nil))

        func take(_ number: Int32) {
            state.withLock { state in
                state.signal = number
                state.waiting?.yield(number)
            }
        }
        var first: AsyncStream<Int32> {
            AsyncStream { continuation in
                state.withLock { state in
                    state.waiting = continuation
                    if let signal = state.signal { continuation.yield(signal) }
                }
            }
        }
    }

    init(_ library: DownloadLibrary, _ downloads: [Download], _ reporter: any DownloadReporter) {
        self.library = library
        self.downloads = downloads
        self.reporter = reporter
    }

    /// - Throws: why one of them is not finished; the signal that interrupted it, by then everything is paused.
    func run() async throws {
        let signals = signals
        Signals.setHandler { signals.take($0) }
        defer { Signals.setHandler(nil) }
        let signal = await withTaskGroup(of: Int32?.self) { group in
            group.addTask {
                for await number in signals.first { return number }
                return nil
            }
            group.addTask { await self.follow() }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        if let signal { throw await interrupted(by: signal) }
        reporter.ended()
        if let failure { throw failure }
    }

    /// Returns when all have settled.
    private func follow() async -> Int32? {
        let watches = downloads.map { download in
            Task { @MainActor in
                for await state in download.states {
                    self.changed(download, state)
                    if state.isSettled { return }
                }
            }
        }
        let period = UInt64(reporter.period * 1e9)
        let ticker = Task { @MainActor in
            while !Task.isCancelled {
                self.attempt { try self.reporter.progressed(self.downloads) }
                try? await Task.sleep(nanoseconds: period)
            }
        }
        await withTaskCancellationHandler {
            for watch in watches { await watch.value }
        } onCancel: {
            for watch in watches { watch.cancel() }
        }
        ticker.cancel()
        return nil
    }

    private func changed(_ download: Download, _ state: DownloadState) {
        attempt { try reporter.changed(download) }
        switch state {
        case .failed(let error): fail(ToolFailure(.failed, "\(error)", isReported: reporter is JSONReporter))
        case .cancelled: fail(ToolFailure(.failed, "\(download.url.location): was removed by another program"))
        case .paused:
            fail(
                ToolFailure(
                    .failed,
                    "\(download.url.location): was paused by another program. `zoetrope downloads resume \(download.shortID)` goes on with it"
                ))
        default: break
        }
    }

    /// The first one is what the process ends with; others are told.
    private func fail(_ error: any Error) {
        guard failure != nil else {
            failure = error
            return
        }
        reporter.ended()
        Console.note(ToolFailure(error).message)
    }

    /// Whoever cannot be told any more ends it, as Ctrl-C does.
    private func attempt(_ body: () throws -> Void) {
        do { try body() } catch {
            let failed = ToolFailure(error)
            if case .signal(let number) = failed.kind {
                signals.take(number)
            } else {
                if failure == nil { failure = error }
                signals.take(0)
            }
        }
    }

    private func interrupted(by signal: Int32) async -> any Error {
        var trouble: (any Error)?
        for download in downloads where !download.state.isSettled {
            do throws(DownloadError) { try await download.pause() } catch { trouble = error }
        }
        // What it was doing is over and on the disk before anybody is told so.
        await library.close()
        reporter.ended()
        if signal == 0, let failure { return failure }
        if let trouble { return trouble }
        let bytes = downloads.reduce(Int64(0)) { $0 + $1.progress.bytes }
        return ToolFailure(
            .signal(signal),
            "interrupted; \(Words.bytes(bytes)) have come and stay. The same command goes on with it, `zoetrope downloads remove` drops it"
        )
    }
}
