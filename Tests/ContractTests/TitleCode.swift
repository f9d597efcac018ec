import Foundation
import Zoetrope

// Titles of controls that are variables or `Text` values, with symbols and images.

struct TitlePage: View {
    let name: String
    let icon: ImageResource
    @State private var isOn = false
    @State private var count = 1
    @State private var text = ""
    @State private var chosen: String?

    var body: some View {
        NavigationView {
            VStack {
                labels
                controls
                links
            }
        }
        .navigationTitle(name)
        .alert(Text(name), isPresented: $isOn) { Button(name) {} }
        .alert(Text(name), isPresented: $isOn) {
            Button("OK") {}
        } message: {
            Text("Really?")
        }
        .alert(Text(name), isPresented: $isOn, presenting: chosen) {
            Button($0) {}
        } message: {
            Text($0)
        }
        .confirmationDialog(name, isPresented: $isOn) {
            Button("OK") {}
        } message: {
            Text("Really?")
        }
        .confirmationDialog(Text(name), isPresented: $isOn) { Button("OK") {} }
        .confirmationDialog(name, isPresented: $isOn, presenting: chosen) { Button($0) {} }
    }
    @ViewBuilder private var labels: some View {
        Label(name, image: "")
        Label(name, image: icon)
        Label("Film", image: icon)
        Text("Film", comment: "The title of a film")
        ContentUnavailableView(name, image: "film")
        LabeledContent(name, value: 0.5, format: .percent)
        LabeledContent("Share", value: 0.5, format: .percent)
        Text("Film").badge(chosen).accessibility(label: Text(name)).accessibility(hidden: isOn)
    }
    @ViewBuilder private var controls: some View {
        Button(name, systemImage: "play") {}
        Button(name, systemImage: "trash", role: .destructive) {}
        Button("Play", image: icon) {}
        Button(name, image: icon) {}
        Menu(name, systemImage: "play") { Button(name) {} }
        Menu("Play", image: icon) { Button(name) {} }
        Toggle(name, systemImage: "play", isOn: $isOn)
        Toggle(name, image: icon, isOn: $isOn)
        Picker(name, systemImage: "play", selection: $count) { Text(name).tag(1) }
        Picker("Speed", image: icon, selection: $count) { Text(name).tag(1) }
        Stepper(name, value: $count)
        Stepper(name, onIncrement: { count += 1 }, onDecrement: nil)
        TextField(name, text: $text, onCommit: {})
        SecureField("Password", text: $text, onCommit: {})
        SecureField(name, text: $text) {}
    }
    @ViewBuilder private var links: some View {
        NavigationLink(name, destination: Text(name), tag: "a", selection: $chosen)
        NavigationLink("Film", tag: "b", selection: $chosen) { Text(name) }
        NavigationLink(tag: "c", selection: $chosen) {
            Text(name)
        } label: {
            Text("Film")
        }
        NavigationLink(name, isActive: $isOn) { Text(name) }
    }
}

struct TitledTabs: View {
    let name: String
    var body: some View {
        TabView {
            Tab(name, image: "film") { Text(name) }
            Tab("Films", image: "film") { Text(name) }
        }
    }
}

struct TitledWindows: App {
    var body: some Scene {
        WindowGroup(Text("Film"), for: URL.self) { url in Text(url.wrappedValue?.path ?? "") }
        WindowGroup("Film", id: "film", for: Int.self) { number in
            Text("\(number.wrappedValue)")
        } defaultValue: {
            1
        }
    }
}
