import Foundation
import MediaCore
import Streaming

extension HLSReader {
    /// Opens a stream that is read without a playhead: one variant of it, and no segment before it is asked for.
    ///
    /// Waits for the playlists and the begin of the first segment. `interrupt` wakes the session until the caller takes
    /// it out of the token's wakers and closes it.
    /// - Parameters:
    ///   - size: pixels; see `StreamPictures.choice`.
    ///   - start: media time; where to begin reading.
    static func onDemand(
        _ url: URL, options: HTTPOptions, for size: CGSize, start: MediaTime, interrupt: InterruptToken
    ) throws(AVError) -> (reader: HLSReader, session: HLSSession) {
        var settings = HLSReader.settings(options)
        settings.loadsOnDemand = true
        settings.start = start.nanoseconds
        var undecodable: Set<URL> = []
        while true {
            let avoided = undecodable
            settings.arrange = { presentation in
                let others = presentation.sources.filter { $0.playlists.allSatisfy { !avoided.contains($0) } }
                let sources = others.isEmpty ? presentation.sources : others
                return StreamPictures.choice(among: sources, for: size).map { presentation.only(sources[$0]) }
                    ?? presentation
            }
            let session = HLSSession(url: url, settings: settings)
            session.setInterrupt { interrupt.isInterrupted || interrupt.isOverTime }
            interrupt.addWaker(session) { [weak session] in session?.wake() }
            let opened: Result<HLSReader, AVError>
            do throws(AVError) {
                opened = .success(try HLSReader(session: session, selection: TrackSelection()))
            } catch {
                opened = .failure(error)
            }
            let problem: AVError? =
                switch opened {
                case .success(let reader):
                    reader.description.video == nil ? reader.description.problems.first?.error : nil
                case .failure(let error): error
                }
            // A variant that turns out to be undecodable, once each.
            if problem?.code == .decoderNotFound, let playlists = session.currentPresentation?.sources.first?.playlists,
                playlists.contains(where: { undecodable.insert($0).inserted })
            {
                interrupt.removeWaker(session)
                session.close()
                continue
            }
            switch opened {
            case .success(let reader): return (reader, session)
            case .failure(let error):
                interrupt.removeWaker(session)
                session.close()
                throw error
            }
        }
    }
}
