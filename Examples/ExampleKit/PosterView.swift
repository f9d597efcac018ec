import Zoetrope

/// A frame of a video, generated when the view first appears.
public struct FilmPoster: View {
    private let url: URL
    private let time: Double
    @State private var image: CGImage?
    /// The video whose frame is shown.
    @State private var shown: URL?

    /// Creates a view of the frame at `time`.
    /// - Parameter time: The position of the frame, in seconds.
    public init(_ url: URL, at time: Double = 2) {
        self.url = url
        self.time = time
    }

    public var body: some View {
        ZStack {
            Color.gray.opacity(0.25)
            if let image { Image(image, scale: 1, label: Text("")).resizable().aspectRatio(contentMode: .fill) }
        }
        .clipped()
        .accessibilityHidden(true)
        .task(id: url) {
            // The task starts again when the view scrolls back into the visible area.
            guard shown != url else { return }
            let generator = AVAssetImageGenerator(asset: AVURLAsset(url: url))
            generator.maximumSize = CGSize(width: 320, height: 320)
            image = try? await generator.image(at: CMTime(seconds: time, preferredTimescale: 600)).image
            if image != nil { shown = url }
        }
    }
}
