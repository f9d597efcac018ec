import Foundation
import Testing
@testable import Zoetrope

@Suite("Video settings")
struct SettingsTests {
    @Test("defaults: mp4, whole picture, plays at once, once, with sound; time and events are off")
    func defaults() {
        for settings in [VideoSettings { SourceName("swipe") }, VideoSettings(name: "swipe")] {
            #expect(settings.name == "swipe")
            #expect(settings.ext == "mp4")
            #expect(settings.subtitles == "")
            #expect(!settings.loop && !settings.mute && !settings.notAutoPlay)
            #expect(settings.timePublishing == nil)
            #expect(settings.gravity == .resizeAspect)
            #expect(!settings.enableVector && !settings.pictureInPicture)
            #expect(settings.events == nil)
            #expect(settings.eventsInterval == 1)
            #expect(settings.errorColor == .accentColor)
            #expect(settings.errorFontSize == 17)
            #expect(!settings.errorWidgetOff)
            #expect(settings.unique)
        }
    }

    @Test("nothing given is a video without a name")
    func empty() {
        #expect(VideoSettings {} == VideoSettings(name: ""))
    }

    @Test("every setting is taken, in any order")
    func all() {
        let time = CMTime(seconds: 0.25, preferredTimescale: 600)
        let expected = VideoSettings(
            name: "clip", ext: "mov", subtitles: "words", loop: true, mute: true, notAutoPlay: true, timePublishing: time,
            gravity: .resizeAspectFill, enableVector: true, pictureInPicture: true, events: [.playing], eventsInterval: 0.5,
            errorColor: .red, errorFontSize: 30, errorWidgetOff: true)
        let settings: [any SettingsConvertible] = [
            SourceName("clip"), Ext("mov"), Subtitles("words"), Loop(), Mute(), NotAutoPlay(), TimePublishing(time),
            Gravity(.resizeAspectFill), EnableVector(), PictureInPicture(), Events([.playing], interval: 0.5),
            ErrorGroup {
                EFontSize(30)
                EColor(.red)
            },
            ErrorWidgetOff(),
        ]
        for order in [settings, settings.reversed(), Array(settings.shuffled())] {
            let built = VideoSettings { for setting in order.flatMap({ $0.asSettings() }) { setting } }
            #expect(built == expected)
        }
    }

    @Test("conditions and loops are allowed", arguments: [true, false])
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
        #expect(settings.unique)
    }

    @Test("a setting given twice makes them not unique, with the same value or another, also across groups")
    func twice() {
        #expect(!VideoSettings { SourceName("a"); SourceName("b") }.unique)
        #expect(!VideoSettings { SourceName("a"); Loop(); Loop() }.unique)
        #expect(!VideoSettings { SourceName("a"); for _ in 0..<2 { Mute() } }.unique)
        #expect(!VideoSettings {
            SourceName("a")
            EColor(.red)
            ErrorGroup { EColor(.blue) }
        }.unique)
        #expect(VideoSettings { SourceName("a"); SourceName("b") }.name == "b")
    }

    @Test("Events without filters means all of them")
    func events() {
        #expect(VideoSettings { Events() }.events == [])
        #expect(VideoSettings { Events([]) }.events == [])
        #expect(VideoSettings { Events([.seekAny, .errorAny]) }.events == [.seekAny, .errorAny])
        #expect(VideoSettings { Events() }.eventsInterval == 1)
    }

    @Test("time is published each second unless another interval is given; what is no interval counts as one second")
    func timePublishing() {
        let second = CMTime(value: 600, timescale: 600)
        #expect(VideoSettings { TimePublishing() }.timePublishing == second)
        #expect(VideoSettings { TimePublishing(CMTime(value: 1, timescale: 25)) }.timePublishing == CMTime(value: 1, timescale: 25))
        for time in [CMTime.zero, .invalid, .indefinite, .positiveInfinity, CMTime(value: -1, timescale: 2)] {
            #expect(VideoSettings { TimePublishing(time) }.timePublishing == second)
        }
    }

    @Test("a changed copy is another value; the same change back makes them equal")
    func copies() {
        let settings = VideoSettings { SourceName("clip"); Loop() }
        var copy = settings
        copy.loop = false
        copy.name = "other"
        #expect(copy != settings)
        copy.loop = true
        copy.name = "clip"
        #expect(copy == settings)
    }
}
