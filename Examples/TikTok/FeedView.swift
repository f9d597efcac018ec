import ExampleKit
import VideoPlayerContainer
import Zoetrope

/// A view of the pages that have a player, one above the other. Dragging anywhere moves the pages.
struct FeedView: View {
    @ObservedObject var feed: Feed
    /// Whether the feed's tab is selected.
    let isSeen: Bool
    @State private var drag: CGFloat = 0

    var body: some View {
        GeometryReader { proxy in
            // The video is as wide as a phone of this height. The rest of a wide window is black.
            let width = min(proxy.size.width, (proxy.size.height * 9 / 16).rounded())
            let height = proxy.size.height
            ZStack {
                Color.black
                ForEach(feed.live, id: \.self) { number in
                    if let context = feed.contexts[number] {
                        PlayerWidget(context, launch: [PlaybackService.self])
                            .frame(width: width, height: height)
                            .offset(y: CGFloat(number - feed.current) * height + drag)
                            .accessibilityHidden(number != feed.current)
                            .onAppear { follow(context, height) }
                            .onChange(of: height) { follow(context, height) }
                            // The page and its player are removed immediately.
                            .transition(.identity)
                    }
                }
                turnButtons(height)
            }
            .frame(width: proxy.size.width, height: height)
            .clipped()
        }
        .onChange(of: isSeen, initial: true) { isSeen ? feed.play() : feed.pause() }
    }

    private func follow(_ context: Context, _ height: CGFloat) {
        let drag = $drag
        // The feed owns the context, so the context's closures must not retain the feed.
        context.gesture.simultaneousDragGesture = DragGesture(coordinateSpace: .global)
            .onChanged { drag.wrappedValue = $0.translation.height }
            .onEnded { [weak feed] value in
                let pages = abs(value.translation.height) > height * 0.3 ? (value.translation.height < 0 ? 1 : -1) : 0
                withAnimation(.easeInOut(duration: 0.1)) {
                    feed?.turn(by: pages)
                    drag.wrappedValue = 0
                }
            }
    }

    /// Returns invisible buttons that define the keyboard shortcuts.
    private func turnButtons(_ height: CGFloat) -> some View {
        HStack {
            Button("Previous Video") { turn(-1) }.keyboardShortcut(.upArrow, modifiers: [])
            Button("Next Video") { turn(1) }.keyboardShortcut(.downArrow, modifiers: [])
        }
        .opacity(0)
        .allowsHitTesting(false)
    }
    private func turn(_ pages: Int) { withAnimation(.easeInOut(duration: 0.2)) { _ = feed.turn(by: pages) } }
}
