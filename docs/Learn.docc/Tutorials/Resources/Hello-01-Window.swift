import Zoetrope

@main struct Hello: App {
    var body: some Scene {
        WindowGroup {
            Text("Hello")
                .padding()
        }
    }
}
