import ExampleKit
import MPlayerKit

/// A video of the app. `Artwork` and `MediaType` are common names, so the module's name is added to them.
struct VOD: Playable {
    let title: String
    let subtitle: String?
    let synopsis: String?
    let poster: MPlayerKit.Artwork?
    let asset: URL
    let previewAsset: URL?
    let mediaType: MPlayerKit.MediaType
    let releaseYear: Int?
    let contentRating: String?
    let genres: [String]?

    func extraExternalMetadata() -> [AVMetadataItem] { [] }
}

let vod = VOD(
    title: "Evening Hills",
    subtitle: "A video made by a script",
    synopsis: "The sun sets behind four rows of hills and rises again ten seconds later.",
    poster: MPlayerKit.Artwork(url: ExampleMedia.folder.appendingPathComponent("demo.jpg")),
    asset: ExampleMedia.url("demo"),
    previewAsset: ExampleMedia.url("demo-small"),
    mediaType: .video,
    releaseYear: 2026,
    contentRating: "U",
    genres: ["Landscape", "Calm"]
)

let logger = Logger(subsystem: "tv.zoetrope.PlayerKit", category: "demo")
