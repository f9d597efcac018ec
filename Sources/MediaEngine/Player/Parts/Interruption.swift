/// An interruption by the audio server, and the rate at which the player resumes after it.
struct Interruption {
    private(set) var isActive = false
    /// The rate at which the player resumes; nil if it stays paused.
    private(set) var resumingRate: Float?

    /// Begins the interruption.
    /// - Parameter rate: The rate at which the player played; 0 if it was paused.
    mutating func begin(at rate: Float) {
        isActive = true
        if rate > 0 { resumingRate = rate }
    }

    mutating func end() {
        isActive = false
        resumingRate = nil
    }

    /// Discards the rate to resume at, because the app or its user has set a rate. The new rate stays after the
    /// interruption.
    mutating func rateWasSet() { resumingRate = nil }
}
