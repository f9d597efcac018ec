import Presentation

/// The texts of player controls, in the user's language.
@MainActor
package enum PlayerText {
    static var mute: String { localized("Mute") }
    static var unmute: String { localized("Unmute") }
    static var volume: String { localized("Volume") }
    static var position: String { localized("Position") }
    static var fullScreen: String { localized("Full Screen") }
    static var exitFullScreen: String { localized("Exit Full Screen") }

    static var back: String { localized("Back 10 Seconds") }
    static var forward: String { localized("Forward 10 Seconds") }
    static var remaining: String { localized("Remaining Time") }
    static var duration: String { localized("Duration") }
    static var options: String { localized("Playback Options") }
    static var speed: String { localized("Speed") }
    static var subtitles: String { localized("Subtitles") }
    static var audio: String { localized("Audio") }
    static var quality: String { localized("Quality") }
    static var automatic: String { localized("Automatic") }
    static var off: String { localized("Off") }
    static var chapters: String { localized("Chapters") }
    static var loop: String { localized("Loop") }
    static var section: String { localized("A–B Loop") }
    static var setStart: String { localized("Set Start") }
    static var setEnd: String { localized("Set End") }
    static var clearSection: String { localized("Clear") }

    static var close: String { localized("Close") }
    static var retry: String { localized("Retry") }

    /// Returns a tooltip: the text, and the key with the same effect in parentheses.
    static func tip(_ text: String, _ key: String?) -> String { key.map { "\(text) (\(localized($0)))" } ?? text }

    static var playOn: String { localized("Cast to Device") }
    /// - Parameter device: The name of a cast device.
    static func playing(on device: String) -> String {
        PlayerWords.localized("Playing on %@", device)
    }
    static var thisComputer: String { localized("This Computer") }

    private static func localized(_ text: String) -> String { PlayerWords.localized(text) }
}
