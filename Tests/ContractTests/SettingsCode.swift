import Zoetrope

/// A custom settings element that consists of others.
struct QuietLoop: SettingsConvertible {
    func asSettings() -> [Setting] { [.loop, .mute] }
}

enum SettingsCode {
    /// Every settings element, in every form. They are not meant to be combined.
    static func elements() -> [any SettingsConvertible] {
        [
            SourceName("swipe"), Ext("mp4"), Gravity(.resizeAspectFill), TimePublishing(), TimePublishing(nil),
            TimePublishing(CMTime(seconds: 2, preferredTimescale: 600)),
            TimePublishing(.init(seconds: 2, preferredTimescale: 600)),
            Subtitles("swipe_eng"), Subtitles(""), Loop(), Mute(), NotAutoPlay(), EnableVector(), PictureInPicture(),
            Events(), Events(nil), Events([]), Events([.playing, .paused]),
            Events([.durationAny, .itemStatusChangedAny]),
            EColor(), EColor(.blue), EFontSize(), EFontSize(27), ErrorWidgetOff(), QuietLoop(), Setting.loop,
            ErrorGroup {
                EColor(.blue)
                EFontSize(27)
            },
        ]
    }

    static func built(isQuiet: Bool, subtitles: String?, names: [String]) -> VideoSettings {
        VideoSettings {
            SourceName(names.first ?? "swipe")
            Ext("mp4")
            if isQuiet { Mute() }
            if let subtitles {
                Subtitles(subtitles)
            } else {
                NotAutoPlay()
            }
            Events([.playing, .paused])
            TimePublishing()
            EnableVector()
            PictureInPicture()
        }
    }

    /// Every case. Payloads with a default appear once without the payload.
    static func settings() -> [Setting] {
        [
            .name("swipe"), .ext("mp4"), .subtitles("swipe_eng"), .pictureInPicture, .events([.playing, .paused]),
            .events(nil), .vector, .loop,
            .mute, .notAutoPlay, .timePublishing(CMTime(seconds: 1, preferredTimescale: 600)), .gravity(.resize),
            .gravity(),
        ]
    }

    /// Returns the payload of each case as text. Each case must have exactly this payload for the patterns to compile.
    static func name(_ setting: Setting) -> String {
        switch setting {
        case .name(let name): return name
        case .ext(let ext): return ext
        case .subtitles(let name):
            let name: String = name
            return name
        case .pictureInPicture: return "pictureInPicture"
        case .events(let filters):
            let filters: [PlayerEventFilter]? = filters
            return "events \(filters?.count ?? -1)"
        case .vector: return "vector"
        case .loop: return "loop"
        case .mute: return "mute"
        case .notAutoPlay: return "notAutoPlay"
        case .timePublishing(let interval):
            let interval: CMTime = interval
            return "\(interval.seconds)"
        case .gravity(let gravity):
            let gravity: AVLayerVideoGravity = gravity
            return gravity.rawValue
        default: return "ours"
        }
    }

    /// Settings by the memberwise initializer, in the order of the original API.
    static func memberwise() -> [VideoSettings] {
        [
            VideoSettings(
                name: "swipe", ext: "mov", subtitles: "eng", loop: true, pictureInPicture: true, mute: true,
                notAutoPlay: true,
                timePublishing: CMTime(seconds: 2, preferredTimescale: 600), gravity: .resize, enableVector: true,
                events: [.playing]),
            VideoSettings(
                name: "swipe", ext: "mov", subtitles: "", loop: false, pictureInPicture: false, mute: false,
                notAutoPlay: false,
                timePublishing: nil, gravity: .resizeAspect),
            VideoSettings(name: "swipe"),
        ]
    }
}
