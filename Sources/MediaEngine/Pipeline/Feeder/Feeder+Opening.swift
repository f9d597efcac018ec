import Foundation
import MediaCore
import Streaming

/// How an entry is opened: a decoded clip if it may be one, else what was made ready ahead of its turn, else anew.
extension Feeder {
    /// The first of the playlist.
    func open(_ opening: PipelineState.Opening) {
        dropClip()
        dropReader()
        segment = nil
        guard let entry = opening.entry else { return context.state.withLock { $0.showNothing() } }
        context.state.withLock { $0.forgetPicture(of: entry) }
        if opening.isSought { return }
        if let error = prepare(entry, isLooping: entry.loops) {
            return context.state.withLock { state in
                switch state.wantedInstead(of: error) {
                case nil: state.failed(entry, error)
                case .item: break
                // The seek opens it at its target; one that goes elsewhere leaves it to be opened all the same.
                case .seek: if state.seeks.pending?.entry !== entry { state.playlist.pendingOpen = true }
                }
            }
        }
        begin(entry, mediaStart: partStart(of: entry), at: .now)
    }

    /// Where a first pass begins.
    func partStart(of entry: PlaybackEntry) -> MediaTime {
        entry.part(of: description)?.lowerBound ?? reader?.startTime ?? 0
    }

    /// Makes ready to read `entry` from its start: a decoded clip if it may, else a reader.
    /// - Parameters:
    ///   - target: where a seek will go next; a stream is opened there.
    ///   - joins: it follows what plays without a gap, so a clip must be of the format that sounds.
    func prepare(_ entry: PlaybackEntry, isLooping: Bool, for target: MediaTime? = nil, joins: Bool = false)
        -> AVError?
    {
        let selection = entry.selection
        let (crossfade, sounding) = context.state.withLock { ($0.playlist.crossfade, $0.output?.format) }
        dropClip()
        let mayClip = isLooping && !entry.refusesClip && entry.loopRange == nil && crossfade == 0
        guard mayClip, let identity = FileIdentity(url: entry.url) else {
            return prepare(entry, selection, isLooping: isLooping, clip: nil, for: target)
        }
        let key = DecodedClip.Key(file: identity, selection: selection)
        return ClipCache.shared.openingAlone(key) {
            prepare(entry, selection, isLooping: isLooping, clip: key, in: joins ? sounding : nil)
        }
    }

    /// - Parameter wanted: the format that a clip's sound must have; nil: any.
    private func prepare(
        _ entry: PlaybackEntry, _ selection: TrackSelection, isLooping: Bool, clip key: DecodedClip.Key?,
        in wanted: AudioFormat? = nil, for target: MediaTime? = nil
    ) -> AVError? {
        func fits(_ format: AudioFormat?) -> Bool { wanted == nil || format == nil || format == wanted }
        if let key, let clip = ClipCache.shared.borrow(key) {
            if fits(clip.format) {
                adopt(clip, key)
                entry.cancelPreparation()
            } else {
                ClipCache.shared.release(key)
            }
        }
        if clip == nil {
            do {
                let reader: any PacketReader
                if let ready = takePrepared(entry, selection, isLooping: isLooping) {
                    reader = ready
                } else {
                    reader = try openReader(entry, selection, for: target)
                }
                self.reader = reader
                readerEntry = entry
                readerSelection = selection
                context.attach(reader.buffer, of: entry)
                if isLooping { reader.startRecording() }
                if let key, let reader = reader as? ItemReader { decodeClip(of: entry, key, reader, fits: fits) }
            } catch {
                entry.letGo()
                return error
            }
        }
        if let description {
            entry.subtitles.opened(description)
            context.tell(.opened(entry, description))
            for problem in description.problems { context.tell(.trackFailed(entry, problem)) }
            context.loudnessOpened(entry, description)
            entry.remoteFile?.setOnTitle { [weak context, weak entry] title in
                if let entry { context?.tell(.streamTitle(entry, title)) }
            }
        }
        return nil
    }

    /// Has what `reader` opened decoded for all its players, if it is small enough. A clip is one for all players of a
    /// file; each of them is to say that its file is cut off.
    private func decodeClip(
        of entry: PlaybackEntry, _ key: DecodedClip.Key, _ reader: ItemReader, fits: (AudioFormat?) -> Bool
    ) {
        guard reader.description.video != nil, reader.truncation == nil else { return }
        let format = reader.description.audio.map {
            context.audioDevice().preferredFormat(channelMask: $0.channelMask, sampleRate: $0.sampleRate)
        }
        guard fits(format),
            let clip = ClipCache.shared.start(key, reader: reader, format: format, location: entry.url.location)
        else { return }
        adopt(clip, key)
        countsClip = true
        dropReader()  // the clip's own thread has it now
    }

    private func openReader(_ entry: PlaybackEntry, _ selection: TrackSelection, for target: MediaTime?) throws(AVError)
        -> any PacketReader
    {
        if let opener { return try opener(entry, selection, target) }
        let factory = ReaderFactory(entry: entry, selection: selection, interrupt: context.interrupt)
        let reader = try factory.open(at: target) { session in
            context.tune(session, of: entry)
            // What the playlist tells is passed on before the first segment has come.
            context.attach(StreamSourceBuffer(session), of: entry)
        }
        if let file = reader as? ItemReader { entry.remoteFile = file.remoteFile }
        return reader
    }

    /// The reader that was made ready for `entry` ahead of its turn (`PreparedItem`); nil: there is none.
    private func takePrepared(_ entry: PlaybackEntry, _ selection: TrackSelection, isLooping: Bool)
        -> (any PacketReader)?
    {
        guard let item = entry.takePreparation(selection) else { return nil }
        item.interrupt.follow(context.interrupt)
        let reader = item.handOver(keepsPackets: isLooping)
        if let file = (reader as? PrefetchedReader)?.item ?? reader as? ItemReader {
            entry.remoteFile = file.remoteFile
        }
        if let session = entry.session { context.tune(session, of: entry) }
        return reader
    }
}
