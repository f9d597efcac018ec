import Foundation
import MediaCore
import MediaEngine
import Synchronization
import TestSupport
import Testing

@testable import Filters
@testable import Overlays

@Suite("Composition of a player's frames", .timeLimit(.minutes(5)))
@MainActor
struct PictureCompositionTests {
    private let stage = FrameStage()
    private let composition = PictureComposition()

    private func blur() throws -> CIFilter {
        try #require(CIFilter(name: "CIGaussianBlur", parameters: [kCIInputRadiusKey: 2]))
    }

    @Test("without settings frames pass unchanged")
    func passing() throws {
        defer { composition.close() }
        let frame = try FrameStage.plain(0x336699)
        #expect(composition.pull(from: stage, at: .zero) == nil)
        stage.show(frame)
        let pulled = try #require(composition.pull(from: stage, at: .zero))
        #expect(
            pulled.frame === frame && composition.colors == nil
                && composition.sourceSequence(of: pulled.sequence) == pulled.sequence)
        composition.settings.contrast = 1
        composition.settings.brightness = 0
        #expect(composition.pull(from: stage, at: .zero)?.frame === frame)
    }

    @Test("color filters, brightness and contrast become one lookup for the display")
    func colors() async throws {
        defer { composition.close() }
        let frame = try FrameStage.plain(0x336699)
        stage.show(frame)
        composition.settings.brightness = 0.1
        composition.settings.contrast = 1.5
        composition.settings.add(try #require(CIFilter(name: "CIColorInvert")))
        let wakes = Wakes(composition)
        let pulled = try await wakes.pull(composition, stage) { _ in composition.colors != nil }
        #expect(pulled.frame === frame)
        var pixel: [UInt32] = [0x336699]
        pixel.withUnsafeMutableBytes { raw in
            if let base = raw.baseAddress { composition.colors?.apply(to: base, width: 1, height: 1, stride: 4) }
        }
        for (shift, value) in [(16, 0x33), (8, 0x66), (0, 0x99)] as [(UInt32, Double)] {
            // Brightness and contrast are applied after the filters, as documented.
            let expected = min(1, max(0, ((1 - value / 255 + 0.1) - 0.5) * 1.5 + 0.5))
            #expect(abs(Double(pixel[0] >> shift & 0xFF) / 255 - expected) < 2 / 255)
        }
        // Removing the filters keeps brightness and contrast.
        composition.settings.removeAllFilters()
        _ = try await wakes.pull(composition, stage) { _ in composition.colors != nil }
        #expect(composition.settings.brightness == 0.1 && composition.settings.contrast == 1.5)
    }

    /// The drawn frame's sequence number maps to that of the source frame.
    @Test("a spatial filter draws each frame once, with its own sequence number")
    func drawn() async throws {
        defer { composition.close() }
        let frame = try FrameStage.plain(0x336699)
        stage.show(frame)
        composition.settings.add(try blur())
        let wakes = Wakes(composition)
        let pulled = try await wakes.pull(composition, stage) { $0.sequence >> 63 == 1 }
        #expect(pulled.frame !== frame && FrameStage.color(pulled.frame) == 0x336699)
        #expect(pulled.frame.presentationTime == frame.presentationTime)
        #expect(composition.sourceSequence(of: pulled.sequence) == 1)
        // The same frame is not drawn again.
        #expect(composition.pull(from: stage, at: .zero)?.sequence == pulled.sequence)
        // While the next frame is being drawn, the filtered one stays. No unfiltered frame is shown.
        stage.show(try FrameStage.plain(0x112233))
        #expect(composition.pull(from: stage, at: .zero)?.sequence == pulled.sequence)
        let next = try await wakes.pull(composition, stage) { $0.sequence != pulled.sequence }
        #expect(FrameStage.color(next.frame) == 0x112233 && composition.sourceSequence(of: next.sequence) == 2)
    }

    @Test("a video never begins with an unfiltered frame")
    func noGlimpse() async throws {
        defer { composition.close() }
        stage.show(try FrameStage.plain(0x336699))
        composition.settings.add(VideoFrameFilter { _ in try FrameStage.plain(0xFF0000) })
        #expect(composition.pull(from: stage, at: .zero) == nil)
        let wakes = Wakes(composition)
        let pulled = try await wakes.pull(composition, stage) { _ in true }
        #expect(FrameStage.color(pulled.frame) == 0xFF0000)
    }

    @Test("a closure runs off the main thread, between its neighboring filters")
    func closure() async throws {
        defer { composition.close() }
        let seen = Mutex<(color: UInt32, isMain: Bool)>((0, true))
        stage.show(try FrameStage.plain(0x204060))
        composition.settings.add(try #require(CIFilter(name: "CIColorInvert")))
        composition.settings.add(
            VideoFrameFilter { frame in
                seen.withLock { $0 = (FrameStage.color(frame), Thread.isMainThread) }
                return try FrameStage.plain(0x102030)
            })
        composition.settings.add(try #require(CIFilter(name: "CIColorInvert")))
        let wakes = Wakes(composition)
        let pulled = try await wakes.pull(composition, stage) { $0.sequence >> 63 == 1 }
        #expect(seen.withLock { $0.color } == 0xDFBF9F)
        #expect(seen.withLock { !$0.isMain })
        #expect(FrameStage.color(pulled.frame) == 0xEFDFCF)
    }

    @Test("a slow closure drops frames and blocks nobody")
    func slow() async throws {
        defer { composition.close() }
        let gate = DispatchSemaphore(value: 0)
        let worked = Mutex<[UInt32]>([])
        composition.settings.add(
            VideoFrameFilter { frame in
                gate.wait()
                worked.withLock { $0.append(FrameStage.color(frame)) }
                return frame
            })
        let wakes = Wakes(composition)
        stage.move(true)
        for color in 1...9 as ClosedRange<UInt32> {
            stage.show(try FrameStage.plain(color))
            // `pull` returns at once although the closure is blocked.
            #expect(composition.pull(from: stage, at: HostTime(nanoseconds: Int64(color))) == nil)
        }
        stage.move(false)
        gate.signal()
        gate.signal()
        let pulled = try await wakes.pull(composition, stage, at: .max) { FrameStage.color($0.frame) == 9 }
        #expect(composition.sourceSequence(of: pulled.sequence) == 9)
        // One earlier frame may have been started before the last one arrived.
        #expect(worked.withLock { $0.last == 9 && $0.count <= 2 })
    }

    @Test("a failing closure is reported and skipped; nil drops a frame")
    func failing() async throws {
        defer { composition.close() }
        struct Broken: Error, CustomStringConvertible { var description: String { "no model" } }
        var problems: [AVError] = []
        composition.onProblem = { problems.append($0) }
        stage.show(try FrameStage.plain(0x336699))
        composition.settings.add(VideoFrameFilter(name: "faces") { _ in throw Broken() })
        let wakes = Wakes(composition)
        let pulled = try await wakes.pull(composition, stage) { $0.sequence >> 63 == 1 }
        #expect(FrameStage.color(pulled.frame) == 0x336699)
        #expect(problems.map(\.location) == ["faces"] && problems.map(\.reason) == ["no model"])
        composition.settings.removeAllFilters()
        composition.settings.add(VideoFrameFilter { FrameStage.color($0) == 0x111111 ? nil : $0 })
        stage.show(try FrameStage.plain(0x222222))
        _ = try await wakes.pull(composition, stage) {
            FrameStage.color($0.frame) == 0x222222 && $0.sequence >> 63 == 1
        }
        stage.show(try FrameStage.plain(0x111111))
        _ = composition.pull(from: stage, at: .zero)
        await wakes.next()
        #expect(composition.pull(from: stage, at: .zero).map { FrameStage.color($0.frame) } == 0x222222)
    }

    @Test("the errors of all filters are reported, also with a dropped frame")
    func allProblems() async throws {
        defer { composition.close() }
        struct Broken: Error {}
        var problems: [AVError] = []
        composition.onProblem = { problems.append($0) }
        stage.show(try FrameStage.plain(0x336699))
        for name in ["first", "second"] {
            composition.settings.add(VideoFrameFilter(name: name) { _ in throw Broken() })
        }
        composition.settings.add(VideoFrameFilter { _ in nil })
        await eventually("two errors") {
            _ = composition.pull(from: stage, at: .zero)
            return problems.map(\.location) == ["first", "second"]
        }
    }

    @Test("alternating errors are reported once each")
    func alternatingProblems() async throws {
        defer { composition.close() }
        struct Broken: Error {}
        var problems: [AVError] = []
        composition.onProblem = { problems.append($0) }
        for name in ["first", "second"] {
            composition.settings.add(VideoFrameFilter(name: name) { _ in throw Broken() })
        }
        let wakes = Wakes(composition)
        for color in 1...3 as ClosedRange<UInt32> {
            stage.show(try FrameStage.plain(color))
            _ = try await wakes.pull(composition, stage) { FrameStage.color($0.frame) == color }
        }
        #expect(problems.map(\.location) == ["first", "second"])
    }

    @Test("different errors of all frames are reported up to a limit")
    func manyProblems() async throws {
        defer { composition.close() }
        struct Broken: Error, CustomStringConvertible { var description: String }
        var problems: [AVError] = []
        composition.onProblem = { problems.append($0) }
        composition.settings.add(
            VideoFrameFilter { frame in throw Broken(description: "color \(FrameStage.color(frame))") })
        let wakes = Wakes(composition)
        for color in 1...20 as ClosedRange<UInt32> {
            stage.show(try FrameStage.plain(color))
            _ = try await wakes.pull(composition, stage) { FrameStage.color($0.frame) == color }
        }
        #expect(problems.count == 16)
    }

    @Test("a filter that drops all frames shows no further frames without it")
    func droppingAll() async throws {
        defer { composition.close() }
        stage.show(try FrameStage.plain(0x336699))
        #expect(composition.pull(from: stage, at: .zero) != nil)
        composition.settings.add(VideoFrameFilter { _ in nil })
        await eventually("no frame") { composition.pull(from: stage, at: .zero) == nil }
        stage.show(try FrameStage.plain(0x112233))
        #expect(composition.pull(from: stage, at: .zero) == nil)
    }

    @Test("an offline composition of a dropped frame fails")
    func offlineDrop() throws {
        let frame = try FrameStage.plain(0x336699)
        var settings = PictureSettings()
        settings.add(VideoFrameFilter { _ in nil })
        let composer = OfflineComposer(settings: settings)
        #expect(throws: AVError.self) { try composer.compose(frame, at: .zero) }
        #expect(try composer.composeOrDrop(frame, at: .zero) == nil)
    }

    @Test("an app's filter is evaluated for each frame and chains others")
    func ownFilter() async throws {
        defer { composition.close() }
        final class Alternating: CIFilter {
            var count = 0
            override var outputImage: CIImage? {
                count += 1
                return count % 2 == 1 ? inputImage?.applyingFilter("CIColorInvert") : inputImage
            }
        }
        let own = Alternating()
        stage.show(try FrameStage.plain(0x000000))
        composition.settings.add(own)
        let wakes = Wakes(composition)
        let first = try await wakes.pull(composition, stage) { $0.sequence >> 63 == 1 }
        #expect(FrameStage.color(first.frame) == 0xFFFFFF)
        stage.show(try FrameStage.plain(0x000000))
        let second = try await wakes.pull(composition, stage) { $0.sequence != first.sequence }
        #expect(FrameStage.color(second.frame) == 0x000000 || own.count > 2)
    }

    @Test("offline composition matches the display at any size and reports failures")
    func offline() async throws {
        defer { composition.close() }
        let frame = try FrameStage.plain(0x336699)
        stage.show(frame)
        composition.settings.add(try blur())
        composition.settings.add(try #require(CIFilter(name: "CIColorInvert")))
        let wakes = Wakes(composition)
        let shown = try await wakes.pull(composition, stage) { $0.sequence >> 63 == 1 }
        let composer = OfflineComposer(settings: composition.settings)
        #expect(FrameStage.color(try composer.compose(frame, at: .zero)) == FrameStage.color(shown.frame))
        let large = try composer.compose(frame, at: .zero, size: (40, 30))
        #expect(large.width == 40 && large.height == 30 && FrameStage.color(large) == FrameStage.color(shown.frame))
        struct Broken: Error {}
        var settings = PictureSettings()
        settings.add(VideoFrameFilter { _ in throw Broken() })
        #expect(throws: AVError.self) { try OfflineComposer(settings: settings).compose(frame, at: .zero) }
    }
}
