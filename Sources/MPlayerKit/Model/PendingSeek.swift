import Zoetrope

/// The target of a seek until the newest seek has finished.
struct PendingSeek {
    private(set) var target: CMTime?
    private var number = 0

    /// Begins a seek, and returns its number for `end`.
    mutating func begin(_ time: CMTime) -> Int {
        number += 1
        target = time
        return number
    }

    /// Ends a seek. Returns false if a newer seek is pending, or the seek was forgotten.
    mutating func end(_ number: Int) -> Bool {
        guard target != nil, number == self.number else { return false }
        target = nil
        return true
    }

    mutating func forget() { target = nil }
}
