/// The external device of a player, if any, and the player's own volume, which is restored after external playback.
@MainActor
final class ExternalDevice {
    private(set) var device: (any ExternalPlayback)?
    /// The error that ended external playback, if the app did not request the end.
    private(set) var error: (any Error)?
    /// Whether the current change comes from the device, which then needs no command.
    private(set) var isReporting = false
    private var localVolume: (volume: Float, isMuted: Bool)?

    /// Starts external playback on `new`. When `new` replaces another device, the volume saved first is kept.
    ///
    /// - Parameters:
    ///   - volume: The player's own volume, to which it returns.
    ///   - isMuted: Whether the player itself is muted.
    func begin(_ new: any ExternalPlayback, volume: Float, isMuted: Bool) {
        error = nil
        localVolume = localVolume ?? (volume, isMuted)
        device = new
    }

    /// Removes the device, which the caller ends.
    /// - Returns: The player's own volume; nil if there was no device.
    func remove(error: (any Error)?) -> (volume: Float, isMuted: Bool)? {
        device = nil
        self.error = error
        defer { localVolume = nil }
        return localVolume
    }

    /// Ends playback on the device, because the player is closed or released.
    func close() {
        device?.end()
        device = nil
    }

    /// Applies a change that comes from the device, without a command to the device.
    func report(_ change: () -> Void) {
        isReporting = true
        defer { isReporting = false }
        change()
    }

    /// Calls `command` with the device unless the device itself has reported the change.
    /// - Returns: False if there is no device, and the player itself must change.
    func command(_ command: (any ExternalPlayback) -> Void) -> Bool {
        guard let device else { return false }
        if !isReporting { command(device) }
        return true
    }
}
