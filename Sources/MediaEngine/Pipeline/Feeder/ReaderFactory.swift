import Foundation
import MediaCore
import Streaming

/// Opens what an entry is read from: a file or a stream, decided once (`MediaFound`) and kept, for a stream, as the
/// entry's session.
struct ReaderFactory {
    let entry: PlaybackEntry
    let selection: TrackSelection
    let interrupt: InterruptToken
    /// How far an http(s) file is fetched ahead of what is read; nil: as it thinks best.
    var forwardBytes: Int64?

    /// Blocks.
    /// - Parameters:
    ///   - start: where a stream is opened, media time; nil: at its beginning, or a live one's edge.
    ///   - prepare: called with a stream's session before anything is asked of it.
    func open(at start: MediaTime? = nil, prepare: (HLSSession) -> Void) throws(AVError) -> any PacketReader {
        if let problem = entry.problem { throw problem }
        if entry.session == nil {
            // A seek that comes meanwhile waits: a container has to be opened whatever place is wanted.
            let found = try interrupt.withoutPreemption { () throws(AVError) -> ItemReader? in
                switch try MediaFound.at(
                    entry.url, options: entry.options, forwardBytes: forwardBytes, interrupt: interrupt)
                {
                case .file(let source):
                    let reader = try ItemReader(source, url: entry.url, selection: selection)
                    entry.onOpen?(source)
                    return reader
                case .stream: return nil
                }
            }
            if let found {
                found.subtitles = entry.subtitles
                return found
            }
        }
        let session = entry.session ?? HLSSession(url: entry.url, settings: HLSReader.settings(entry.options))
        entry.session = session
        prepare(session)
        return try HLSReader(session: session, selection: selection, at: start)
    }
}
