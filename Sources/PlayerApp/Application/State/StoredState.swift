import Foundation
import PlayerControls

/// The stored state, preferences and positions that the windows of the app share. Main actor.
@MainActor
final class StoredState {
    let state: StoredValue<AppState>
    let preferences: StoredValue<AppPreferences>
    /// The positions in videos. The store is opened when it is first needed.
    private lazy var positions: ResumeStore = {
        let note = note
        return ResumeStore.shared(at: UserFolder.state().appendingPathComponent("zoetrope/positions.sqlite")) { text in
            DispatchQueue.main.async { MainActor.assumeIsolated { note(text) } }
        }
    }()
    let note: @MainActor (String) -> Void
    private let fetch: MediaList.Fetch

    /// - Parameters:
    ///   - fetch: Loads playlists from servers.
    ///   - note: Receives a sentence about each problem.
    init(fetch: @escaping MediaList.Fetch, note: @escaping @MainActor (String) -> Void) {
        self.fetch = fetch
        self.note = note
        state = StoredValue(
            UserFolder.state().appendingPathComponent("zoetrope/player.json"), empty: AppState(), note: note)
        preferences = StoredValue(
            UserFolder.configuration().appendingPathComponent("zoetrope/player.json"), empty: AppPreferences(),
            note: note)
    }

    /// The URLs that the user has named and that have not been played yet.
    private var untried: Set<URL> = []
    private static let maximumUntried = 10_000

    /// Returns the entries of the URLs that the user has named. Playlists on servers are not loaded yet.
    func list(of urls: [URL]) -> MediaList {
        if untried.count + urls.count > Self.maximumUntried { untried = [] }
        untried.formUnion(urls.prefix(Self.maximumUntried))
        return MediaList.expanding(urls)
    }
    /// Adds a source to the recent videos, because one of its entries can be played.
    /// - Parameter source: The URL that the user named: a file, or the folder or playlist that contains it.
    func didOpen(_ source: URL) {
        if untried.remove(source) != nil { RecentFilms.shared.add(source) }
    }
    /// Returns a list in which playlists on servers are replaced with their entries.
    func loadingRemoteLists(_ list: MediaList, found: URL? = nil) async -> MediaList {
        await list.withRemoteLists(fetch, found: found)
    }
    /// Returns the entries of `list`, which was made from `urls`, and reports the problems of the list.
    func entries(of list: MediaList, _ urls: [URL]) -> [MediaList.Entry] {
        for problem in list.problems { note("\(problem)") }
        // A playlist that could not be read stays an entry, so that the window shows the error when it plays.
        return list.entries.isEmpty ? urls.map { MediaList.Entry($0) } : list.entries
    }

    /// Returns the position in seconds at which the user left `film`; nil if playback begins at the start.
    func startPosition(of film: URL) -> Double? {
        preferences.value.resumes ? positions.positionNow(of: film) : nil
    }

    /// Stores the position at which the user left a video.
    /// - Parameters:
    ///   - film: The video.
    ///   - seconds: The position in seconds; nil if the video was watched to its end.
    ///   - duration: The duration in seconds.
    func didLeave(_ film: URL, at seconds: Double?, of duration: Double) {
        guard preferences.value.resumes else { return }
        positions.store(seconds, duration: duration, of: film)
        // The program may end right after this call.
        positions.flush()
    }

    /// Deletes all positions.
    func removePositions() { positions.removeAll(nil) }
}
