/// The reasons why GTK draws a view's frames although the video could have its own surface.
struct GTKReasons: OptionSet {
    let rawValue: UInt8
    /// Content of the app is above the video.
    static let covered = GTKReasons(rawValue: 1)
    /// The content over the video cannot be blended into its frames.
    static let coverUnfit = GTKReasons(rawValue: 2)
    /// Parts of the frame, or of the bars beside it, may be transparent.
    static let blended = GTKReasons(rawValue: 4)
    /// A part of the view is outside the window, whose edge would not cut off the video's own surface.
    static let beyondWindow = GTKReasons(rawValue: 8)

    /// Adds or removes a reason.
    /// - Returns: Whether that is a change.
    mutating func set(_ reason: GTKReasons, _ isOn: Bool) -> Bool {
        guard contains(reason) != isOn else { return false }
        if isOn { insert(reason) } else { remove(reason) }
        return true
    }
}
