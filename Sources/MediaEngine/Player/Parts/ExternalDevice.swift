import Foundation

/// The device that plays in a player's stead, if any, and the volume that the player returns to.
@MainActor
final class ExternalDevice {
    private(set) var device: (any ExternalPlayback)?
    /// Why the player plays here again though the app did not request that.
    private(set) var error: (any Error)?
    /// Whether a change comes from the device, which needs no command then.
    private(set) var isReporting = false
    private var volumeHere: (volume: Float, isMuted: Bool)?

    /// - Parameters:
    ///   - volume: the player's own, as is `isMuted`. When one device replaces another, the first ones are kept.
    func begin(_ new: any ExternalPlayback, volume: Float, isMuted: Bool) {
        error = nil
        volumeHere = volumeHere ?? (volume, isMuted)
        device = new
    }

    /// Removes the device, which the caller ends.
    /// - Returns: the player's own volume.
    func remove(error: (any Error)?) -> (volume: Float, isMuted: Bool)? {
        device = nil
        self.error = error
        defer { volumeHere = nil }
        return volumeHere
    }

    /// Ends the device for a player that is closed or released.
    func close() {
        device?.end()
        device = nil
    }

    /// Applies a change that comes from the device.
    func report(_ change: () -> Void) {
        isReporting = true
        defer { isReporting = false }
        change()
    }

    /// Calls `command` with the device unless the device itself has reported the change.
    /// - Returns: false when there is no device, and the player itself has to change.
    func command(_ command: (any ExternalPlayback) -> Void) -> Bool {
        guard let device else { return false }
        if !isReporting { command(device) }
        return true
    }
}
