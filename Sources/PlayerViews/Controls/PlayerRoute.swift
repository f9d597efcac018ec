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

    nonisolated init() {}

    func access<Member>(keyPath: KeyPath<PlayerRoute, Member>) {
        ObservationScope.access(_$observationRegistrar, self, keyPath)
    }

    func update(_ player: AVPlayer) {
        set(\.name, player.isExternalPlaybackActive ? player.externalPlaybackName ?? "" : nil)
        set(\.isAllowed, player.allowsExternalPlayback)
    }

    func failed(_ error: (any Error)?) {
        let text = error.map(PlayerTransport.text)
        set(\.problem, text)
        guard let text else { return }
        DispatchQueue.main.asyncAfter(deadline: .now() + 8) { [weak self] in
            MainActor.assumeIsolated { if self?.problem == text { self?.problem = nil } }
        }
    }

    func reset() { (name, problem, isAllowed) = (nil, nil, false) }
}
