import ExampleKit
import MPlayerKit

/// What the app has to show. (“Artwork” and “MediaType” are common names: the module's name says whose.)
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
    subtitle: "A film made by a script",
    synopsis: "The sun goes down behind four rows of hills, and comes up again ten seconds later.",
    poster: MPlayerKit.Artwork(url: ExampleMedia.folder.appendingPathComponent("demo.jpg")),
    asset: ExampleMedia.url("demo"),
    previewAsset: ExampleMedia.url("demo-small"),
    mediaType: .video,
    releaseYear: 2026,
    contentRating: "U",
    genres: ["Landscape", "Calm"]
)

let logger = Logger(subsystem: "tv.zoetrope.PlayerKit", category: "demo")
