import MediaCore

/// What was made ready ahead of its turn (`PreparedItem`), taken up.
extension PlaybackPipeline {
    /// The first picture of `entry`, which comes next, stands from now on: its segment begins when the feeder has got
    /// there. With the monitor locked.
    func showPrepared(_ entry: PlaybackEntry) {
        guard entry.loopRange == nil, let (frame, media, description) = entry.firstPreparedPicture else { return }
        let place = Segment(
            index: -1, entry: entry, pass: 0, round: 0, mediaStart: media, description: description, clip: nil,
            startOffset: 0, mediaLimit: nil, outStart: nil)
        frames.stand(frame, of: place, media: media, out: clock.now(), isFirst: false)
        wakeDisplays()
    }

    /// The reader that was made ready for `entry`; nil: there is none. Feeder thread.
    func takePrepared(_ entry: PlaybackEntry, _ selection: TrackSelection, isLooping: Bool) -> (any PacketReader)? {
        guard let item = entry.takePreparation(selection) else { return nil }
        item.interrupt.follow(interrupt)
        let reader = item.handOver(keepsPackets: isLooping)
        if let file = (reader as? PrefetchedReader)?.item ?? reader as? ItemReader {
            entry.remoteFile = file.remoteFile
        }
        if let session = entry.session { tune(session, of: entry) }
        return reader
    }
}
