import DeclarativeUI
import Foundation

extension ContainerProbe {
    /// A page with a file and a text to drag, and with drop targets that accept one or the other.
    struct DropPage: View {
        @State private var isTargeted = false
        @State private var isTextTargeted = false
        var body: some View {
            VStack(spacing: 30) {
                HStack(spacing: 30) {
                    Ink.red.frame(width: 60, height: 40).onDrag {
                        let file = ProcessInfo.processInfo.environment["ZT_DRAGGED"] ?? "/tmp/a film.mp4"
                        return NSItemProvider(object: URL(fileURLWithPath: file))
                    }
                    Ink.blue.frame(width: 60, height: 40).onDrag { NSItemProvider(object: "some words") }
                }
                ZStack {
                    Ink.green.frame(width: 200, height: 100)
                    Ink.magenta.frame(width: 40, height: 40).onDrop(
                        of: [.utf8PlainText], isTargeted: $isTextTargeted
                    ) { providers in
                        for provider in providers {
                            provider.loadObject(ofClass: String.self) { text, _ in say("text \(text ?? "none")") }
                        }
                        return true
                    }
                }
                .onDrop(of: [.fileURL], isTargeted: $isTargeted) { providers, point in
                    say("dropped \(providers.count) \(Int(point.x)) \(Int(point.y))")
                    for provider in providers {
                        _ = provider.loadObject(ofClass: URL.self) { url, _ in say("url \(url?.path ?? "none")") }
                    }
                    return true
                }
            }
            .onChange(of: isTargeted) { say("targeted \($0)") }
            .onChange(of: isTextTargeted) { say("text targeted \($0)") }
        }
    }

    struct LinksPage: View {
        var body: some View {
            Text("██ [██](https://example.org/\(3)) ██").font(.system(size: 30)).foregroundColor(Ink.green).tint(
                Ink.red
            )
            .environment(
                \.openURL,
                OpenURLAction { url in
                    say("open \(url.absoluteString)")
                    return .handled
                })
        }
    }

    /// A page that prints the device orientation when a notification arrives.
    struct DevicePage: View {
        @State private var held: (any NSObjectProtocol)?
        var body: some View {
            Ink.red.onAppear {
                say("unknown \(UIDevice.current.orientation == .unknown)")
                held = NotificationCenter.default.addObserver(
                    forName: UIDevice.orientationDidChangeNotification, object: nil, queue: nil
                ) { _ in
                    MainActor.assumeIsolated { say("landscape \(UIDevice.current.orientation.isLandscape)") }
                }
            }
        }
    }

    struct ImportPage: View {
        @State private var asks = false
        var body: some View {
            Square(color: Ink.red, word: "ask") { asks = true }
                .fileImporter(isPresented: $asks, allowedContentTypes: [.movie]) { result in
                    if case .success(let url) = result { say("file \(url.path)") }
                }
                .onChange(of: asks) { say("asks \($0)") }
        }
    }
}
