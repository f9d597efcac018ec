import Foundation
import MediaCore
import Streaming

/// The playlists of a package: plain HLS (RFC 8216) with relative URLs of the package's files, which any player can
/// play in any folder.
enum LocalPlaylists {
    /// Returns the media playlist of a rendition: the server's playlist with the names of local files.
    static func media(_ plan: RenditionPlan) -> MediaPlaylist {
        let source = plan.playlist
        var segments: [MediaSegment] = []
        segments.reserveCapacity(source.segments.count)
        var sections: [ObjectIdentifier: InitializationSection] = [:]
        for (index, original) in source.segments.enumerated() {
            var segment = original
            segment.parts = []
            segment.otherTags = []
            if let sharedIFrames = plan.sharedIFrames[index] {
                segment.uri = sharedIFrames.uri
                segment.byteRange = sharedIFrames.range
                segment.map = original.map.flatMap { map in
                    plan.number(of: map).map { number in
                        let identity = ObjectIdentifier(map)
                        let section =
                            sections[identity]
                            ?? InitializationSection(
                                uri: plan.fileName(.initialization, number), byteRange: nil,
                                keys: local(map.keys, nil, plan))
                        sections[identity] = section
                        return section
                    }
                }
            } else if let itemIndex = plan.itemOfSegment[index] {
                let item = plan.items[itemIndex]
                segment.uri = item.fileName
                // One of several I-frames in a file.
                segment.byteRange =
                    item.segmentCount > 1
                    ? original.byteRange.flatMap { own in
                        item.range.map { ByteRange(offset: own.offset - $0.offset, length: own.length) }
                    } : nil
                segment.keys = local(original.keys, item.key, plan)
                if let map = original.map, let number = item.initialization {
                    let identity = ObjectIdentifier(map)
                    let section =
                        sections[identity]
                        ?? InitializationSection(
                            uri: plan.fileName(.initialization, number), byteRange: nil,
                            keys: local(
                                map.keys, plan.items.first { $0.kind == .initialization && $0.number == number }?.key,
                                plan))
                    sections[identity] = section
                    segment.map = section
                }
            } else {
                // A gap needs a URI, which players do not load.
                segment.uri = "gap.ts"
                segment.keys = []
                segment.map = nil
                segment.byteRange = nil
            }
            segments.append(segment)
        }
        var result = MediaPlaylist(
            url: source.url, targetDuration: source.targetDuration, mediaSequence: source.mediaSequence,
            segments: segments)
        result.common.version = max(source.common.version, source.segments.contains { $0.map != nil } ? 6 : 3)
        result.discontinuitySequence = source.discontinuitySequence
        result.isEnded = true
        result.kind = .vod
        result.isIFramesOnly = source.isIFramesOnly
        result.common.isIndependentSegments = source.common.isIndependentSegments
        result.common.start = source.common.start
        // The text ends with a tag for each value of the incomplete segment that differs from the last segment's. Equal
        // values prevent such tags.
        var incompleteSegment = IncompleteSegment()
        incompleteSegment.mediaSequence = source.mediaSequence + segments.count
        incompleteSegment.keys = segments.last?.keys ?? []
        incompleteSegment.map = segments.last?.map
        incompleteSegment.discontinuitySequence = segments.last?.discontinuitySequence ?? source.discontinuitySequence
        incompleteSegment.statedBitrate = segments.last?.statedBitrate
        result.incompleteSegment = incompleteSegment
        return result
    }

    private static func local(_ keys: [EncryptionKey], _ number: Int?, _ plan: RenditionPlan) -> [EncryptionKey] {
        guard let number, let file = plan.items.first(where: { $0.kind == .key && $0.number == number }),
            var key = keys.first(where: { $0.uri == file.uri }) ?? keys.first
        else { return [] }
        key.uri = file.fileName
        return [key]
    }

    /// Writes the media playlist. Replaces an existing one, because it may be damaged when a download is repaired.
    static func write(_ row: RenditionRow, plan: RenditionPlan?, in folder: PackageFolder) throws(DownloadError) {
        guard let plan else { return }
        let path = folder.file(PackageNames.index, of: row)
        try DiskFile.replace(path, with: Data(media(plan).text.utf8))
        try DiskFile.syncFolder(folder.folder(of: row))
    }

    // MARK: multivariant playlist

    /// Returns the multivariant playlist of the complete renditions, or nil if no video rendition is complete.
    static func index(of renditions: [RenditionRow], bytesPerSecond: (RenditionRow) -> Double) -> MultivariantPlaylist?
    {
        var result = MultivariantPlaylist(url: URL(fileURLWithPath: "/index.m3u8"))
        result.common.version = 6
        var groups: [Rendition.Kind: Set<String>] = [:]
        let complete = renditions.filter { $0.isComplete && $0.kind != .file }
        for row in complete where row.kind == .audio || row.kind == .subtitles {
            guard case .multivariant(let tag)? = try? Playlist.parse(Array(row.tag.utf8), url: row.url),
                var rendition = tag.renditions.first
            else { continue }
            rendition.uri = row.name + "/" + PackageNames.index
            groups[rendition.kind, default: []].insert(rendition.groupID)
            result.renditions.append(rendition)
        }
        // A group of audio tracks needs a default.
        for kind in [Rendition.Kind.audio] {
            for group in groups[kind] ?? []
            where !result.renditions.contains(where: { $0.kind == kind && $0.groupID == group && $0.isDefault }) {
                if let first = result.renditions.firstIndex(where: { $0.kind == kind && $0.groupID == group }) {
                    result.renditions[first].isDefault = true
                    result.renditions[first].isAutoselect = true
                }
            }
        }
        for row in complete where row.kind == .video {
            var variant: Variant
            if case .multivariant(let tag)? = try? Playlist.parse(Array(row.tag.utf8), url: row.url),
                let known = tag.variants.first
            {
                variant = known
            } else {
                let rate = max(1, bytesPerSecond(row) * 8)
                variant = Variant(uri: "", base: result.url, bandwidth: Int(saturating: min(rate * 1.2, 1e12)))
                variant.averageBandwidth = Int(saturating: min(rate, 1e12))
            }
            variant.uri = row.name + "/" + PackageNames.index
            if let group = variant.groups.audio, !(groups[.audio]?.contains(group) ?? false) {
                variant.groups.audio = nil
            }
            if let group = variant.groups.subtitles, !(groups[.subtitles]?.contains(group) ?? false) {
                variant.groups.subtitles = nil
            }
            variant.groups.video = nil
            // Captions are part of the video; their names are not stored.
            if case .group? = variant.groups.closedCaptions { variant.groups.closedCaptions = nil }
            variant.pathwayID = "."
            result.variants.append(variant)
        }
        guard !result.variants.isEmpty else { return nil }
        for row in complete where row.kind == .iFrames {
            guard case .multivariant(let tag)? = try? Playlist.parse(Array(row.tag.utf8), url: row.url),
                var variant = tag.iFrameVariants.first
            else { continue }
            variant.uri = row.name + "/" + PackageNames.index
            variant.pathwayID = "."
            result.iFrameVariants.append(variant)
        }
        return result
    }

    static func writeIndex(of package: PackageRow, in folder: PackageFolder, _ record: DownloadRecord)
        throws(DownloadError)
    {
        guard let text = try indexText(of: package, record) else { return try DiskFile.remove(folder.index) }
        try DiskFile.replace(folder.index, with: Data(text.utf8))
        try DiskFile.syncFolder(folder.diskPath)
    }

    static func indexText(of package: PackageRow, _ record: DownloadRecord) throws(DownloadError) -> String? {
        let (renditions, bytes) = try record.read { database in
            let renditions = try database.renditions(where: "package = ?", [package.id])
            var bytes: [Int64: Int64] = [:]
            for row in renditions where row.tag.isEmpty && row.kind == .video {
                bytes[row.id] = try database.resources(of: row.id, completeOnly: true).reduce(Int64(0)) {
                    $0.addingSaturating($1.length)
                }
            }
            return (renditions, bytes)
        }
        return index(of: renditions) { row in
            let seconds = (try? row.mediaPlaylist())?.duration ?? 0
            return seconds > 0 ? Double(bytes[row.id] ?? 0) / seconds : 0
        }?.text
    }
}
