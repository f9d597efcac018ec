import DeclarativeUI
import Foundation

/// Pages for visual tests: accent color, focus rings, rows, dialogs, motion.
extension UIProbe {
    struct AccentPage: View {
        @State private var value = 1.0
        @State private var isOn = true
        var body: some View {
            VStack(spacing: 12) {
                Color.accentColor.frame(height: 20).located("ours")
                Slider(value: $value).located("slider")
                Toggle("On", isOn: $isOn).labelsHidden().located("switch")
                ProgressView(value: 1).located("bar")
                Button("Go") {}.buttonStyle(.borderedProminent).located("default")
            }
        }
    }

    private struct RowStyle: ButtonStyle {
        let isChosen: Bool
        func makeBody(configuration: Configuration) -> some View {
            configuration.label.frame(maxWidth: .infinity).frame(height: 40).background(
                RoundedRectangle(cornerRadius: 12).fill(isChosen ? Color.accentColor : Color.clear))
        }
    }

    struct RingPage: View {
        var body: some View {
            VStack(spacing: 12) {
                Button("Plain") {}.buttonStyle(RowStyle(isChosen: false)).located("plain")
                Button("Chosen") {}.buttonStyle(RowStyle(isChosen: true)).located("chosen")
            }
        }
    }

    struct RowsPage: View {
        @State private var chosen: String? = "one"
        var body: some View {
            VStack {
                List(selection: $chosen) {
                    ForEach(["one", "two", "three"], id: \.self) { name in
                        Text(name).frame(maxWidth: .infinity, alignment: .leading).located(name)
                    }
                }
                .listStyle(.sidebar)
                Button("Elsewhere") {}.located("elsewhere")
            }
            .saying("chosen", chosen ?? "none")
        }
    }

    struct QuestionPage: View {
        @State private var asks = false
        var body: some View {
            VStack {
                Color.gray.frame(height: 60).located("ground")
                Button("Ask") { asks = true }.located("ask")
            }
            .alert("Remove it?", isPresented: $asks) {
                Button("Remove", role: .destructive) { UIProbe.say("answer", "removed") }
                Button("Cancel", role: .cancel) { UIProbe.say("answer", "cancelled") }
            } message: {
                Text("It cannot be brought back.")
            }
            .saying("asks", asks)
        }
    }

    struct MotionPage: View {
        @State private var isOver = false
        var body: some View {
            VStack {
                HStack(spacing: 0) {
                    if isOver { Spacer() }
                    Color.red.frame(width: 40, height: 40)
                    if !isOver { Spacer() }
                }
                .located("way")
                Button("Move") { withAnimation(.linear(duration: 600)) { isOver.toggle() } }.located("move")
            }
            .saying("over", isOver)
        }
    }
}
