import DeclarativeUI
import Foundation

/// An app that stores values with `AppStorage`, in its own stores, and when its view disappears. Option-X closes its
/// window. With the argument `exit`, it ends after storing the values.
struct StoredProbe: App {
    var body: some Scene {
        WindowGroup("Stored") { StoredView() }.defaultSize(width: 200, height: 100)
    }

    struct StoredView: View {
        @AppStorage("by-storage") private var count = 0
        @AppStorage("by-suite", store: UserDefaults(suiteName: "zoetrope.stored")) private var text = ""
        @Environment(\.dismiss) private var dismiss
        var body: some View {
            Button("close") { dismiss() }.keyboardShortcut("x", modifiers: [.option])
                .onAppear {
                    count = 7
                    text = "in a suite"
                    UserDefaults.standard.set("by the app", forKey: "plain")
                    if Probes.arguments.contains("exit") { exit(0) }
                    FileHandle.standardOutput.write(Data("ready\n".utf8))
                }
                .onDisappear { UserDefaults.standard.set("at the end", forKey: "last") }
        }
    }
}
