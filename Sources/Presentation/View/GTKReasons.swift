/// Why GTK draws a view's frames though the video could have a surface of its own.
struct GTKReasons: OptionSet {
    let rawValue: UInt8
    /// Something of the app's lies over the video.
    static let covered = GTKReasons(rawValue: 1)
    /// What lies over the video cannot be blended into its frames.
    static let coverUnfit = GTKReasons(rawValue: 2)
    /// Parts of the frame may be transparent.
    static let blended = GTKReasons(rawValue: 4)

    /// - Returns: whether that is a change.
    mutating func set(_ reason: GTKReasons, _ isOn: Bool) -> Bool {
        guard contains(reason) != isOn else { return false }
        if isOn { insert(reason) } else { remove(reason) }
        return true
    }
}
