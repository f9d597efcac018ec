import DeclarativeUI

extension ContainerProbe {
    /// A page with two columns. Links in the first column show their destinations in the second.
    struct SplitPage: View {
        var body: some View {
            NavigationSplitView {
                VStack(spacing: 12) {
                    NavigationLink {
                        Ink.blue.frame(width: 60, height: 40)
                    } label: {
                        Ink.red.frame(width: 40, height: 24)
                    }
                    NavigationLink(value: 7) { Ink.green.frame(width: 40, height: 24) }
                }
                .navigationSplitViewColumnWidth(min: 100, ideal: 120, max: 200)
            } detail: {
                Ink.magenta.frame(width: 60, height: 40)
                    .navigationDestination(for: Int.self) { number in
                        Ink.cyan.frame(width: 60, height: 40).onAppear { say("page \(number)") }
                    }
            }
            .onAppear { say("ready") }
        }
    }
}
