import CFFmpeg
import Foundation
import MediaCore
import Streaming

/// A track of thumbnails, from a WebVTT file or from a stream's image playlist.
///
/// Each cue of the WebVTT file contains the URL of an image instead of text. The image is a whole file or a part of a
/// sheet, such as `sheet.jpg#xywh=160,90,160,90` (Media Fragments URI 1.0 §4.2.2). Not thread-safe.
final class ThumbnailTrack {
    struct Tile: Equatable {
        /// The time range of the thumbnail, in seconds.
        let start: Double, end: Double
        let sheet: URL
        /// The part of the sheet; nil for the whole image.
        let part: Part?
        struct Part: Equatable {
            let x, y, width, height: Int
            /// Whether the numbers are percentages of the sheet's size. Otherwise, they are pixels.
            var isPercent = false

            /// Returns the part in pixels of a sheet. Edges of neighboring parts stay equal.
            func pixels(width sheetWidth: Int, height sheetHeight: Int) -> Part {
                guard isPercent else { return self }
                func edge(_ percent: Int, _ size: Int) -> Int { (percent * size + 50) / 100 }
                let (left, top) = (edge(x, sheetWidth), edge(y, sheetHeight))
                return Part(
                    x: left, y: top, width: edge(x + width, sheetWidth) - left,
                    height: edge(y + height, sheetHeight) - top)
            }
        }
    }
    let tiles: [Tile]
    private let options: HTTPOptions
    private let interrupt: InterruptToken
    /// The decoded sheet that was used last.
    private var sheet: (url: URL, frame: VideoFrame)?
    /// The maximum size of the WebVTT file in bytes, and the maximum number of tiles.
    private static let limit = 4 << 20, maximumTiles = 20_000

    /// Reads a WebVTT file, and blocks the calling thread.
    ///
    /// - Parameter interrupt: Ends this call and later ones when it is interrupted or over time.
    /// - Throws: The error of reading. `.fileFormatNotRecognized` if the file is not WebVTT, or contains no image URL.
    init(url: URL, options: HTTPOptions, interrupt: InterruptToken) throws(AVError) {
        (self.options, self.interrupt) = (options, interrupt)
        let bytes = try ThumbnailTrack.bytes(url, options, interrupt)
        guard let document = try? WebVTTDocument(parsing: bytes) else {
            throw AVError(
                .fileFormatNotRecognized, at: url.location, reason: "the file is not WebVTT",
                suggestion: "Choose a thumbnail track: a WebVTT file, whose first line is WEBVTT")
        }
        tiles = document.cues.prefix(ThumbnailTrack.maximumTiles).compactMap { ThumbnailTrack.tile($0, base: url) }
            .sorted {
                $0.start < $1.start
            }
        guard !tiles.isEmpty else {
            throw AVError(
                .fileFormatNotRecognized, at: url.location, reason: "the thumbnail track has no cue that names an image"
            )
        }
    }

    /// Reads the playlist of a stream's thumbnail sheets, and blocks the calling thread.
    ///
    /// - Parameter interrupt: Ends this call and later ones when it is interrupted or over time.
    /// - Throws: The error of reading. `.playlistInvalid` if the file is not an image playlist, or contains no images
    ///   with a known time.
    init(images: ImageRendition, variables: [String: String], options: HTTPOptions, interrupt: InterruptToken)
        throws(AVError)
    {
        (self.options, self.interrupt) = (options, interrupt)
        let bytes = try ThumbnailTrack.bytes(images.url, options, interrupt)
        guard let playlist = try? MediaPlaylist.parse(bytes, url: images.url, importing: variables) else {
            throw AVError(.playlistInvalid, at: images.url.location, reason: "the file is not an image playlist")
        }
        tiles = playlist.imageTiles.prefix(ThumbnailTrack.maximumTiles).map { tile in
            var part: Tile.Part?
            if let x = tile.x, let y = tile.y, let width = tile.width, let height = tile.height {
                part = Tile.Part(x: x, y: y, width: width, height: height)
            }
            return Tile(start: tile.start, end: tile.end, sheet: tile.sheet, part: part)
        }
        guard !tiles.isEmpty else {
            throw AVError(
                .playlistInvalid, at: images.url.location,
                reason: "the image playlist contains no images with a known time")
        }
    }

    private static func tile(_ cue: WebVTTCue, base: URL) -> Tile? {
        let text = cue.text.runs.map(\.text).joined().trimmingCharacters(in: .whitespacesAndNewlines)
        guard cue.end > cue.start, let line = text.split(separator: "\n").first,
            let target = try? ResourceReference.resolve(String(line), in: base),
            ["file", "http", "https"].contains(target.scheme?.lowercased() ?? ""),
            var parts = URLComponents(url: target, resolvingAgainstBaseURL: false)
        else { return nil }
        let part = parts.fragment.flatMap(ThumbnailTrack.part)
        parts.fragment = nil
        guard let sheet = parts.url else { return nil }
        return Tile(start: Double(cue.start) / 1e9, end: Double(cue.end) / 1e9, sheet: sheet, part: part)
    }

    /// Parses `xywh=1,2,3,4`, `xywh=pixel:1,2,3,4` or `xywh=percent:1,2,3,4`. Returns nil for any other fragment.
    static func part(_ fragment: String) -> Tile.Part? {
        guard fragment.hasPrefix("xywh=") else { return nil }
        var text = fragment.dropFirst(5)
        let isPercent = text.hasPrefix("percent:")
        if isPercent { text = text.dropFirst(8) } else if text.hasPrefix("pixel:") { text = text.dropFirst(6) }
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).compactMap { Int($0) }
        guard numbers.count == 4, numbers.allSatisfy({ (0...(isPercent ? 100 : 65_535)).contains($0) }),
            numbers[2] > 0, numbers[3] > 0
        else { return nil }
        return Tile.Part(
            x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3], isPercent: isPercent)
    }

    /// Returns the thumbnail at `seconds`; nil if there is none or its image cannot be loaded.
    func image(at seconds: Double) -> VideoFrame? {
        // Find the last tile that has begun. Cues of a thumbnail track do not overlap.
        var low = 0
        var high = tiles.count
        while low < high {
            let middle = (low + high) / 2
            if tiles[middle].start <= seconds { low = middle + 1 } else { high = middle }
        }
        guard low > 0, case let tile = tiles[low - 1], seconds < tile.end, let whole = sheet(tile.sheet) else {
            return nil
        }
        guard let part = tile.part?.pixels(width: whole.width, height: whole.height) else { return whole }
        return try? whole.cut(x: part.x, y: part.y, width: part.width, height: part.height)
    }

    private func sheet(_ url: URL) -> VideoFrame? {
        if let sheet, sheet.url == url { return sheet.frame }
        guard
            let frame = try? FrameExtractor(url: url, options: options, takesStills: true, interrupt: interrupt)
                .frame(at: .zero)
        else { return nil }
        sheet = (url, frame)
        return frame
    }

    private static func bytes(_ url: URL, _ options: HTTPOptions, _ interrupt: InterruptToken) throws(AVError)
        -> [UInt8]
    {
        if url.isFileURL {
            guard let path = FilePath(url) else {
                throw AVError(.fileNotFound, at: url.absoluteString, reason: "the file name is not valid")
            }
            return try path.contents(limit: limit, kind: "a thumbnail track")
        }
        guard ["http", "https"].contains(url.scheme?.lowercased() ?? "") else {
            throw AVError(
                .unsupportedURL, at: url.location,
                reason: "the scheme “\(url.scheme ?? "")” is not supported for thumbnail tracks",
                suggestion: "Use a file:, http: or https: URL")
        }
        let request = HTTPRequest(url: url, options: options, limit: Int64(limit), acceptsCompression: true)
        return try PresentationLoader.wait(for: request) { interrupt.isInterrupted || interrupt.isOverTime }.bytes
    }
}

extension VideoFrame {
    /// Returns a part of the stored frame, in pixels from its upper left corner. The part is cropped to the frame.
    /// - Throws: `.invalidArgument` if the part is outside the frame.
    func cut(x: Int, y: Int, width: Int, height: Int) throws(AVError) -> VideoFrame {
        let width = min(width, self.width - x)
        let height = min(height, self.height - y)
        guard x >= 0, y >= 0, width > 0, height > 0 else {
            throw AVError(.invalidArgument, at: "", reason: "the requested area is outside the image")
        }
        let whole = try OwnedFrame(
            width: Int32(saturating: Double(self.width)), height: Int32(saturating: Double(self.height)),
            format: AV_PIX_FMT_RGB24)
        try converted(into: whole)
        let part = try OwnedFrame(width: Int32(width), height: Int32(height), format: AV_PIX_FMT_RGB24)
        guard let from = whole.pointer.pointee.data.0, let to = part.pointer.pointee.data.0 else {
            throw AVError(.unknown, at: "", reason: "there is not enough memory")
        }
        for row in 0..<height {
            (to + row * Int(part.pointer.pointee.linesize.0)).update(
                from: from + (y + row) * Int(whole.pointer.pointee.linesize.0) + x * 3, count: width * 3)
        }
        defer { withExtendedLifetime((whole, part)) {} }
        part.pointer.pointee.color_range = AVCOL_RANGE_JPEG
        part.pointer.pointee.colorspace = AVCOL_SPC_RGB
        guard
            let result = VideoFrame(
                retaining: part.pointer, presentationTime: presentationTime, duration: duration,
                orientation: orientation, pixelAspectRatio: 1)
        else {
            throw AVError(.unknown, at: "", reason: "there is not enough memory")
        }
        return result
    }
}
