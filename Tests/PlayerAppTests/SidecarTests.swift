import Foundation
import MediaCore
import MediaEngine
import PlayerViews
import TestSupport
import Testing

@testable import PlayerApp

@Suite("Subtitle files beside a video")
struct SidecarTests {
    @Test("subtitle files are found by name, with the language in it")
    func found() throws {
        let folder = try MediaListTests.Folder()
        let film = try folder.write("Film.mkv")
        try folder.write("Other.mkv")
        for name in [
            "film.srt", "Film.en.vtt", "Film.pt_BR.ass", "Film.ger.forced.srt", "Film 2.srt", "Other.srt", "Film.txt",
            ".Film.srt", "Subs/Film.fr.srt", "Subs/2_English.srt", "subtitles/FILM.English.SRT",
        ] { try folder.write(name) }
        let all = SubtitleSidecar.of(film)
        let names = all.compactMap {
            FilePath($0.url)?.description.replacingOccurrences(of: folder.path + "/", with: "")
        }
        #expect(
            Set(names) == [
                "film.srt", "Film.en.vtt", "Film.pt_BR.ass", "Film.ger.forced.srt", "Subs/Film.fr.srt",
                "subtitles/FILM.English.SRT",
            ])
        func language(_ name: String) -> String? { all.first { $0.url.lastPathComponent == name }?.language }
        #expect(language("film.srt") == nil && language("Film.en.vtt") == "en" && language("Film.pt_BR.ass") == "pt-BR")
        #expect(language("Film.ger.forced.srt") == "de" && language("FILM.English.SRT") == "en")
        #expect(all.first { $0.language == "de" }?.note == "forced")
        // If the video is the only one in its folder, all files in Subs belong to it.
        let alone = try MediaListTests.Folder()
        let single = try alone.write("Some Film (2020).mp4")
        try alone.write("Subs/2_English.srt")
        #expect(SubtitleSidecar.of(single).map(\.language) == ["en"])
        #expect(try SubtitleSidecar.of(#require(URL(string: "https://example.org/film.mp4"))).isEmpty)
    }

    @Test("selection prefers the user's languages, then files without a language")
    func best() throws {
        func sidecar(_ name: String, _ language: String?, _ note: String = "") -> SubtitleSidecar {
            SubtitleSidecar(url: URL(fileURLWithPath: "/a/" + name), language: language, note: note)
        }
        let all = [
            sidecar("a.de.srt", "de"), sidecar("a.en.forced.srt", "en", "forced"), sidecar("a.en.srt", "en"),
            sidecar("a.pt-BR.srt", "pt-BR"), sidecar("a.srt", nil),
        ]
        func name(_ languages: [String], _ sidecars: [SubtitleSidecar]) -> String? {
            SubtitleSidecar.best(of: sidecars, for: languages)?.url.lastPathComponent
        }
        #expect(name(["fr", "en"], all) == "a.en.srt" && name(["de-AT"], all) == "a.de.srt")
        #expect(name(["pt"], all) == "a.pt-BR.srt" && name(["fr"], all) == "a.srt" && name([], all) == "a.en.srt")
        #expect(name(["fr"], Array(all.prefix(4))) == nil && name(["en"], []) == nil)
    }

    @Test("the key shows the last subtitles again, however they were hidden", arguments: [false, true])
    @MainActor func toggled(byKey: Bool) async throws {
        let folder = try MediaListTests.Folder()
        let film = try folder.write("Film.mkv")
        for name in ["Film.de.srt", "Film.en.srt"] { try folder.write(name) }
        let subtitles = PlayerSubtitles(languages: nil)
        let item = AVPlayerItem(url: film)
        subtitles.follow(item)
        #expect(await eventually { subtitles.sidecars.count == 2 })
        let options = PlayerOptions()
        let last = try #require(subtitles.choices(options).last?.choice)
        subtitles.choose(last, options)
        if byKey { _ = subtitles.toggle(options) } else { subtitles.choose(.none, options) }
        #expect(subtitles.choice == .none)
        _ = subtitles.toggle(options)
        #expect(subtitles.choice == last)
    }
}
