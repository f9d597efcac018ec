import Foundation

/// A writer of the live media playlist at one moment.
struct LivePlaylist {
    let options: LiveStream.Options
    let rendition: LiveSource.Rendition
    let others: [LiveSource.Rendition]
    /// The number of parts, or of segments if there are no parts, that exist.
    let units: Int
    let hasEnded: Bool
    var breaks: [Break] = []

    /// A position in the stream at which the program restarts from its beginning.
    struct Break: Sendable {
        var index: Int
        /// Whether `EXT-X-DISCONTINUITY` precedes the break.
        var isTagged: Bool
    }

    /// Returns the number of the program's segment at `index`. The number keeps growing over repetitions of the
    /// program.
    static func content(of index: Int, _ breaks: [Break]) -> Int {
        index - (breaks.last { $0.index <= index }?.index ?? 0)
    }
    private func content(_ index: Int) -> Int { Self.content(of: index, breaks) % rendition.segments.count }

    private var perSegment: Int { options.partsPerSegment ?? 1 }
    private var complete: Int { units / perSegment }
    private var first: Int { options.isEvent ? 0 : max(0, complete - options.window) }
    private var target: Double { Double(rendition.targetDuration) }

    private func duration(_ index: Int) -> Double { rendition.segments[content(index)].duration }
    private func isDiscontinuous(_ index: Int) -> Bool {
        if let own = breaks.last(where: { $0.index == index }) { return own.isTagged }
        return index > 0 && content(index) == 0
    }

    /// Returns the playlist.
    /// - Parameter skipping: Whether a delta update was requested (RFC 8216bis §6.2.5.1).
    func text(skipping: Bool) -> String {
        var lines = [
            "#EXTM3U", "#EXT-X-VERSION:\(options.partsPerSegment != nil || options.skips ? 9 : 6)",
            "#EXT-X-TARGETDURATION:\(rendition.targetDuration)",
        ]
        if options.isEvent { lines.append("#EXT-X-PLAYLIST-TYPE:EVENT") }
        lines += control
        lines.append("#EXT-X-MEDIA-SEQUENCE:\(options.firstMediaSequence + first)")
        // Count the discontinuities that have left the playlist. The one before its first segment is not among them
        // (RFC 8216 §4.3.3.3).
        let left = (0..<max(first, 1)).count(where: isDiscontinuous)
        if left > 0 { lines.append("#EXT-X-DISCONTINUITY-SEQUENCE:\(left)") }
        let skipped = skipping ? skippable : 0
        if skipped > 0 { lines.append("#EXT-X-SKIP:SKIPPED-SEGMENTS=\(skipped)") }
        // The map precedes the first segment, so a delta update omits the map with that segment.
        if rendition.map != nil, skipped == 0 { lines.append("#EXT-X-MAP:URI=\"init.mp4\"") }
        for index in first + skipped..<max(complete, first + skipped) { lines += segment(index) }
        if hasEnded {
            lines.append("#EXT-X-ENDLIST")
        } else if options.partsPerSegment != nil {
            lines += inProgress
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private var control: [String] {
        var attributes: [String] = []
        if options.blocksReloads { attributes.append("CAN-BLOCK-RELOAD=YES") }
        if options.skips { attributes.append("CAN-SKIP-UNTIL=\(number(6 * target))") }
        let part = target / Double(perSegment)
        if options.partsPerSegment != nil { attributes.append("PART-HOLD-BACK=\(number(3 * part))") }
        var lines = attributes.isEmpty ? [] : ["#EXT-X-SERVER-CONTROL:" + attributes.joined(separator: ",")]
        if options.partsPerSegment != nil { lines.append("#EXT-X-PART-INF:PART-TARGET=\(number(part))") }
        return lines
    }

    /// The number of segments that are further from the end than the skip boundary.
    private var skippable: Int {
        var behind = 0.0
        var keep = 0
        while keep < complete - first, behind < 6 * target {
            keep += 1
            behind += duration(complete - keep)
        }
        return complete - first - keep
    }

    private func segment(_ index: Int) -> [String] {
        var lines = isDiscontinuous(index) ? ["#EXT-X-DISCONTINUITY"] : []
        if let date = date(index) { lines.append("#EXT-X-PROGRAM-DATE-TIME:\(date)") }
        // Parts are listed for the last three target durations (RFC 8216bis §6.2.2).
        if options.partsPerSegment != nil, index >= complete - 3 { lines += (0..<perSegment).map { part(index, $0) } }
        return lines + ["#EXTINF:\(number(duration(index))),", name(index)]
    }

    private var inProgress: [String] {
        let count = units % perSegment
        var lines: [String] = []
        if count > 0 {
            if isDiscontinuous(complete) { lines.append("#EXT-X-DISCONTINUITY") }
            if let date = date(complete) { lines.append("#EXT-X-PROGRAM-DATE-TIME:\(date)") }
            lines += (0..<count).map { part(complete, $0) }
        }
        lines.append(
            "#EXT-X-PRELOAD-HINT:TYPE=PART,"
                + address(complete, count, range: { "BYTERANGE-START=\($0.lowerBound),BYTERANGE-LENGTH=\($0.count)" }))
        let folder = rendition.name.split(separator: "/").count - 1
        lines += others.map { other in
            let uri = String(repeating: "../", count: folder) + other.name
            let last = count > 0 ? (complete, count - 1) : (complete - 1, perSegment - 1)
            return
                "#EXT-X-RENDITION-REPORT:URI=\"\(uri)\",LAST-MSN=\(options.firstMediaSequence + last.0),LAST-PART=\(last.1)"
        }
        return lines
    }

    private func part(_ index: Int, _ part: Int) -> String {
        "#EXT-X-PART:DURATION=\(number(duration(index) / Double(perSegment))),"
            + address(index, part, range: { "BYTERANGE=\"\($0.count)@\($0.lowerBound)\"" })
            + (part == 0 ? ",INDEPENDENT=YES" : "")
    }

    private func address(_ index: Int, _ part: Int, range: (Range<Int64>) -> String) -> String {
        let sequence = options.firstMediaSequence + index
        if options.hasPartFiles { return "URI=\"\(sequence).\(part).\(rendition.suffix)\"" }
        let bounds = rendition.segments[content(index)].partBounds
        return "URI=\"\(name(index))\"," + range(bounds[part]..<bounds[part + 1])
    }

    private func name(_ index: Int) -> String { "\(options.firstMediaSequence + index).\(rendition.suffix)" }

    private func number(_ value: Double) -> String { String(format: "%.5f", value) }

    private func date(_ index: Int) -> String? {
        guard let start = options.startDate else { return nil }
        let whole = (0..<rendition.segments.count).reduce(0) { $0 + duration($1) }
        let round = index / rendition.segments.count
        let seconds = Double(round) * whole + (0..<index % rendition.segments.count).reduce(0) { $0 + duration($1) }
        let format = ISO8601DateFormatter()
        format.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        return format.string(from: start.addingTimeInterval(seconds))
    }
}
