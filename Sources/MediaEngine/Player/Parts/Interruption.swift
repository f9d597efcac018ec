/// An interruption by the sound server, and the rate at which the player resumes after it.
struct Interruption {
    private(set) var isActive = false
    /// The rate at which the player resumes; nil: it stays paused.
    private(set) var resumingRate: Float?

    /// - Parameter rate: the rate at which the player played; 0: it was paused.
    mutating func begin(at rate: Float) {
        isActive = true
        if rate > 0 { resumingRate = rate }
    }

    mutating func end() { isActive = false }

    /// The app, or its user, has set a rate. That rate stays after the interruption.
    mutating func rateWasSet() { resumingRate = nil }
}
