import Filters
import Foundation
import Overlays
import TestSupport
import Testing

@testable import Zoetrope

struct Badge: ShapeLayerBuilderProtocol {
    let id = UUID()
    func build(with geometry: (frame: CGRect, bounds: CGRect)) -> CAShapeLayer { CAShapeLayer() }
}

@Suite("Commands")
@MainActor
struct CommandTests {
    @Test("commands are equal by value, filters by parameters and vectors by id")
    func equality() throws {
        let sepia = try #require(CIFilter(name: "CISepiaTone"))
        let blur = try #require(CIFilter(name: "CIGaussianBlur"))
        let sepiaToo = try #require(CIFilter(name: "CISepiaTone"))
        let badge = Badge()
        let all: [PlaybackCommand] = [
            .idle, .play, .pause, .seek(to: 1), .seek(to: 2), .seek(to: 1, play: false), .begin, .end, .mute, .unmute,
            .volume(0.5),
            .volume(0.6), .playbackSpeed(1), .playbackSpeed(2), .loop, .unloop, .startPiP, .stopPiP, .enterFullScreen,
            .exitFullScreen, .brightness(0), .brightness(1), .contrast(0),
            .contrast(1), .filter(sepia), .filter(sepia, clear: true), .filter(blur), .removeAllFilters,
            .addVector(badge),
            .addVector(badge, clear: true), .addVector(Badge()), .removeAllVectors, .audioTrack(languageCode: "de"),
            .audioTrack(languageCode: "fr"),
            .subtitles(nil), .subtitles("de"), .batch([]), .batch([.play, .mute]), .batch([.mute, .play]),
            .seek(to: .nan), .seek(to: .nan, play: false), .volume(.nan), .playbackSpeed(.nan), .brightness(.nan),
            .contrast(.nan), .batch([.seek(to: .nan)]),
        ]
        for (i, a) in all.enumerated() {
            for (j, b) in all.enumerated() { #expect((a == b) == (i == j), "\(a) and \(b)") }
        }
        #expect(PlaybackCommand.filter(sepia) == .filter(sepiaToo))
    }

    @Test("a command equal to the last one is ignored until idle")
    func repeated() throws {
        let stage = Stage()
        defer { stage.controller.close() }
        let controller = stage.controller
        controller.perform(.mute)
        stage.player.isMuted = false
        controller.perform(.mute)
        #expect(!stage.player.isMuted)
        controller.perform(.idle)
        controller.perform(.mute)
        #expect(stage.player.isMuted)
        stage.player.isMuted = false
        controller.perform(.volume(0.5))
        controller.perform(.mute)
        #expect(stage.player.isMuted, "another command came between")
        // Filters are compared with the parameters that they had when they were added, not with later changes.
        let blur = try #require(CIFilter(name: "CIGaussianBlur"))
        controller.perform(.filter(blur))
        controller.perform(.filter(blur))
        #expect(controller.picture.filters.count == 1)
        blur.setValue(3, forKey: kCIInputRadiusKey)
        controller.perform(.filter(blur))
        #expect(controller.picture.filters.count == 2)
    }

    @Test("a batch runs in order, and repeating the batch is ignored")
    func batch() throws {
        let stage = Stage()
        defer { stage.controller.close() }
        let blur = try #require(CIFilter(name: "CIGaussianBlur"))
        let batch = PlaybackCommand.batch([
            .filter(blur), .filter(blur), .batch([.mute, .volume(0.25), .idle]), .unmute,
        ])
        stage.controller.perform(batch)
        #expect(stage.controller.picture.filters.count == 2)
        #expect(!stage.player.isMuted)
        #expect(stage.player.volume == 0.25)
        stage.controller.perform(batch)
        #expect(stage.controller.picture.filters.count == 2)
    }

    @Test("volume is clamped to 0…1 and published; NaN changes nothing")
    func volume() {
        let stage = Stage()
        defer { stage.controller.close() }
        stage.controller.apply(settings: VideoSettings(name: "nowhere-at-all", events: [.volumeChangedAny]))
        for (said, expected) in [(0.5, 0.5), (7, 1), (-7, 0), (Float.nan, 0)] as [(Float, Float)] {
            stage.controller.perform(.volume(said))
            #expect(stage.player.volume == expected)
        }
        stage.clock.advance(1)
        #expect(
            stage.events == [
                .volumeChanged(newVolume: 0.5), .volumeChanged(newVolume: 1), .volumeChanged(newVolume: 0),
            ])
    }

    @Test("playbackSpeed starts a paused player; a negative speed pauses; NaN is ignored")
    func speed() async throws {
        let stage = try Stage("counter.mp4") { $0.notAutoPlay = true }
        defer { stage.controller.close() }
        #expect(await stage.ready())
        stage.controller.perform(.playbackSpeed(2))
        #expect(stage.player.rate == 2)
        #expect(await stage.isTold(.playing))
        stage.controller.perform(.playbackSpeed(-3))
        #expect(stage.player.rate == 0)
        stage.controller.perform(.play)
        #expect(stage.player.rate == 2)
        stage.controller.perform(.playbackSpeed(.nan))
        #expect(stage.player.rate == 2)
        stage.controller.perform(.pause)
        stage.controller.perform(.playbackSpeed(1.5))
        #expect(stage.player.rate == 1.5)
    }

    @Test("brightness and contrast are clamped; each video adjustment is published once")
    func picture() throws {
        let stage = Stage()
        defer { stage.controller.close() }
        let controller = stage.controller
        let sepia = try #require(CIFilter(name: "CISepiaTone"))
        let blur = try #require(CIFilter(name: "CIGaussianBlur"))
        controller.perform(.brightness(3))
        #expect(controller.picture.brightness == 1)
        controller.perform(.brightness(2))
        controller.perform(.brightness(.nan))
        #expect(stage.pictures.count == 1)
        controller.perform(.contrast(-1))
        #expect(controller.picture.contrast == 0)
        controller.perform(.filter(sepia))
        controller.perform(.filter(blur))
        #expect(controller.picture.filters == [sepia, blur])
        controller.perform(.filter(sepia, clear: true))
        #expect(controller.picture.filters == [sepia])
        controller.perform(.removeAllFilters)
        #expect(controller.picture.filters.isEmpty)
        #expect(stage.pictures.count == 6)
        #expect(stage.pictures.last == controller.picture)
    }

    @Test("vectors need EnableVector() and are removed with it")
    func vectors() throws {
        let stage = try Stage("counter.mp4") { $0.notAutoPlay = true }
        defer { stage.controller.close() }
        let badge = Badge()
        stage.controller.perform(.addVector(badge))
        #expect(stage.controller.picture.vectors.isEmpty)
        stage.change { $0.vector = true }
        stage.controller.perform(.idle)
        stage.controller.perform(.addVector(badge))
        stage.controller.perform(.addVector(Badge()))
        #expect(stage.controller.picture.vectors.count == 2)
        stage.controller.perform(.addVector(badge, clear: true))
        #expect(stage.controller.picture.vectors.map(\.id) == [badge.id])
        stage.controller.perform(.removeAllVectors)
        #expect(stage.controller.picture.vectors.isEmpty)
        stage.controller.perform(.addVector(badge))
        stage.change { $0.vector = false }
        #expect(stage.controller.picture.vectors.isEmpty)
    }

    @Test("picture in picture commands need their setting and a supporting view")
    func pictureInPicture() async throws {
        let stage = try Stage("counter.mp4") { $0.notAutoPlay = true }
        defer { stage.controller.close() }
        let controller = stage.controller
        var asked: [Bool] = []
        controller.onPictureInPicture = { asked.append($0) }
        controller.perform(.startPiP)
        controller.perform(.stopPiP)
        stage.clock.advance(1)
        #expect(asked.isEmpty && !stage.events.contains(where: PlayerEventFilter.errorAny.matches))
        stage.change { $0.pictureInPicture = true }
        controller.perform(.idle)
        controller.perform(.startPiP)
        controller.pictureInPictureChanged(true)
        controller.pictureInPictureChanged(true)
        controller.perform(.stopPiP)
        controller.pictureInPictureChanged(false)
        #expect(asked == [true, false])
        #expect(await stage.isTold(.stoppedPiP))
        #expect(stage.events.filter { $0 == .startedPiP }.count == 1)
        stage.forget()
        controller.onPictureInPicture = nil
        controller.perform(.startPiP)
        #expect(await stage.isTold(.error(.notSupportedPiP)))
        #expect(controller.error == nil, "the video plays all the same")
    }

    @Test("full screen commands need their setting and a view")
    func fullScreen() async throws {
        let stage = try Stage("counter.mp4") { $0.notAutoPlay = true }
        defer { stage.controller.close() }
        let controller = stage.controller
        var asked: [Bool] = []
        controller.onFullScreen = { asked.append($0) }
        controller.perform(.enterFullScreen)
        controller.perform(.exitFullScreen)
        #expect(asked.isEmpty)
        stage.change { $0.fullScreen = true }
        controller.perform(.idle)
        controller.perform(.enterFullScreen)
        controller.fullScreenChanged(true)
        controller.fullScreenChanged(true)
        controller.perform(.exitFullScreen)
        controller.fullScreenChanged(false)
        #expect(asked == [true, false])
        #expect(await stage.isTold(.fullScreenChanged(false)))
        #expect(stage.events.filter { $0 == .fullScreenChanged(true) }.count == 1)
        // The setting is removed during full screen.
        controller.fullScreenChanged(true)
        stage.change { $0.fullScreen = false }
        #expect(asked == [true, false, false])
        controller.onFullScreen = nil
        stage.change { $0.fullScreen = true }
        controller.perform(.enterFullScreen)
        stage.clock.advance(1)
        #expect(!stage.events.contains(where: PlayerEventFilter.errorAny.matches))
    }

    @Test("subtitles can be selected without Subtitles(…); a new file resets the selection")
    func subtitles() throws {
        let stage = try Stage("counter.mp4") { $0.notAutoPlay = true }
        defer { stage.controller.close() }
        var told: [SubtitleSelection] = []
        stage.controller.onSubtitlesChange = { told.append($0) }
        stage.controller.perform(.subtitles("de"))
        #expect(told == [.language("de")])
        stage.change { $0.subtitles = "words.vtt" }
        stage.controller.perform(.subtitles(nil))
        stage.controller.perform(.subtitles("de"))
        #expect(told == [.language("de"), .automatic, .off, .language("de")])
        stage.change { $0.subtitles = "" }
        #expect(told.last == .automatic)
    }

    /// Whether subtitles are displayed at the current time.
    private func hasTitles(_ stage: Stage) -> Bool {
        let geometry = OverlayGeometry(
            width: 640, height: 360, frameX: 0, frameY: 0, frameWidth: 640, frameHeight: 360, scale: 1)
        return !stage.controller.subtitleChoice.overlay.content(
            at: stage.player.currentTime(), hostTime: .zero, in: geometry
        )
        .bitmaps.isEmpty
    }

    @Test("a stream's default subtitles are displayed until they are turned off", arguments: [nil, ""])
    func defaultSubtitles(name: String?) async throws {
        let server = try TestStreams.server()
        let stage = Stage()
        defer {
            stage.controller.close()
            server.close()
        }
        stage.controller.apply(
            settings: VideoSettings {
                SourceName(server.url(for: "subtitles-ts/master.m3u8").absoluteString)
                Loop()
                if let name { Subtitles(name) }
            })
        #expect(await stage.wait { hasTitles(stage) })
        stage.controller.perform(.subtitles(nil))
        #expect(!hasTitles(stage))
        stage.controller.perform(.subtitles("en"))
        #expect(await stage.wait { hasTitles(stage) })
    }

    @Test("other subtitles are displayed when their language is selected")
    func chosenSubtitles() async throws {
        let server = try TestStreams.server()
        let stage = Stage()
        defer {
            stage.controller.close()
            server.close()
        }
        stage.controller.apply(
            settings: VideoSettings {
                SourceName(server.url(for: "vod-fmp4/master.m3u8").absoluteString)
                Loop()
            })
        #expect(await stage.wait { stage.time > 2 })
        #expect(!hasTitles(stage))
        stage.controller.perform(.subtitles("de"))
        #expect(await stage.wait { hasTitles(stage) })
    }

    @Test("audioTrack selects an available language and ignores others")
    func audioTrack() async throws {
        let stage = try Stage("languages.mkv") { $0.notAutoPlay = true }
        defer { stage.controller.close() }
        #expect(await stage.ready())
        let item = try #require(stage.player.currentItem)
        let group = try #require(try await item.asset.loadMediaSelectionGroup(for: .audible))
        func language() -> String? { item.currentMediaSelection.selectedMediaOption(in: group)?.extendedLanguageTag }
        stage.controller.perform(.audioTrack(languageCode: "fr"))
        #expect(await stage.wait { language() == "fr" })
        stage.controller.perform(.audioTrack(languageCode: "ja"))
        stage.controller.perform(.idle)
        await stage.controller.tracks.finish(.audible)
        #expect(language() == "fr")
        stage.controller.perform(.audioTrack(languageCode: "ger"))
        #expect(await stage.wait { language() == "de" })
    }
}
