import Foundation

/// What player controls say to their user: English, or what the app's `Localizable.strings` have for it.
@MainActor
enum PlayerText {
    static var mute: String { localized("Mute") }
    static var unmute: String { localized("Unmute") }
    static var volume: String { localized("Volume") }
    static var position: String { localized("Position") }
    static var fullScreen: String { localized("Full Screen") }
    static var exitFullScreen: String { localized("Exit Full Screen") }

    private static func localized(_ text: String) -> String { Bundle.main.localizedString(forKey: text, value: text, table: nil) }

    /// 1:05, 2:00:00; what is no number is 0:00.
    nonisolated static func clock(_ seconds: Double) -> String {
        let all = seconds.isFinite ? Int(min(max(0, seconds), 1e9)) : 0
        return all >= 3600 ? String(format: "%d:%02d:%02d", all / 3600, all / 60 % 60, all % 60) : String(format: "%d:%02d", all / 60, all % 60)
    }
}
