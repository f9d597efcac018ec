import Foundation
import MediaCore
import Streaming

/// The opening of an entry: as a decoded clip, with a reader that was prepared ahead, or with a new reader.
extension Feeder {
    /// Opens the first entry of the playlist.
    func open(_ opening: PipelineState.Opening) {
        dropClip()
        dropReader()
        segment = nil
        guard let entry = opening.entry else {
            context.detachSource()
            return context.state.withLock { $0.showNothing() }
        }
        context.state.withLock { $0.clearFrame(of: entry) }
        if opening.isSought { return }
        if let error = prepare(entry, isLooping: entry.loops) {
            return context.state.withLock { state in
                switch state.wantedInstead(of: error) {
                case nil: state.failed(entry, error)
                case .item: break
                // The seek opens the entry at its target. If the seek is in another entry, this one still has to be
                // opened.
                case .seek: if state.seeks.pending?.entry !== entry { state.playlist.pendingOpen = true }
                }
            }
        }
        begin(entry, mediaStart: partStart(of: entry), at: .now)
    }

    /// Returns the media time at which the first pass begins.
    func partStart(of entry: PlaybackEntry) -> MediaTime {
        entry.part(of: description)?.lowerBound ?? reader?.startTime ?? 0
    }

    /// Prepares to read `entry` from its start: as a decoded clip if possible, otherwise with a reader.
    ///
    /// - Parameters:
    ///   - target: The target of the seek that follows. A stream is opened there.
    ///   - joins: Whether the entry follows the playing one without a gap, so that a clip must have the same audio
    ///     format.
    /// - Returns: The error if the entry cannot be opened.
    func prepare(_ entry: PlaybackEntry, isLooping: Bool, for target: MediaTime? = nil, joins: Bool = false)
        -> AVError?
    {
        let selection = entry.selection
        let (crossfade, outputFormat) = context.state.withLock { ($0.playlist.crossfade, $0.output?.format) }
        dropClip()
        let mayClip = isLooping && !entry.refusesClip && entry.loopRange == nil && crossfade == 0
        guard mayClip, let identity = FileIdentity(url: entry.url) else {
            return prepare(entry, selection, isLooping: isLooping, clip: nil, for: target)
        }
        let key = DecodedClip.Key(file: identity, selection: selection)
        return ClipCache.shared.openingAlone(key) {
            prepare(entry, selection, isLooping: isLooping, clip: key, in: joins ? outputFormat : nil)
        }
    }

    /// Prepares to read `entry`, with a clip if `key` is given.
    ///
    /// - Parameter requiredFormat: The audio format that a clip must have; `nil` for any.
    private func prepare(
        _ entry: PlaybackEntry, _ selection: TrackSelection, isLooping: Bool, clip key: DecodedClip.Key?,
        in requiredFormat: AudioFormat? = nil, for target: MediaTime? = nil
    ) -> AVError? {
        func fits(_ format: AudioFormat?) -> Bool { requiredFormat == nil || format == nil || format == requiredFormat }
        if let key, let clip = ClipCache.shared.borrow(key) {
            if fits(clip.format) {
                adopt(clip, key)
                entry.cancelPreparation()
            } else {
                ClipCache.shared.release(clip, key)
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
                entry.release()
                return error
            }
        }
        PackagesInUse.shared.didPlay(entry.url)
        if let description {
            entry.subtitles.opened(description)
            context.report(.opened(entry, description))
            for problem in description.problems { context.report(.trackFailed(entry, problem)) }
            context.loudnessOpened(entry, description)
            entry.remoteFile?.setOnTitle { [weak context, weak entry] title in
                if let entry { context?.report(.streamTitle(entry, title)) }
            }
        }
        return nil
    }

    /// Starts decoding the opened file into a clip for all players of this file, if it is small enough. A truncated
    /// file is not decoded into a clip, because each of its players has to report the truncation.
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
        dropReader()  // the clip's thread uses the reader from here on
    }

    private func openReader(_ entry: PlaybackEntry, _ selection: TrackSelection, for target: MediaTime?) throws(AVError)
        -> any PacketReader
    {
        if let opener { return try opener(entry, selection, target) }
        let factory = ReaderFactory(entry: entry, selection: selection, interrupt: context.interrupt)
        let reader = try factory.open(at: target) { session in
            context.tune(session, of: entry)
            // The buffer is attached now, so that the player learns the playlist's contents before the first segment is
            // loaded.
            context.attach(StreamSourceBuffer(session), of: entry)
        }
        if let file = reader as? ItemReader { entry.remoteFile = file.remoteFile }
        return reader
    }

    /// Returns the reader that was prepared for `entry` ahead of time (`PreparedItem`), or `nil` if there is none.
    private func takePrepared(_ entry: PlaybackEntry, _ selection: TrackSelection, isLooping: Bool)
        -> (any PacketReader)?
    {
        guard let item = entry.takePreparation(selection, isInterrupted: { context.interrupt.isInterrupted })
        else { return nil }
        item.interrupt.follow(context.interrupt)
        let reader = item.handOver(keepsPackets: isLooping)
        if let file = (reader as? PrefetchedReader)?.item ?? reader as? ItemReader {
            entry.remoteFile = file.remoteFile
        }
        if let session = entry.session { context.tune(session, of: entry) }
        return reader
    }
}
