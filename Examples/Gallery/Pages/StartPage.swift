import Zoetrope

/// An introduction: a loop behind a title, and a card for each page.
struct StartPage: View {
    let open: @MainActor (Page) -> Void

    var body: some View {
        ScrollView {
            VStack(alignment: .leading, spacing: 24) {
                hero
                VStack(alignment: .leading, spacing: 12) {
                    Text("Pages").font(.title2).fontWeight(.bold).accessibilityAddTraits(.isHeader)
                    LazyVGrid(columns: [GridItem(.adaptive(minimum: 240), spacing: 12)], spacing: 12) {
                        ForEach(Page.allCases.filter { $0 != .start }) { page in
                            Button {
                                open(page)
                            } label: {
                                PageCard(page: page)
                            }
                            .buttonStyle(CardStyle())
                            .accessibilityLabel(Text(verbatim: page.title))
                            .accessibilityHint(page.summary)
                        }
                    }
                }
                .padding(.horizontal, 24)
                .padding(.bottom, 24)
            }
        }
    }

    private var hero: some View {
        ZStack(alignment: .bottomLeading) {
            ExtVideoPlayer(
                {
                    VideoSettings {
                        SourceName("zoetrope")
                        Gravity(.resizeAspectFill)
                        Loop()
                        Mute()
                    }
                }, command: .opening)
            // Dark enough for white text over the bright parts of the video.
            LinearGradient(
                stops: [
                    .init(color: .black.opacity(0.05), location: 0), .init(color: .black.opacity(0.72), location: 0.55),
                    .init(color: .black.opacity(0.88), location: 1),
                ], startPoint: .top, endPoint: .bottom)
            VStack(alignment: .leading, spacing: 16) {
                VStack(alignment: .leading, spacing: 8) {
                    Text("Zoetrope").font(.largeTitle).bold().accessibilityAddTraits(.isHeader)
                    Text("Video playback for Swift apps on Linux: the API of SwiftUI and AVFoundation, in GTK windows.")
                        .font(.title3)
                    Text("Seamless loops, streams, filters, shaders, subtitles and Picture in Picture.")
                }
                .foregroundColor(.white)
                HStack(spacing: 12) {
                    Button("Try the Controls") { open(.controls) }.buttonStyle(.borderedProminent)
                    Button("See Example Apps") { open(.examples) }
                }
            }
            .padding(24)
        }
        .frame(height: 320)
    }
}

private struct PageCard: View {
    let page: Page

    var body: some View {
        HStack(alignment: .top, spacing: 12) {
            RoundedRectangle(cornerRadius: 8)
                .fill(Color.accentColor.opacity(0.15))
                .frame(width: 40, height: 40)
                .overlay { Image(systemName: page.symbol).font(.system(size: 18)).foregroundColor(.accentColor) }
            VStack(alignment: .leading, spacing: 2) {
                Text(verbatim: page.title).font(.headline).lineLimit(1)
                Text(verbatim: page.summary).font(.subheadline).foregroundColor(.secondary).lineLimit(2)
            }
            .frame(maxWidth: .infinity, alignment: .leading)
        }
        .frame(minHeight: 52, alignment: .top)
    }
}
