import Zoetrope

enum Enum_PlayerState: Equatable {
    case playing
    case paused
    case loading
    case error(String)

    var title: String {
        switch self {
        case .playing: "Playing"
        case .paused: "Paused"
        case .loading: "Loading..."
        case .error(let text): "Error: \(text)"
        }
    }
}

extension Double {
    /// Formats seconds as “mm:ss”, or as “hh:mm:ss” from one hour. Returns “00:00” if the value is not a valid time.
    func toReadableTime() -> String {
        guard isFinite, self > 0, self < 360_000 else { return "00:00" }
        let seconds = Int(self)
        let (hours, rest) = seconds.quotientAndRemainder(dividingBy: 3600)
        let minutes = String(format: "%02d:%02d", rest / 60, rest % 60)
        return hours > 0 ? String(format: "%02d:", hours) + minutes : minutes
    }

    /// Formats a fraction from 0 to 1 as a percentage without decimals.
    func toPercentageString() -> String {
        guard isFinite else { return "0%" }
        return "\(Int((Swift.min(1, Swift.max(0, self)) * 100).rounded()))%"
    }
}
