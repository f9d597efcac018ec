import ExampleKit
import Zoetrope

/// The view beside or below the video: its details and a list of other videos.
struct DetailsView: View {
    let films: FilmService
    /// Whether the view is beside the video. If so, the title is below the video.
    let isBeside: Bool

    var body: some View {
        List {
            if !isBeside { TitleView(film: films.film).padding(.vertical, 8).listRowSeparator(.hidden) }
            Text("Up Next").font(.headline).padding(.top, 4).listRowSeparator(.hidden)
            ForEach(Film.all.filter { $0 != films.film }) { other in
                Button {
                    films.show(other)
                } label: {
                    FilmRow(film: other)
                }
                .buttonStyle(.plain)
                .accessibilityLabel(other.title)
                .listRowSeparator(.hidden)
            }
        }
        .listStyle(.plain)
    }
}

/// A video's title, with buttons to like it and to subscribe.
struct TitleView: View {
    let film: Film
    @State private var isLiked = false
    @State private var isSubscribed = false

    var body: some View {
        VStack(alignment: .leading, spacing: 10) {
            Text(film.title).font(.title3).fontWeight(.semibold).lineLimit(2)
            HStack(spacing: 10) {
                Circle().fill(Color.red.opacity(0.8)).frame(width: 32, height: 32)
                    .overlay { Text(film.channel.prefix(1)).foregroundColor(.white).fontWeight(.bold) }
                VStack(alignment: .leading, spacing: 1) {
                    Text(film.channel).fontWeight(.medium).lineLimit(1)
                    Text(film.about).font(.caption).foregroundColor(.secondary).lineLimit(1)
                }
                Spacer(minLength: 4)
                Button(isLiked ? "Liked" : "Like") { isLiked.toggle() }
                Button(isSubscribed ? "Subscribed" : "Subscribe") { isSubscribed.toggle() }.buttonStyle(
                    .borderedProminent)
            }
            Text(film.summary).lineLimit(4)
                .padding(12)
                .frame(maxWidth: .infinity, alignment: .leading)
                .background { RoundedRectangle(cornerRadius: 10).fill(Color.gray.opacity(0.12)) }
        }
    }
}

private struct FilmRow: View {
    let film: Film
    @State private var isUnderPointer = false

    var body: some View {
        HStack(alignment: .top, spacing: 10) {
            FilmPoster(ExampleMedia.url(film.file)).frame(width: 128, height: 72).cornerRadius(8)
            VStack(alignment: .leading, spacing: 3) {
                Text(film.title).fontWeight(.medium).lineLimit(2)
                Text(film.channel).font(.caption).foregroundColor(.secondary)
                Text(film.about).font(.caption).foregroundColor(.secondary).lineLimit(1)
            }
        }
        .frame(maxWidth: .infinity, alignment: .leading)
        .padding(6)
        .background { RoundedRectangle(cornerRadius: 12).fill(Color.gray.opacity(isUnderPointer ? 0.15 : 0)) }
        // The highlight is wider than the row, so that the thumbnail is aligned with the heading.
        .padding(.horizontal, -6)
        .contentShape(Rectangle())
        .onHover { isUnderPointer = $0 }
    }
}
