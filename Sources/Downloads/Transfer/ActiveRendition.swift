import Foundation
import MediaCore
import Streaming

/// A rendition being downloaded: what there is of it, what is there, and what is missing.
@DownloadActor
final class ActiveRendition {
    private(set) var row: RenditionRow
    /// Nil for a file that is no stream.
    private(set) var plan: RenditionPlan?
    let facts: FileFacts?
    private(set) var items: [PlanItem]
    private(set) var isComplete: [Bool]
    private(set) var missing: Int
    /// Lengths of what is complete, and begun ones with what is known of them.
    private(set) var lengths: [Int64]
    private(set) var begun: [Int: ResourceRow] = [:]
    private(set) var bytes: Int64 = 0
    private(set) var seconds = 0.0
    /// Places of the playlist's segments that are there.
    private(set) var places = IndexSet()
    /// Keys by number, initialisation sections by number, once they are there.
    private var indexOf: [Int: Int] = [:]
    private var smallContents: [Int: [UInt8]] = [:]

    init(_ row: RenditionRow, plan: RenditionPlan) {
        self.row = row
        self.plan = plan
        facts = nil
        items = plan.items
        isComplete = Array(repeating: false, count: items.count)
        lengths = Array(repeating: 0, count: items.count)
        missing = items.count
        index(from: 0)
    }

    init(_ row: RenditionRow, facts: FileFacts) {
        self.row = row
        plan = nil
        self.facts = facts
        items = facts.parts(of: row.url)
        isComplete = Array(repeating: false, count: items.count)
        lengths = Array(repeating: 0, count: items.count)
        missing = items.count
        index(from: 0)
    }

    private static func code(_ kind: PlanItem.Kind, _ number: Int) -> Int { number << 2 | kind.rawValue }
    private func index(from start: Int) {
        for place in start..<items.count { indexOf[Self.code(items[place].kind, items[place].number)] = place }
    }
    func place(of kind: PlanItem.Kind, _ number: Int) -> Int? { indexOf[Self.code(kind, number)] }

    /// Whether it is a file that is loaded in parts.
    var isParted: Bool { facts != nil && items.count > 1 }

    /// Addresses have changed, or more segments have come at the end; what is there stays.
    func take(_ plan: RenditionPlan, _ row: RenditionRow) {
        self.plan = plan
        self.row = row
        let known = items.count
        for item in plan.items {
            if let place = place(of: item.kind, item.number) {
                items[place] = item
            } else {
                items.append(item)
                isComplete.append(false)
                lengths.append(0)
                missing += 1
            }
        }
        index(from: known)
    }

    /// The beginning of an item is on the disk; nil: no longer.
    func begin(_ place: Int, _ row: ResourceRow?) { begun[place] = row }

    func complete(_ place: Int, length: Int64) {
        guard !isComplete[place] else { return }
        isComplete[place] = true
        lengths[place] = length
        missing -= 1
        bytes = bytes.addingSaturating(length)
        seconds += items[place].seconds
        begun[place] = nil
        if items[place].kind == .segment {
            places.insert(integersIn: items[place].place..<items[place].place + items[place].serves)
        }
    }

    func lose(_ place: Int) {
        guard isComplete[place] else { return }
        isComplete[place] = false
        missing += 1
        bytes -= lengths[place]
        seconds -= items[place].seconds
        lengths[place] = 0
        smallContents[place] = nil
        if items[place].kind == .segment {
            places.remove(integersIn: items[place].place..<items[place].place + items[place].serves)
        }
    }

    /// What it is decoded with is there.
    func isReady(_ place: Int) -> Bool {
        let item = items[place]
        for need in [
            item.key.map { (PlanItem.Kind.key, $0) }, item.initialization.map { (PlanItem.Kind.initialization, $0) },
        ] {
            if let need, let place = self.place(of: need.0, need.1), !isComplete[place] { return false }
        }
        return true
    }

    /// A file's parts have the URL that the user gave; what a playlist names is resolved by its plan.
    func url(of place: Int) -> URL? {
        if let plan { return plan.url(of: items[place]) }
        return URL(string: items[place].uri)
    }

    /// Bytes that the whole will have, as far as can be told.
    var expectedBytes: Int64 {
        if let facts { return facts.size ?? bytes }
        guard missing > 0 else { return bytes }
        var known = bytes
        var unknown = 0.0
        for place in items.indices where !isComplete[place] {
            if let range = items[place].range {
                known = known.addingSaturating(range.length)
            } else if let rate = plan?.playlist.segments[safe: items[place].place]?.statedBitrate,
                items[place].kind == .segment
            {
                known = known.addingSaturating(Int64(saturating: Double(rate) / 8 * items[place].seconds))
            } else {
                unknown += items[place].seconds
            }
        }
        guard unknown > 0 else { return known }
        // Once enough has come it tells better than the playlist does.
        let rate = seconds >= 20 || row.bitRate <= 0 && seconds > 0 ? Double(bytes) / seconds : row.bitRate / 8
        return known.addingSaturating(Int64(saturating: rate * unknown))
    }

    /// Stretches of media that are there, seconds.
    var loaded: [Range<Double>] {
        guard let playlist = plan?.playlist else { return [] }
        return places.rangeView.map {
            playlist.startTime(
                ofSegmentAt: $0.lowerBound)..<max(
                    playlist.startTime(ofSegmentAt: $0.lowerBound), playlist.startTime(ofSegmentAt: $0.upperBound))
        }
    }

    // MARK: keys and initialisation sections

    /// The bytes of a key or an initialisation section as they lie on the disk.
    ///
    /// - Throws: `.damaged` where they are not there.
    func small(_ place: Int, in folder: PackageFolder) throws(DownloadError) -> [UInt8] {
        if isComplete[place], let known = smallContents[place] { return known }
        let path = folder.file(items[place].fileName, of: row)
        guard isComplete[place], let bytes = try DiskFile.read(path, limit: 16 << 20) else {
            throw DownloadError(
                .damaged, at: path.path, reason: "the file is missing", suggestion: "Resume the download")
        }
        if smallContents.count < 64 { smallContents[place] = bytes }
        return bytes
    }

    /// How an item's bytes are encrypted, as its playlist says, and with what.
    ///
    /// - Throws: `.damaged` where the key is not there.
    func cipher(of place: Int, in folder: PackageFolder) throws(DownloadError) -> SegmentCipher {
        let item = items[place]
        guard let number = item.key, let playlist = plan?.playlist else { return .none }
        let keys: [EncryptionKey]
        switch item.kind {
        case .segment: keys = playlist.segments[safe: item.place]?.keys ?? []
        case .initialization:
            keys =
                playlist.segments.first { $0.map?.uri == item.uri && $0.map?.byteRange == item.range }?.map?.keys ?? []
        case .key, .part: return .none
        }
        let need: KeyStore.Need
        do throws(AVError) { need = try KeyStore.usable(keys, at: playlist.url.location) } catch {
            throw DownloadError(error)
        }
        switch need {
        case .nothing: return .none
        case .samples: return .samples
        case .wholeSegments(let encryption):
            guard let place = self.place(of: .key, number) else { return .none }
            let key = try small(place, in: folder)
            return .whole(
                key: KeyStore.key(in: key) ?? key,
                iv: encryption.initializationVector(forMediaSequence: item.kind == .segment ? item.number : 0),
                keyLocation: url(of: place)?.location ?? encryption.uri)
        }
    }
}

extension Array {
    subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
