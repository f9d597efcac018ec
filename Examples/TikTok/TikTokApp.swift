import ExampleKit
import Zoetrope

/// A feed of short videos, one per page. A drag, the wheel or an arrow key turns the page.
@main struct TikTokApp: App {
    var body: some Scene {
        WindowGroup("TikTok") {
            ContentView().frame(minWidth: 340, minHeight: 480).background(Color.black).preferredColorScheme(.dark)
        }
        .defaultSize(width: 430, height: 760)
    }
}

struct ContentView: View {
    @StateObject private var feed = Feed(films: FeedFilm.samples)
    @State private var tab = 0

    var body: some View {
        TabView(selection: $tab) {
            FeedView(feed: feed, isSeen: tab == 0).tabItem { Label("Home", systemImage: "house.circle.fill") }.tag(0)
            EmptyTab(symbol: "link.circle.fill", text: "Videos from your friends appear here.").tabItem {
                Label("Friends", systemImage: "link.circle.fill")
            }.tag(1)
            EmptyTab(symbol: "message.circle.fill", text: "No messages yet.").tabItem {
                Label("Inbox", systemImage: "message.circle.fill")
            }.tag(2)
            EmptyTab(symbol: "person.crop.circle.fill", text: "You have not posted any videos.").tabItem {
                Label("Me", systemImage: "person.crop.circle.fill")
            }.tag(3)
        }
    }
}

private struct EmptyTab: View {
    let symbol, text: String
    var body: some View {
        VStack(spacing: 14) {
            Image(systemName: symbol).font(.system(size: 44)).foregroundColor(.secondary)
            Text(text).foregroundColor(.secondary)
        }
        .frame(maxWidth: .infinity, maxHeight: .infinity)
    }
}
