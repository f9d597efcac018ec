import Foundation
import MediaCore
import Streaming

extension HLSReader {
    /// Opens a stream that is read without a playhead: a single variant, with segments loaded only when they are read.
    ///
    /// Waits for the playlists and the start of the first segment. The session stays registered with `interrupt`: the
    /// caller removes it from the token's wakers and closes it.
    ///
    /// - Parameters:
    ///   - size: The requested size in pixels; see `StreamFrames.choice`.
    ///   - selection: The tracks to read. If its audio is `.none`, no separate audio is loaded.
    ///   - start: The media time at which reading begins.
    static func onDemand(
        _ url: URL, options: HTTPOptions, for size: CGSize, _ selection: TrackSelection, start: MediaTime,
        interrupt: InterruptToken
    ) throws(AVError) -> (reader: HLSReader, session: HLSSession) {
        var settings = HLSReader.settings(options)
        settings.loadsOnDemand = true
        settings.start = start.nanoseconds
        var undecodable: Set<URL> = []
        while true {
            let avoided = undecodable
            settings.arrange = { presentation in
                let others = presentation.variants.filter { $0.playlists.allSatisfy { !avoided.contains($0) } }
                let sources = others.isEmpty ? presentation.variants : others
                return StreamFrames.choice(among: sources, for: size).map {
                    presentation.only(sources[$0], hasSeparateAudio: selection.audio != .none)
                } ?? presentation
            }
            let session = HLSSession(url: url, settings: settings)
            session.setInterrupt { interrupt.isInterrupted || interrupt.isOverTime }
            interrupt.addWaker(session) { [weak session] in session?.wake() }
            let opened: Result<HLSReader, AVError>
            do throws(AVError) {
                opened = .success(try HLSReader(session: session, selection: selection))
            } catch {
                opened = .failure(error)
            }
            let problem: AVError? =
                switch opened {
                case .success(let reader):
                    reader.description.video == nil ? reader.description.problems.first?.error : nil
                case .failure(let error): error
                }
            // Exclude a variant that cannot be decoded, and open the stream again. Each playlist is excluded only once.
            if problem?.code == .decoderNotFound,
                let playlists = session.currentPresentation?.variants.first?.playlists,
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
