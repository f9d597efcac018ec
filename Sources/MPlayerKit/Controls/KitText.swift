import Zoetrope

/// The texts of the kit's controls, in the user's language.
@MainActor
enum KitText {
    static var volume: String { PlayerWords.localized("Volume") }
    static var mute: String { PlayerWords.localized("Mute") }
    static var unmute: String { PlayerWords.localized("Unmute") }
    static var close: String { PlayerWords.localized("Close") }
    static var play: String { PlayerWords.localized("Play") }
    static var pause: String { PlayerWords.localized("Pause") }
    static var back: String { PlayerWords.localized("Back 10 Seconds") }
    static var forward: String { PlayerWords.localized("Forward 10 Seconds") }
    static var enterPiP: String { PlayerWords.localized("Picture in Picture") }
    static var exitPiP: String { PlayerWords.localized("Exit Picture in Picture") }
    static var more: String { PlayerWords.localized("More") }
    static var audio: String { PlayerWords.localized("Audio") }
    static var subtitle: String { PlayerWords.localized("Subtitles") }
    static var rate: String { PlayerWords.localized("Speed") }
    static var off: String { PlayerWords.localized("Off") }

    /// Returns a time as `mm:ss`, or `h:mm:ss` from one hour on; “00:00” if the time is unknown.
    nonisolated static func clock(_ seconds: Double?) -> String {
        TimeText.clock(seconds ?? .nan, unknown: "00:00", padsMinutes: true)
    }
}
