import Downloads
import Foundation
import MediaCore
import Synchronization

/// A run of downloads. It ends when all downloads have ended or wait for the user, or on Ctrl-C.
@MainActor final class DownloadRun {
    private let library: DownloadLibrary
    private let downloads: [Download]
    private let reporter: any DownloadReporter
    private var failure: (any Error)?
    private let signals = PendingSignal()

    /// A signal that the signal thread passes to the run.
    private final class PendingSignal: Sendable {
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

    /// Runs the downloads until they have settled.
    /// - Throws: The reason why a download is not finished, or the signal that interrupted the run. On a signal, all
    ///   downloads are paused first.
    func run() async throws {
        let signals = signals
        ExitSignals.setHandler { signals.take($0) }
        defer { ExitSignals.setHandler(nil) }
        let ids = Set(downloads.map(\.id))
        library.onNote { [weak self] id, note in
            guard ids.contains(id) else { return }
            Task { @MainActor [weak self] in self?.note("\(note.location): \(note.reason)") }
        }
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

    /// Reports the downloads until all have settled.
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
        case .cancelled: fail(ToolFailure(.failed, "\(download.url.location): another program removed the download."))
        case .paused:
            fail(
                ToolFailure(
                    .failed,
                    "\(download.url.location): another program paused the download. Resume it with `\(library.command("resume \(download.shortID)"))`."
                ))
        default: break
        }
    }

    /// Records the first error, which `run()` throws at its end, and prints later ones.
    private func fail(_ error: any Error) {
        guard failure != nil else {
            failure = error
            return
        }
        note(ToolFailure(error).message)
    }

    /// Runs `body`. If it can't write a report, the run ends as with Ctrl-C.
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

    private func note(_ text: String) {
        reporter.ended()
        Console.note(text)
    }

    private func interrupted(by signal: Int32) async -> any Error {
        var pauseError: (any Error)?
        for download in downloads where !download.state.isSettled {
            do throws(DownloadError) { try await download.pause() } catch { pauseError = error }
        }
        // All data must be on the disk before the message confirms it.
        await library.close()
        reporter.ended()
        if signal == 0, let failure { return failure }
        if let pauseError { return pauseError }
        let bytes = downloads.reduce(Int64(0)) { $0 + $1.progress.bytes }
        // If there is only one download, the message names it, so that the command can be copied.
        let name = downloads.count == 1 ? downloads[0].shortID : "ID"
        return ToolFailure(
            .signal(signal),
            "Interrupted. The \(Formatting.bytes(bytes)) downloaded so far are kept. To resume, run the same command again. To delete the data, run `\(library.command("remove \(name)"))`."
        )
    }
}
