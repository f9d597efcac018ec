import Foundation
import MediaCore
import MediaEngine
import Synchronization
import TestSupport
import Testing

@testable import Export

@Suite("Failed and cancelled exports leave no file", .serialized)
struct ExportFailureTests {
    /// Returns the error of exporting `source` to `target`.
    private func failure(
        _ bench: ExportBench, _ source: URL, to target: URL, _ set: (AVAssetExportSession) -> Void = { _ in }
    ) async throws -> AVError {
        let session = AVAssetExportSession(asset: AVURLAsset(url: source))
        set(session)
        let error = await #expect(throws: AVError.self) { try await session.export(to: target) }
        #expect(session.status == (error?.code == .cancelled ? .cancelled : .failed))
        #expect(session.error as? AVError == error)
        return try #require(error)
    }

    @Test(
        "a source without readable video fails and leaves no file",
        arguments: [
            ("audio.flac", AVError.Code.noVideoTrack), ("audio-cover.m4a", .noVideoTrack),
            ("cover.png", .fileFormatNotRecognized), ("missing.mp4", .fileNotFound),
            ("garbage.mp4", .fileFormatNotRecognized),
        ])
    func sources(name: String, code: AVError.Code) async throws {
        let bench = try ExportBench()
        var source = bench.url(name)
        if name == "garbage.mp4" {
            var state: UInt32 = 7
            try Data(
                (0..<50_000).map { _ in
                    state = state &* 1_664_525 &+ 1_013_904_223
                    return UInt8(state >> 24)
                }
            ).write(to: source)
        } else if name != "missing.mp4" {
            source = try TestMedia.url(name)
        }
        for type in ["mp4", "gif"] {
            let error = try await failure(bench, source, to: bench.url("out.\(type)"))
            #expect(error.code == code, "\(error)")
            #expect(error.location == source.path)
        }
        #expect(bench.contents == (name == "garbage.mp4" ? [name] : []))
    }

    @Test(
        "audio that can't be decoded makes an export fail",
        arguments: [("unknown-audio.mp4", AVError.Code.decoderNotFound), ("garbage-audio.mkv", .decodeFailed)])
    func sound(name: String, code: AVError.Code) async throws {
        let bench = try ExportBench()
        let source = try BrokenTracks.url(name)
        // FLAC is copied into Matroska, but not into MP4.
        let error = try await failure(bench, source, to: bench.url("out.mp4"))
        #expect(error.code == code && error.location == source.path, "\(error)")
        try await AVAssetExportSession(asset: AVURLAsset(url: source)).export(to: bench.url("out.gif"))
        expectEqual(bench.contents, ["out.gif"])
    }

    /// An allowed export contains the available frames.
    @Test("a cut-off source fails unless truncated sources are allowed")
    func truncated() async throws {
        let bench = try ExportBench()
        let whole = try await bench.make(
            "whole.mp4", ["-i", TestMedia.url("counter.mp4").path, "-c", "copy", "-movflags", "+faststart"])
        let bytes = try Data(contentsOf: whole)
        let source = bench.url("cut.mp4")
        try bytes.prefix(bytes.count / 2).write(to: source)
        let before = bench.contents
        let error = try await failure(bench, source, to: bench.url("out.mp4"))
        #expect(
            error.code == .fileTruncated && error.location == source.path && !error.suggestion.isEmpty,
            "\(error)")
        #expect(bench.contents == before)
        let file = try await bench.export(source, to: "out.mp4") { $0.allowsTruncatedSource = true }
        let all = try await bench.numbers(whole)
        let written = try await bench.numbers(file)
        #expect(
            written.count > 10 && written.count < all.count && zip(written, written.dropFirst()).allSatisfy { $0 < $1 })
        // Among the last frames, those that are stored later in the file than they are displayed are missing.
        #expect(written.dropLast(5) == all.prefix(written.count - 5), "\(written.suffix(9)) of \(all.count)")
        try await bench.export(whole, to: "whole-out.mp4")
    }

    @Test("an existing file is replaced only on request, by a complete export")
    func existing() async throws {
        let bench = try ExportBench()
        let old = Data("old".utf8)
        let target = bench.url("out.mp4")
        try old.write(to: target)
        let source = try TestMedia.url("counter-video.mp4")
        expectEqual(try await failure(bench, source, to: target).code, .fileAlreadyExists)
        let broken = try await failure(bench, source, to: target) {
            $0.replacesExistingFile = true
            $0.composer = ClosureComposer { _, time, size in
                guard time.seconds < 1 else { throw AVError(.invalidArgument, at: "filter", reason: "gives up") }
                return try ClosureComposer.flat(size, [0, 0, 0], at: time)
            }
        }
        #expect(broken.code == .invalidArgument && broken.location == "filter")
        #expect(try Data(contentsOf: target) == old)
        #expect(bench.contents == ["out.mp4"])
        try await bench.export(source, to: "out.mp4") {
            $0.replacesExistingFile = true
            $0.timeRange = seconds(0, 0.2)
        }
        expectEqual(try await bench.times(target).count, 6)
        #expect(bench.contents == ["out.mp4"])
    }

    @Test("a file that appears during an export is not overwritten")
    func race() async throws {
        let bench = try ExportBench()
        let target = bench.url("out.mp4")
        let other = Data("other".utf8)
        let error = try await failure(bench, TestMedia.url("counter-video.mp4"), to: target) {
            $0.timeRange = seconds(0, 0.2)
            $0.composer = ClosureComposer { _, time, size in
                try other.write(to: target)
                return try ClosureComposer.flat(size, [0, 0, 0], at: time)
            }
        }
        #expect(error.code == .fileAlreadyExists)
        #expect(try Data(contentsOf: target) == other)
        #expect(bench.contents == ["out.mp4"])
    }

    @Test("a missing or protected folder and an unknown type are errors")
    func targets() async throws {
        let bench = try ExportBench()
        let source = try TestMedia.url("counter-video.mp4")
        try Data().write(to: bench.url("file"))
        let missing = try await failure(bench, source, to: bench.url("none/out.mp4"))
        #expect(missing.code == .writeFailed && missing.reason.contains("“\(bench.url("none").path)” does not exist"))
        expectEqual(try await failure(bench, source, to: bench.url("file/out.mp4")).code, .writeFailed)
        expectEqual(try await failure(bench, source, to: URL(fileURLWithPath: "/proc/zoetrope.mp4")).code, .writeFailed)
        expectEqual(try await failure(bench, source, to: bench.folder).code, .invalidArgument)
        expectEqual(try await failure(bench, source, to: bench.url("out.txt")).code, .invalidArgument)
        let folder = try await failure(bench, source, to: bench.folder) { $0.outputFileType = .mp4 }
        #expect(folder.code == .writeFailed)
        #expect(bench.contents == ["file"])
    }

    @Test("a full disk and a read-only disk are different errors")
    func words() {
        #expect(PartialFile.error(ENOSPC, at: "/x").code == .diskFull)
        #expect(PartialFile.error(EDQUOT, at: "/x").code == .diskFull)
        #expect(PartialFile.error(EROFS, at: "/x").code == .writeFailed)
        #expect(!PartialFile.error(ENOSPC, at: "/x").suggestion.isEmpty)
    }

    @Test(
        "a range without frames is an error",
        arguments: [
            seconds(100, 101), CMTimeRange(start: .zero, duration: .zero), .invalid,
            CMTimeRange(start: .indefinite, duration: .zero),
        ])
    func ranges(range: CMTimeRange) async throws {
        let bench = try ExportBench()
        #expect(
            try await failure(bench, TestMedia.url("counter-video.mp4"), to: bench.url("out.mp4")) {
                $0.timeRange = range
            }.code == .invalidArgument)
        #expect(bench.contents == [])
    }

    @Test("cancelling ends the export soon and deletes its output", arguments: ["mp4", "gif"])
    func cancel(type: String) async throws {
        let bench = try ExportBench()
        let counter = Counter()
        let error = try await failure(bench, TestMedia.url("counter.mp4"), to: bench.url("out.\(type)")) { session in
            session.maximumFrameRate = 50
            session.composer = ClosureComposer { [weak session] _, time, size in
                if counter.next() == 20 { session?.cancelExport() }
                return try ClosureComposer.flat(size, [9, 9, 9], at: time)
            }
        }
        #expect(error.code == .cancelled)
        #expect(counter.count < 60)
        #expect(bench.contents == [])
    }

    private final class Counter: Sendable {
        private let value = Mutex(0)
        func next() -> Int {
            value.withLock {
                $0 += 1
                return $0
            }
        }
        var count: Int { value.withLock { $0 } }
    }

    @Test("cancelling the task or an unstarted session cancels the export")
    func task() async throws {
        let bench = try ExportBench()
        let source = try TestMedia.url("counter.mp4")
        let session = AVAssetExportSession(asset: AVURLAsset(url: source))
        let begun = AsyncStream<Void>.makeStream()
        session.composer = ClosureComposer { _, time, size in
            begun.continuation.yield()
            return try ClosureComposer.flat(size, [9, 9, 9], at: time)
        }
        let target = bench.url("out.mp4")
        let task = Task { () async -> AVError? in
            do throws(AVError) { try await session.export(to: target) } catch { return error }
            return nil
        }
        for await _ in begun.stream { break }
        task.cancel()
        expectEqual(await task.value?.code, .cancelled)
        let early = AVAssetExportSession(asset: AVURLAsset(url: source))
        early.cancelExport()
        let error = await #expect(throws: AVError.self) { try await early.export(to: target) }
        #expect(error?.code == .cancelled)
        #expect(bench.contents == [])
    }

    @Test("a second call in a cancelled task does not cancel the export")
    func secondCall() async throws {
        let bench = try ExportBench()
        let session = AVAssetExportSession(asset: AVURLAsset(url: try TestMedia.url("counter-video.mp4")))
        session.timeRange = seconds(0, 0.2)
        let begun = AsyncStream<Void>.makeStream()
        let gate = DispatchSemaphore(value: 0)
        session.composer = ClosureComposer { _, time, size in
            begun.continuation.yield()
            gate.wait()
            gate.signal()
            return try ClosureComposer.flat(size, [9, 9, 9], at: time)
        }
        func export(to name: String, isCancelled: Bool) -> Task<AVError?, Never> {
            let target = bench.url(name)
            return Task {
                if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
                do throws(AVError) { try await session.export(to: target) } catch { return error }
                return nil
            }
        }
        let first = export(to: "out.mp4", isCancelled: false)
        for await _ in begun.stream { break }
        expectEqual(await export(to: "two.mp4", isCancelled: true).value?.code, .operationNotSupported)
        gate.signal()
        expectEqual(await first.value, nil)
        #expect(bench.contents == ["out.mp4"])
    }

    @Test("a session exports once; its progress reaches 1 and its states end")
    func progress() async throws {
        let bench = try ExportBench()
        let target = bench.url("out.mp4")
        let session = AVAssetExportSession(asset: AVURLAsset(url: try TestMedia.url("counter-video.mp4")))
        #expect(session.status == .unknown && session.progress == 0)
        let states = session.states(updateInterval: 0)
        let watching = Task { () -> (kinds: Set<String>, fractions: [Double]) in
            var kinds: Set<String> = []
            var fractions: [Double] = []
            for await state in states {
                switch state {
                case .pending: kinds.insert("pending")
                case .waiting: kinds.insert("waiting")
                case .exporting(let progress):
                    kinds.insert("exporting")
                    fractions.append(progress.fractionCompleted)
                }
            }
            return (kinds, fractions)
        }
        try await session.export(to: target)
        let seen = await watching.value
        #expect(seen.kinds.contains("exporting"))
        #expect(seen.fractions == seen.fractions.sorted() && (seen.fractions.last ?? 0) > 0.5)
        #expect(session.progress == 1 && session.status == .completed)
        #expect(session.exportProgress.frames == 300 && abs(session.exportProgress.time - 10) < 0.01)
        let again = await #expect(throws: AVError.self) { try await session.export(to: bench.url("two.mp4")) }
        #expect(again?.code == .operationNotSupported)
        #expect(bench.contents == ["out.mp4"])
        var after = session.states().makeAsyncIterator()
        #expect(await after.next() == nil)
    }

    @Test("states that are requested while an export starts arrive in order")
    func stateOrder() async {
        for _ in 0..<200 {
            let session = AVAssetExportSession(asset: AVURLAsset(url: URL(fileURLWithPath: "/nonexistent/film.mp4")))
            session.outputURL = URL(fileURLWithPath: "/nonexistent/out.mp4")
            let watching = Task.detached { () -> [Int] in
                var steps: [Int] = []
                for await state in session.states() {
                    switch state {
                    case .pending: steps.append(0)
                    case .waiting: steps.append(1)
                    case .exporting: steps.append(2)
                    }
                }
                return steps
            }
            await withCheckedContinuation { done in session.exportAsynchronously { done.resume() } }
            let steps = await watching.value
            #expect(steps == steps.sorted())
        }
    }

    @Test("the completion handler is called after the status is set")
    func handler() async throws {
        let bench = try ExportBench()
        let session = AVAssetExportSession(asset: AVURLAsset(url: try TestMedia.url("counter-video.mp4")))
        session.outputURL = bench.url("out.mp4")
        session.timeRange = seconds(0, 0.2)
        await withCheckedContinuation { done in session.exportAsynchronously { done.resume() } }
        #expect(session.status == .completed && session.error == nil)
        #expect(bench.contents == ["out.mp4"])
    }

    @Test("a missing encoder names its package; otherwise the next best is used")
    func encoders() throws {
        #expect(
            try ExportEncoders.choose(for: .mp4, hasSound: true, at: "x") { ["mpeg4", "aac"].contains($0) }
                == ExportEncoders(video: "mpeg4", audio: "aac"))
        #expect(
            try ExportEncoders.choose(for: .webm, hasSound: false, at: "x") { $0 == "libvpx" }
                == ExportEncoders(video: "libvpx", audio: nil))
        let missing = #expect(throws: AVError.self) {
            try ExportEncoders.choose(for: .webm, hasSound: true, at: "x") { $0 == "libvpx-vp9" }
        }
        #expect(
            missing?.code == .encoderNotFound && missing?.suggestion.contains("libavcodec-extra") == true
                && missing?.reason.contains("libopus") == true)
        #expect(throws: AVError.self) {
            try ExportEncoders.choose(for: AVFileType(rawValue: "public.nothing"), hasSound: false, at: "x")
        }
    }
}
