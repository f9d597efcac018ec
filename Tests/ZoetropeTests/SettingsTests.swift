import Foundation
import Testing

@testable import Zoetrope

@Suite("Video settings")
struct SettingsTests {
    @Test("defaults are mp4, resizeAspect, one audible playback, and nothing published")
    func defaults() {
        for settings in [VideoSettings { SourceName("swipe") }, VideoSettings(name: "swipe")] {
            #expect(settings.name == "swipe")
            #expect(settings.ext == "mp4")
            #expect(settings.subtitles == "")
            #expect(!settings.loop && !settings.mute && !settings.notAutoPlay)
            #expect(settings.timePublishing == nil)
            #expect(settings.gravity == .resizeAspect)
            #expect(!settings.vector && !settings.pictureInPicture && !settings.fullScreen)
            #expect(settings.events == nil)
            #expect(settings.eventsInterval == 1)
            #expect(settings.errorColor == .red)
            #expect(settings.errorFontSize == 17)
            #expect(!settings.errorWidgetOff)
            #expect(settings.areUnique)
        }
    }

    @Test("empty settings equal a video without a name")
    func empty() {
        #expect(VideoSettings {} == VideoSettings(name: ""))
    }

    @Test("all settings are accepted in any order")
    func all() {
        let time = CMTime(seconds: 0.25, preferredTimescale: 600)
        var expected = VideoSettings(
            name: "clip", ext: "mov", subtitles: "words", loop: true, pictureInPicture: true, mute: true,
            notAutoPlay: true, timePublishing: time,
            gravity: .resizeAspectFill, enableVector: true, events: [.playing], eventsInterval: 0.5,
            errorColor: .blue, errorFontSize: 30, errorWidgetOff: true)
        expected.fullScreen = true
        let settings: [any SettingsConvertible] = [
            SourceName("clip"), Ext("mov"), Subtitles("words"), Loop(), Mute(), NotAutoPlay(), TimePublishing(time),
            Gravity(.resizeAspectFill), EnableVector(), PictureInPicture(), FullScreen(),
            Events([.playing], interval: 0.5),
            ErrorGroup {
                EFontSize(30)
                EColor(.blue)
            },
            ErrorWidgetOff(),
        ]
        for order in [settings, settings.reversed(), Array(settings.shuffled())] {
            let built = VideoSettings { for setting in order.flatMap({ $0.asSettings() }) { setting } }
            #expect(built == expected)
        }
    }

    @Test("the builder accepts conditions and loops", arguments: [true, false])
    func conditions(isQuiet: Bool) {
        let names: [String?] = ["clip", nil]
        let settings = VideoSettings {
            for name in names { if let name { SourceName(name) } }
            if isQuiet { Mute() }
            if isQuiet { Gravity(.resize) } else { Loop() }
            switch isQuiet {
            case true: Ext("webm")
            case false: Ext("mkv")
            }
        }
        #expect(settings.name == "clip")
        #expect(settings.mute == isQuiet)
        #expect(settings.loop == !isQuiet)
        #expect(settings.gravity == (isQuiet ? .resize : .resizeAspect))
        #expect(settings.ext == (isQuiet ? "webm" : "mkv"))
        #expect(settings.areUnique)
    }

    @Test("a setting given twice makes the settings non-unique, across groups too")
    func twice() {
        #expect(
            !VideoSettings {
                SourceName("a")
                SourceName("b")
            }.areUnique)
        #expect(
            !VideoSettings {
                SourceName("a")
                Loop()
                Loop()
            }.areUnique)
        #expect(
            !VideoSettings {
                SourceName("a")
                for _ in 0..<2 { Mute() }
            }.areUnique)
        #expect(
            !VideoSettings {
                SourceName("a")
                EColor(.red)
                ErrorGroup { EColor(.blue) }
            }.areUnique)
        #expect(
            VideoSettings {
                SourceName("a")
                SourceName("b")
            }.name == "b")
    }

    @Test("Events without filters means all events")
    func events() {
        #expect(VideoSettings { Events() }.events == [])
        #expect(VideoSettings { Events([]) }.events == [])
        #expect(VideoSettings { Events([.seekAny, .errorAny]) }.events == [.seekAny, .errorAny])
        #expect(VideoSettings { Events() }.eventsInterval == 1)
    }

    @Test("TimePublishing uses one second without a valid interval")
    func timePublishing() {
        let second = CMTime(value: 600, timescale: 600)
        #expect(VideoSettings { TimePublishing() }.timePublishing == second)
        #expect(
            VideoSettings { TimePublishing(CMTime(value: 1, timescale: 25)) }.timePublishing
                == CMTime(value: 1, timescale: 25))
        for time in [CMTime.zero, .invalid, .indefinite, .positiveInfinity, CMTime(value: -1, timescale: 2)] {
            #expect(VideoSettings { TimePublishing(time) }.timePublishing == second)
        }
    }

    @Test("names are trimmed, and isEqual compares only the source")
    func names() {
        let settings = VideoSettings {
            SourceName(" \tclip.mp4\n")
            Loop()
        }
        #expect(settings.name == "clip.mp4" && VideoSettings(name: " clip.mp4 ").name == "clip.mp4")
        #expect(
            settings.isEqual(VideoSettings(name: "clip.mp4")) && !settings.isEqual(VideoSettings(name: "other"))
                && !settings.isEqual(nil))
        #expect(!settings.isEqual(VideoSettings(name: "clip.mp4", ext: "mov")))
        let others = VideoSettings {
            Ext(" mp4 ")
            Subtitles(" x\t")
            Playlist([" a ", "b c\n"])
            Preload([" d "])
        }
        #expect(
            others.ext == "mp4" && others.subtitles == "x" && others.playlist == ["a", "b c"] && others.preload == ["d"]
        )
        let memberwise = VideoSettings(name: "a", ext: " mov ", subtitles: " x ")
        #expect(memberwise.ext == "mov" && memberwise.subtitles == "x")
    }

    @Test("a setting's cases can be matched with or without a payload")
    func cases() {
        let all: [Setting] = [
            .events([.playing]), .subtitles("x"), .gravity(), .gravity(.resize), .timePublishing(.zero), .vector,
            .events(),
        ]
        var found: [String] = []
        for setting in all {
            switch setting {
            case .events(let filters): found.append("\(filters?.count ?? -1)")
            case .subtitles(let name): found.append(name)
            case .gravity(let gravity): found.append("\(gravity == .resizeAspect)")
            default: break
            }
        }
        #expect(found == ["1", "x", "true", "false", "-1"])
    }

    @Test("a changed copy differs until the change is reverted")
    func copies() {
        let settings = VideoSettings {
            SourceName("clip")
            Loop()
        }
        var copy = settings
        copy.loop = false
        copy.name = "other"
        #expect(copy != settings)
        copy.loop = true
        copy.name = "clip"
        #expect(copy == settings)
    }
}
