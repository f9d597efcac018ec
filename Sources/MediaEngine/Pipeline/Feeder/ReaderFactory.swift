import Foundation
import MediaCore
import Streaming

/// A factory for the reader of an entry. `MediaFound` decides once whether the URL is a file, a stream or a
/// composition. A stream's session is kept in the entry.
struct ReaderFactory {
    let entry: PlaybackEntry
    let selection: TrackSelection
    let interrupt: InterruptToken
    /// The number of bytes to load ahead of an HTTP file; `nil` lets the source decide.
    var forwardBytes: Int64?

    /// Opens the reader. Blocks.
    ///
    /// - Parameters:
    ///   - start: The media time at which to open a stream or a composition; `nil` for the position that the stream
    ///     specifies, by default its beginning, or near the live edge of a live stream.
    ///   - prepare: Called with the session of a stream before the session loads anything.
    /// - Throws: The entry's own problem, or the error of opening it.
    func open(at start: MediaTime? = nil, prepare: (HLSSession) -> Void) throws(AVError) -> any PacketReader {
        if let problem = entry.problem { throw problem }
        if entry.session == nil {
            // A new seek has to wait, because the container must be opened for any target.
            let found = try interrupt.withoutPreemption { () throws(AVError) -> (any PacketReader)? in
                switch try MediaFound.at(
                    entry.url, options: entry.options, forwardBytes: forwardBytes, interrupt: interrupt)
                {
                case .file(let source):
                    let reader = try ItemReader(source, url: entry.url, selection: selection)
                    entry.onOpen?(source)
                    reader.subtitles = entry.subtitles
                    reader.metadata = entry.metadata
                    return reader
                case .composition(let plan):
                    return try CompositionReader(
                        plan, selection, at: start ?? .zero, volumes: entry.volumes, interrupt: interrupt)
                case .stream: return nil
                }
            }
            if let found { return found }
        }
        let session = entry.session ?? HLSSession(url: entry.url, settings: HLSReader.settings(entry.options))
        entry.session = session
        prepare(session)
        return try HLSReader(session: session, selection: selection, at: start, metadata: entry.metadata)
    }
}
