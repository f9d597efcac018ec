import DeclarativeUI
import Foundation
import MediaCore
import MediaEngine

/// What a window shows that has nothing to play: how to open something, and what was opened lately.
struct StartPage: View {
    let desk: FilmDesk
    let recent: RecentFilms

    var body: some View {
        GeometryReader { proxy in
            ScrollView {
                VStack(spacing: 24) {
                    VStack(spacing: 12) {
                        Image(systemName: "film").font(.system(size: 56)).foregroundStyle(.secondary)
                            .accessibilityHidden(true)
                        Text(verbatim: say(desk.isAsking ? "Opening…" : "Drop videos, folders or URLs here")).font(
                            .title3
                        )
                        .foregroundStyle(.secondary).multilineTextAlignment(.center)
                        Group {
                            // Beside each other their words would be cut.
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

    /// Points.
    private static let narrow = 330.0

    @ViewBuilder private var buttons: some View {
        Button(say("Open…")) { desk.asksForFiles = true }.buttonStyle(.borderedProminent)
        Button(say("Open URL…")) { desk.asksForAddress = true }
    }

    private var recentFilms: some View {
        VStack(alignment: .leading, spacing: 12) {
            Text(verbatim: say("Recent")).font(.headline)
            LazyVGrid(columns: [GridItem(.adaptive(minimum: 160, maximum: 240), spacing: 16)], spacing: 16) {
                ForEach(recent.films) { film in
                    RecentCard(film: film) { desk.open?([film.url]) }.contextMenu {
                        Button(say("Open")) { desk.open?([film.url]) }
                        Button(say("Remove from Recent")) { recent.forget(film.url) }
                    }
                }
            }
        }
        .frame(maxWidth: 1000)
    }
}

/// A film's picture and its name.
private struct RecentCard: View {
    let film: RecentFilms.Film
    let open: @MainActor () -> Void
    @State private var poster: CGImage?

    var body: some View {
        Button(action: open) {
            VStack(alignment: .leading, spacing: 6) {
                // The picture lies over what has the size: its own proportions move nothing.
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

/// Small pictures of files on this machine, one made after the other; of other places there are none, as they cost.
/// Main actor.
@MainActor
final class Posters {
    static let shared = Posters()
    private var made: [URL: CGImage] = [:]
    private var last: Task<CGImage?, Never>?
    /// Pixels of the longer side.
    private static let side = 320.0
    /// Kept at the same time.
    private static let most = 48

    func poster(of film: URL) async -> CGImage? {
        if let known = made[film] { return known }
        guard film.isFileURL else { return nil }
        let before = last
        let task = Task { () -> CGImage? in
            _ = await before?.value
            let generator = AVAssetImageGenerator(asset: AVURLAsset(url: film))
            generator.maximumSize = CGSize(width: Posters.side, height: Posters.side)
            // Any picture near there; the very first is often black.
            generator.requestedTimeToleranceBefore = .positiveInfinity
            generator.requestedTimeToleranceAfter = .positiveInfinity
            return try? await generator.image(at: CMTime(seconds: 10, preferredTimescale: 1)).image
        }
        last = task
        let picture = await task.value
        if let picture {
            if made.count >= Posters.most { made.removeAll() }
            made[film] = picture
        }
        return picture
    }
}
