import DeclarativeUI
import Foundation
import MediaCore
import MediaEngine

/// The page of a window without videos: the ways to open one, and the recent videos.
struct StartPage: View {
    let windowState: WindowState
    let recent: RecentFilms

    var body: some View {
        GeometryReader { proxy in
            ScrollView {
                VStack(spacing: 24) {
                    VStack(spacing: 12) {
                        Image(systemName: "film").font(.system(size: 56)).foregroundStyle(.secondary)
                            .accessibilityHidden(true)
                        Text(
                            verbatim: localized(
                                windowState.isLoadingPlaylist ? "Opening…" : "Drop videos, folders or URLs here")
                        ).font(
                            .title3
                        )
                        .foregroundStyle(.secondary).multilineTextAlignment(.center)
                        Group {
                            // Side by side, the texts of the buttons would be cut off.
                            if proxy.size.width < Self.narrow {
                                VStack(spacing: 8) { buttons }
                            } else {
                                HStack(spacing: 12) { buttons }
                            }
                        }
                        .padding(.top, 4)
                    }
                    if !recent.films.isEmpty { recentFilms }
                }
                .padding(24)
                .frame(maxWidth: .infinity, minHeight: proxy.size.height)
            }
        }
    }

    /// The width of the window below which the buttons are stacked, in points.
    private static let narrow = 330.0

    @ViewBuilder private var buttons: some View {
        Button(localized("Open…")) { windowState.showsFileChooser = true }.buttonStyle(.borderedProminent)
        Button(localized("Open URL…")) { windowState.showsURLDialog = true }
    }

    private var recentFilms: some View {
        VStack(alignment: .leading, spacing: 12) {
            Text(verbatim: localized("Recent")).font(.headline)
            LazyVGrid(columns: [GridItem(.adaptive(minimum: 160, maximum: 240), spacing: 16)], spacing: 16) {
                ForEach(recent.films) { film in
                    RecentCard(film: film) { windowState.open?([film.url]) }.contextMenu {
                        Button(localized("Open")) { windowState.open?([film.url]) }
                        Button(localized("Remove from Recent")) { recent.forget(film.url) }
                    }
                }
            }
        }
        .frame(maxWidth: 1000)
    }
}

/// A card with the thumbnail and the title of a video.
private struct RecentCard: View {
    let film: RecentFilms.Film
    let open: @MainActor () -> Void
    @State private var poster: CGImage?

    var body: some View {
        Button(action: open) {
            VStack(alignment: .leading, spacing: 6) {
                // The image is an overlay, so that its aspect ratio does not change the size of the card.
                RoundedRectangle(cornerRadius: 8).fill(Color.primary.opacity(0.08))
                    .aspectRatio(16 / 9, contentMode: .fit)
                    .overlay {
                        if let poster {
                            Image(decorative: poster, scale: 1).resizable().aspectRatio(contentMode: .fill)
                        } else {
                            Image(systemName: film.url.isFileURL ? "film" : "globe").font(.system(size: 28))
                                .foregroundStyle(.secondary)
                        }
                    }
                    .clipShape(RoundedRectangle(cornerRadius: 8))
                Text(verbatim: film.title).font(.callout).lineLimit(1).truncationMode(.middle)
            }
            .contentShape(Rectangle())
        }
        .buttonStyle(.plain)
        .help(film.url.isFileURL ? film.url.path : film.url.location)
        .accessibilityLabel(film.title)
        .task(id: film.id) { poster = await Posters.shared.poster(of: film.url) }
    }
}

/// The thumbnails of local files, which are created one after the other. Other videos have none, because a thumbnail
/// would need a download. Main actor.
@MainActor
final class Posters {
    static let shared = Posters()
    private var thumbnails: [URL: CGImage] = [:]
    private var last: Task<CGImage?, Never>?
    /// The length of the longer side, in pixels.
    private static let side = 320.0
    /// The maximum number of thumbnails in memory.
    private static let maximumCount = 48

    func poster(of film: URL) async -> CGImage? {
        if let known = thumbnails[film] { return known }
        guard film.isFileURL else { return nil }
        let before = last
        let task = Task { () -> CGImage? in
            _ = await before?.value
            let generator = AVAssetImageGenerator(asset: AVURLAsset(url: film))
            generator.maximumSize = CGSize(width: Posters.side, height: Posters.side)
            // Any frame near this position is sufficient. The first frame is often black.
            generator.requestedTimeToleranceBefore = .positiveInfinity
            generator.requestedTimeToleranceAfter = .positiveInfinity
            return try? await generator.image(at: CMTime(seconds: 10, preferredTimescale: 1)).image
        }
        last = task
        let image = await task.value
        if let image {
            if thumbnails.count >= Posters.maximumCount { thumbnails.removeAll() }
            thumbnails[film] = image
        }
        return image
    }
}
