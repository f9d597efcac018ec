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
        settings.arrange = { presentation in
            StreamPictures.choice(among: presentation.sources, for: size).map {
                presentation.only(presentation.sources[$0])
            } ?? presentation
        }
        let session = HLSSession(url: url, settings: settings)
        session.setInterrupt { interrupt.isInterrupted || interrupt.isOverTime }
        interrupt.addWaker(session) { [weak session] in session?.wake() }
        do throws(AVError) {
            return (try HLSReader(session: session, selection: TrackSelection()), session)
        } catch {
            interrupt.removeWaker(session)
            session.close()
            throw error
        }
    }
}
