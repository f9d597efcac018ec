import Dispatch
import Foundation
import MediaCore
import MediaEngine
import Synchronization
import TestSupport
import Testing

@testable import Filters
@testable import Overlays

/// Tests of `AVPlayerItem.videoComposition` with the pipeline of a real player, whose frames a composition pulls as a
/// view does.
@Suite("Video compositions of items", .timeLimit(.minutes(5)))
@MainActor
struct VideoCompositionTests {
    private struct Broken: Error, CustomStringConvertible { var description: String { "no model" } }

    /// A paused player, and the composition of a view.
    @MainActor
    private final class Screen {
        let player = AVPlayer(title: "test", audioServer: "unix:/nonexistent/zoetrope")
        let composition = PictureComposition()
        let item: AVPlayerItem
        private(set) var problems: [AVError] = []

        init(_ name: String) throws {
            item = AVPlayerItem(url: try TestMedia.url(name))
            composition.onProblem = { [weak self] in self?.problems.append($0) }
        }

        func load() { player.replaceCurrentItem(with: item) }

        func close() {
            composition.close()
            player.close()
        }

        func seek(to seconds: Double) { player.seek(to: CMTime(seconds: seconds, preferredTimescale: 600)) }

        func pull() -> PulledFrame? { composition.pull(from: player.videoFrameSource, at: .now()) }

        /// Waits for a frame that `accept` accepts.
        func frame(
            _ expected: String, sourceLocation: SourceLocation = #_sourceLocation,
            until accept: (PulledFrame) -> Bool = { _ in true }
        ) async throws -> VideoFrame {
            var found: VideoFrame?
            await eventually(expected, sourceLocation: sourceLocation) {
                found = pull().flatMap { accept($0) ? $0.frame : nil }
                return found != nil
            }
            return try #require(found, sourceLocation: sourceLocation)
        }

        /// Waits for the drawn frame at `seconds`.
        func drawnFrame(at seconds: Double) async throws -> VideoFrame {
            try await frame("the drawn frame at \(seconds) s") {
                $0.sequence >> 63 == 1 && abs($0.frame.presentationTime.seconds - seconds) < 0.05
            }
        }
    }

    /// Returns red, green and blue of a pixel of a frame in any format. Empty if the frame cannot be converted.
    private func color(_ frame: VideoFrame, _ x: Int, _ y: Int) -> [Int] {
        let pixel = try? frame.withBGRA { pixels, row in (0..<3).map { Int(pixels[y * row + x * 4 + 2 - $0]) } }
        return pixel ?? []
    }

    private func isNear(_ a: [Int], _ b: [Int], within limit: Int = 8) -> Bool {
        a.count == b.count && zip(a, b).allSatisfy { abs($0 - $1) <= limit }
    }

    /// The upper left quarter of the video is red, the lower right one white.
    @Test("the first displayed frame already has the handler's filter")
    func visible() async throws {
        let screen = try Screen("quad-709.mp4")
        defer { screen.close() }
        let seen = Mutex<(size: CGSize, extent: CGRect, isMain: Bool)>((.zero, .zero, true))
        screen.item.videoComposition = AVVideoComposition(asset: screen.item.asset) { request in
            seen.withLock { $0 = (request.renderSize, request.sourceImage.extent, Thread.isMainThread) }
            request.finish(with: request.sourceImage.applyingFilter("CIColorInvert"), context: nil)
        }
        screen.load()
        let frame = try await screen.frame("a frame")
        #expect(isNear(color(frame, 40, 40), [0, 255, 255]), "\(color(frame, 40, 40))")
        #expect(isNear(color(frame, 250, 140), [0, 0, 0]), "\(color(frame, 250, 140))")
        let (size, extent, isMain) = seen.withLock { $0 }
        #expect(size == CGSize(width: 320, height: 180) && extent == CGRect(origin: .zero, size: size) && !isMain)
        #expect(screen.problems.isEmpty)
    }

    /// The brightness of the composed frame is its time.
    @Test("each frame is filtered for its own time")
    func time() async throws {
        let screen = try Screen("counter.mp4")
        defer { screen.close() }
        screen.item.videoComposition = AVVideoComposition(asset: screen.item.asset) { request in
            let red = CIColor(red: request.compositionTime.seconds / 4, green: 0, blue: 0)
            request.finish(with: CIImage(color: red).cropped(to: request.sourceImage.extent), context: nil)
        }
        screen.load()
        for seconds in [0, 1, 3, 2] as [Double] {
            screen.seek(to: seconds)
            let frame = try await screen.drawnFrame(at: seconds)
            let expected = Int((frame.presentationTime.seconds / 4 * 255).rounded())
            let red = color(frame, 160, 32)
            #expect(isNear(red, [expected, 0, 0], within: 2), "\(red), \(expected)")
        }
    }

    @Test("a composition that is set or removed during pause applies at once")
    func changes() async throws {
        let screen = try Screen("quad-709.mp4")
        defer { screen.close() }
        screen.load()
        let plain = try await screen.frame("the frame of the file")
        let wakes = Mutex(0)
        let token = screen.player.videoFrameSource.addWakeHandler { wakes.withLock { $0 += 1 } }
        defer { screen.player.videoFrameSource.removeWakeHandler(token) }
        let before = wakes.withLock { $0 }
        let first = AVVideoComposition(asset: screen.item.asset) { request in
            request.finish(with: request.sourceImage.applyingFilter("CIColorInvert"), context: nil)
        }
        screen.item.videoComposition = first
        #expect(screen.item.videoComposition === first)
        await eventually("a wake call for displays") { wakes.withLock { $0 } > before }
        _ = try await screen.frame("the inverted frame") { isNear(color($0.frame, 40, 40), [0, 255, 255]) }
        screen.item.videoComposition = AVVideoComposition(asset: screen.item.asset) { request in
            request.finish(with: CIImage(color: .blue), context: nil)
        }
        _ = try await screen.frame("the blue frame") { isNear(color($0.frame, 40, 40), [0, 0, 255]) }
        screen.item.videoComposition = nil
        #expect(screen.pull()?.frame === plain)
    }

    @Test("the filters of a view are applied after the item's composition")
    func order() async throws {
        let screen = try Screen("quad-709.mp4")
        defer { screen.close() }
        screen.composition.settings.add(try #require(CIFilter(name: "CIColorInvert")))
        screen.item.videoComposition = AVVideoComposition(asset: screen.item.asset) { request in
            request.finish(with: CIImage(color: .blue), context: nil)
        }
        screen.load()
        let frame = try await screen.frame("a frame")
        #expect(isNear(color(frame, 40, 40), [255, 255, 0]), "\(color(frame, 40, 40))")
    }

    @Test("an unfinished request shows the source frame and is reported once")
    func unfinished() async throws {
        let screen = try Screen("quad-709.mp4")
        defer { screen.close() }
        let requests = Mutex(0)
        screen.item.videoComposition = AVVideoComposition(asset: screen.item.asset) { _ in
            requests.withLock { $0 += 1 }
        }
        screen.load()
        let frame = try await screen.drawnFrame(at: 0)
        #expect(isNear(color(frame, 40, 40), [255, 0, 0]), "\(color(frame, 40, 40))")
        screen.seek(to: 1)
        _ = try await screen.drawnFrame(at: 1)
        #expect(requests.withLock { $0 } >= 2)
        #expect(screen.problems.map(\.code) == [.timedOut], "\(screen.problems)")
        let log = screen.item.errorLog()?.events ?? []
        #expect(log.count == 1 && log[0].errorComment?.contains("did not finish") == true)
    }

    @Test("an error of the handler shows the source frame and is reported")
    func failing() async throws {
        let screen = try Screen("quad-709.mp4")
        defer { screen.close() }
        screen.item.videoComposition = AVVideoComposition(asset: screen.item.asset) { $0.finish(with: Broken()) }
        screen.load()
        let frame = try await screen.drawnFrame(at: 0)
        #expect(isNear(color(frame, 40, 40), [255, 0, 0]), "\(color(frame, 40, 40))")
        #expect(screen.problems.map(\.reason) == ["no model"])
        #expect(screen.item.errorLog()?.events.map(\.errorComment) == ["no model"])
        #expect(screen.item.status == .readyToPlay)
    }

    @Test("a render size crops the frames, and the item keeps a copy")
    func renderSize() async throws {
        let screen = try Screen("quad-709.mp4")
        defer { screen.close() }
        let composition = AVMutableVideoComposition(asset: screen.item.asset) { request in
            request.finish(with: request.sourceImage, context: nil)
        }
        #expect(composition.renderSize == CGSize(width: 320, height: 180))
        composition.renderSize = CGSize(width: -1, height: 20)
        #expect(composition.renderSize == CGSize(width: 320, height: 180))
        composition.renderSize = CGSize(width: 100.4, height: 60)
        screen.item.videoComposition = composition
        composition.renderSize = CGSize(width: 10, height: 10)
        #expect(screen.item.videoComposition?.renderSize == CGSize(width: 100, height: 60))
        screen.load()
        let frame = try await screen.frame("a frame")
        #expect(frame.width == 100 && frame.height == 60)
        // The origin of an image is at the lower left, so the rectangle contains a part of the lower left quarter.
        #expect(isNear(color(frame, 50, 30), TestPicture.colors[2]), "\(color(frame, 50, 30))")
    }

    @Test("the asynchronous form requires video")
    func asynchronousForm() async throws {
        let video = AVURLAsset(url: try TestMedia.url("quad-709.mp4"))
        let composition = try await AVVideoComposition.videoComposition(with: video) { request in
            request.finish(with: request.sourceImage, context: nil)
        }
        #expect(composition.renderSize == CGSize(width: 320, height: 180))
        let audio = AVURLAsset(url: try TestMedia.url("audio.flac"))
        let error = await #expect(throws: AVError.self) {
            _ = try await AVMutableVideoComposition.videoComposition(with: audio) { $0.finish(with: Broken()) }
        }
        #expect(error?.code == .noVideoTrack)
        let code = await withCheckedContinuation { (done: CheckedContinuation<AVError.Code?, Never>) in
            AVVideoComposition.videoComposition(with: audio) {
                $0.finish(with: Broken())
            } completionHandler: { composition, error in
                done.resume(returning: composition == nil ? (error as? AVError)?.code : nil)
            }
        }
        #expect(code == .noVideoTrack)
    }
}

/// Tests of the wait for a handler.
@Suite("Waits for requests of a video composition", .timeLimit(.minutes(1)))
struct RequestWaitTests {
    private let size = CGSize(width: 4, height: 4)

    private func image(_ wait: RequestWait, _ filtering: ImageFiltering) async throws -> CIImage? {
        try await offPool { [size] in try wait.image(of: filtering, size: size, time: .zero) }
    }

    @Test("a late answer belongs to no other request")
    func late() async throws {
        let wait = RequestWait(limit: 0.01)
        let kept = Mutex<[AVAsynchronousCIImageFilteringRequest]>([])
        let filtering = ImageFiltering(renderSize: nil) { request in kept.withLock { $0.append(request) } }
        for _ in 1...2 {
            let error = await #expect(throws: AVError.self) { _ = try await image(wait, filtering) }
            #expect(error?.code == .timedOut)
        }
        // The first answer of a request counts, and only for this request.
        kept.withLock { $0[0] }.finish(with: .empty(), context: nil)
        await #expect(throws: AVError.self) { _ = try await image(wait, filtering) }
        let answering = ImageFiltering(renderSize: nil) { request in
            request.finish(with: request.sourceImage, context: nil)
            request.finish(with: .empty(), context: nil)
        }
        let found = try await image(wait, answering)
        #expect(found?.extent == CGRect(origin: .zero, size: size))
    }

    @Test("an answer from another thread ends the wait")
    func otherThread() async throws {
        let wait = RequestWait(limit: 50)
        let filtering = ImageFiltering(renderSize: nil) { request in
            DispatchQueue.global().async { request.finish(with: request.sourceImage, context: nil) }
        }
        #expect(try await image(wait, filtering) != nil)
    }

    @Test("closing ends the wait, and no more requests are made")
    func closing() async throws {
        let wait = RequestWait(limit: 50)
        let count = Mutex(0)
        let filtering = ImageFiltering(renderSize: nil) { _ in
            count.withLock { $0 += 1 }
            DispatchQueue.global().async { wait.close() }
        }
        #expect(try await image(wait, filtering) == nil)
        #expect(try await image(wait, filtering) == nil)
        #expect(count.withLock { $0 } == 1)
    }
}
