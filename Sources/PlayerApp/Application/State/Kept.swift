import Foundation
import MediaCore

/// What the app's windows share of what is kept between runs. Main actor.
@MainActor
final class Kept {
    let state: KeptFile<AppState>
    let preferences: KeptFile<AppPreferences>
    let note: @MainActor (String) -> Void

    /// - Parameter note: told, in one sentence, what went wrong.
    init(note: @escaping @MainActor (String) -> Void) {
        self.note = note
        state = KeptFile(
            UserFolder.state().appendingPathComponent("zoetrope/player.json"), empty: AppState(), note: note)
        preferences = KeptFile(
            UserFolder.configuration().appendingPathComponent("zoetrope/player.json"), empty: AppPreferences(),
            note: note)
    }

    /// What the user named, as what it stands for; it is among what was opened lately from now on.
    func opened(_ urls: [URL]) -> [MediaList.Entry] {
        let list = MediaList.expanding(urls)
        for problem in list.problems { note("\(problem)") }
        for url in urls { RecentFilms.shared.add(url) }
        // What could not be read as a list is told where films are: in the window.
        return list.entries.isEmpty ? urls.map { MediaList.Entry($0) } : list.entries
    }

    /// Seconds; nil: at its beginning.
    func beginning(of film: URL) -> Double? {
        preferences.value.resumes ? state.value.place(in: film) : nil
    }

    /// - Parameter seconds: nil: it was seen to its end.
    func left(_ film: URL, at seconds: Double?, of duration: Double) {
        guard preferences.value.resumes else { return }
        let isWorthIt = seconds.map { AppState.isWorthKeeping($0, of: duration) } ?? false
        state.change { $0.keep(isWorthIt ? seconds : nil, in: film) }
    }
}
