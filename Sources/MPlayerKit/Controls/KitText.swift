import Zoetrope

/// The texts of the kit's controls, in the user's language.
@MainActor
enum KitText {
    static var position: String { PlayerWords.localized("Position") }
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

    /// mm:ss, with hours where there are some; “00:00” when unknown.
    nonisolated static func clock(_ seconds: Double?) -> String {
        let all = seconds.map { $0.isFinite ? Int(min(max(0, $0), 1e9)) : 0 } ?? 0
        return all >= 3600
            ? String(format: "%d:%02d:%02d", all / 3600, all / 60 % 60, all % 60)
            : String(format: "%02d:%02d", all / 60, all % 60)
    }
}
