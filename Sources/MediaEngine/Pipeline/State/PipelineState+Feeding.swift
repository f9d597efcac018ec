import MediaCore

/// What is fed: segments, their packets, their ends, and how one joins the next.
extension PipelineState {
    /// What a segment begins with.
    struct Beginning {
        var entry: PlaybackEntry
        var pass = 0
        /// Nil: the one its entry is in.
        var round: Int?
        var mediaStart: MediaTime
        enum Place {
            case now
            /// Where the one before ends, now or as soon as that is known.
            case endOfBefore
        }
        var place: Place
        var holdsAtEnd = false
        var description: ItemDescription
        var clip: DecodedClip?
        var startOffset: MediaTime = 0
    }

    /// Starts a segment on the timeline and tells both decoders.
    mutating func begin(_ new: Beginning) -> Segment {
        let entry = new.entry
        // The last pass of a part ends where the others did; who goes beyond it then has left it.
        let limit = entry.part(of: new.description)?.upperBound
        let segment = Segment(
            index: timeline.newSegmentIndex(), entry: entry, pass: new.pass, round: new.round ?? entry.round,
            mediaStart: new.mediaStart, description: new.description, clip: new.clip, startOffset: new.startOffset,
            mediaLimit: entry.loops || new.mediaStart < limit ?? 0 ? limit : nil, holdsAtEnd: new.holdsAtEnd)
        for past in timeline.removePassed(at: now) { past.entry.round = past.round }
        timeline.append(segment, at: new.place == .now ? now : nil)
        feed.begin(segment)
        wakeDecoders()
        tell(.timelineChanged)
        return segment
    }

    /// For both decoders.
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

    /// `segment` is read to its end. Without a sound to count, the packets decide; a clip has counted already.
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

    /// Nothing follows. Looked at once more as it is closed: whatever changes from here on sees that.
    /// - Parameter segment: nil: whatever may follow, it cannot be had.
    /// - Returns: false when something does follow `segment`, and nothing was done.
    mutating func endFeed(after segment: Segment?) -> Bool {
        if let segment, playlist.wantsMore(after: segment) { return false }
        feed.isDone = true
        append(.endOfStream)
        // Nothing is left to wait for.
        updateRunning()
        tell(.timelineChanged)
        return true
    }

    /// Decides where `segment` ends, media time, and so where the next begins.
    mutating func resolve(_ segment: Segment, mediaEnd: MediaTime) {
        guard timeline.resolve(segment, mediaEnd: mediaEnd) else { return }
        wakeDecoders()
        tell(.timelineChanged)
    }

    /// `segment` begins at `start`, and the pictures of the one before end there: their sounds are mixed.
    mutating func settle(_ segment: Segment, at start: TimelineTime) {
        timeline.settle(segment, at: start)
        // Those decoded ahead, too.
        frames.cut(at: start, before: segment)
        wakeDecoders()
        tell(.timelineChanged)
    }

    /// All that came of its pictures has come out of the decoder.
    mutating func videoIsOver(_ segment: Segment) {
        timeline.change(segment) { $0.videoIsOver = true }
        reportNothing(segment)
    }
    mutating func soundIsOver(_ segment: Segment) {
        timeline.change(segment) { $0.soundIsOver = true }
        reportNothing(segment)
    }

    /// A track of `segment` cannot be decoded. The other one plays on without it; where there is none, or it failed too,
    /// the item has failed.
    mutating func trackFailed(_ kind: TrackProblem.Kind, of segment: Segment, _ error: AVError) {
        timeline.change(segment) { $0.failed.insert(kind) }
        let failed = timeline[segment]?.failed ?? [kind]
        let plays =
            segment.hasVideo && !failed.contains(.video) || segment.hasAudio && !failed.contains(.audio)
        tell(
            plays ? .trackFailed(segment.entry, TrackProblem(kind: kind, error: error)) : .failed(segment.entry, error))
        if kind == .video { firstPictureIsThere() }
    }

    /// An item that has gone by without a picture and without a sound has failed, whatever its decoders said.
    private mutating func reportNothing(_ segment: Segment) {
        guard let place = timeline[segment], place.videoIsOver, place.soundIsOver, segment.pass == 0,
            segment.clip == nil, segment.entry.hasShownNothing
        else { return }
        let tracks = [segment.description.video?.parameters, segment.description.audio?.parameters].compactMap {
            $0?.codecName
        }
        let names = tracks.joined(separator: " and ")
        tell(
            .failed(
                segment.entry,
                AVError(
                    .decodeFailed, at: segment.entry.url.location,
                    reason: "no packet of the \(names) track\(tracks.count > 1 ? "s" : "") could be decoded",
                    suggestion: "Copy or download the file again")))
    }
}
