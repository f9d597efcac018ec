import MediaCore

/// The prerolls of one player whose completion handlers have not been called yet.
@MainActor
final class PendingPrerolls {
    typealias Completion = @MainActor @Sendable (Bool) -> Void
    private var completions: [Completion] = []

    var isEmpty: Bool { completions.isEmpty }
    func add(_ completion: @escaping Completion) { completions.append(completion) }

    /// Calls the completion handlers.
    /// - Parameter isDone: Whether everything is loaded that playback needs to start.
    func finish(_ isDone: Bool) {
        guard !completions.isEmpty else { return }
        let ended = completions
        completions = []
        ObservationScope.callOut { for completion in ended { completion(isDone) } }
    }
}
