import Zoetrope

/// What Zoetrope is: a loop behind words, and cards that lead to the pages.
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
                            .accessibilityHint(page.words)
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
            // Dark enough for words wherever the drum's white cards pass below them.
            LinearGradient(
                stops: [
                    .init(color: .black.opacity(0.05), location: 0), .init(color: .black.opacity(0.72), location: 0.55),
                    .init(color: .black.opacity(0.88), location: 1),
                ], startPoint: .top, endPoint: .bottom)
            VStack(alignment: .leading, spacing: 16) {
                VStack(alignment: .leading, spacing: 8) {
                    Text("Zoetrope").font(.largeTitle).bold().accessibilityAddTraits(.isHeader)
                    Text("Video in Swift apps on Linux: SwiftUI’s views, AVFoundation’s players, GTK’s windows.")
                        .font(.title3)
                    Text("Loops without a seam, streams, filters, shaders, subtitles, Picture in Picture.")
                }
                .foregroundColor(.white)
                HStack(spacing: 12) {
                    Button("A player with controls") { open(.controls) }.buttonStyle(.borderedProminent)
                    Button("Whole apps") { open(.examples) }
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
                Text(verbatim: page.words).font(.subheadline).foregroundColor(.secondary).lineLimit(2)
            }
            .frame(maxWidth: .infinity, alignment: .leading)
        }
        .frame(minHeight: 52, alignment: .top)
    }
}
