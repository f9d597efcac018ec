/// The volume of the process, as far as this session knows it.
package struct SessionVolume: Sendable, Equatable {
    /// The volume of the player that has started last, 0 while it is muted. 1 without a player.
    package var level: Float = 1
    /// Whether there is a player.
    package var hasPlayer = false
}

extension AVAudioSession {
    /// The volume of the app's audio, from 0 to 1: that of the player that has started last, or 0 while it is muted. 1
    /// if there is no player.
    ///
    /// ```swift
    /// observation = AVAudioSession.sharedInstance().observe(\.outputVolume, options: [.new]) { _, change in
    ///     showVolume(change.newValue ?? 1)
    /// }
    /// ```
    /// On Linux, an app has its own volume. The volume of the desktop, which other programs share, is not part of the
    /// value. If no player has started, the value is that of the newest player. An `MPVolumeView` shows and changes the
    /// same volume.
    public var outputVolume: Float { sessionVolume.level }
}

extension AVAudioSession: KeyPathObservable {
    @MainActor private static let observers = KeyPathObservers()
    /// The observers of `outputVolume`, the only property that can be observed.
    @MainActor public var keyPathObservers: KeyPathObservers { AVAudioSession.observers }
}
