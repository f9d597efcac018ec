import Foundation
import MediaCore
import Streaming

/// A resource to load into one file of a package.
struct PlanItem: Sendable {
    enum Kind: Int, Sendable, Codable {
        case segment = 0
        case initialization = 1
        case key = 2
        /// A part of a file that is not a stream.
        case part = 3
    }
    var kind: Kind
    /// The media sequence number of a segment. For other kinds, the index among items of the same kind.
    var number: Int
    /// The URI as the playlist contains it.
    var uri: String
    var range: ByteRange?
    /// The duration of the media in the item, in seconds.
    var seconds: Double = 0
    /// The start of the media, in seconds from the start of the playlist.
    var start: Double = 0
    /// The index among the playlist's segments.
    var place = 0
    /// The `number` of the initialization section, if any. `key` has the number of the key.
    var initialization: Int?
    var key: Int?
    /// The file extension after the number in `fileName`. For a part, the entire file name.
    var fileExtension: String
    /// The number of segments in the item. Adjacent I-frames are loaded together.
    var segmentCount = 1

    /// The name of the file in the rendition's folder.
    var fileName: String {
        switch kind {
        case .segment: String(format: "segment-%06d.%@", number, fileExtension)
        case .initialization: String(format: "init-%d.%@", number, fileExtension)
        case .key: String(format: "key-%d.%@", number, fileExtension)
        case .part: fileExtension
        }
    }
}

/// The resources of a rendition: the segments, initialization sections and keys of its playlist, each once.
///
/// The plan is derived from the playlist's text when it is needed; only complete resources are stored. Planning a
/// playlist of 100,000 segments takes a fraction of a second.
struct RenditionPlan: Sendable {
    let playlist: MediaPlaylist
    let kind: RenditionKind
    private(set) var items: [PlanItem] = []
    /// The index of the item that contains each of the playlist's segments. Nil for a gap, and for a segment in
    /// `sharedIFrames`.
    private(set) var itemOfSegment: [Int?] = []
    /// The I-frames that are inside the video's segments, by their index among this playlist's segments. They need no
    /// download of their own. `uri` is relative to the rendition's folder, and `range` is the range in that file.
    private(set) var sharedIFrames: [Int: (uri: String, range: ByteRange)] = [:]
    /// The duration of all media, in seconds.
    let duration: Double

    /// The maximum number of segments. A playlist with more is refused.
    static let mostSegments = 1_000_000

    /// Creates a plan.
    ///
    /// - Parameter videoPlan: The video's plan and folder. I-frames may be inside its segments.
    /// - Throws: `.protected`; `.notMedia` if the playlist has no segments or too many.
    init(_ playlist: MediaPlaylist, kind: RenditionKind, videoPlan: (plan: RenditionPlan, folder: String)? = nil)
        throws(DownloadError)
    {
        self.playlist = playlist
        self.kind = kind
        duration = playlist.duration
        let location = playlist.url.location
        guard !playlist.segments.isEmpty else {
            throw DownloadError(
                .notMedia, at: location, reason: "the playlist has no segments",
                suggestion: "Check the URL, or try again later")
        }
        guard playlist.segments.count <= RenditionPlan.mostSegments else {
            throw DownloadError(
                .notMedia, at: location,
                reason: "the playlist has \(playlist.segments.count) segments, more than the limit")
        }
        items.reserveCapacity(playlist.segments.count + 8)
        itemOfSegment.reserveCapacity(playlist.segments.count)
        var numbers = Numbers()
        var start = 0.0
        var lastKeys: [EncryptionKey] = []
        var lastKey: Int?
        let segmentsByURL = kind == .iFrames ? videoPlan?.plan.segmentItemsByURL ?? [:] : [:]
        for (index, segment) in playlist.segments.enumerated() {
            defer { start += segment.duration }
            guard !segment.isGap else {
                _ = try key(segment.keys, &numbers, at: start, isGap: true)
                if let map = segment.map { _ = try initialization(map, &numbers, at: start, isGap: true) }
                itemOfSegment.append(nil)
                continue
            }
            if let range = segment.byteRange, segment.keys.isEmpty, let videoPlan,
                let url = segment.url(relativeTo: playlist.url),
                let item = segmentsByURL[url.absoluteString]?.first(where: {
                    $0.key == nil && ($0.range.map { range.offset >= $0.offset && range.end <= $0.end } ?? true)
                })
            {
                sharedIFrames[index] = (
                    "../\(videoPlan.folder)/\(item.fileName)",
                    ByteRange(offset: range.offset - (item.range?.offset ?? 0), length: range.length)
                )
                if let map = segment.map { _ = try initialization(map, &numbers, at: start) }
                itemOfSegment.append(nil)
                continue
            }
            if segment.keys != lastKeys || index == 0 {
                lastKeys = segment.keys
                lastKey = try key(segment.keys, &numbers, at: start)
            }
            var section: Int?
            if let map = segment.map { section = try initialization(map, &numbers, at: start) }
            if kind == .iFrames, joinsLast(segment) {
                items[items.count - 1].segmentCount += 1
                items[items.count - 1].seconds += segment.duration
                if let range = segment.byteRange, let own = items[items.count - 1].range {
                    items[items.count - 1].range = ByteRange(offset: own.offset, length: range.end - own.offset)
                }
                itemOfSegment.append(items.count - 1)
                continue
            }
            itemOfSegment.append(items.count)
            items.append(
                PlanItem(
                    kind: .segment, number: segment.mediaSequence, uri: segment.uri, range: segment.byteRange,
                    seconds: segment.duration, start: start,
                    place: index, initialization: section, key: lastKey, fileExtension: fileExtension(segment)))
        }
    }

    /// The segments by their URLs.
    private var segmentItemsByURL: [String: [PlanItem]] {
        Dictionary(grouping: items.filter { $0.kind == .segment }) { url(of: $0)?.absoluteString ?? "" }
    }

    /// Returns the number of an initialization section among the items.
    func number(of map: InitializationSection) -> Int? {
        items.first { $0.kind == .initialization && $0.uri == map.uri && $0.range == map.byteRange }?.number
    }

    func fileName(_ kind: PlanItem.Kind, _ number: Int) -> String {
        items.first { $0.kind == kind && $0.number == number }?.fileName ?? ""
    }

    /// Returns the plans of a download's renditions, in their order, with nil for a file.
    static func all(of rows: [RenditionRow]) throws(DownloadError) -> [RenditionPlan?] {
        var plans: [RenditionPlan?] = []
        for row in rows {
            plans.append(
                row.kind == .file || row.kind == .iFrames
                    ? nil : try RenditionPlan(try row.mediaPlaylist(), kind: row.kind))
        }
        let video = rows.firstIndex { $0.kind == .video }
        for (index, row) in rows.enumerated() where row.kind == .iFrames {
            plans[index] = try RenditionPlan(
                try row.mediaPlaylist(), kind: row.kind,
                videoPlan: video.flatMap { videoIndex in plans[videoIndex].map { ($0, rows[videoIndex].name) } })
        }
        return plans
    }

    /// Returns whether an I-frame can be loaded together with the last item. Both must be in one file, at most 64 KiB
    /// apart, and no larger than 4 MiB in total.
    private func joinsLast(_ segment: MediaSegment) -> Bool {
        guard let last = items.last, last.kind == .segment, last.uri == segment.uri, segment.keys.isEmpty,
            last.key == nil,
            let range = segment.byteRange, let own = last.range, range.offset >= own.end,
            range.offset - own.end <= 64 << 10
        else { return false }
        return range.end - own.offset <= 4 << 20
    }

    /// The numbers of keys and initialization sections, in the order of the first segments that refer to them.
    ///
    /// Gaps refer to them too. Therefore all files keep their names when a segment of a recording becomes a gap.
    private struct Numbers {
        var keys: [String: Int] = [:]
        var sections: [InitializationSection] = []
        /// The keys and sections that are among the items. Those that only gaps refer to are not.
        var plannedKeys: Set<Int> = []
        var plannedSections: Set<Int> = []
    }

    /// Returns the number of a segment's key, and adds the key to the items unless it is only for a gap.
    private mutating func key(
        _ all: [EncryptionKey], _ numbers: inout Numbers, at start: Double, isGap: Bool = false
    ) throws(DownloadError) -> Int? {
        guard !all.isEmpty else { return nil }
        let usable: EncryptionKey
        do throws(AVError) {
            switch try KeyStore.usable(all, at: playlist.url.location) {
            case .nothing: return nil
            case .wholeSegments(let key), .samples(let key): usable = key
            }
        } catch {
            if isGap { return nil }
            throw DownloadError(error)
        }
        let number = numbers.keys[usable.uri] ?? numbers.keys.count
        numbers.keys[usable.uri] = number
        guard !isGap, numbers.plannedKeys.insert(number).inserted else { return number }
        items.append(
            PlanItem(
                kind: .key, number: number, uri: usable.uri, start: start, fileExtension: PackageNames.keyExtension))
        return number
    }

    /// Returns the number of an initialization section, and adds the section and its key to the items unless they are
    /// only for a gap.
    private mutating func initialization(
        _ map: InitializationSection, _ numbers: inout Numbers, at start: Double, isGap: Bool = false
    ) throws(DownloadError) -> Int {
        let known = numbers.sections.lastIndex(of: map)
        let number = known ?? numbers.sections.count
        if known == nil { numbers.sections.append(map) }
        let isPlanned = !isGap && numbers.plannedSections.insert(number).inserted
        guard isPlanned || known == nil else { return number }
        let key = try key(map.keys, &numbers, at: start, isGap: isGap)
        guard isPlanned else { return number }
        items.append(
            PlanItem(
                kind: .initialization, number: number, uri: map.uri, range: map.byteRange, start: start, key: key,
                fileExtension: "mp4"))
        return number
    }

    private func fileExtension(_ segment: MediaSegment) -> String {
        if kind == .subtitles, segment.map == nil { return "vtt" }
        if segment.map != nil { return "m4s" }
        return SafeName.mediaExtension(
            of: segment.uri, among: ["ts", "aac", "mp3", "ac3", "eac3", "m4s", "mp4", "m4a", "m4v", "vtt"]) ?? "ts"
    }

    /// Returns the absolute URL of an item, or nil if the URI is invalid or names a file on this computer.
    func url(of item: PlanItem) -> URL? { try? ResourceReference.resolve(item.uri, in: playlist.url) }
}
