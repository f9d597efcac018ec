import Foundation
import Overlays
import TestSupport
import Testing

@testable import MediaEngine
@testable import PlayerViews
@testable import Zoetrope

/// Tests with a local video and a subtitle file. The video has English and German subtitles in its first two seconds,
/// neither marked as the default. The file has text after that.
@Suite("Selection of subtitles", .serialized)
@MainActor
struct SubtitleChoiceTests {
    private final class Film {
        let folder: URL
        var path: String { folder.appendingPathComponent("film.mkv").path }
        var words: String { folder.appendingPathComponent("words.vtt").path }

        /// - Parameter forced: The index of the track that is marked as forced. The video then has audio in German. If
        ///   nil, no track is forced and there is no audio.
        init(forced: Int? = nil) throws {
            folder = FileManager.default.temporaryDirectory.appendingPathComponent("zt-subtitles-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            for (name, text) in [("en.srt", "Hello there"), ("de.srt", "Guten Tag, wie geht es")] {
                try "1\n00:00:00,000 --> 00:00:02,000\n\(text)\n".write(
                    to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
            }
            try "WEBVTT\n\n00:03.000 --> 00:05.000\nBeside it\n".write(toFile: words, atomically: true, encoding: .utf8)
            var inputs = [
                "-f", "lavfi", "-i", "testsrc2=s=160x90:r=25:d=6", "-i", folder.appendingPathComponent("en.srt").path,
                "-i", folder.appendingPathComponent("de.srt").path,
            ]
            var outputs = [
                "-map", "0", "-map", "1", "-map", "2", "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p",
                "-g", "25", "-c:s", "srt",
                "-metadata:s:s:0", "language=eng", "-metadata:s:s:1", "language=ger",
            ]
            for track in 0..<2 { outputs += ["-disposition:s:\(track)", track == forced ? "forced" : "0"] }
            if forced != nil {
                inputs += ["-f", "lavfi", "-i", "sine=440:r=48000:d=6"]
                outputs += ["-map", "3", "-c:a", "flac", "-metadata:s:a:0", "language=ger"]
            }
            let code = try ChildProcess("ffmpeg", ["-v", "error", "-y"] + inputs + outputs + [path]).wait()
            try #require(code == 0)
        }
        deinit { try? FileManager.default.removeItem(at: folder) }
    }

    /// Creates a paused player at `seconds`, which is in the first or the fourth second.
    private func stage(at seconds: Double, _ settings: VideoSettings) async -> Stage {
        let stage = Stage()
        var settings = settings
        (settings.events, settings.notAutoPlay) = ([], true)
        stage.controller.apply(settings: settings)
        #expect(await stage.ready())
        await go(stage, to: seconds)
        return stage
    }
    private func go(_ stage: Stage, to seconds: Double) async {
        stage.controller.perform(.seek(to: seconds, play: false))
        #expect(await stage.wait { !stage.player.isSeeking && abs(stage.time - seconds) < 0.01 })
    }
    private func hasTitles(_ stage: Stage) -> Bool {
        let geometry = OverlayGeometry(
            width: 640, height: 360, frameX: 0, frameY: 0, frameWidth: 640, frameHeight: 360, scale: 1)
        return !stage.controller.subtitleChoice.overlay.content(
            at: stage.player.currentTime(), hostTime: .zero, in: geometry
        )
        .bitmaps.isEmpty
    }

    @Test("embedded subtitles of a local file are displayed when requested", arguments: [false, true])
    func own(named: Bool) async throws {
        let film = try Film()
        let stage = await stage(
            at: 1,
            VideoSettings {
                SourceName(film.path)
                if named { Subtitles(Subtitles.embedded) }
            })
        defer { stage.controller.close() }
        #expect(!hasTitles(stage))
        stage.controller.perform(.subtitles("en"))
        #expect(await stage.wait { hasTitles(stage) })
        stage.controller.perform(.subtitles(nil))
        #expect(!hasTitles(stage))
    }

    @Test("PreferredLanguages displays subtitles only together with Subtitles()")
    func preferred() async throws {
        let film = try Film()
        let plain = await stage(
            at: 1,
            VideoSettings {
                SourceName(film.path)
                PreferredLanguages("de")
            })
        defer { plain.controller.close() }
        let asked = await stage(
            at: 1,
            VideoSettings {
                SourceName(film.path)
                PreferredLanguages("de")
                Subtitles()
            })
        defer { asked.controller.close() }
        #expect(await asked.wait { hasTitles(asked) })
        #expect(!hasTitles(plain))
        let item = try #require(plain.player.currentItem)
        #expect(item.preferredSubtitleLanguages.isEmpty && item.preferredAudioLanguages == ["de"])
        #expect(item.entry.subtitles.cues.isEmpty)
        plain.change { $0.subtitles = Subtitles.embedded }
        #expect(await plain.wait { hasTitles(plain) })
    }

    @Test("the command selects embedded subtitles despite a file, if available")
    func beside() async throws {
        let film = try Film()
        let stage = await stage(
            at: 4,
            VideoSettings {
                SourceName(film.path)
                Subtitles(film.words)
            })
        defer { stage.controller.close() }
        #expect(await stage.wait { hasTitles(stage) })
        stage.controller.perform(.subtitles("ja"))
        await stage.controller.tracks.finish(.legible)
        #expect(hasTitles(stage))
        stage.controller.perform(.subtitles("de"))
        #expect(await stage.wait { !hasTitles(stage) })
        await go(stage, to: 1)
        #expect(await stage.wait { hasTitles(stage) })
        stage.controller.perform(.subtitles(nil))
        #expect(!hasTitles(stage))
        // A new subtitle style is not a new selection.
        stage.change { $0.subtitleStyle = SubtitleStyle() }
        #expect(!hasTitles(stage))
    }

    @Test("turning subtitles off or changing the file cancels a pending request", arguments: [false, true])
    func pending(changesFile: Bool) async throws {
        let film = try Film()
        let stage = await stage(
            at: 4,
            VideoSettings {
                SourceName(film.path)
                Subtitles(film.words)
            })
        defer { stage.controller.close() }
        #expect(await stage.wait { hasTitles(stage) })
        stage.controller.perform(.subtitles("de"))
        if changesFile {
            let other = film.folder.appendingPathComponent("other.vtt").path
            try FileManager.default.copyItem(atPath: film.words, toPath: other)
            stage.change { $0.subtitles = other }
        } else {
            stage.controller.perform(.subtitles(nil))
        }
        await stage.controller.tracks.finish(.legible)
        stage.controller.perform(.subtitles("ja"))
        await stage.controller.tracks.finish(.legible)
        #expect(await stage.wait { hasTitles(stage) }, "the video has no Japanese subtitles, so the file is shown")
    }

    @Test("a subtitle file belongs to each item of a playlist")
    func playlist() async throws {
        let film = try Film()
        let second = try TestMedia.url("counter.mp4").path
        let stage = await stage(
            at: 4,
            VideoSettings {
                Playlist([film.path, second])
                Subtitles(film.words)
            })
        defer { stage.controller.close() }
        func hasFile() -> Bool { stage.player.currentItem?.subtitleFile?.lastPathComponent == "words.vtt" }
        #expect(await stage.wait { hasFile() })
        stage.controller.perform(.next)
        #expect(stage.controller.currentIndex == 1)
        #expect(await stage.wait { hasFile() })
    }

    @Test("a forced track in the audio's language is displayed until overridden")
    func forced() async throws {
        let film = try Film(forced: 1)
        let stage = await stage(at: 1, VideoSettings { SourceName(film.path) })
        defer { stage.controller.close() }
        #expect(await stage.wait { hasTitles(stage) })
        stage.controller.perform(.subtitles(nil))
        #expect(!hasTitles(stage))
    }

    @Test("the controls mark a forced track as shown until another choice")
    func markedForced() async throws {
        let film = try Film(forced: 1)
        let player = AVPlayer(url: URL(fileURLWithPath: film.path))
        defer { player.replaceCurrentItem(with: nil) }
        let transport = PlayerTransport()
        transport.player = player
        let tracks = transport.options.tracks
        #expect(await eventually { tracks.shownSubtitle != nil })
        let group = try #require(tracks.subtitles)
        try #require(group.options.count == 2)
        #expect(tracks.shownSubtitle == group.options[1] && tracks.subtitle == nil)
        tracks.select(nil, in: group)
        #expect(await eventually { tracks.shownSubtitle == nil })
        tracks.select(group.options[0], in: group)
        #expect(await eventually { tracks.shownSubtitle == group.options[0] })
    }

    @Test("a forced track in another language is not displayed")
    func forcedForOthers() async throws {
        let film = try Film(forced: 0)
        let stage = await stage(at: 1, VideoSettings { SourceName(film.path) })
        defer { stage.controller.close() }
        let item = try #require(stage.player.currentItem)
        // The item decides when it opens which subtitles it reads.
        #expect(!hasTitles(stage) && item.entry.subtitles.cues.isEmpty)
        stage.controller.perform(.subtitles("de"))
        #expect(await stage.wait { hasTitles(stage) })
    }

    @Test("default tracks precede forced ones; a requested language needs a full track")
    func forcedAmongOthers() {
        let forced = [
            LegibleTrack(streamIndex: 1, language: "eng", isForced: true),
            LegibleTrack(streamIndex: 2, language: "ger", isForced: true),
        ]
        let whole = LegibleTrack(streamIndex: 3, language: "eng")
        let marked = LegibleTrack(streamIndex: 4, language: "fre", isDefault: true)
        let automatic = LegibleChoice.automatic()
        #expect(
            automatic.resolve(forced + [whole], audioLanguage: "en") == .stream(1)
                && automatic.resolve(forced + [whole], audioLanguage: "deu") == .stream(2))
        #expect(
            automatic.resolve(forced + [whole], audioLanguage: "fr") == nil
                && automatic.resolve(forced, audioLanguage: nil) == nil)
        #expect(automatic.resolve(forced + [marked], audioLanguage: "de") == .stream(4))
        // A track that is marked as both default and forced counts as forced.
        let both = [LegibleTrack(streamIndex: 5, language: "eng", isDefault: true, isForced: true)]
        #expect(
            automatic.resolve(both, audioLanguage: "de") == nil
                && automatic.resolve(both, audioLanguage: "en") == .stream(5))
        #expect(LegibleChoice.languages(["en"]).resolve(forced + [whole], audioLanguage: "de") == .stream(3))
        #expect(
            LegibleChoice.languages(["de"]).resolve(forced + [whole], audioLanguage: "en") == .stream(1),
            "German has no whole track, so that it is as without being asked")
    }

    @Test("of several default tracks the preferred language is selected")
    func ranked() {
        let tracks = [
            LegibleTrack(streamIndex: 1, language: "eng", isDefault: true),
            LegibleTrack(streamIndex: 2, language: "ger", isDefault: true),
            LegibleTrack(streamIndex: 3, language: "fre"),
        ]
        #expect(LegibleChoice.automatic().resolve(tracks, audioLanguage: nil) == .stream(1))
        #expect(LegibleChoice.automatic(ranked: ["de"]).resolve(tracks, audioLanguage: nil) == .stream(2))
        #expect(LegibleChoice.automatic(ranked: ["fr"]).resolve(tracks, audioLanguage: nil) == .stream(1))
        #expect(LegibleChoice.automatic(ranked: ["fr"]).resolve([tracks[2]], audioLanguage: nil) == nil)
        #expect(LegibleChoice.languages(["fr"]).resolve(tracks, audioLanguage: nil) == .stream(3))
    }
}
