import Foundation
import Streaming

/// New URLs for resources whose URLs were refused.
extension DownloadPlanner {
    /// Loads the playlists again, because URLs can contain tokens that expire. Starts with the multivariant playlist,
    /// and calls `done` at the end.
    func refresh(_ contents: DownloadContents, _ done: @escaping @DownloadActor () -> Void) {
        let renditions = contents.renditions
        guard renditions.contains(where: { !$0.row.tag.isEmpty }) else {
            return refresh(contents, from: 0, renditions.map { [$0.row.url] }, done)
        }
        fetch(
            row.url,
            { bytes, url throws(DownloadError) in
                let presentation = try DownloadPlanner.presentation(bytes, url, asked: row.url)
                let choice = try RenditionChoice(presentation, row.options)
                let urls = contents.renditions.map { rendition in
                    choice.all.first { $0.name == rendition.row.name }.map { [$0.url] + $0.others } ?? [
                        rendition.row.url
                    ]
                }
                refresh(contents, from: 0, urls, done)
            }, onFailure: reportExpired)
    }

    private func refresh(
        _ contents: DownloadContents, from index: Int, _ urls: [[URL]], _ done: @escaping @DownloadActor () -> Void
    ) {
        guard index < contents.renditions.count else { return done() }
        guard let url = urls[index].first else { return refresh(contents, from: index + 1, urls, done) }
        fetch(
            url, others: Array(urls[index].dropFirst()),
            { bytes, url throws(DownloadError) in
                try replace(index, in: contents, bytes, url)
                refresh(contents, from: index + 1, urls, done)
            },
            onFailure: { error in
                guard contents.renditions[index].row.kind == .iFrames else { return reportExpired(error) }
                // I-frames are optional. They keep their URLs, and are left out if those fail.
                refresh(contents, from: index + 1, urls, done)
            })
    }

    private func reportExpired(_ error: HTTPError) {
        let found = DownloadError(error)
        guard found.code == .refused || found.code == .gone else { return failed(error) }
        report(
            .failed(
                DownloadError(
                    .linkExpired, at: found.location,
                    reason: "the server now refuses the URL; it accepted the URL when the download started",
                    suggestion: "Get a new URL, and retry with it", httpStatus: found.httpStatus)))
    }

    /// Takes a new playlist. Its segments are the same as before if their numbers and durations are the same, even if
    /// their URLs differ (RFC 8216 §6.2.1).
    private func replace(_ index: Int, in contents: DownloadContents, _ bytes: [UInt8], _ url: URL)
        throws(DownloadError)
    {
        let rendition = contents.renditions[index]
        guard let old = rendition.plan?.playlist else { return }
        let new = try rendition.row.mediaPlaylist(bytes, from: url)
        let isSame =
            new.segments.count == old.segments.count
            && zip(new.segments, old.segments).allSatisfy { new, old in
                new.mediaSequence == old.mediaSequence && abs(new.duration - old.duration) < 0.01
                    && new.isGap == old.isGap && (new.byteRange == nil) == (old.byteRange == nil)
            }
        guard isSame else {
            throw DownloadError(
                .changedOnServer, at: url.location, reason: "the playlist now belongs to another video",
                suggestion: "Remove the download and start it again")
        }
        let text = String(decoding: bytes, as: UTF8.self)
        var row = rendition.row
        try record.write { try $0.setPlaylist(text, from: url, of: row.id) }
        (row.playlist, row.playlistURL) = (text, url)
        try contents.replace(index, row)
    }
}
