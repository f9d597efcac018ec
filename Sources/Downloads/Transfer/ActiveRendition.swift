import Foundation
import MediaCore
import Streaming

/// A rendition that is being downloaded, with the state of each of its resources.
@DownloadActor
final class ActiveRendition {
    private(set) var row: RenditionRow
    /// The plan of the rendition, or nil if the source is a file and not a stream.
    private(set) var plan: RenditionPlan?
    let facts: FileFacts?
    private(set) var items: [PlanItem]
    private(set) var isComplete: [Bool]
    private(set) var missing: Int
    /// The lengths of complete items, in bytes. `begun` contains the stored rows of items of which only the first bytes
    /// are on the disk.
    private(set) var lengths: [Int64]
    private(set) var begun: [Int: ResourceRow] = [:]
    private(set) var bytes: Int64 = 0
    private(set) var seconds = 0.0
    /// The indexes of the playlist's segments that are complete.
    private(set) var places = IndexSet()
    /// The index in `items` of each kind and number.
    private var indexOf: [Int: Int] = [:]
    private var smallContents: [Int: [UInt8]] = [:]
    /// The indexes of items that the newest plan no longer contains, because their segments became gaps. They count as
    /// complete.
    private var leftOut: Set<Int> = []

    init(_ row: RenditionRow, plan: RenditionPlan) {
        self.row = row
        self.plan = plan
        facts = nil
        items = plan.items
        isComplete = Array(repeating: false, count: items.count)
        lengths = Array(repeating: 0, count: items.count)
        missing = items.count
        buildIndex(from: 0)
    }

    init(_ row: RenditionRow, facts: FileFacts) {
        self.row = row
        plan = nil
        self.facts = facts
        items = facts.parts(of: row.url)
        isComplete = Array(repeating: false, count: items.count)
        lengths = Array(repeating: 0, count: items.count)
        missing = items.count
        buildIndex(from: 0)
    }

    private static func code(_ kind: PlanItem.Kind, _ number: Int) -> Int { number << 2 | kind.rawValue }
    private func buildIndex(from start: Int) {
        for index in start..<items.count { indexOf[Self.code(items[index].kind, items[index].number)] = index }
    }
    func place(of kind: PlanItem.Kind, _ number: Int) -> Int? { indexOf[Self.code(kind, number)] }

    /// Whether the rendition is a file that is loaded in parts. All parts are in one file, so that file must not be
    /// deleted or shortened because of one of them.
    var isParted: Bool { facts != nil && items.count > 1 }

    /// Takes a plan with new URLs, with additional segments at the end, or with new gaps. Complete items stay complete.
    func take(_ plan: RenditionPlan, _ row: RenditionRow) {
        self.plan = plan
        self.row = row
        let known = items.count
        for item in plan.items {
            if let index = place(of: item.kind, item.number) {
                items[index] = item
                if leftOut.remove(index) != nil {
                    isComplete[index] = false
                    missing += 1
                }
            } else {
                items.append(item)
                isComplete.append(false)
                lengths.append(0)
                missing += 1
            }
        }
        buildIndex(from: known)
        guard items.count - leftOut.count > plan.items.count else { return }
        let planned = Set(plan.items.map { Self.code($0.kind, $0.number) })
        for index in items.indices
        where !isComplete[index] && !planned.contains(Self.code(items[index].kind, items[index].number)) {
            leftOut.insert(index)
            begun[index] = nil
            isComplete[index] = true
            missing -= 1
        }
    }

    /// Returns the indexes, among the playlist's segments, of the segments that cannot be played without an item.
    func places(needing index: Int) -> [Int] {
        let item = items[index]
        let sections = items.filter { $0.kind == .initialization && item.kind == .key && $0.key == item.number }
        let numbers = item.kind == .initialization ? [item.number] : sections.map(\.number)
        return items.compactMap { segment in
            guard segment.kind == .segment else { return nil }
            let isNeeded =
                switch item.kind {
                case .segment, .part: segment.number == item.number
                case .key: segment.key == item.number || segment.initialization.map(numbers.contains) == true
                case .initialization: segment.initialization.map(numbers.contains) == true
                }
            return isNeeded ? segment.place : nil
        }
    }

    /// Returns whether a recording has or may get media if the segments at `gaps` become gaps.
    func hasMedia(withGapsAt gaps: [Int]) -> Bool {
        guard places.isEmpty, let playlist = plan?.playlist else { return true }
        let gapCount = playlist.segments.count(where: \.isGap) + gaps.count
        return gapCount < playlist.segments.count && gapCount <= JobRetries.mostGapsAtStart
    }

    /// Stores the row of an item whose first bytes are on the disk.
    func begin(_ index: Int, _ row: ResourceRow) { begun[index] = row }

    func complete(_ index: Int, length: Int64) {
        guard !isComplete[index] else { return }
        isComplete[index] = true
        lengths[index] = length
        missing -= 1
        bytes = bytes.addingSaturating(length)
        seconds += items[index].seconds
        begun[index] = nil
        if items[index].kind == .segment {
            places.insert(integersIn: items[index].place..<items[index].place + items[index].segmentCount)
        }
    }

    func lose(_ index: Int) {
        begun[index] = nil
        guard isComplete[index] else { return }
        isComplete[index] = false
        missing += 1
        bytes -= lengths[index]
        seconds -= items[index].seconds
        lengths[index] = 0
        smallContents[index] = nil
        if items[index].kind == .segment {
            places.remove(integersIn: items[index].place..<items[index].place + items[index].segmentCount)
        }
    }

    /// Returns whether the key and the initialization section of an item are complete.
    func isReady(_ index: Int) -> Bool {
        let item = items[index]
        for need in [
            item.key.map { (PlanItem.Kind.key, $0) }, item.initialization.map { (PlanItem.Kind.initialization, $0) },
        ] {
            if let need, let neededIndex = self.place(of: need.0, need.1), !isComplete[neededIndex] { return false }
        }
        return true
    }

    /// Returns the URL of an item. The parts of a file have the URL that the user gave; the plan resolves the URIs of a
    /// playlist.
    func url(of index: Int) -> URL? {
        if let plan { return plan.url(of: items[index]) }
        return URL(string: items[index].uri)
    }

    /// The estimated size of the entire rendition, in bytes.
    var expectedBytes: Int64 {
        if let facts { return facts.size ?? bytes }
        guard missing > 0 else { return bytes }
        var known = bytes
        var unknown = 0.0
        for index in items.indices where !isComplete[index] {
            if let range = items[index].range {
                known = known.addingSaturating(range.length)
            } else if let rate = plan?.playlist.segments[safe: items[index].place]?.statedBitrate,
                items[index].kind == .segment
            {
                known = known.addingSaturating(Int64(saturating: Double(rate) / 8 * items[index].seconds))
            } else {
                unknown += items[index].seconds
            }
        }
        guard unknown > 0 else { return known }
        // After 20 seconds of media, the measured bit rate is more accurate than the playlist's.
        let rate = seconds >= 20 || row.bitRate <= 0 && seconds > 0 ? Double(bytes) / seconds : row.bitRate / 8
        return known.addingSaturating(Int64(saturating: rate * unknown))
    }

    /// The time ranges that are complete, in seconds.
    var loaded: [Range<Double>] {
        guard let playlist = plan?.playlist else { return [] }
        return places.rangeView.map {
            playlist.startTime(
                ofSegmentAt: $0.lowerBound)..<max(
                    playlist.startTime(ofSegmentAt: $0.lowerBound), playlist.startTime(ofSegmentAt: $0.upperBound))
        }
    }

    // MARK: keys and initialization sections

    /// Returns the bytes of a key or an initialization section as they are on the disk.
    ///
    /// - Throws: `.damaged` if the file is missing.
    func small(_ index: Int, in folder: PackageFolder) throws(DownloadError) -> [UInt8] {
        if isComplete[index], let known = smallContents[index] { return known }
        let path = folder.file(items[index].fileName, of: row)
        guard isComplete[index], let bytes = try DiskFile.read(path, limit: 16 << 20) else {
            throw DownloadError(
                .damaged, at: path.path, reason: "the file is missing", suggestion: "Resume the download")
        }
        if smallContents.count < 64 { smallContents[index] = bytes }
        return bytes
    }

    /// Returns the encryption of an item, according to its playlist, with the key.
    ///
    /// - Throws: `.damaged` if the key's file is missing.
    func cipher(of index: Int, in folder: PackageFolder) throws(DownloadError) -> SegmentCipher {
        let item = items[index]
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
            guard let keyIndex = self.place(of: .key, number) else { return .none }
            let key = try small(keyIndex, in: folder)
            return .whole(
                key: KeyStore.key(in: key) ?? key,
                iv: encryption.initializationVector(forMediaSequence: item.kind == .segment ? item.number : 0),
                keyLocation: url(of: keyIndex)?.location ?? encryption.uri)
        }
    }
}

extension Array {
    subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
