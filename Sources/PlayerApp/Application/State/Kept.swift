import Foundation
import MediaCore
import PlayerControls

/// What the app's windows share of what is kept between runs. Main actor.
@MainActor
final class Kept {
    let state: KeptFile<AppState>
    let preferences: KeptFile<AppPreferences>
    /// The positions in videos. Opened when the user first wants them.
    private lazy var positions: ResumeStore = {
        let note = note
        return ResumeStore.shared(at: UserFolder.state().appendingPathComponent("zoetrope/positions.sqlite")) { text in
            DispatchQueue.main.async { MainActor.assumeIsolated { note(text) } }
        }
    }()
    let note: @MainActor (String) -> Void
    private let fetch: MediaList.Fetch

    /// - Parameters:
    ///   - fetch: gets lists from servers.
    ///   - note: told, in one sentence, what went wrong.
    init(fetch: @escaping MediaList.Fetch, note: @escaping @MainActor (String) -> Void) {
        self.fetch = fetch
        self.note = note
        state = KeptFile(
            UserFolder.state().appendingPathComponent("zoetrope/player.json"), empty: AppState(), note: note)
        preferences = KeptFile(
            UserFolder.configuration().appendingPathComponent("zoetrope/player.json"), empty: AppPreferences(),
            note: note)
    }

    /// What the user named, and is not known to be playable yet.
    private var untried: Set<URL> = []
    private static let mostUntried = 10_000

    /// What the user named. Lists on servers are still to be asked for.
    func named(_ urls: [URL]) -> MediaList {
        if untried.count + urls.count > Self.mostUntried { untried = [] }
        untried.formUnion(urls.prefix(Self.mostUntried))
        return MediaList.expanding(urls)
    }
    /// Something of what the user named can be played: only now does it belong to what was opened lately.
    /// - Parameter source: what the user named, a file or what it is in.
    func opened(_ source: URL) {
        if untried.remove(source) != nil { RecentFilms.shared.add(source) }
    }
    /// With what lists on servers name.
    func asked(_ list: MediaList, found: URL? = nil) async -> MediaList {
        await list.withRemoteLists(fetch, found: found)
    }
    /// What `urls` stand for, to be played.
    func entries(of list: MediaList, _ urls: [URL]) -> [MediaList.Entry] {
        for problem in list.problems { note("\(problem)") }
        // What could not be read as a list is told where films are: in the window.
        return list.entries.isEmpty ? urls.map { MediaList.Entry($0) } : list.entries
    }

    /// The position in seconds at which `film` was left; nil if it starts at the beginning.
    func beginning(of film: URL) -> Double? {
        preferences.value.resumes ? positions.positionNow(of: film) : nil
    }

    /// - Parameter seconds: The position; nil if the video was watched to its end.
    func left(_ film: URL, at seconds: Double?, of duration: Double) {
        guard preferences.value.resumes else { return }
        positions.store(seconds, duration: duration, of: film)
        // The program may end next.
        positions.flush()
    }

    /// Deletes all positions.
    func forgetPositions() { positions.removeAll(nil) }
}
