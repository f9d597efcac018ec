import MediaCore
import Streaming

extension DownloadContents {
    /// Checks that the received bytes are the planned resource.
    ///
    /// - Throws: An error that names the difference.
    func check(_ item: ArrivedItem) throws(DownloadError) {
        let rendition = renditions[item.item.rendition]
        let plan = rendition.items[item.item.place]
        let location = rendition.url(of: item.item.place)?.location ?? plan.uri
        switch plan.kind {
        case .key:
            guard item.arrived.length <= 64,
                KeyStore.key(in: try item.arrived.file.bytes(item.arrived.length)) != nil
            else {
                throw DownloadError(
                    .keyMissing, at: location,
                    reason: "the key has \(item.arrived.length) bytes instead of 16",
                    suggestion: "Report the error to the publisher of the stream")
            }
        case .part:
            if let range = plan.range, item.arrived.length != range.length {
                throw DownloadError(
                    .network, at: location,
                    reason: "the server returned \(item.arrived.length) of \(range.length) bytes")
            }
        case .initialization, .segment:
            if let range = plan.range, item.arrived.length != range.length {
                throw DownloadError(
                    .network, at: location,
                    reason: "the server returned \(item.arrived.length) of \(range.length) bytes")
            }
            // For most segments, the timestamps alone prove that the segment is complete. A demuxer would take many
            // times as long.
            if plan.kind == .segment, plan.fileExtension == "ts", plan.key == nil, plan.initialization == nil,
                [.video, .audio].contains(rendition.row.kind), plan.seconds > 0,
                try SegmentCheck.isWhole(item.arrived.file, length: item.arrived.length, duration: plan.seconds)
            {
                return
            }
            var input = SegmentCheck.Input(
                bytes: try SegmentBytes(item.arrived.file, item.arrived.length),
                cipher: try rendition.cipher(of: item.item.place, in: folder),
                kind: plan.kind == .segment ? rendition.row.kind : .iFrames,
                fileExtension: plan.fileExtension, duration: plan.seconds, location: location)
            if let number = plan.initialization, let sectionIndex = rendition.place(of: .initialization, number) {
                let section = try rendition.small(sectionIndex, in: folder)
                input.initialization = try SegmentCheck.decrypted(
                    section, rendition.cipher(of: sectionIndex, in: folder), at: location)
            }
            try SegmentCheck.check(input)
        }
    }
}
