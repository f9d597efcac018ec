import Foundation
import MediaCore
import MediaEngine
import Observation

/// The cast device on which a player plays. Main actor.
@MainActor @Observable
final class PlayerRoute: SetsChanges {
    /// The device's name; nil if the player plays on this computer.
    private(set) var name: String?
    /// The reason why the player plays on this computer again. It is shown for 8 seconds.
    private(set) var problem: String?
    private(set) var isAllowed = false
    /// The work that removes the current `problem`.
    @ObservationIgnored private(set) var removal: DispatchWorkItem?

    nonisolated init() {}

    func access<Member>(keyPath: KeyPath<PlayerRoute, Member>) {
        ObservationScope.access(_$observationRegistrar, self, keyPath)
    }

    func update(_ player: AVPlayer) {
        set(\.name, player.isExternalPlaybackActive ? player.externalPlaybackName ?? "" : nil)
        set(\.isAllowed, player.allowsExternalPlayback)
    }

    func failed(_ error: (any Error)?) {
        // The next problem may have the same text, and is shown for its own 8 seconds.
        removal?.cancel()
        let text = error.map(PlayerTransport.text)
        set(\.problem, text)
        guard text != nil else { return }
        let removal = DispatchWorkItem { [weak self] in MainActor.assumeIsolated { self?.problem = nil } }
        self.removal = removal
        DispatchQueue.main.asyncAfter(deadline: .now() + 8, execute: removal)
    }

    func reset() {
        removal?.cancel()
        (name, problem, isAllowed) = (nil, nil, false)
    }
}
