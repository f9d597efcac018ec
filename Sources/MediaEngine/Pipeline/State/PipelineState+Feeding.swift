import MediaCore

/// The feed of segments: their start, their packets, their end and the join with the next one.
extension PipelineState {
    /// The properties of a new segment.
    struct Beginning {
        var entry: PlaybackEntry
        var pass = 0
        /// The loop number of the segment; `nil` for the current loop number of the entry.
        var loopNumber: Int?
        var mediaStart: MediaTime
        enum Start {
            case now
            /// The end of the previous segment, as soon as it is known.
            case endOfBefore
        }
        var start: Start
        var holdsAtEnd = false
        var description: ItemDescription
        /// The tracks that are read; `nil` for the selected ones.
        var selection: TrackSelection?
        var clip: DecodedClip?
        var startOffset: MediaTime = 0
    }

    /// Starts a segment on the timeline and notifies both decoders. If the selection has changed since the entry was
    /// opened, the segment is read again with the new tracks.
    mutating func begin(_ new: Beginning) -> Segment {
        let entry = new.entry
        // The last pass of a part ends where the other passes end. If the entry no longer loops, a segment that starts
        // after the part plays to the end of the item.
        let limit = entry.part(of: new.description)?.upperBound
        let segment = Segment(
            index: timeline.newSegmentIndex(), entry: entry, pass: new.pass,
            loopNumber: new.loopNumber ?? entry.loopNumber,
            mediaStart: new.mediaStart, description: new.description, clip: new.clip, startOffset: new.startOffset,
            mediaLimit: entry.loops || new.mediaStart < limit ?? 0 ? limit : nil, holdsAtEnd: new.holdsAtEnd)
        for past in timeline.removePassed(at: now) { past.entry.loopNumber = past.loopNumber }
        timeline.append(segment, at: new.start == .now ? now : nil)
        feed.begin(segment)
        wakeDecoders()
        report(.timelineChanged)
        if let selection = new.selection, selection != entry.selection { readAgain() }
        return segment
    }

    /// Appends `unit` to both queues.
    private mutating func append(_ unit: UnitQueue.Unit) {
        feed.append(unit)
        wakeDecoders()
    }
    mutating func appendVideo(_ packet: MediaPacket) {
        feed.appendVideo(packet)
        outbox.wake(.video)
        noteMissingTrack()
    }
    mutating func appendAudio(_ packet: MediaPacket) {
        feed.appendAudio(packet)
        outbox.wake(.audio)
        noteMissingTrack()
    }

    /// Ends the feed of `segment`. Without audio the packets determine its end, and a clip knows its end already.
    mutating func endReading(_ segment: Segment, videoEnd: MediaTime?, audioEnd: MediaTime?) {
        timeline.change(segment) {
            $0.packetVideoEnd = videoEnd
            $0.packetAudioEnd = audioEnd
        }
        append(.end(segment))
        if let end = segment.clip?.end {
            resolve(segment, mediaEnd: end)
        } else if !segment.hasAudio {
            resolve(segment, mediaEnd: videoEnd ?? segment.mediaStart)
        }
    }

    /// Ends the feed. Checks again whether something follows, under the same lock, so that any later change sees the
    /// ended feed.
    ///
    /// - Parameter segment: The last segment; `nil` if what follows cannot be opened.
    /// - Returns: `false` if something follows `segment`, so that the feed was not ended.
    mutating func endFeed(after segment: Segment?) -> Bool {
        if let segment, playlist.wantsMore(after: segment) { return false }
        feed.isDone = true
        append(.endOfStream)
        // There is no more data to wait for.
        updateRunning()
        report(.timelineChanged)
        return true
    }

    /// Decides the media time at which `segment` ends, which determines the start of the next segment.
    mutating func resolve(_ segment: Segment, mediaEnd: MediaTime) {
        guard timeline.resolve(segment, mediaEnd: mediaEnd) else { return }
        wakeDecoders()
        report(.timelineChanged)
    }

    /// Starts `segment` at `start`. The frames of the previous segment end there, while the audio of both is mixed.
    mutating func settle(_ segment: Segment, at start: TimelineTime) {
        timeline.settle(segment, at: start)
        // Frames that are already decoded are cut too.
        frames.cut(at: start, before: segment)
        wakeDecoders()
        report(.timelineChanged)
    }

    /// Records that all frames of `segment` have been decoded.
    mutating func didDecodeAllVideo(_ segment: Segment) {
        timeline.change(segment) { $0.didDecodeAllVideo = true }
        failIfNothingDecoded(segment)
    }
    /// Records that all audio of `segment` has been decoded.
    mutating func didDecodeAllAudio(_ segment: Segment) {
        timeline.change(segment) { $0.didDecodeAllAudio = true }
        failIfNothingDecoded(segment)
    }

    /// Reports that a track of `segment` cannot be decoded. The other track plays. If there is none, or it failed too,
    /// the item fails.
    mutating func trackFailed(_ kind: TrackProblem.Kind, of segment: Segment, _ error: AVError) {
        timeline.change(segment) { $0.failed.insert(kind) }
        let plays = hasIntactTrack(segment, failed: timeline[segment]?.failed ?? [kind])
        report(
            plays ? .trackFailed(segment.entry, TrackProblem(kind: kind, error: error)) : .failed(segment.entry, error))
        if kind == .video { firstFrameReady() }
    }

    private func hasIntactTrack(_ segment: Segment, failed: Set<TrackProblem.Kind>) -> Bool {
        segment.hasVideo && !failed.contains(.video) || segment.hasAudio && !failed.contains(.audio)
    }

    /// Reports that the rest of `segment` cannot be read, so its item fails.
    mutating func readingFailed(_ segment: Segment, _ error: AVError) {
        timeline.change(segment) { $0.failed = [.video, .audio] }
        report(.failed(segment.entry, error))
    }

    /// Reports an item as failed if it ended without any frame or audio, although no error was reported.
    private mutating func failIfNothingDecoded(_ segment: Segment) {
        guard let slot = timeline[segment], slot.didDecodeAllVideo, slot.didDecodeAllAudio, segment.pass == 0,
            hasIntactTrack(segment, failed: slot.failed), segment.clip == nil, segment.entry.hasDecodedNothing
        else { return }
        let tracks = [segment.description.video?.parameters, segment.description.audio?.parameters].compactMap {
            $0?.codecName
        }
        let names = tracks.joined(separator: " and ")
        report(
            .failed(
                segment.entry,
                AVError(
                    .decodeFailed, at: segment.entry.url.location,
                    reason: "no packet of the \(names) track\(tracks.count > 1 ? "s" : "") could be decoded",
                    suggestion: "Copy or download the file again")))
    }
}
