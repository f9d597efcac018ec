import Foundation
import FoundationExtras
import SwiftUI
import Testing

// Titles of views that are a `LocalizedStringResource`, as apps with generated symbols for strings have them.

private struct ResourcePage: View {
    let title: LocalizedStringResource
    @State private var isOn = false
    @State private var text = ""
    init(title: LocalizedStringResource) { self.title = title }
    var body: some View {
        NavigationStack {
            List {
                Section(title) {
                    Label(title, systemImage: "film")
                    Button(title) { isOn = true }
                    Button(title, systemImage: "play", role: .destructive) {}
                    Toggle(title, isOn: $isOn)
                    TextField(title, text: $text)
                    NavigationLink(title) { Text(title) }
                    LabeledContent(title, value: text)
                    Menu(title) { Button("Literal") {} }
                }
            }
            .navigationTitle(title)
            .alert(title, isPresented: $isOn) { Button("OK") {} }
            .help(title)
            .accessibilityLabel(title)
        }
    }
}

@MainActor @Suite("Resources as titles")
struct ResourceTitleTests {
    @Test("a text shows its resource, with Markdown and percent signs")
    func texts() {
        let count = 3
        #expect(Text(LocalizedStringResource("50% of **all**")) == Text("50% of **all**"))
        #expect(Text(LocalizedStringResource("\(count) films")) == Text(verbatim: "3 films"))
        _ = ResourcePage(title: "Films")
    }
}
