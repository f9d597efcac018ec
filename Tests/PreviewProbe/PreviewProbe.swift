import Foundation
import Zoetrope
import ZoetropePreviews

/// An app with previews of both kinds, each in another color. The tests start it with `--preview` and read its standard
/// output.
@main
struct PreviewProbe: App {
    init() { say("app made") }
    var body: some Scene { WindowGroup("the app itself") { Color.black.frame(width: 200, height: 200) } }
}

func say(_ words: String) { FileHandle.standardOutput.write(Data((words + "\n").utf8)) }

struct Swatch: View {
    var color = Color(red: 1, green: 0, blue: 0)
    var body: some View {
        color.onAppear { say("shown \(ProcessInfo.processInfo.environment["XCODE_RUNNING_FOR_PREVIEWS"] ?? "")") }
    }
}

struct Swatch_Previews: PreviewProvider {
    static var previews: some View { Swatch().frame(width: 300, height: 200) }
}

/// A nested, private preview provider, which must also be found.
enum Palette {
    private final class Swatches_Previews: PreviewProvider {
        static var previews: some View {
            Swatch(color: Color(red: 0, green: 1, blue: 0)).previewDisplayName("Both").previewLayout(
                .fixed(width: 200, height: 120))
            Swatch(color: Color(red: 0, green: 0, blue: 1)).previewLayout(.fixed(width: 200, height: 120))
        }
    }
}

enum First { struct Twin_Previews: PreviewProvider { static var previews: some View { Swatch() } } }
enum Second { struct Twin_Previews: PreviewProvider { static var previews: some View { Swatch() } } }

#Preview("Yellow, small", traits: .fixedLayout(width: 240, height: 160)) {
    Swatch(color: Color(red: 1, green: 1, blue: 0))
}

#Preview("Counting") {
    @Previewable @State var count = 0
    Swatch(color: count == 0 ? Color(red: 1, green: 1, blue: 1) : Color(red: 0, green: 1, blue: 1))
        .frame(width: 300, height: 200)
        .onAppear { count = 1 }
}

@MainActor
private func failing() -> any View { EmptyView() }
#Preview(body: failing)
