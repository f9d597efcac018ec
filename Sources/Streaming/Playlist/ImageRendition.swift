import Foundation
import MediaCore

/// A stream of sheets of thumbnails for seeking, from `EXT-X-IMAGE-STREAM-INF`.
///
/// The tag is defined by "HLS Image Media Playlist specification" 0.4. It is not part of RFC 8216, but packagers and
/// devices support it.
package struct ImageRendition: Sendable, Equatable {
    package let url: URL
    /// The size of one thumbnail in pixels, or nil if it is not stated.
    package let resolution: Variant.Resolution?
    /// The peak bit rate in bits per second, or 0 if it is not stated.
    package let bandwidth: Int
}

/// The time of one thumbnail, and its position in a sheet.
package struct ImageTile: Sendable, Equatable {
    /// The start and the end, in seconds from the beginning of the playlist.
    package let start: Double, end: Double
    package let sheet: URL
    /// The thumbnail's rectangle in pixels of the sheet. nil means the whole sheet.
    package let x, y, width, height: Int?
}

extension MultivariantPlaylist {
    /// The image renditions in the playlist's order, without those that have no valid URL. Only the first 1,000 tags
    /// that the playlist parser does not know are read.
    package var imageRenditions: [ImageRendition] {
        common.otherTags.prefix(1000).compactMap { tag in
            ImageTag.read(tag, "#EXT-X-IMAGE-STREAM-INF:") { attributes in
                guard var uri = attributes["URI"]?.value.string, !uri.isEmpty else { return nil }
                for (name, value) in variables where uri.contains("{$") {
                    uri = uri.replacingOccurrences(of: "{$\(name)}", with: value)
                }
                guard let imageURL = try? ResourceReference.resolve(uri, in: url) else { return nil }
                return ImageRendition(
                    url: imageURL,
                    resolution: attributes["RESOLUTION"].flatMap { ImageTag.pair($0.value) }.map {
                        .init(width: $0.0, height: $0.1)
                    },
                    bandwidth: attributes.integer("BANDWIDTH") ?? 0)
            }
        }
    }
}

extension MediaPlaylist {
    /// The thumbnails of an image playlist in the order of time, at most 20,000.
    ///
    /// The array is empty if the playlist is not an image playlist or has not ended. Segments that are gaps, encrypted
    /// or byte ranges are left out, because their thumbnails cannot be located.
    package var imageTiles: [ImageTile] {
        guard isEnded,
            common.otherTags.contains(where: { $0.hasPrefix("#EXT-X-IMAGES-ONLY") })
                || segments.contains(where: {
                    $0.otherTags.contains { $0.hasPrefix("#EXT-X-TILES") || $0.hasPrefix("#EXT-X-IMAGES-ONLY") }
                })
        else { return [] }
        // Some playlists state the layout once for all sheets.
        let common = common.otherTags.lazy.compactMap(ImageTag.layout).first
        var tiles: [ImageTile] = []
        var start = 0.0
        for segment in segments {
            guard tiles.count < 20_000 else { break }
            let begin = start
            let end = start + segment.duration
            start = end
            guard !segment.isGap, segment.keys.isEmpty, segment.byteRange == nil, segment.duration > 0,
                let sheet = segment.url(relativeTo: url)
            else { continue }
            guard let layout = segment.otherTags.lazy.compactMap(ImageTag.layout).first ?? common else {
                tiles.append(ImageTile(start: begin, end: end, sheet: sheet, x: nil, y: nil, width: nil, height: nil))
                continue
            }
            let count = layout.columns * layout.rows
            let step = layout.duration ?? segment.duration / Double(count)
            for index in 0..<count {
                let from = begin + Double(index) * step
                // The last sheet may be only partly filled.
                guard from < end - 0.001, tiles.count < 20_000 else { break }
                tiles.append(
                    ImageTile(
                        start: from, end: index == count - 1 ? end : min(end, from + step), sheet: sheet,
                        x: index % layout.columns * layout.width, y: index / layout.columns * layout.height,
                        width: layout.width, height: layout.height))
            }
        }
        return tiles
    }
}

/// The parser of image tags, which the playlist parser keeps as text.
private enum ImageTag {
    struct Layout { let width, height, columns, rows: Int, duration: Double? }

    static func read<Value>(_ tag: String, _ name: String, _ value: (AttributeList) -> Value?) -> Value? {
        guard tag.hasPrefix(name) else { return nil }
        return Array(tag.utf8.dropFirst(name.utf8.count)).withUnsafeBufferPointer { text in
            var attributes = AttributeList()
            return attributes.read(text) ? value(attributes) : nil
        }
    }

    /// Parses `EXT-X-TILES:RESOLUTION=320x180,LAYOUT=5x4,DURATION=6.006`: the size of one thumbnail, the numbers of
    /// columns and rows, and the duration of each thumbnail in seconds.
    static func layout(_ tag: String) -> Layout? {
        read(tag, "#EXT-X-TILES:") { attributes in
            guard let size = attributes["RESOLUTION"].flatMap({ pair($0.value) }),
                let layout = attributes["LAYOUT"].flatMap({ pair($0.value) }),
                layout.0 <= 100, layout.1 <= 100, size.0 * layout.0 <= 65_535, size.1 * layout.1 <= 65_535
            else { return nil }
            let duration = attributes.amount("DURATION")
            return Layout(
                width: size.0, height: size.1, columns: layout.0, rows: layout.1,
                duration: duration.flatMap { $0 >= 0.001 && $0 < 1e6 ? $0 : nil })
        }
    }

    /// Parses a pair such as `5x4`. Both numbers must be in 1…16,384.
    static func pair(_ text: Bytes) -> (Int, Int)? {
        guard let cross = text.position(of: 0x78) ?? text.position(of: 0x58),
            let first = text.slice(0, cross).trimmed.integer, let second = text.slice(cross + 1).trimmed.integer,
            (1...16_384).contains(first), (1...16_384).contains(second)
        else { return nil }
        return (first, second)
    }
}
