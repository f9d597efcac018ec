import Foundation
import MediaCore

/// A stream of sheets of small pictures, for whoever looks for a place: `EXT-X-IMAGE-STREAM-INF` ("HLS Image Media
/// Playlist specification" 0.4, which is no part of RFC 8216, and which packagers and devices follow).
package struct ImageRendition: Sendable, Equatable {
    package let url: URL
    /// Of one small picture, pixels; nil: not stated.
    package let resolution: Variant.Resolution?
    package let bandwidth: Int
}

/// One small picture: where it stands, and where it lies in its sheet.
package struct ImageTile: Sendable, Equatable {
    /// Seconds from the playlist's beginning.
    package let start: Double, end: Double
    package let sheet: URL
    /// Pixels of the sheet; nil: all of it.
    package let x, y, width, height: Int?
}

extension MultivariantPlaylist {
    /// In the playlist's order; what has no usable address is not there.
    package var imageRenditions: [ImageRendition] {
        common.otherTags.prefix(1000).compactMap { tag in
            ImageTag.read(tag, "#EXT-X-IMAGE-STREAM-INF:") { attributes in
                guard var uri = attributes["URI"]?.value.string, !uri.isEmpty else { return nil }
                for (name, value) in variables where uri.contains("{$") {
                    uri = uri.replacingOccurrences(of: "{$\(name)}", with: value)
                }
                guard let address = try? ResourceReference.resolve(uri, in: url) else { return nil }
                return ImageRendition(
                    url: address,
                    resolution: attributes["RESOLUTION"].flatMap { ImageTag.pair($0.value) }.map {
                        .init(width: $0.0, height: $0.1)
                    },
                    bandwidth: attributes.integer("BANDWIDTH") ?? 0)
            }
        }
    }
}

extension MediaPlaylist {
    /// The small pictures of a playlist of images, at most 20,000, in the order of time. Empty: it is none, or nobody
    /// can tell where its pictures lie (it is live, encrypted, or gives parts of files).
    package var imageTiles: [ImageTile] {
        guard isEnded,
            common.otherTags.contains(where: { $0.hasPrefix("#EXT-X-IMAGES-ONLY") })
                || segments.contains(where: {
                    $0.otherTags.contains { $0.hasPrefix("#EXT-X-TILES") || $0.hasPrefix("#EXT-X-IMAGES-ONLY") }
                })
        else { return [] }
        // Some say once for all how their sheets are laid out.
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
                // The last sheet need not be full.
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

/// Tags that the parser keeps as written.
private enum ImageTag {
    struct Layout { let width, height, columns, rows: Int, duration: Double? }

    static func read<Value>(_ tag: String, _ name: String, _ value: (AttributeList) -> Value?) -> Value? {
        guard tag.hasPrefix(name) else { return nil }
        return Array(tag.utf8.dropFirst(name.utf8.count)).withUnsafeBufferPointer { text in
            var attributes = AttributeList()
            return attributes.read(text) ? value(attributes) : nil
        }
    }

    /// `EXT-X-TILES:RESOLUTION=320x180,LAYOUT=5x4,DURATION=6.006`: of one tile, across and down, seconds of each.
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

    /// `5x4`, each from 1 to 16,384.
    static func pair(_ text: Bytes) -> (Int, Int)? {
        guard let cross = text.position(of: 0x78) ?? text.position(of: 0x58),
            let first = text.slice(0, cross).trimmed.integer, let second = text.slice(cross + 1).trimmed.integer,
            (1...16_384).contains(first), (1...16_384).contains(second)
        else { return nil }
        return (first, second)
    }
}
