/// The progress of a gesture during one press, and the recognizer that is notified when the press ends.
struct GesturePress {
    /// Whether the gesture was recognized, so that its events are reported.
    private(set) var isRecognized = false
    private(set) var isCancelled = false
    /// Whether the recognizer was able to succeed when the press began.
    private(set) var wasOpen = false
    /// The recognizer of the press, until the end of the press is reported. Nil for a tap, and for a long press whose
    /// beginning was not reported.
    private var notified: _Recognizer?

    /// Whether the end of the press has not been reported yet.
    var mustReportEnd: Bool { notified != nil }

    /// Starts a press.
    /// - Parameter isOpen: Whether the recognizer can succeed now.
    mutating func begin(isOpen: Bool) {
        isRecognized = false
        isCancelled = false
        wasOpen = isOpen
    }

    /// Stores the recognizer that is notified when the press ends. Nil for none.
    mutating func notifyAtEnd(_ recognizer: _Recognizer?) { notified = recognizer }

    mutating func recognize() { isRecognized = true }
    mutating func cancel() { isCancelled = true }

    /// Returns the recognizer to notify of the end of the press, or nil if there is none. Later calls return nil.
    mutating func end() -> _Recognizer? {
        defer { notified = nil }
        return notified
    }
}
