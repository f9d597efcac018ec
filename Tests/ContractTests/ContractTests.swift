import Testing
import Zoetrope

/// Tests of the component's API, as far as values show it. The rest is tested by compiling the other files in this
/// folder.
@Suite("The component's contract") @MainActor
struct ContractTests {
    private struct Reason: Error, CustomStringConvertible { let description: String }

    @Test("each event has the published description")
    func eventDescriptions() {
        let expected: [(PlayerEvent, String)] = [
            (.seek(true, currentTime: 1), "SeekSuccess"), (.seek(false, currentTime: 1), "SeekFail"),
            (.paused, "Paused"),
            (.waitingToPlayAtSpecifiedRate, "Waiting"), (.playing, "Playing"),
            (.currentItemChanged(newItem: nil), "ItemChanged"),
            (.currentItemRemoved, "ItemRemoved"), (.volumeChanged(newVolume: 0.5), "VolumeChanged"),
            (.error(.settingsNotUnique), "Settings are not unique."), (.startedPiP, "Started PiP"),
            (.stoppedPiP, "Stopped PiP"),
            (.itemStatusChanged(.unknown), "Status: Unknown"),
            (.itemStatusChanged(.readyToPlay), "Status: ReadyToPlay"),
            (.itemStatusChanged(.failed), "Status: FailedToLoad"),
            (.duration(CMTime(seconds: 9.6, preferredTimescale: 600)), "Duration 10 sec"),
        ]
        for (event, words) in expected { #expect(event.description == words) }
        #expect(
            PlayerEvent.boundsChanged(CGRect(x: 0, y: 0, width: 4, height: 3)).description.hasPrefix("Bounds changed"))
    }

    @Test("each error has the published description, with and without a reason")
    func errorDescriptions() {
        let reason = Reason(description: "the line is dead")
        let expected: [(VPErrors, String)] = [
            (.remoteVideoError(reason), "Playback error: the line is dead"),
            (.remoteVideoError(nil), "Playback error: Unknown error."),
            (.sourceNotFound("swipe"), "Source not found: swipe"), (.settingsNotUnique, "Settings are not unique."),
            (.notSupportedPiP, "Picture-in-Picture (PiP) is not supported on this device."),
            (.failedToLoad(reason), "Failed to load the video: the line is dead"),
            (.failedToLoad(nil), "Failed to load the video: Unknown error."),
        ]
        for (error, words) in expected { #expect(error.description == words && "\(error)" == words) }
        #expect(EventCode.asError(.settingsNotUnique) as? VPErrors == .settingsNotUnique)
    }

    @Test("events and errors are equal only if their values are equal")
    func equality() {
        let item = AVPlayerItem(url: URL(fileURLWithPath: "/nowhere.mp4"))
        let events: [PlayerEvent] = [
            .seek(true, currentTime: 1), .seek(false, currentTime: 1), .seek(true, currentTime: 2), .paused,
            .waitingToPlayAtSpecifiedRate, .playing,
            .currentItemChanged(newItem: nil), .currentItemChanged(newItem: item), .currentItemRemoved,
            .volumeChanged(newVolume: 0.5),
            .volumeChanged(newVolume: 1), .error(.settingsNotUnique), .error(.sourceNotFound("a")),
            .boundsChanged(.zero), .startedPiP, .stoppedPiP,
            .itemStatusChanged(.unknown), .itemStatusChanged(.failed), .duration(.zero),
            .duration(CMTime(seconds: 1, preferredTimescale: 600)),
        ]
        for (i, a) in events.enumerated() {
            for (j, b) in events.enumerated() { #expect((a == b) == (i == j), "\(a) and \(b)") }
        }
        #expect(Set(events.map(EventCode.name)).count == events.count)
        let errors: [VPErrors] = [
            .remoteVideoError(nil), .remoteVideoError(Reason(description: "a")),
            .remoteVideoError(Reason(description: "b")), .sourceNotFound("a"),
            .sourceNotFound("b"), .settingsNotUnique, .notSupportedPiP, .failedToLoad(nil),
            .failedToLoad(Reason(description: "a")),
        ]
        for (i, a) in errors.enumerated() {
            for (j, b) in errors.enumerated() { #expect((a == b) == (i == j), "\(a) and \(b)") }
        }
        #expect(errors.map(EventCode.name).first == "remote true")
        #expect(
            EventCode.failures([
                .paused, .error(.notSupportedPiP), .seek(false, currentTime: 0), .seek(true, currentTime: 0),
            ])
                == [VPErrors.notSupportedPiP.description, "SeekFail"])
    }

    @Test("event filters ignore payloads, are hashable and match their events")
    func filters() {
        let all: Set<PlayerEventFilter> = [
            .seekAny, .paused, .waitingToPlayAtSpecifiedRate, .playing, .currentItemChangedAny, .currentItemRemoved,
            .volumeChangedAny, .errorAny,
            .boundsChangedAny, .startedPiP, .stoppedPiP, .itemStatusChangedAny, .durationAny,
        ]
        #expect(all.count == 13 && all.contains(.paused) && Set(all.map(EventCode.name)).count == 13)
        let names = Dictionary(grouping: all) { $0 }.mapValues(\.count)
        #expect(
            names.count == 13 && names[.paused] == 1 && names[.ended] == nil && PlayerEventFilter.paused != .playing)
        #expect(PlayerEventFilter.paused.matches(.paused) && !PlayerEventFilter.paused.matches(.playing))
        #expect(PlayerEventFilter.seekAny.matches(.seek(false, currentTime: 3)))
    }

    @Test("each command equals only itself, and its payloads have the published defaults")
    func commands() throws {
        let filter = try #require(CIFilter(name: "CISepiaTone"))
        let badge = ContractBadge()
        let all = CommandCode.all(filter, badge)
        for (i, a) in all.enumerated() {
            for (j, b) in all.enumerated() { #expect((a == b) == (i == j), "\(a) and \(b)") }
        }
        #expect(Set(all.map(CommandCode.name)).count == all.count)
        #expect(PlaybackCommand.seek(to: 2) == .seek(to: 2, play: true))
        #expect(PlaybackCommand.filter(filter) == .filter(filter, clear: false))
        #expect(PlaybackCommand.addVector(badge) == .addVector(badge, clear: false))
        #expect(PlaybackCommand.addVector(badge) != .addVector(ContractBadge()), "vectors are told apart by their id")
        #expect(
            CommandCode.time(.seek(to: 4)) == 4 && CommandCode.time(.volume(1)) == 1 && CommandCode.time(.play) == nil)
    }

    @Test("settings contain what the builder lists and nothing else")
    func settings() {
        let quiet = SettingsCode.built(isQuiet: true, subtitles: "eng", names: ["swipe"])
        #expect(quiet.name == "swipe" && quiet.ext == "mp4" && quiet.subtitles == "eng")
        #expect(
            quiet.mute && !quiet.notAutoPlay && !quiet.loop && quiet.pictureInPicture && quiet.vector && quiet.areUnique
        )
        #expect(
            quiet.events == [.playing, .paused] && quiet.timePublishing?.seconds == 1 && quiet.gravity == .resizeAspect)
        let other = SettingsCode.built(isQuiet: false, subtitles: nil, names: [])
        #expect(!other.mute && other.notAutoPlay && other.subtitles.isEmpty)
        let plain = VideoSettings { SourceName("swipe") }
        #expect(
            plain.events == nil && plain.timePublishing == nil && !plain.vector, "what is not asked for is not told")
        #expect(VideoSettings { Events() }.events == [])
        #expect(plain == VideoSettings(name: "swipe") && plain != quiet)
    }

    @Test("areUnique is false if a setting occurs twice, groups included")
    func twice() {
        #expect(
            VideoSettings {
                SourceName("a")
                Loop()
            }.areUnique)
        #expect(
            !VideoSettings {
                SourceName("a")
                SourceName("b")
            }.areUnique)
        #expect(
            !VideoSettings {
                QuietLoop()
                Mute()
            }.areUnique)
        #expect(
            !VideoSettings {
                EColor(.blue)
                ErrorGroup { EColor(.green) }
            }.areUnique)
    }

    @Test("source names are trimmed, and isEqual compares only the source")
    func sources() {
        #expect(VideoSettings { SourceName("  swipe \n") }.name == "swipe")
        let one = VideoSettings {
            SourceName("swipe")
            Loop()
        }
        let other = VideoSettings {
            SourceName("swipe")
            Mute()
        }
        #expect(
            one.isEqual(other) && one != other && !one.isEqual(nil)
                && !one.isEqual(VideoSettings { SourceName("swap") }))
    }

    @Test("the memberwise initializer has the published order and defaults")
    func memberwise() {
        let all = SettingsCode.memberwise()
        #expect(
            all[0].name == "swipe" && all[0].ext == "mov" && all[0].subtitles == "eng" && all[0].loop
                && all[0].pictureInPicture && all[0].mute)
        #expect(
            all[0].notAutoPlay && all[0].timePublishing?.seconds == 2 && all[0].gravity == .resize && all[0].vector
                && all[0].events == [.playing])
        #expect(!all[1].vector && all[1].events == nil && all[2].ext == "mp4")
    }

    @Test("each element produces the settings of its name")
    func elements() {
        for element in SettingsCode.elements() { #expect(!element.asSettings().isEmpty) }
        #expect(TimePublishing().asSettings() == [.timePublishing(CMTime(seconds: 1, preferredTimescale: 600))])
        #expect(EColor().asSettings() == [.errorColor(.red)] && EFontSize().asSettings() == [.errorFontSize(17)])
        #expect(
            Events([.playing, .paused]).asSettings() == [.events([.playing, .paused])]
                && Setting.gravity() == .gravity(.resizeAspect))
        #expect(SettingsCode.settings().map(SettingsCode.name).count == 13)
        #expect(Setting.loop.asSettings() == [.loop])
    }

    @Test("a player's settings and command can be read and written")
    func bindings() {
        #expect(PlayerHolder.read() == (name: "swipe", command: .mute))
        var settings = VideoSettings(name: "a")
        var command = PlaybackCommand.play
        PlayerHolder.write(
            Binding(get: { settings }, set: { settings = $0 }), Binding(get: { command }, set: { command = $0 }))
        #expect(settings.name == "other" && command == .pause)
    }

    @Test("a player's file name initializer uses its arguments or published defaults")
    func fileName() {
        var command = PlaybackCommand.pause
        let quarter = CMTime(value: 1, timescale: 4)
        let player = ExtVideoPlayer(
            fileName: "swipe", ext: "mov", gravity: .resizeAspectFill, timePublishing: quarter, eColor: .green,
            eFontSize: 33,
            command: Binding(get: { command }, set: { command = $0 }))
        let settings = player.settings
        #expect(
            settings.name == "swipe" && settings.ext == "mov" && settings.gravity == .resizeAspectFill
                && settings.timePublishing == quarter)
        #expect(settings.errorColor == .green && settings.errorFontSize == 33 && player.command == .pause)
        #expect(
            settings
                == VideoSettings(
                    name: "swipe", ext: "mov", timePublishing: quarter, gravity: .resizeAspectFill, errorColor: .green,
                    errorFontSize: 33))
        player.command = .mute
        #expect(command == .mute)
        let plain = ExtVideoPlayer(fileName: "swipe")
        #expect(
            plain.settings == VideoSettings(name: "swipe", timePublishing: CMTime(seconds: 1, preferredTimescale: 600))
                && plain.command == .play)
        #expect(
            plain.settings.ext == "mp4" && plain.settings.gravity == .resizeAspect && plain.settings.errorColor == .red
                && plain.settings.errorFontSize == 17)
        #expect(ExtVideoPlayer(fileName: "swipe", timePublishing: nil).settings.timePublishing == nil)
    }

    @Test("settings and commands beyond the contract keep their values and limits")
    func askedFor() {
        let all = AskedForCode.elements()
        // A loop with a count or range produces two settings.
        #expect(all.allSatisfy { !$0.asSettings().isEmpty })
        func settings(_ index: Int) -> VideoSettings { VideoSettings { all[index] } }
        #expect(settings(0).loop && settings(0).loopCount == 3)
        #expect(
            settings(1).loopRange
                == CMTimeRange(start: CMTime(value: 1, timescale: 1), end: CMTime(value: 5, timescale: 2)))
        #expect(
            settings(2).playlist == ["a", "b"] && settings(5).headers == [:]
                && settings(6).cookies.map(\.name) == ["session"])
        #expect(
            settings(7).preferredPeakBitRate == 0 && settings(8).preferredLanguages == ["de"]
                && settings(9).preferredLanguages == ["de", "en"])
        #expect(
            settings(13).crossfade == 2 && settings(15).loudness == .r128(-23) && settings(16).loudness == .asRecorded
                && settings(17).fullScreen)
        #expect(
            VideoSettings { Crossfade(100) }.crossfade == 12 && VideoSettings { Crossfade(.nan) }.crossfade == 0
                && VideoSettings { Crossfade(-1) }.crossfade == 0)
        #expect(
            !VideoSettings {
                Crossfade(1)
                Crossfade(2)
            }.areUnique)
        for (i, a) in AskedForCode.commands.enumerated() {
            for (j, b) in AskedForCode.commands.enumerated() { #expect((a == b) == (i == j), "\(a) and \(b)") }
        }
    }
}
