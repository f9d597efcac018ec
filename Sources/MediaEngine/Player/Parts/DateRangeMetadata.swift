import Foundation
import MediaCore
import Streaming

/// The metadata of a range of dates in an HLS playlist (`EXT-X-DATERANGE`), in media time.
struct DateRangeMetadata {
    private let range: DateRange
    let start: MediaTime
    /// The duration; nil if the range is open.
    private let duration: MediaTime?

    var id: String { range.id }
    /// The end; nil if the range is open.
    var end: MediaTime? { duration.map { start + $0 } }

    /// The ranges of a stream; none if its playlist has no dates.
    ///
    /// A playlist can have thousands of ranges, which are needed at each check of the time. Their durations are
    /// computed again only after the ranges have changed, and their media times only after the anchor of the dates has
    /// moved.
    struct List {
        private(set) var all: [DateRangeMetadata] = []
        private var tags: [DateRange] = []
        private var ranges: [(range: DateRange, seconds: Double?)] = []
        private var anchor: (time: Int64, date: Date)?

        mutating func update(_ buffer: StreamBuffer) {
            let hasNewTags = buffer.dateRanges != tags
            tags = buffer.dateRanges
            if hasNewTags { ranges = DateRangeMetadata.measured(DateRangeMetadata.merged(tags)) }
            guard hasNewTags || buffer.anchor?.time != anchor?.time || buffer.anchor?.date != anchor?.date else {
                return
            }
            anchor = buffer.anchor
            all = ranges.compactMap { range, seconds in
                guard let start = range.startDate.flatMap({ buffer.time(at: $0) }) else { return nil }
                return DateRangeMetadata(
                    range: range, start: MediaTime(nanoseconds: start),
                    duration: seconds.map { MediaTime(seconds: $0) })
            }
        }
    }

    /// Returns the ranges with their durations in seconds; nil for open ranges.
    private static func measured(_ ranges: [DateRange]) -> [(range: DateRange, seconds: Double?)] {
        var starts: [String: [Date]] = [:]
        for range in ranges {
            if let name = range.className, let date = range.startDate { starts[name, default: []].append(date) }
        }
        // Map each start to the next one in the same class.
        let following = starts.mapValues { dates -> [Date: Date] in
            let sorted = dates.sorted()
            return Dictionary(
                zip(sorted, sorted.dropFirst()).filter { $0.0 < $0.1 }, uniquingKeysWith: { first, _ in first })
        }
        return ranges.map { range -> (range: DateRange, seconds: Double?) in
            guard let date = range.startDate else { return (range, nil) }
            var seconds = range.duration ?? range.endDate.map { $0.timeIntervalSince(date) } ?? range.plannedDuration
            if range.endsOnNext, let name = range.className, let end = following[name]?[date] {
                seconds = end.timeIntervalSince(date)
            }
            return (range, seconds.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil })
        }
    }

    /// The metadata, whose identifiers are `lsdr/` followed by the name of an attribute.
    var group: AVTimedMetadataGroup {
        let (time, length) = (start.time, duration?.time ?? .indefinite)
        func item(_ name: String, _ text: String, _ data: Data? = nil) -> AVMetadataItem {
            var content = AVMetadataItem.Content(
                identifier: MetadataName.identifier(key: name, in: .hlsDateRange), text: data == nil ? text : nil,
                data: data ?? Data(text.utf8), type: data == nil ? "text/plain" : "application/octet-stream")
            (content.time, content.duration, content.startDate) = (time, length, range.startDate)
            return AVMetadataItem(content)
        }
        let dates = ISO8601DateFormatter()
        dates.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        var items = [item("ID", range.id)]
        if let className = range.className { items.append(item("CLASS", className)) }
        if let date = range.startDate { items.append(item("START-DATE", dates.string(from: date))) }
        if let date = range.endDate { items.append(item("END-DATE", dates.string(from: date))) }
        if let seconds = range.duration { items.append(item("DURATION", "\(seconds)")) }
        if let seconds = range.plannedDuration { items.append(item("PLANNED-DURATION", "\(seconds)")) }
        if range.endsOnNext { items.append(item("END-ON-NEXT", "YES")) }
        if !range.cue.isEmpty { items.append(item("CUE", range.cue.joined(separator: ","))) }
        for attribute in range.attributes {
            let bytes = attribute.isQuoted ? nil : DateRangeMetadata.bytes(ofHex: attribute.value)
            items.append(item(attribute.name, attribute.value, bytes))
        }
        return AVTimedMetadataGroup(items: items, timeRange: CMTimeRange(start: time, duration: length))
    }

    /// The maximum number of attributes to which later tags can extend a range.
    private static let mostAttributes = 256

    /// Returns the ranges, each once. Tags with the same ID describe one range, and later ones add attributes
    /// (RFC 8216 §4.3.2.7).
    private static func merged(_ tags: [DateRange]) -> [DateRange] {
        var order: [String] = []
        var ranges: [String: DateRange] = [:]
        for tag in tags {
            guard var range = ranges[tag.id] else {
                order.append(tag.id)
                ranges[tag.id] = tag
                continue
            }
            range.className = range.className ?? tag.className
            range.startDate = range.startDate ?? tag.startDate
            range.endDate = range.endDate ?? tag.endDate
            range.duration = range.duration ?? tag.duration
            range.plannedDuration = range.plannedDuration ?? tag.plannedDuration
            range.endsOnNext = range.endsOnNext || tag.endsOnNext
            if range.cue.isEmpty { range.cue = tag.cue }
            let added = tag.attributes.filter { attribute in
                !range.attributes.contains { $0.name == attribute.name }
            }
            range.attributes += added.prefix(max(0, mostAttributes - range.attributes.count))
            ranges[tag.id] = range
        }
        return order.compactMap { ranges[$0] }
    }

    /// Returns the bytes of a hexadecimal sequence such as `0x2F01`; nil for any other text.
    private static func bytes(ofHex text: String) -> Data? {
        guard text.hasPrefix("0x") || text.hasPrefix("0X"), text.utf8.count % 2 == 0, text.utf8.count > 2,
            text.dropFirst(2).allSatisfy(\.isHexDigit)
        else { return nil }
        var bytes = Data()
        var rest = text.dropFirst(2)
        while !rest.isEmpty {
            guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
